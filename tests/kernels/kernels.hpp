/// What an engine computes on the coefficients of one polynomial, as functions over plain arrays:
/// the same text on every engine's vectors, for the tests to compare.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "keccak/task.hpp"
#include "ml_dsa/lattice/poly.hpp"
#include "ml_kem/lattice/poly.hpp"
#include "ntru_prime/params.hpp"

namespace girih::test {

using ml_dsa::Coefficients;

/// The functions of one value of gamma2 (FIPS 204, Section 7.4).
struct RoundingKernels {
    std::int32_t gamma2;
    void (*decompose)(const Coefficients& r, Coefficients& high, Coefficients& low);
    void (*make_hint)(const Coefficients& z, const Coefficients& r, Coefficients& hint);
    void (*make_hint_from_low)(const Coefficients& low_after, const Coefficients& high, Coefficients& hint);
    void (*use_hint)(const Coefficients& hint, const Coefficients& r, Coefficients& high);
};

/// Packed polynomials: SimpleBitPack of integers of `bits` bits, or BitPack with the upper end b.
struct PackingKernels {
    int bits;
    std::int32_t b;  ///< 0 for SimpleBitPack
    void (*pack)(const Coefficients& v, Byte* bytes);
    void (*unpack)(const Byte* bytes, Coefficients& v);
};

/// The coders of one parameter set, and the samplers of its polynomials.
struct SetKernels {
    bool (*accepts_signature)(const Byte* signature);
    bool (*accepts_secret_key)(const Byte* secret_key);
    void (*hint_pack)(const Coefficients* hint, Byte* bytes);  ///< of k polynomials
    bool (*hint_unpack)(const Byte* bytes, Coefficients* hint);
    void (*bounded_sample)(const keccak::Row& block,
                           Coefficients& out);  ///< of one block, as often as it takes
};

/// NTRU Prime's arithmetic in one ring: p coefficients each.
struct RingKernels {
    ntru_prime::Ring ring;
    void (*multiply_modulo_q)(const std::int16_t* a, const std::int8_t* b, std::int16_t* product);
    /// Of any two polynomials, or null: the specification multiplies by small ones only.
    void (*multiply_any_modulo_q)(const std::int16_t* a, const std::int16_t* b, std::int16_t* product);
    void (*multiply_modulo_3)(const std::int8_t* a, const std::int8_t* b, std::int8_t* product);
    void (*reciprocal_of_thrice)(const std::int8_t* f, std::int16_t* result);
    std::int32_t (*reciprocal)(const std::int8_t* g, std::int8_t* result);
    void (*short_from_list)(const std::uint32_t* words,
                            std::int8_t* f);  ///< of the streamlined parameter set
    /// Of R/q, rounded and small polynomials, their bytes one behind the other.
    void (*decode)(const Byte* bytes, std::int16_t* a, std::int16_t* rounded, std::int8_t* f);
    void (*encode)(const std::int16_t* a, const std::int16_t* rounded, const std::int8_t* f, Byte* bytes);
    /// Of two messages of at most so many bytes, side by side as far as both reach.
    static constexpr std::size_t hashed_bytes = 1024;
    void (*hash_two)(BytesIn<> first, BytesIn<> second, BytesOut<64> digests);
};

/// ML-KEM's compression to `bits` bits, with its bytes.
struct CompressionKernels {
    int bits;
    void (*compress)(const ml_kem::Coefficients& f, Byte* bytes);
    void (*decompress)(const Byte* bytes, ml_kem::Coefficients& f);
};

/// ML-KEM's arithmetic on the coefficients of one polynomial.
struct MlKemKernels {
    void (*canonical)(const ml_kem::Coefficients& a, ml_kem::Coefficients& out);
    void (*ntt)(const ml_kem::Coefficients& f, ml_kem::Coefficients& f_hat);          ///< |f| <= 8192
    void (*inverse_ntt)(const ml_kem::Coefficients& f_hat, ml_kem::Coefficients& f);  ///< times 2^16
    /// The sum of k products, divided by 2^16.
    void (*dot)(const ml_kem::PublicPoly* a, const ml_kem::Coefficients* b, std::size_t k,
                ml_kem::Coefficients& sum);
    void (*encode)(const ml_kem::Coefficients& f, Byte* bytes);  ///< by 12 bits
    void (*decode)(const Byte* bytes, ml_kem::Coefficients& f);
    bool (*is_below_q)(const ml_kem::Coefficients& f);
    std::array<CompressionKernels, 5> compression;
    void (*noise_of_2)(const Byte* bytes, ml_kem::Coefficients& f);
    void (*noise_of_3)(const Byte* bytes, ml_kem::Coefficients& f);
    void (*sample)(const keccak::Row& block, ml_kem::Coefficients& f);  ///< of one block, repeated
};

/// What Falcon's samplers do in lanes, of so many attempts; no functions where there are no lanes.
struct FalconKernels {
    static constexpr std::size_t lanes = 8;
    template <class T>
    using Of = std::array<T, lanes>;
    void (*base_sample)(const Of<std::uint64_t>& high, const Of<std::uint64_t>& low, Of<std::uint64_t>& z0);
    void (*logarithm)(const Of<double>& a, Of<double>& out);
    void (*strided)(const Byte* bytes, Of<std::uint64_t>& words);  ///< every eleven bytes
};

/// ML-DSA's arithmetic, coders and samplers.
struct MlDsaKernels {
    void (*canonical)(const Coefficients& a, Coefficients& out);
    void (*power2round)(const Coefficients& r, Coefficients& high, Coefficients& low);
    std::array<RoundingKernels, 2> rounding;  ///< ML-DSA-44's gamma2, ML-DSA-65's

    void (*montgomery_multiply)(const Coefficients& a, const Coefficients& b, Coefficients& out);
    void (*montgomery_multiply_twiddle)(const Coefficients& a, std::int32_t z, Coefficients& out);
    void (*ntt)(Coefficients& w);
    void (*inverse_ntt)(Coefficients& w);
    bool (*any_at_least)(const Coefficients& a, std::int32_t limit);

    std::array<PackingKernels, 8> packing;
    std::array<SetKernels, 3> sets;  ///< ML-DSA-44, -65, -87
    void (*uniform_sample)(const keccak::Row& block,
                           Coefficients& out);  ///< of one block, as often as it takes
};

struct Kernels {
    std::string_view name;

    MlDsaKernels ml_dsa;
    /// Of every p, in order. Products by primes are of three parts, of three and some coefficients
    /// (857), and of five; those of rows of six parts, of nine (857) and of three (953).
    std::array<RingKernels, 6> rings;

    MlKemKernels ml_kem;
    FalconKernels falcon;
};

extern const Kernels portable_kernels;
extern const Kernels reference_kernels;

/// The portable ones, and those of every vector engine of this build.
extern const std::vector<const Kernels*> all_kernels;

}  // namespace girih::test
