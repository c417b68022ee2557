/// Division steps in the words of a Cortex-M7: on pairs of halfwords, and on bits.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "isa/cortex_m/core.hpp"
#include "isa/products.hpp"

namespace girih::isa::cortex_m {

/// Two signed 16-bit integers in a word, the first in the low half.
template <class Engine>
struct HalfwordPairs {
    using Word = std::uint32_t;

    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t first(Word pair) noexcept
    {
        return static_cast<std::int16_t>(pair & 0xFFFF);
    }
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t second(Word pair) noexcept
    {
        return static_cast<std::int16_t>(pair >> 16);
    }
    /// A word of the low halves of two words.
    [[nodiscard, gnu::always_inline]] static Word pack(Word a, Word b) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        Word pair;
        __asm__("pkhbt %0, %1, %2, lsl #16" : "=r"(pair) : "r"(a), "r"(b));
        return pair;
#else
        return (a & 0xFFFF) | b << 16;
#endif
    }
    /// A word of the high halves of two words.
    [[nodiscard, gnu::always_inline]] static Word pack_high(Word a, Word b) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        Word pair;
        __asm__("pkhtb %0, %2, %1, asr #16" : "=r"(pair) : "r"(a), "r"(b));
        return pair;
#else
        return a >> 16 | (b & 0xFFFF0000);
#endif
    }
    /// The first of a times the second of b, less the second of a times the first of b.
    [[nodiscard, gnu::always_inline]] static std::int32_t determinant(Word a, Word b) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        std::int32_t difference;
        __asm__("smusdx %0, %1, %2" : "=r"(difference) : "r"(a), "r"(b));
        return difference;
#else
        return first(a) * second(b) - second(a) * first(b);
#endif
    }
    [[nodiscard, gnu::always_inline]] static std::int32_t dot(Word a, Word b, std::int32_t sum) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        __asm__("smlad %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
        return sum;
#else
        return first(a) * first(b) + second(a) * second(b) + sum;
#endif
    }

    /// An odd number of 13 bits, and 2^32 divided by it, rounded.
    struct Modulus {
        std::int32_t q;
        std::int32_t inverse;

        static constexpr Modulus of(std::int32_t q)
        {
            return {q, static_cast<std::int32_t>(((std::int64_t{1} << 32) + q / 2) / q)};
        }
        /// A residue of a, at most q (1/2 + |a| / 2^33) in magnitude, because `inverse` is off by
        /// at most 1/2.
        [[nodiscard, gnu::always_inline]] std::int32_t reduce(std::int32_t a) const noexcept
        {
#if defined(GIRIH_ARM_DSP)
            std::int32_t quotient;
            __asm__("smmulr %0, %1, %2" : "=r"(quotient) : "r"(a), "r"(inverse));
#else
            const auto quotient =
                static_cast<std::int32_t>((long_product(a, inverse) + (std::int64_t{1} << 31)) >> 32);
#endif
            return a - quotient * q;
        }
    };

    /// The effect of 16 division steps on pairs (f, g) of coefficients. At x^i, f becomes
    ///
    ///     to_first[0] . (f, g)_i + ... + to_first[15] . (f, g)_(i + 15)
    ///
    /// and g to_second[1] . (f, g)_(i + 1) + ... + to_second[16] . (f, g)_(i + 16).
    static constexpr std::size_t steps = 16;
    struct Rows {
        std::array<Word, steps> to_first;
        std::array<Word, steps + 1> to_second;  ///< to_second[0] is 0
        Modulus modulus;
    };
    /// Applies the rows to three pairs at a time, in place, reading 17 more. Inputs and outputs are
    /// at most 0.6 q in magnitude: sums of 32 products are at most 11.6 q^2, which is below 2^31
    /// and below (q / 10) 2^33 / q for q < 2^13.
    static void apply(const Rows& rows, Word* pairs, std::size_t threes) noexcept;
};

/// 32 coefficients modulo 3 of each of two polynomials (f, g): one bit says whether a coefficient
/// is not 0, another whether it is -1.
struct Trits32 {
    std::uint32_t f_nonzero = 0;
    std::uint32_t f_minus = 0;
    std::uint32_t g_nonzero = 0;
    std::uint32_t g_minus = 0;
};

}  // namespace girih::isa::cortex_m

#if defined(GIRIH_ARM_DSP)
extern "C" {
// In division_steps.S.
void girih_cortex_m_apply_steps(const void* rows, std::uint32_t* pairs, const std::uint32_t* end);
void girih_cortex_m_trit_step(girih::isa::cortex_m::Trits32* from, girih::isa::cortex_m::Trits32* end,
                              std::uint32_t nonzero, std::uint32_t minus, std::uint32_t exchange);
}
#endif

namespace girih::isa::cortex_m {

template <class Engine>
void HalfwordPairs<Engine>::apply(const Rows& rows, Word* pairs, std::size_t threes) noexcept
{
#if defined(GIRIH_ARM_DSP)
    girih_cortex_m_apply_steps(&rows, pairs, pairs + 3 * threes);
#else
    for (Word* const end = pairs + 3 * threes; pairs != end; ++pairs) {
        std::int32_t f = 0;
        std::int32_t g = 0;
        for (std::size_t j = 0; j < steps; ++j) {
            f = dot(rows.to_first[j], pairs[j], f);
            g = dot(rows.to_second[j + 1], pairs[j + 1], g);
        }
        *pairs = pack(static_cast<Word>(rows.modulus.reduce(f)), static_cast<Word>(rows.modulus.reduce(g)));
    }
#endif
}

/// A step modulo 3: (f, g) becomes (f or g, (g + c f) / x). `nonzero` is all ones if c is not 0,
/// `minus` if c is -1, and `exchange` if f becomes g. The first of the words from `from` to `end`
/// has the lowest coefficients; zeros follow the last. The coefficient that leaves goes to the g of
/// the word below `from`, where it was 0.
template <class Engine>
void trit_step(Trits32* from, Trits32* end, std::uint32_t nonzero, std::uint32_t minus,
               std::uint32_t exchange) noexcept
{
#if defined(GIRIH_ARM_DSP)
    girih_cortex_m_trit_step(from, end, nonzero, minus, exchange);
#else
    for (; from != end; ++from) {
        Trits32& at = *from;
        const std::uint32_t b_nonzero = at.f_nonzero & nonzero;
        const std::uint32_t b_minus = (at.f_minus ^ minus) & b_nonzero;
        at.f_nonzero ^= (at.f_nonzero ^ at.g_nonzero) & exchange;
        at.f_minus ^= (at.f_minus ^ at.g_minus) & exchange;
        // Boothby and Bradshaw, "Bitslicing and the Method of Four Russians over larger finite
        // fields", 2009.
        const std::uint32_t s = at.g_nonzero ^ b_minus;
        const std::uint32_t t = at.g_minus ^ b_nonzero;
        const std::uint32_t sum_nonzero = (s ^ at.g_minus) | (t ^ b_minus);
        const std::uint32_t sum_minus = s & t;
        Trits32& below = from[-1];
        below.g_nonzero |= sum_nonzero << 31;
        below.g_minus |= sum_minus << 31;
        at.g_nonzero = sum_nonzero >> 1;
        at.g_minus = sum_minus >> 1;
    }
#endif
}

}  // namespace girih::isa::cortex_m
