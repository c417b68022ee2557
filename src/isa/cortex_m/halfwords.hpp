/// Residues of a prime below 2^14, two in a word, as signed 16-bit integers. The processor adds
/// both at once, and multiplies one by a constant in two instructions (Plantard's product: Huang,
/// Zhang, Zhao, Liu, Cheung, Koc, Chen, "Improved Plantard arithmetic for lattice-based
/// cryptography", TCHES 2022).
///
/// Constant time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/secret.hpp"
#include "isa/cortex_m/core.hpp"

namespace girih::isa::cortex_m {

template <std::int32_t r>
struct Halfwords {
    using Pair = std::uint32_t;
    static_assert(r < 1 << 14);

    /// The bound of products, in magnitude.
    static constexpr std::int32_t product_bound = r / 2 + 1;

    /// A number z as a factor: (-2^32 z mod r) / r modulo 2^32. If h is the high half of its
    /// product with a, modulo 2^32, then h r / 2^16 is a z modulo r.
    static constexpr std::uint32_t factor(std::int64_t z)
    {
        std::int64_t scaled = (z % r + r) % r * ((std::int64_t{1} << 32) % r) % r;
        scaled = (r - scaled) % r;
        if (scaled > r / 2) scaled -= r;
        return static_cast<std::uint32_t>(scaled) * inverse;
    }

    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t low(Pair a) noexcept
    {
        return static_cast<std::int16_t>(a);
    }
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t high(Pair a) noexcept
    {
        return static_cast<std::int32_t>(a) >> 16;
    }
    [[nodiscard, gnu::always_inline]] static constexpr Pair pair(std::int32_t low, std::int32_t high) noexcept
    {
        return (static_cast<std::uint32_t>(low) & 0xFFFF) | static_cast<std::uint32_t>(high) << 16;
    }
    /// The low halves of two words; highs, the high ones.
    [[nodiscard, gnu::always_inline]] static constexpr Pair lows(Pair a, Pair b) noexcept
    {
        return (a & 0xFFFF) | b << 16;
    }
    [[nodiscard, gnu::always_inline]] static constexpr Pair highs(Pair a, Pair b) noexcept
    {
        return a >> 16 | (b & 0xFFFF0000);
    }

    [[nodiscard, gnu::always_inline]] static constexpr Pair add(Pair a, Pair b) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        if (!std::is_constant_evaluated()) {
            Pair sum;
            __asm__("sadd16 %0, %1, %2" : "=r"(sum) : "r"(a), "r"(b));
            return sum;
        }
#endif
        return pair(low(a) + low(b), high(a) + high(b));
    }
    [[nodiscard, gnu::always_inline]] static constexpr Pair subtract(Pair a, Pair b) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        if (!std::is_constant_evaluated()) {
            Pair difference;
            __asm__("ssub16 %0, %1, %2" : "=r"(difference) : "r"(a), "r"(b));
            return difference;
        }
#endif
        return pair(low(a) - low(b), high(a) - high(b));
    }
    /// Multiplies the low half by one factor and the high half by another.
    [[nodiscard, gnu::always_inline]] static constexpr Pair multiply(Pair a, std::uint32_t low_factor,
                                                                     std::uint32_t high_factor) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        if (!std::is_constant_evaluated()) {
            Pair product;
            __asm__(
                "smulwb %0, %2, %1\n\t"
                "smulwt %1, %3, %1\n\t"
                "smlabb %0, %0, %4, %5\n\t"
                "smlabb %1, %1, %4, %5\n\t"
                "pkhtb %0, %1, %0, asr #16"
                : "=&r"(product), "+&r"(a)
                : "r"(low_factor), "r"(high_factor), "r"(r), "r"(r * rounding));
            return product;
        }
#endif
        return pair(product(low(a), low_factor), product(high(a), high_factor));
    }
    [[nodiscard, gnu::always_inline]] static constexpr Pair multiply(Pair a, std::uint32_t factor) noexcept
    {
        return multiply(a, factor, factor);
    }
    /// (a0 + a1 X) (b0 + b1 X) modulo X^2 - gamma, times `reduction`: to product_bound in
    /// magnitude. Low halves are a0 and b0, and sums of two products are at least -2^16 r.
    ///
    /// To reduce a number c, let p = c / r modulo 2^32. Then p r is c + t 2^32 for t = -c / 2^32
    /// modulo r, at most r / 2 + 1 in magnitude. The sum that is truncated by 16 bits, twice, is t
    /// + (c + (2^17 - p mod 2^16) r) / 2^32, whose second term is in [0, 1).
    [[nodiscard, gnu::always_inline]] static constexpr Pair multiply_linear(
        Pair a, Pair b, std::uint32_t gamma_factor) noexcept
    {
        static_assert(rounding == 2);
#if defined(GIRIH_ARM_DSP)
        if (!std::is_constant_evaluated()) {
            Pair c;
            std::uint32_t d;
            __asm__(
                "smulwt %0, %4, %3\n\t"
                "smuadx %1, %2, %3\n\t"
                "smlabb %0, %0, %5, %6\n\t"  // gamma b1, in the high half
                "mul %1, %1, %7\n\t"
                "pkhbt %0, %3, %0\n\t"
                "smuad %0, %2, %0\n\t"
                "smlatb %1, %1, %5, %6\n\t"
                "mul %0, %0, %7\n\t"
                "smlatb %0, %0, %5, %6\n\t"
                "pkhtb %0, %1, %0, asr #16"
                : "=&r"(c), "=&r"(d)
                : "r"(a), "r"(b), "r"(gamma_factor), "r"(r), "r"(r * rounding), "r"(inverse));
            return c;
        }
#endif
        const std::int32_t gamma_b1 = product(high(b), gamma_factor);
        return pair(reduced(low(a) * low(b) + high(a) * gamma_b1),
                    reduced(low(a) * high(b) + high(a) * low(b)));
    }
    /// -2^-32.
    static constexpr std::int64_t reduction = [] {
        std::int64_t power = 1;  // of 1/2
        for (int i = 0; i < 32; ++i) power = power * ((r + 1) / 2) % r;
        return r - power;
    }();
    /// A factor that cancels `reduction`.
    static constexpr std::int64_t undo_reduction = r - (std::int64_t{1} << 32) % r;

    /// Both halves in [0, r), from [-r, r).
    [[nodiscard, gnu::always_inline]] static constexpr Pair canonical(Pair a) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        if (!std::is_constant_evaluated()) {
            Pair sum;
            __asm__(
                "sadd16 %0, %1, %2\n\t"
                "ssub16 %1, %1, %3\n\t"  // whether a half is not below 0
                "sel %0, %1, %0"
                : "=&r"(sum), "+r"(a)
                : "r"(pair(r, r)), "r"(0));
            return sum;
        }
#endif
        return pair(low(a) + (r & negative_mask(low(a))), high(a) + (r & negative_mask(high(a))));
    }

  private:
    static constexpr std::int32_t rounding = 2;
    /// 1 / r modulo 2^32.
    static constexpr std::uint32_t inverse = [] {
        std::uint32_t x = 1;
        for (int i = 0; i < 5; ++i) x *= 2 - static_cast<std::uint32_t>(r) * x;
        return x;
    }();
    static_assert(inverse * static_cast<std::uint32_t>(r) == 1);

    [[nodiscard]] static constexpr std::int32_t product(std::int32_t a, std::uint32_t factor) noexcept
    {
        return rounded(static_cast<std::uint32_t>(a) * factor);
    }
    [[nodiscard]] static constexpr std::int32_t reduced(std::int32_t c) noexcept
    {
        return rounded(static_cast<std::uint32_t>(c) * inverse);
    }
    [[nodiscard]] static constexpr std::int32_t rounded(std::uint32_t word) noexcept
    {
        return ((static_cast<std::int32_t>(word) >> 16) + rounding) * r >> 16;
    }
};

}  // namespace girih::isa::cortex_m
