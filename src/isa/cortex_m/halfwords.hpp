/// Residues of a prime below 2^14 two in a word, as integers of 16 bits with a sign: the processor
/// adds both at once, and multiplies one by a constant in two instructions (Plantard's product:
/// Huang, Zhang, Zhao, Liu, Cheung, Koc, Chen, "Improved Plantard arithmetic for lattice-based
/// cryptography", TCHES 2022).
///
/// Constant time.
#pragma once

#include <cstdint>
#include <type_traits>

namespace girih::isa::cortex_m {

template <std::int32_t r>
struct Halfwords {
    using Pair = std::uint32_t;
    static_assert(r < 1 << 14);

    /// Products are at most this in magnitude.
    static constexpr std::int32_t product_bound = r / 2 + 1;

    /// The form in which a number z is a factor: (-2^32 z mod r) / r modulo 2^32. Of its product
    /// with a, modulo 2^32, the high half times r, over 2^16, is a z modulo r.
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
    /// The low halves of two, and the high ones.
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
#if defined(__ARM_ARCH_7EM__)
        if (!std::is_constant_evaluated()) {
            __asm__("sadd16 %0, %0, %1" : "+r"(a) : "r"(b));
            return a;
        }
#endif
        return pair(low(a) + low(b), high(a) + high(b));
    }
    [[nodiscard, gnu::always_inline]] static constexpr Pair subtract(Pair a, Pair b) noexcept
    {
#if defined(__ARM_ARCH_7EM__)
        if (!std::is_constant_evaluated()) {
            __asm__("ssub16 %0, %0, %1" : "+r"(a) : "r"(b));
            return a;
        }
#endif
        return pair(low(a) - low(b), high(a) - high(b));
    }
    /// The product of the low half and one number, and of the high half and another.
    [[nodiscard, gnu::always_inline]] static constexpr Pair multiply(Pair a, std::uint32_t low_factor,
                                                                     std::uint32_t high_factor) noexcept
    {
#if defined(__ARM_ARCH_7EM__)
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
    /// Both halves from 0 to r - 1; they are at least -r, and below r.
    [[nodiscard, gnu::always_inline]] static constexpr Pair canonical(Pair a) noexcept
    {
#if defined(__ARM_ARCH_7EM__)
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
        return pair(low(a) + (r & (low(a) >> 31)), high(a) + (r & (high(a) >> 31)));
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
        const auto word = static_cast<std::uint32_t>(a) * factor;
        return ((static_cast<std::int32_t>(word) >> 16) + rounding) * r >> 16;
    }
};

}  // namespace girih::isa::cortex_m
