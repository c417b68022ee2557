/// The Fourier transform in fixed point: 64-bit numbers, whose scale the caller chooses, and 31-bit
/// roots.
///
/// Constant time. All engines give the same integers: a product with a root is always rounded down.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/secret.hpp"
#include "falcon/keygen/numbers/long.hpp"
#include "falcon/keygen/scaled_roots.hpp"
#include "isa/isa.hpp"

namespace girih::falcon {

// A polynomial's values are the real parts, then the imaginary ones, in the order of fft.

template <class Isa>
struct LongComplex {
    Long re;
    Long im;
};

/// (a u - b v) / 2^31 rounded down, if that fits in 63 bits.
template <class Isa>
[[nodiscard]] constexpr Long multiply_difference(Long a, std::int32_t u, Long b, std::int32_t v)
{
#if defined(__SIZEOF_INT128__)
    __extension__ using Product = __int128;
    return static_cast<Long>((Product{a} * u - Product{b} * v) >> 31);
#else
    // a = a_high 2^32 + a_low with a signed low part.
    const auto a_low = static_cast<std::int32_t>(a);
    const auto b_low = static_cast<std::int32_t>(b);
    const auto a_high = static_cast<std::int32_t>((static_cast<std::uint64_t>(a) + 0x80000000) >> 32);
    const auto b_high = static_cast<std::int32_t>((static_cast<std::uint64_t>(b) + 0x80000000) >> 32);
    const Long high = Long{a_high} * u - Long{b_high} * v;
    const Long low = Long{a_low} * u - Long{b_low} * v;
    return static_cast<Long>(2 * static_cast<std::uint64_t>(high)) + (low >> 31);
#endif
}

/// a (u + i v) / 2^31
template <class Isa>
[[nodiscard]] constexpr LongComplex<Isa> multiply(LongComplex<Isa> a, std::int32_t u, std::int32_t v)
{
    return {multiply_difference<Isa>(a.re, u, a.im, v), multiply_difference<Isa>(a.im, u, a.re, -v)};
}

/// One number at a time, for processors without vectors of 64-bit lanes; the others have
/// isa::LongLanes. Always inlined, because it is one type for all engines.
struct OneLong {
    /// With sums modulo 2^64.
    struct Longs {
        Long value;
        // NOLINTNEXTLINE(google-explicit-constructor): as for vectors
        [[gnu::always_inline]] constexpr Longs(Long a) : value(a) {}
        [[gnu::always_inline]] friend constexpr Longs operator+(Longs a, Longs b)
        {
            return add(a.value, b.value);
        }
        [[gnu::always_inline]] friend constexpr Longs operator-(Longs a, Longs b)
        {
            return subtract(a.value, b.value);
        }
        [[gnu::always_inline]] friend constexpr Longs operator>>(Longs a, int bits)
        {
            return a.value >> bits;
        }
        [[gnu::always_inline]] friend constexpr Longs operator<<(Longs a, int bits)
        {
            return static_cast<Long>(static_cast<std::uint64_t>(a.value) << bits);
        }
    };
    static constexpr std::size_t count = 1;

    [[nodiscard, gnu::always_inline]] static Longs load(const Long* from) { return *from; }
    [[gnu::always_inline]] static void store(Long* to, Longs a) { *to = a.value; }
    [[nodiscard, gnu::always_inline]] static Longs multiply(Longs a, Longs b)
    {
        return Long{static_cast<std::int32_t>(a.value)} * static_cast<std::int32_t>(b.value);
    }
    /// The high half of a root is the low half of the number, as in a vector.
    template <std::size_t size>
    [[nodiscard, gnu::always_inline]] static Longs spread(const Halves* from)
    {
        return static_cast<Long>(std::uint64_t{static_cast<std::uint32_t>(from->low)} << 32 |
                                 static_cast<std::uint32_t>(from->high));
    }
};

/// The transforms, on numbers or on vectors of them. A lane has both halves of a root.
template <class Isa, class Lanes>
struct LongTransform {
    using V = typename Lanes::Longs;

    /// a is a_high 2^32 + a_low, with a_low the signed low half.
    [[nodiscard, gnu::always_inline]] static V high(V a) { return (a + 0x80000000) >> 32; }
    /// a u - b v, or a u + b v, rounded down, up to an error below two units: the products of low
    /// halves are left out. |a|, |b| < 2^61.
    template <bool subtracts>
    [[nodiscard, gnu::always_inline]] static V multiply(V a, V u, V b, V v)
    {
        const V a_high = high(a);
        const V b_high = high(b);
        const V second_a = Lanes::multiply(a_high, u >> 32) + Lanes::multiply(a, u);
        const V second_b = Lanes::multiply(b_high, v >> 32) + Lanes::multiply(b, v);
        const V first_a = Lanes::multiply(a_high, u);
        const V first_b = Lanes::multiply(b_high, v);
        if constexpr (subtracts)
            return ((first_a - first_b) << 2) + ((second_a - second_b) >> 30);
        else
            return ((first_a + first_b) << 2) + ((second_a + second_b) >> 30);
    }

    /// One layer's step for the parts with roots u + i v: (a, b) becomes (a + b zeta, a - b zeta).
    [[gnu::always_inline]] static void butterfly(V& a_re, V& a_im, V& b_re, V& b_im, V u, V v)
    {
        const V re = multiply<true>(b_re, u, b_im, v);
        const V im = multiply<false>(b_im, u, b_re, v);
        b_re = a_re - re;
        b_im = a_im - im;
        a_re = a_re + re;
        a_im = a_im + im;
    }
    /// Half of the inverse of butterfly.
    [[gnu::always_inline]] static void inverse_butterfly(V& a_re, V& a_im, V& b_re, V& b_im, V u, V v)
    {
        const V re = (a_re - b_re) >> 1;
        const V im = (a_im - b_im) >> 1;
        a_re = (a_re + b_re) >> 1;
        a_im = (a_im + b_im) >> 1;
        b_re = multiply<false>(re, u, im, v);
        b_im = multiply<true>(im, u, re, v);
    }

    /// The layers whose parts are shorter than two vectors.
    template <std::size_t half_part, bool inverse>
    [[gnu::always_inline]] static void within_vectors(V& x_re, V& x_im, V& y_re, V& y_im, std::size_t part)
    {
        // The first part in the two vectors has number `part` of all parts of this length.
        const std::size_t root = part / half_part;
        if constexpr (inverse && half_part > 1)
            within_vectors<half_part / 2, true>(x_re, x_im, y_re, y_im, part);
        const V u = Lanes::template spread<half_part>(&scaled_roots<Isa>.re[root]);
        const V v = Lanes::template spread<half_part>(&scaled_roots<Isa>.im[root]);
        V a_re = Lanes::template even_blocks<half_part>(x_re, y_re);
        V b_re = Lanes::template odd_blocks<half_part>(x_re, y_re);
        V a_im = Lanes::template even_blocks<half_part>(x_im, y_im);
        V b_im = Lanes::template odd_blocks<half_part>(x_im, y_im);
        if constexpr (inverse)
            inverse_butterfly(a_re, a_im, b_re, b_im, u, v);
        else
            butterfly(a_re, a_im, b_re, b_im, u, v);
        x_re = Lanes::template even_blocks<half_part>(a_re, b_re);
        y_re = Lanes::template odd_blocks<half_part>(a_re, b_re);
        x_im = Lanes::template even_blocks<half_part>(a_im, b_im);
        y_im = Lanes::template odd_blocks<half_part>(a_im, b_im);
        if constexpr (!inverse && half_part > 1)
            within_vectors<half_part / 2, false>(x_re, x_im, y_re, y_im, part);
    }
    template <bool inverse>
    static void short_parts(std::span<Long> f)
    {
        const std::size_t half = f.size() / 2;
        for (std::size_t j = 0; j < half; j += 2 * Lanes::count) {
            V x_re = Lanes::load(&f[j]);
            V y_re = Lanes::load(&f[j + Lanes::count]);
            V x_im = Lanes::load(&f[j + half]);
            V y_im = Lanes::load(&f[j + half + Lanes::count]);
            within_vectors<Lanes::count / 2, inverse>(x_re, x_im, y_re, y_im, (half + j) / 2);
            Lanes::store(&f[j], x_re);
            Lanes::store(&f[j + Lanes::count], y_re);
            Lanes::store(&f[j + half], x_im);
            Lanes::store(&f[j + half + Lanes::count], y_im);
        }
    }
    template <bool inverse>
    static void long_parts(std::span<Long> f, std::size_t parts, std::size_t half_part)
    {
        const std::size_t half = f.size() / 2;
        for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
            const V u = Lanes::template spread<Lanes::count>(&scaled_roots<Isa>.re[parts + part]);
            const V v = Lanes::template spread<Lanes::count>(&scaled_roots<Isa>.im[parts + part]);
            for (std::size_t j = first; j < first + half_part; j += Lanes::count) {
                V a_re = Lanes::load(&f[j]);
                V a_im = Lanes::load(&f[j + half]);
                V b_re = Lanes::load(&f[j + half_part]);
                V b_im = Lanes::load(&f[j + half_part + half]);
                if constexpr (inverse)
                    inverse_butterfly(a_re, a_im, b_re, b_im, u, v);
                else
                    butterfly(a_re, a_im, b_re, b_im, u, v);
                Lanes::store(&f[j], a_re);
                Lanes::store(&f[j + half], a_im);
                Lanes::store(&f[j + half_part], b_re);
                Lanes::store(&f[j + half_part + half], b_im);
            }
        }
    }
    template <bool inverse>
    static void transform(std::span<Long> f)
    {
        if constexpr (inverse) {
            if constexpr (Lanes::count > 1) short_parts<true>(f);
            for (std::size_t parts = f.size() / (4 * Lanes::count), half_part = Lanes::count; parts > 0;
                 parts /= 2, half_part *= 2)
                long_parts<true>(f, parts, half_part);
        } else {
            for (std::size_t parts = 1, half_part = f.size() / 4; half_part >= Lanes::count;
                 parts *= 2, half_part /= 2)
                long_parts<false>(f, parts, half_part);
            if constexpr (Lanes::count > 1) short_parts<false>(f);
        }
    }
};

/// FFT, or its inverse.
template <class Isa, bool inverse>
void transform_longs(std::span<Long> f)
{
    if constexpr (isa::LongVectors<Isa>) {
        if (f.size() >= 4 * Isa::LongLanes::count)
            return LongTransform<Isa, typename Isa::LongLanes>::template transform<inverse>(f);
    }
    LongTransform<Isa, OneLong>::template transform<inverse>(f);
}

/// FFT. A value is at most n / sqrt(2) times the largest coefficient in magnitude.
template <class Isa>
[[gnu::noinline]] void long_fft(std::span<Long> f)
{
    transform_longs<Isa, false>(f);
}

/// The inverse FFT, for values below 2^61 in magnitude.
template <class Isa>
[[gnu::noinline]] void inverse_long_fft(std::span<Long> f)
{
    transform_longs<Isa, true>(f);
}

/// 1 / a = mantissa 2^(shift - 95) to 30 bits, for a > 0; arbitrary for 0.
struct Reciprocal {
    std::uint32_t mantissa;  ///< at least 2^31
    std::int32_t shift;      ///< 0 to 63
};

template <class Isa>
[[nodiscard]] constexpr Reciprocal reciprocal(std::uint64_t a)
{
    std::int32_t shift = 0;
    for (const int step : {32, 16, 8, 4, 2, 1}) {
        const std::uint64_t is_short = negative_mask((a >> (64 - step)) - 1);
        a ^= (a ^ (a << step)) & is_short;
        shift += step & static_cast<std::int32_t>(is_short);
    }
    // With d = a / 2^32 in [1/2, 1): d (48/17 - 32/17 d) is 1 up to 1/17; Newton's step squares the
    // error.
    constexpr std::uint64_t intercept = (std::uint64_t{48} << 31) / 17;
    constexpr std::uint64_t slope = (std::uint64_t{16} << 32) / 17;
    const std::uint64_t d = a >> 32;
    std::uint64_t y = intercept - ((d * slope) >> 32);
    for (int i = 0; i < 3; ++i) {
        const Long error = static_cast<Long>((std::uint64_t{1} << 63) - d * y) >> 32;
        y += static_cast<std::uint64_t>((static_cast<Long>(y >> 1) * error) >> 30);
    }
    return {static_cast<std::uint32_t>(y - (y >> 32)), shift};
}
}  // namespace girih::falcon
