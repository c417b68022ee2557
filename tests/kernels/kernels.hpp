/// Kernels: functions of an engine on the coefficients of one polynomial, over plain arrays. Their
/// text is the same on every engine's vectors, for the tests to compare.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "keccak/function.hpp"
#include "keccak/task.hpp"
#include "ml_dsa/types.hpp"
#include "ml_kem/types.hpp"
#include "ntru_prime/params.hpp"

namespace girih::test {

using ml_dsa::Coefficients;

struct HighLow {
    Coefficients high;
    Coefficients low;
};

/// The functions of one value of gamma2 (FIPS 204, Section 7.4).
struct RoundingKernels {
    std::int32_t gamma2;
    HighLow (*decompose)(const Coefficients& r);
    Coefficients (*make_hint)(const Coefficients& z, const Coefficients& r);
    Coefficients (*make_hint_from_low)(const Coefficients& low_after, const Coefficients& high);
    Coefficients (*use_hint)(const Coefficients& hint, const Coefficients& r);
};

/// Packed polynomials: SimpleBitPack of integers of `bits` bits, or BitPack with the upper end b.
struct PackingKernels {
    int bits;
    std::int32_t b;  ///< 0 for SimpleBitPack
    void (*pack)(const Coefficients& v, Byte* bytes);
    Coefficients (*unpack)(const Byte* bytes);
};

/// The coders of one parameter set, the samplers of its polynomials, and sums of l products.
struct SetKernels {
    bool (*accepts_signature)(const Byte* signature);
    bool (*accepts_secret_key)(const Byte* secret_key);
    void (*hint_pack)(const Coefficients* hint, Byte* bytes);  ///< of k polynomials
    bool (*hint_unpack)(const Byte* bytes, Coefficients* hint);
    Coefficients (*bounded_sample)(const keccak::Row& block);  ///< of one block, as often as it takes
    /// A row of A^ v^, and of that less c^ t^, divided by 2^32.
    Coefficients (*dot)(const Coefficients* a, const Coefficients* v);
    Coefficients (*dot_less_product)(const Coefficients* a, const Coefficients* v, const Coefficients& c,
                                     const Coefficients& t);
};

/// ML-DSA's arithmetic, coders and samplers.
struct MlDsaKernels {
    Coefficients (*canonical)(const Coefficients& a);
    HighLow (*power2round)(const Coefficients& r);
    std::array<RoundingKernels, 2> rounding;  ///< ML-DSA-44's gamma2, ML-DSA-65's
    Coefficients (*montgomery_multiply)(const Coefficients& a, const Coefficients& b);
    Coefficients (*multiply_fixed)(const Coefficients& a, std::int32_t z);
    Coefficients (*ntt)(const Coefficients& w);
    Coefficients (*inverse_ntt)(const Coefficients& w);
    bool (*any_at_least)(const Coefficients& a, std::int32_t limit);
    std::array<PackingKernels, 8> packing;
    std::array<SetKernels, 3> sets;                            ///< ML-DSA-44, -65, -87
    Coefficients (*uniform_sample)(const keccak::Row& block);  ///< of one block, as often as it takes
};

/// NTRU Prime's polynomials of any ring: p coefficients, followed by zeros.
constexpr std::size_t most_coefficients = 1280;
using Large = std::array<std::int16_t, most_coefficients>;
using Small = std::array<std::int8_t, most_coefficients>;

/// Polynomials of R/q, rounded and small ones, whose bytes follow each other.
struct Decoded {
    Large a;
    Large rounded;
    Small f;
    [[nodiscard]] bool operator==(const Decoded&) const = default;
};

/// NTRU Prime's arithmetic in one ring.
struct RingKernels {
    ntru_prime::Ring ring;
    Large (*multiply_modulo_q)(const Large& a, const Small& b);
    /// Null where the specification is followed, which multiplies by small ones only.
    Large (*multiply_any_modulo_q)(const Large& a, const Large& b);
    Small (*multiply_modulo_3)(const Small& a, const Small& b);
    Large (*reciprocal_of_3f)(const Small& f);
    std::int32_t (*reciprocal)(const Small& g, Small& result);
    Small (*short_from_list)(const std::uint32_t* words);  ///< of the streamlined parameter set
    Decoded (*decode)(const Byte* bytes);
    void (*encode)(const Decoded& polynomials, Byte* bytes);
    /// The hashes of two messages of at most this many bytes, side by side as far as both reach.
    static constexpr std::size_t hashed_bytes = 1024;
    void (*hash_two)(BytesIn<> first, BytesIn<> second, BytesOut<64> digests);
};

/// ML-KEM's compression to `bits` bits, with its bytes.
struct CompressionKernels {
    int bits;
    void (*compress)(const ml_kem::Coefficients& f, Byte* bytes);
    ml_kem::Coefficients (*decompress)(const Byte* bytes);
};

/// ML-KEM's arithmetic on the coefficients of one polynomial.
struct MlKemKernels {
    using C = ml_kem::Coefficients;
    C (*canonical)(const C& a);
    C (*ntt)(const C& f);              ///< |f| <= 8192
    C (*inverse_ntt)(const C& f_hat);  ///< times 2^16
    /// The sum of k products, divided by 2^16.
    C (*dot)(const ml_kem::PublicPoly* a, const C* b, std::size_t k);
    void (*encode)(const C& f, Byte* bytes);  ///< by 12 bits
    C (*decode)(const Byte* bytes);
    bool (*is_below_q)(const C& f);
    std::array<CompressionKernels, 5> compression;
    C (*noise_of_2)(const Byte* bytes);
    C (*noise_of_3)(const Byte* bytes);
    C (*sample)(const keccak::Row& block);  ///< of one block, repeated
};

/// Falcon's samplers in lanes, with this many attempts; no functions where there are no lanes.
struct FalconKernels {
    static constexpr std::size_t lanes = 8;
    template <class T>
    using Of = std::array<T, lanes>;
    Of<std::uint64_t> (*base_sample)(const Of<std::uint64_t>& high, const Of<std::uint64_t>& low);
    Of<double> (*logarithm)(const Of<double>& a);
    Of<std::uint64_t> (*strided)(const Byte* bytes);  ///< every eleven bytes
};

/// SHAKE and SHA-3 of one message, and of many.
struct KeccakKernels {
    static constexpr std::size_t max_messages = 17;
    std::size_t lanes;
    /// The sponge's output, in two pieces.
    void (*squeeze)(keccak::Function function, BytesIn<> message, BytesOut<> first, BytesOut<> rest);
    /// The outputs of messages that are hashed side by side, a block at a time.
    void (*squeeze_many)(keccak::Function function, std::span<const BytesIn<>> messages,
                         std::span<const BytesOut<>> outputs);
};

struct Kernels {
    std::string_view name;

    KeccakKernels keccak;

    MlDsaKernels ml_dsa;
    /// One of every p, in order. Products by primes are of three parts, of three and some
    /// coefficients (857), and of five; those of rows are of six parts, of nine (857) and of three
    /// (953).
    std::array<RingKernels, 6> rings;

    MlKemKernels ml_kem;
    FalconKernels falcon;

    /// AES-256-CTR from counter 0: as NTRU Prime expands secrets, and without AES's instructions
    /// even if the processor has them.
    void (*keystream)(BytesIn<32> key, BytesOut<> out);
    void (*bitsliced_keystream)(BytesIn<32> key, BytesOut<> out);
};

extern const Kernels portable_kernels;
extern const Kernels reference_kernels;

/// The portable ones, and those of every vector engine of this build.
extern const std::vector<const Kernels*> all_kernels;

}  // namespace girih::test
