/// The Fourier transform in fixed point: 64-bit numbers, whose scale the caller chooses, and 31-bit
/// roots.
///
/// Constant time. All engines give the same integers: a product with a root is always rounded down.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

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

/// a u - b v rounded down, up to an error below two units: the products of low halves are left out.
/// |a|, |b| < 2^61.
template <class Isa>
[[nodiscard]] constexpr Long multiply_difference(Long a, Halves u, Long b, Halves v)
{
    const auto low = [](Long x) { return Long{static_cast<std::int32_t>(x)}; };
    const auto high = [](Long x) { return add(x, 0x80000000) >> 32; };
    const Long first = subtract(high(a) * u.high, high(b) * v.high);
    const Long second =
        subtract(add(high(a) * u.low, low(a) * u.high), add(high(b) * v.low, low(b) * v.high));
    return add(static_cast<Long>(static_cast<std::uint64_t>(first) << 2), second >> 30);
}

template <class Isa>
[[nodiscard]] constexpr Long multiply_sum(Long a, Halves u, Long b, Halves v)
{
    const auto low = [](Long x) { return Long{static_cast<std::int32_t>(x)}; };
    const auto high = [](Long x) { return add(x, 0x80000000) >> 32; };
    const Long first = add(high(a) * u.high, high(b) * v.high);
    const Long second = add(add(high(a) * u.low, low(a) * u.high), add(high(b) * v.low, low(b) * v.high));
    return add(static_cast<Long>(static_cast<std::uint64_t>(first) << 2), second >> 30);
}

/// a (u + i v)
template <class Isa>
[[nodiscard]] constexpr LongComplex<Isa> multiply(LongComplex<Isa> a, Halves u, Halves v)
{
    return {multiply_difference<Isa>(a.re, u, a.im, v), multiply_sum<Isa>(a.im, u, a.re, v)};
}
/// a (u - i v)
template <class Isa>
[[nodiscard]] constexpr LongComplex<Isa> multiply_conjugate(LongComplex<Isa> a, Halves u, Halves v)
{
    return {multiply_sum<Isa>(a.re, u, a.im, v), multiply_difference<Isa>(a.im, u, a.re, v)};
}

/// The butterflies on vectors. A lane has both halves of a root.
template <isa::LongVectors Isa>
struct LongLanesOf {
    using Lanes = typename Isa::LongLanes;
    using V = typename Lanes::Longs;

    /// a is a_high 2^32 + a_low, with a_low the signed low half.
    [[nodiscard, gnu::always_inline]] static V high(V a) { return (a + 0x80000000) >> 32; }
    [[nodiscard, gnu::always_inline]] static V multiply_difference(V a, V u, V b, V v)
    {
        const V a_high = high(a);
        const V b_high = high(b);
        const V first = Lanes::multiply(a_high, u) - Lanes::multiply(b_high, v);
        const V second = Lanes::multiply(a_high, u >> 32) + Lanes::multiply(a, u) -
                         Lanes::multiply(b_high, v >> 32) - Lanes::multiply(b, v);
        return (first << 2) + (second >> 30);
    }
    [[nodiscard, gnu::always_inline]] static V multiply_sum(V a, V u, V b, V v)
    {
        const V a_high = high(a);
        const V b_high = high(b);
        const V first = Lanes::multiply(a_high, u) + Lanes::multiply(b_high, v);
        const V second = Lanes::multiply(a_high, u >> 32) + Lanes::multiply(a, u) +
                         Lanes::multiply(b_high, v >> 32) + Lanes::multiply(b, v);
        return (first << 2) + (second >> 30);
    }

    /// One layer's step for the parts with roots u + i v: (a, b) becomes (a + b zeta, a - b zeta).
    [[gnu::always_inline]] static void butterfly(V& a_re, V& a_im, V& b_re, V& b_im, V u, V v)
    {
        const V re = multiply_difference(b_re, u, b_im, v);
        const V im = multiply_sum(b_im, u, b_re, v);
        b_re = a_re - re;
        b_im = a_im - im;
        a_re += re;
        a_im += im;
    }
    /// Half of the inverse of butterfly.
    [[gnu::always_inline]] static void inverse_butterfly(V& a_re, V& a_im, V& b_re, V& b_im, V u, V v)
    {
        const V re = (a_re - b_re) >> 1;
        const V im = (a_im - b_im) >> 1;
        a_re = (a_re + b_re) >> 1;
        a_im = (a_im + b_im) >> 1;
        b_re = multiply_sum(re, u, im, v);
        b_im = multiply_difference(im, u, re, v);
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
    static void fft(std::span<Long> f)
    {
        for (std::size_t parts = 1, half_part = f.size() / 4; half_part >= Lanes::count;
             parts *= 2, half_part /= 2)
            long_parts<false>(f, parts, half_part);
        short_parts<false>(f);
    }
    static void inverse_fft(std::span<Long> f)
    {
        short_parts<true>(f);
        for (std::size_t parts = f.size() / (4 * Lanes::count), half_part = Lanes::count; parts > 0;
             parts /= 2, half_part *= 2)
            long_parts<true>(f, parts, half_part);
    }
};

/// FFT. A value is at most n / sqrt(2) times the largest coefficient in magnitude.
template <class Isa>
constexpr void long_fft(std::span<Long> f)
{
    const std::size_t half = f.size() / 2;
    if constexpr (isa::LongVectors<Isa>) {
        if (!std::is_constant_evaluated() && half >= 2 * Isa::LongLanes::count)
            return LongLanesOf<Isa>::fft(f);
    }
    std::size_t half_part = half / 2;
    for (std::size_t parts = 1; half_part > 0; parts *= 2, half_part /= 2) {
        for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
            const Halves u = scaled_roots<Isa>.re[parts + part];
            const Halves v = scaled_roots<Isa>.im[parts + part];
            for (std::size_t j = first; j < first + half_part; ++j) {
                const LongComplex<Isa> a{f[j], f[j + half]};
                const LongComplex<Isa> b = multiply<Isa>({f[j + half_part], f[j + half_part + half]}, u, v);
                f[j] = add(a.re, b.re);
                f[j + half] = add(a.im, b.im);
                f[j + half_part] = subtract(a.re, b.re);
                f[j + half_part + half] = subtract(a.im, b.im);
            }
        }
    }
}

/// The inverse FFT, for values below 2^61 in magnitude.
template <class Isa>
constexpr void inverse_long_fft(std::span<Long> f)
{
    const std::size_t half = f.size() / 2;
    if constexpr (isa::LongVectors<Isa>) {
        if (!std::is_constant_evaluated() && half >= 2 * Isa::LongLanes::count)
            return LongLanesOf<Isa>::inverse_fft(f);
    }
    std::size_t half_part = 1;
    for (std::size_t parts = half / 2; parts > 0; parts /= 2, half_part *= 2) {
        for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
            const Halves u = scaled_roots<Isa>.re[parts + part];
            const Halves v = scaled_roots<Isa>.im[parts + part];
            for (std::size_t j = first; j < first + half_part; ++j) {
                const LongComplex<Isa> a{f[j], f[j + half]};
                const LongComplex<Isa> b{f[j + half_part], f[j + half_part + half]};
                const LongComplex<Isa> turned =
                    multiply_conjugate<Isa>({subtract(a.re, b.re) >> 1, subtract(a.im, b.im) >> 1}, u, v);
                f[j] = add(a.re, b.re) >> 1;
                f[j + half] = add(a.im, b.im) >> 1;
                f[j + half_part] = turned.re;
                f[j + half_part + half] = turned.im;
            }
        }
    }
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
