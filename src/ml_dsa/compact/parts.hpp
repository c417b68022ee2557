/// What ML-DSA in little memory is made of: polynomials that come out of a sponge or a string one
/// coefficient after the other, sums of 24 bits, and products with the few terms of a challenge and
/// with a row of the matrix.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/lattice/montgomery.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "ml_dsa/lattice/poly.hpp"
#include "ml_dsa/lattice/rounding.hpp"
#include "ml_dsa/params.hpp"
#include "transform/word_layers.hpp"

namespace girih::ml_dsa::compact {

/// Coefficients that are unpacked at once for a product with a challenge.
inline constexpr std::size_t part = 64;

/// Integers of up to 24 bits from a string of them, the lowest bits first.
class BitReader {
  public:
    constexpr explicit BitReader(const Byte* bytes) noexcept : next_(bytes) {}

    [[nodiscard]] constexpr std::int32_t take(int bits) noexcept
    {
        for (; count_ < bits; count_ += 8) waiting_ |= std::uint32_t{*next_++} << count_;
        const std::uint32_t value = waiting_ & ((1U << bits) - 1);
        waiting_ >>= bits;
        count_ -= bits;
        return static_cast<std::int32_t>(value);
    }

  private:
    const Byte* next_;
    std::uint32_t waiting_ = 0;
    int count_ = 0;
};

/// The other way; put(byte) takes each byte.
template <class Put>
class BitWriter {
  public:
    constexpr explicit BitWriter(Put put) noexcept : put_(put) {}

    constexpr void add(std::int32_t value, int bits) noexcept
    {
        waiting_ |= static_cast<std::uint32_t>(value) << count_;
        for (count_ += bits; count_ >= 8; count_ -= 8) {
            put_(static_cast<Byte>(waiting_));
            waiting_ >>= 8;
        }
    }

  private:
    Put put_;
    std::uint32_t waiting_ = 0;
    int count_ = 0;
};

/// A writer to memory.
[[nodiscard]] constexpr auto writer_to(Byte* bytes) noexcept
{
    return BitWriter{[bytes](Byte byte) mutable { *bytes++ = byte; }};
}

/// A writer to a hash, eight bytes at a time: as many as a word of the sponge has. What is written
/// is a multiple of that.
template <class Hash>
[[nodiscard]] constexpr auto writer_to(Hash& hash) noexcept
{
    return BitWriter{[&hash, bytes = std::array<Byte, 8>{}, count = std::size_t{0}](Byte byte) mutable {
        bytes[count++] = byte;
        if (count < bytes.size()) return;
        hash.absorb(bytes);
        count = 0;
    }};
}

/// BitUnpack (FIPS 204, Algorithm 19): coefficients b - v of a string of integers v of `bits` bits.
/// Where b is 0, SimpleBitUnpack (FIPS 204, Algorithm 18): v themselves. Into coefficients of any
/// width. Constant time.
template <class Out>
constexpr void unpack(BitReader& in, int bits, std::int32_t b, Out& out) noexcept
{
    for (auto& c : out) {
        const std::int32_t value = in.take(bits);
        c = static_cast<typename Out::value_type>(b == 0 ? value : b - value);
    }
}

template <class Out>
constexpr void unpack(const Byte* bytes, int bits, std::int32_t b, Out& out) noexcept
{
    BitReader in{bytes};
    unpack(in, bits, b, out);
}

/// RejNTTPoly (FIPS 204, Algorithm 30), used as it is drawn: use(i, a) for each coefficient of a
/// polynomial of the matrix. Variable time: the matrix is public.
template <class Isa, class Use>
constexpr void for_each_uniform(BytesIn<rho_bytes> rho, std::size_t row, std::size_t column, Use use)
{
    keccak::Shake128<Isa> sponge;
    sponge.absorb(rho).absorb(static_cast<Byte>(column)).absorb(static_cast<Byte>(row));
    std::array<Byte, 24> bytes;  // whole words of the sponge, and whole coefficients
    for (std::size_t i = 0; i < n;) {
        sponge.squeeze(bytes);
        for (std::size_t at = 0; at < bytes.size() && i < n; at += 3) {
            const std::int32_t a = bytes[at] | bytes[at + 1] << 8 | (bytes[at + 2] & 0x7F) << 16;
            if (a < q) use(i++, a);
        }
    }
}

/// RejBoundedPoly (FIPS 204, Algorithm 31), used as it is drawn: use(i, s) for each coefficient of
/// a short polynomial. Constant time, but for rejections, which are independent of what is
/// accepted.
template <Shape S, class Isa, class Use>
constexpr void for_each_bounded(BytesIn<rho_prime_bytes> rho_prime, std::size_t number, Use use)
{
    keccak::Shake256<Isa> sponge;
    sponge.absorb(rho_prime).absorb(static_cast<Byte>(number)).absorb(static_cast<Byte>(number >> 8));
    std::array<Byte, 8> bytes{};
    for (std::size_t i = 0; i < n;) {
        sponge.squeeze(bytes);
        for (std::size_t at = 0; at < 2 * bytes.size() && i < n; ++at) {
            const std::int32_t half = bytes[at / 2] >> (4 * (at % 2)) & 15;
            if (BoundedSource<S.eta>::keep(half) != 0) use(i++, BoundedSource<S.eta>::value(half));
        }
    }
    wipe(bytes);
}

/// One polynomial of ExpandMask (FIPS 204, Algorithm 34). Constant time.
template <Shape S, class Isa>
constexpr void expand_mask(BytesIn<rho_prime_bytes> rho_double_prime, std::size_t kappa, Coefficients& y)
{
    keccak::Shake256<Isa> sponge;
    sponge.absorb(rho_double_prime).absorb(static_cast<Byte>(kappa)).absorb(static_cast<Byte>(kappa >> 8));
    constexpr std::size_t group = 4;  // coefficients that fill whole bytes
    std::array<Byte, group * S.z_bits() / 8> bytes{};
    for (std::size_t i = 0; i < n; i += group) {
        sponge.squeeze(bytes);
        BitReader in{bytes.data()};
        for (std::size_t j = 0; j < group; ++j) y[i + j] = S.gamma1 - in.take(S.z_bits());
    }
    wipe(bytes);
}

template <class Isa>
using Layers = transform::WordLayers<Isa, n, q, static_cast<std::uint32_t>(-q_inverse)>;

/// a b / R modulo q, for |a b| < 2^31 q: montgomery_multiply.
template <class Isa>
[[nodiscard, gnu::always_inline]] constexpr std::int32_t multiply(std::int32_t a, std::int32_t b) noexcept
{
    return Layers<Isa>::multiply(a, b);
}

/// The factors alone, without the quotients that vectors are multiplied with.
inline constexpr std::array<std::int32_t, n> zetas = tables::zetas.factors;
inline constexpr std::array<std::int32_t, n> inverse_zetas = tables::inverse_zetas.factors;

/// NTT (FIPS 204, Algorithm 41) in place: |a| grows by q in each layer.
template <class Isa>
[[gnu::noinline]] constexpr void ntt(Coefficients& w) noexcept
{
    const std::int32_t* layer = &zetas[1];
    layer = Layers<Isa>::template part_twice<64>(w, layer);
    layer = Layers<Isa>::template part_twice<16>(w, layer);
    layer = Layers<Isa>::template part_twice<4>(w, layer);
    Layers<Isa>::template part_twice<1>(w, layer);
}

/// NTT^-1 (FIPS 204, Algorithm 42) in place, then times R / 256: takes and leaves |w| < q.
template <class Isa>
[[gnu::noinline]] constexpr void inverse_ntt(Coefficients& w) noexcept
{
    const std::int32_t* end = inverse_zetas.data() + n;
    end = Layers<Isa>::template join_twice<1>(w, end);
    end = Layers<Isa>::template join_twice<4>(w, end);
    end = Layers<Isa>::template join_twice<16>(w, end);
    Layers<Isa>::template join_twice<64>(w, end);
    for (std::int32_t& c : w) c = multiply<Isa>(c, tables::inverse_factor);
}

/// The representative in [0, q) of |a| < 2^31 - 2^22.
[[nodiscard]] constexpr std::int32_t reduce(std::int32_t a) noexcept
{
    // Of a - q round(a / 2^23): 2^23 = q + 2^13 - 1, so at most 2^22 + 2^8 2^13 < q is left.
    const std::int32_t rounded = (a + (1 << 22)) >> 23;
    return canonical(a - rounded * q);
}

/// Residues in [0, q) in 24 bits each.
class PackedPoly {
  public:
    [[nodiscard]] constexpr std::int32_t operator[](std::size_t i) const noexcept
    {
        const Byte* const at = &bytes_[3 * i];
        return at[0] | at[1] << 8 | at[2] << 16;
    }
    constexpr void set(std::size_t i, std::int32_t a) noexcept
    {
        Byte* const at = &bytes_[3 * i];
        at[0] = static_cast<Byte>(a);
        at[1] = static_cast<Byte>(a >> 8);
        at[2] = static_cast<Byte>(a >> 16);
    }
    /// Adds |a| < q.
    constexpr void add(std::size_t i, std::int32_t a) noexcept
    {
        set(i, canonical(canonical((*this)[i] + a - q)));
    }

  private:
    std::array<Byte, 3 * n> bytes_;
};

/// The terms of a challenge: its powers of X, and which of them are subtracted.
template <Shape S, class Isa>
class Terms {
  public:
    /// SampleInBall (FIPS 204, Algorithm 29). Variable time: c~ is public, or will be known by
    /// whoever counts attempts.
    [[gnu::noinline]] constexpr explicit Terms(BytesIn<> c_tilde)
    {
        keccak::Shake256<Isa> sponge;
        sponge.absorb(c_tilde);
        sponge.squeeze(signs_);
        for (std::size_t term = 0; term < S.tau;) {
            Byte j = 0;
            sponge.squeeze({&j, 1});
            const std::size_t i = n - S.tau + term;
            if (j > i) continue;
            // c_i = c_j; c_j = 1 or -1: the term that was at j, if any, moves to i, and the new
            // one takes its place.
            for (std::size_t before = 0; before < term; ++before)
                if (powers_[before] == j) powers_[before] = static_cast<Byte>(i);
            powers_[term++] = j;
        }
    }

    /// sum += c s 2^shift, or sum -= c s 2^shift, for those coefficients of s that begin with
    /// number `first`. Constant time in s; addresses depend on c.
    template <int shift = 0, class Short>
    constexpr void add_product(const Short& s, std::size_t first, Coefficients& sum, bool subtract) const
    {
        for (std::size_t term = 0; term < S.tau; ++term) {
            std::size_t at = powers_[term] + first;
            bool negative = is_negative(term) != subtract;
            if (at >= n) {
                at -= n;
                negative = !negative;  // X^n = -1
            }
            const std::size_t below_n = std::min(s.size(), n - at);
            add_shifted<shift>(s.data(), below_n, &sum[at], negative);
            add_shifted<shift>(s.data() + below_n, s.size() - below_n, sum.data(), !negative);
        }
    }

    /// c itself.
    constexpr void write(Coefficients& c) const
    {
        c = {};
        for (std::size_t term = 0; term < S.tau; ++term) c[powers_[term]] = is_negative(term) ? -1 : 1;
    }

  private:
    template <int shift, class T>
    static constexpr void add_shifted(const T* from, std::size_t count, std::int32_t* to, bool negative)
    {
        if (negative) {
            for (std::size_t i = 0; i < count; ++i) to[i] -= std::int32_t{from[i]} << shift;
        } else {
            for (std::size_t i = 0; i < count; ++i) to[i] += std::int32_t{from[i]} << shift;
        }
    }

    [[nodiscard]] constexpr bool is_negative(std::size_t term) const
    {
        return (signs_[term / 8] >> (term % 8) & 1) != 0;
    }

    std::array<Byte, S.tau> powers_{};
    std::array<Byte, 8> signs_{};  ///< a bit for each term
    static_assert(S.tau <= 64);
};

/// A vector of polynomials in NTT form: all of them kept, or each made again whenever it is wanted.
/// make(j, poly) makes one.
template <std::size_t count, bool kept, class Make>
class NttVector {
  public:
    constexpr explicit NttVector(Make make) : make_(make)
    {
        if constexpr (kept)
            for (std::size_t j = 0; j < count; ++j) make_(j, polys_[j]);
    }
    NttVector(const NttVector&) = delete;
    NttVector& operator=(const NttVector&) = delete;
    constexpr ~NttVector() { wipe(polys_); }

    [[nodiscard]] constexpr const Coefficients& operator[](std::size_t j)
    {
        if constexpr (kept) {
            return polys_[j];
        } else {
            make_(j, polys_[0]);
            return polys_[0];
        }
    }
    /// Memory of a polynomial that is made again when it is next wanted.
    [[nodiscard]] constexpr Coefficients& scratch()
        requires(!kept)
    {
        return polys_[0];
    }

  private:
    Make make_;
    std::array<Coefficients, kept ? count : 1> polys_;
};

template <std::size_t count, bool kept, class Make>
[[nodiscard]] constexpr auto make_vector(Make make)
{
    return NttVector<count, kept, Make>{make};
}

// ---- Products of a row of the matrix

constexpr void clear(Coefficients& sum) { sum = {}; }
constexpr void clear(PackedPoly& sum)
{
    for (std::size_t at = 0; at < n; ++at) sum.set(at, 0);
}
/// For |a| < q. In 32 bits, the sum of up to 8 stays below 2^26.
constexpr void add(Coefficients& sum, std::size_t at, std::int32_t a) { sum[at] += a; }
constexpr void add(PackedPoly& sum, std::size_t at, std::int32_t a) { sum.add(at, a); }

/// The product of row i of the matrix and a vector, of values. (Not inlined, so that the sponge
/// is gone when the sum is used.)
template <class Isa, std::size_t columns, class Vector, class AnySum>
[[gnu::noinline]] constexpr void sum_row(BytesIn<rho_bytes> rho, std::size_t i, Vector& factors, AnySum& sum)
{
    clear(sum);
    for (std::size_t j = 0; j < columns; ++j) {
        const Coefficients& b = factors[j];
        for_each_uniform<Isa>(rho, i, j, [&sum, &b](std::size_t at, std::int32_t a) {
            add(sum, at, compact::multiply<Isa>(a, b[at]));
        });
    }
}

/// From a sum of products to coefficients in [0, q).
template <class Isa>
[[gnu::noinline]] constexpr void finish_sum(Coefficients& sum)
{
    for (std::int32_t& c : sum) c = reduce(c);
    compact::inverse_ntt<Isa>(sum);
    for (std::int32_t& c : sum) c = canonical(c);
}

}  // namespace girih::ml_dsa::compact
