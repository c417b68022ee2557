/// Babai's quotients in integers, and their subtraction from F and G: the steps that reduce the
/// NTRU equation's solution (after T. Pornin, 2023/290, Section 4).
///
/// Constant time, also in the lengths of the integers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/wipe.hpp"
#include "falcon/keygen/fixed_fft.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/limb_products.hpp"
#include "falcon/keygen/numbers/long.hpp"
#include "isa/isa.hpp"

namespace girih::falcon {

/// The number of bits of a, 0 for 0.
template <class Isa>
[[nodiscard]] constexpr std::int32_t bit_length(std::uint64_t a)
{
    std::int32_t bits = 0;
    for (const int step : {32, 16, 8, 4, 2, 1}) {
        const std::uint64_t is_long = negative_mask(0 - (a >> step));
        a ^= (a ^ (a >> step)) & is_long;
        bits += step & static_cast<std::int32_t>(is_long);
    }
    return bits + static_cast<std::int32_t>(a);
}

/// The length in bits of the largest coefficient of f and g, which are side by side: f's
/// coefficients are columns 0 to m - 1 of a row, g's the others. The last row has the sign in bit
/// 31 too.
template <class Isa>
[[nodiscard]] constexpr std::int32_t longest(const BigPoly& fg)
{
    std::int32_t bits = 0;
    for (std::size_t j = 0; j < fg.length; ++j) {
        Word some = 0;
        for (std::size_t i = 0; i < fg.n; ++i) {
            const auto sign = negative_lane(fg.at(fg.length - 1, i));
            some |= (fg.at(j, i) ^ sign) & word_mask;
        }
        const std::int32_t here = static_cast<std::int32_t>(j) * word_bits + bit_length<Isa>(some);
        const std::int32_t is_longer = static_cast<std::int32_t>(nonzero_mask(some));
        bits ^= (bits ^ here) & is_longer;
    }
    return bits;
}

/// A secret shift to the right, between public bounds; negative to the left.
struct SecretShift {
    std::int32_t bits;
    int min;
    int max;
};

/// Shifts coefficients to the right, rounding down. The results must have fewer than 62 bits.
template <class Isa>
constexpr void shift_right(const BigPoly& a, std::size_t first, const SecretShift& shift, std::span<Long> out)
{
    // Word indices start two below the first word, so that none is negative.
    constexpr int below = 2;
    const auto word_of = [](std::int32_t bits) { return (bits * 67651) >> 21; };
    const std::int32_t from = word_of(shift.bits + below * word_bits);
    const std::int32_t bits = shift.bits + below * word_bits - from * word_bits;
    const int first_word = word_of(shift.min + below * word_bits);
    const int last_word = word_of(shift.max + below * word_bits);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Word extension = sign_extension(a.at(a.length - 1, first + i));
        const auto word = [&](int j) -> std::uint64_t {
            if (j < below) return 0;
            const auto at = static_cast<std::size_t>(j - below);
            return at < a.length ? a.at(at, first + i) & word_mask : extension;
        };
        std::uint64_t w0 = 0;
        std::uint64_t w1 = 0;
        std::uint64_t w2 = 0;
        std::uint64_t next0 = word(first_word);
        std::uint64_t next1 = word(first_word + 1);
        for (int j = first_word; j <= last_word; ++j) {
            const std::uint64_t next2 = word(j + 2);
            const auto here = negative_mask(static_cast<std::uint64_t>(Long{from ^ j} - 1));
            w0 |= next0 & here;
            w1 |= next1 & here;
            w2 |= next2 & here;
            next0 = next1;
            next1 = next2;
        }
        const std::uint64_t shifted = (w0 >> bits) | (w1 << (31 - bits)) | (w2 << (62 - bits));
        out[i] = static_cast<Long>(shifted << 2) >> 2;
    }
}

/// The factors of Babai's quotient at every root: the adjoints of f and g over f f* + g g*.
struct Adjoints {
    std::span<std::int32_t> f_re, f_im, g_re, g_im;  ///< in units of 2^-exponent, for integers f and g
    std::span<std::uint8_t> exponent;
};

/// From the values of f and g, below 2^61 in magnitude.
template <class Isa>
constexpr void fill_adjoints(std::span<const Long> f, std::span<const Long> g, const Adjoints& out)
{
    const std::size_t half = f.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const std::array<Long, 4> parts{f[i], f[i + half], g[i], g[i + half]};
        std::uint64_t magnitude = 0;
        for (const Long a : parts) magnitude |= static_cast<std::uint64_t>(a ^ negative_mask(a));
        // Shifts down to 30 bits and a sign.
        std::int32_t down = 0;
        for (const int step : {16, 8, 4, 2, 1}) {
            const std::uint64_t is_long = negative_mask(0 - (magnitude >> (29 + step)));
            magnitude ^= (magnitude ^ (magnitude >> step)) & is_long;
            down += step & static_cast<std::int32_t>(is_long);
        }
        std::uint64_t norm = 0;  // below 2^62
        std::array<Long, 4> mantissas{};
        for (std::size_t k = 0; k < 4; ++k) {
            // One by one: memcheck treats the shift amount of a vector like an address.
            mantissas[k] = value_barrier(parts[k]) >> down;
            norm += static_cast<std::uint64_t>(mantissas[k] * mantissas[k]);
        }
        const Reciprocal inverse = reciprocal<Isa>(norm);
        const auto scaled = [&](Long a) {
            return static_cast<std::int32_t>((a * Long{inverse.mantissa}) >> 32);
        };
        out.f_re[i] = scaled(mantissas[0]);
        out.f_im[i] = -scaled(mantissas[1]);
        out.g_re[i] = scaled(mantissas[2]);
        out.g_im[i] = -scaled(mantissas[3]);
        // a / norm = (a mantissa / 2^32) 2^(shift - 63), and the fractional bits of f carry over to
        // 1 / f.
        out.exponent[i] = static_cast<std::uint8_t>(63 + down - inverse.shift);
    }
}

/// The fractional bits of quotients.
inline constexpr int quotient_point = 10;

/// Replaces F by (F f* + G g*) / (f f* + g g*), from the values of F and G, in units of 2^(-excess
/// - quotient_point) if the units of F and G are 2^excess times those of f and g.
template <class Isa>
constexpr void divide_by_norm(std::span<Long> big_f, std::span<const Long> big_g, const Adjoints& adjoints,
                              int excess)
{
    const std::size_t half = big_f.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const auto a = multiply<Isa>({big_f[i], big_f[i + half]}, adjoints.f_re[i], adjoints.f_im[i]);
        const auto b = multiply<Isa>({big_g[i], big_g[i + half]}, adjoints.g_re[i], adjoints.g_im[i]);
        const std::int32_t down = std::int32_t{adjoints.exponent[i]} - 31 - excess - quotient_point;
        // Where values of f and g are small, so are those of F and G, and their quotient is shifted
        // up. (By more than 63 bits where f and g have no significant bits: one of some thousand
        // candidates does, and fails in the end, on every engine alike.)
        const std::int32_t is_up = negative_mask(down);
        const std::int32_t up = -down & is_up & 63;
        const auto shifted = [&](Long x) {
            return static_cast<Long>(static_cast<std::uint64_t>(x) << up) >> (down & ~is_up);
        };
        big_f[i] = shifted(add(a.re, b.re));
        big_f[i + half] = shifted(add(a.im, b.im));
    }
}

/// Rounds to integers.
template <class Isa>
constexpr void round_quotients(std::span<const Long> quotients, std::span<std::int32_t> k)
{
    for (std::size_t i = 0; i < k.size(); ++i)
        k[i] = static_cast<std::int32_t>(add(quotients[i], 1 << (quotient_point - 1)) >> quotient_point);
}

/// subtract_product and shift_right on vectors of adjacent coefficients.
template <isa::LongVectors Isa>
struct CoefficientLanes {
    using Lanes = typename Isa::LongLanes;
    using V = typename Lanes::Longs;

    /// The carries between the words of k b.
    struct Carries {
        V sum;
        V shifted_out;
        V borrow;
    };

    template <std::size_t lanes>
    [[gnu::always_inline]] static void subtract_word(Carries& carries, Word* to, int bits)
    {
        const V word = carries.sum & word_mask;
        carries.sum >>= word_bits;
        const V shifted = word << bits;
        const V difference = Lanes::template load_words<lanes>(to) - (shifted & word_mask) -
                             carries.shifted_out + carries.borrow;
        carries.shifted_out = shifted >> word_bits;
        Lanes::template store_words<lanes>(to, difference & word_mask);
        carries.borrow = difference >> word_bits;
    }

    /// A vector of columns, from first + t on.
    static void subtract_block(const BigPoly& a, const BigPoly& b, std::size_t first, std::size_t t,
                               std::span<const std::int32_t> k, WordShift shift)
    {
        const std::size_t m = k.size() / 2;
        Carries carries{};
        Word* to = &a.words[shift.words * a.n + first + t];
        std::size_t j = 0;
        const std::size_t rows = a.length - shift.words;
        for (; j < std::min(b.length, rows); ++j, to += a.n) {
            const Word* const row = &b.words[j * b.n + first];
            const std::int32_t* const quotients = &k[m + t];
            V even = carries.sum;
            V odd{};
            for (std::size_t i = 0; i < m; i += 2) {
                even += Lanes::multiply(Lanes::broadcast(static_cast<std::int32_t>(row[i])),
                                        Lanes::load_words(quotients - i));
                odd += Lanes::multiply(Lanes::broadcast(static_cast<std::int32_t>(row[i + 1])),
                                       Lanes::load_words(quotients - i - 1));
            }
            carries.sum = even + odd;
            subtract_word<Lanes::count>(carries, to, shift.bits);
        }
        for (; j < rows; ++j, to += a.n) subtract_word<Lanes::count>(carries, to, shift.bits);
    }

    /// F and G in one vector, if both fit.
    template <std::size_t m>
    static void subtract_short(const BigPoly& a, const BigPoly& b, std::span<const std::int32_t> k,
                               WordShift shift)
    {
        std::array<V, m> quotients;
        for (std::size_t i = 0; i < m; ++i) {
            std::array<std::int32_t, Lanes::count> twice{};
            for (std::size_t t = 0; t < 2 * m; ++t) twice[t] = k[m + (t & (m - 1)) - i];
            quotients[i] = Lanes::load_words(twice.data());
            wipe(twice);
        }
        Carries carries{};
        Word* to = &a.words[shift.words * a.n];
        std::size_t j = 0;
        const std::size_t rows = a.length - shift.words;
        for (; j < std::min(b.length, rows); ++j, to += a.n) {
            const V row = Lanes::template load_words<2 * m>(&b.words[j * b.n]);
            carries.sum += Lanes::multiply(Lanes::template repeat_in_groups<m, 0>(row), quotients[0]) +
                           Lanes::multiply(Lanes::template repeat_in_groups<m, 1>(row), quotients[1]);
            if constexpr (m == 4)
                carries.sum += Lanes::multiply(Lanes::template repeat_in_groups<m, 2>(row), quotients[2]) +
                               Lanes::multiply(Lanes::template repeat_in_groups<m, 3>(row), quotients[3]);
            subtract_word<2 * m>(carries, to, shift.bits);
        }
        for (; j < rows; ++j, to += a.n) subtract_word<2 * m>(carries, to, shift.bits);
        wipe(quotients);
    }

    static void subtract(const BigPoly& a, const BigPoly& b, std::span<const std::int32_t> k, WordShift shift)
    {
        const std::size_t m = k.size() / 2;
        if (m == 2) return subtract_short<2>(a, b, k, shift);
        if constexpr (Lanes::count >= 8)
            if (m == 4) return subtract_short<4>(a, b, k, shift);
        for (std::size_t first = 0; first < 2 * m; first += m)
            for (std::size_t t = 0; t < m; t += Lanes::count) subtract_block(a, b, first, t, k, shift);
    }
};

/// a -= k b 2^shift modulo x^m + 1 for columns `first` to `first` + m - 1. `k` has m coefficients,
/// after their negatives.
template <class Isa>
constexpr void subtract_product(const BigPoly& a, const BigPoly& b, std::size_t first,
                                std::span<const std::int32_t> k, WordShift shift)
{
    const std::size_t m = k.size() / 2;
    for (std::size_t t = 0; t < m; ++t) {
        Long sum = 0;
        Word shifted_out = 0;
        Word borrow = 0;
        for (std::size_t j = 0; j + shift.words < a.length; ++j) {
            if (j < b.length) {
                const Word* const row = &b.words[j * b.n + first];
                for (std::size_t i = 0; i < m; ++i)
                    sum = add(sum, Long{static_cast<std::int32_t>(row[i])} * k[m + t - i]);
            }
            const Word word = static_cast<Word>(sum) & word_mask;
            sum >>= word_bits;
            const Word shifted = ((word << shift.bits) & word_mask) | shifted_out;
            shifted_out = word >> (word_bits - shift.bits);
            Word& to = a.at(j + shift.words, first + t);
            const Word difference = to - shifted - borrow;
            to = difference & word_mask;
            borrow = difference >> 31;
        }
    }
}

/// subtract_product for F and G, side by side.
template <class Isa>
constexpr void subtract_products(const BigPoly& a, const BigPoly& b, std::span<const std::int32_t> k,
                                 WordShift shift)
{
    if constexpr (isa::LongVectors<Isa>) {
        CoefficientLanes<Isa>::subtract(a, b, k, shift);
    } else {
        subtract_product<Isa>(a, b, 0, k, shift);
        subtract_product<Isa>(a, b, k.size() / 2, k, shift);
    }
}

}  // namespace girih::falcon
