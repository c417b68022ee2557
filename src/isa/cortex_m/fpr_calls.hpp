/// Calls of the functions of fpr.S, which have their own calling convention: each call lists the
/// registers that change. Numbers are plain 64-bit words.
#pragma once

#include "isa/cortex_m/core.hpp"

#if defined(GIRIH_ARM_DSP)

#    include <cstdint>

extern "C" void girih_cortex_m_butterfly(void* numbers);
extern "C" void girih_cortex_m_inverse_butterfly(void* numbers);

namespace girih::isa::cortex_m::fpr_calls {

using U64 = std::uint64_t;

#    define GIRIH_CHANGED "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r12", "lr", "cc"
#    define GIRIH_UNARY(name)                                                            \
        [[nodiscard, gnu::always_inline]] inline U64 name(U64 a) noexcept                \
        {                                                                                \
            register U64 x __asm__("r0") = a;                                            \
            __asm__("bl girih_cortex_m_" #name : "+r"(x) : : "r2", "r3", GIRIH_CHANGED); \
            return x;                                                                    \
        }
#    define GIRIH_BINARY(name)                                                        \
        [[nodiscard, gnu::always_inline]] inline U64 name(U64 a, U64 b) noexcept      \
        {                                                                             \
            register U64 x __asm__("r0") = a;                                         \
            register U64 y __asm__("r2") = b;                                         \
            __asm__("bl girih_cortex_m_" #name : "+r"(x), "+r"(y) : : GIRIH_CHANGED); \
            return x;                                                                 \
        }

GIRIH_BINARY(add)
GIRIH_BINARY(multiply)
GIRIH_BINARY(divide)
GIRIH_UNARY(square)
GIRIH_UNARY(square_root)
GIRIH_UNARY(of_integer)
GIRIH_UNARY(of_word)
GIRIH_UNARY(truncate)
GIRIH_UNARY(floor)

#    undef GIRIH_BINARY
#    undef GIRIH_UNARY
#    undef GIRIH_CHANGED

/// a - b in `difference`.
[[nodiscard, gnu::always_inline]] inline U64 add_and_subtract(U64 a, U64 b, U64& difference) noexcept
{
    register U64 x __asm__("r0") = a;
    register U64 y __asm__("r2") = b;
    __asm__("bl girih_cortex_m_add_and_subtract"
            : "+r"(x), "+r"(y)
            :
            : "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r12", "lr", "cc");
    difference = y;
    return x;
}

/// Counts which of 18 numbers of 72 bits are above a given one.
[[nodiscard, gnu::always_inline]] inline std::uint32_t count_above(U64 low, std::uint32_t high,
                                                                   const std::uint32_t* numbers) noexcept
{
    register U64 x __asm__("r0") = low;
    register std::uint32_t y __asm__("r2") = high;
    register const std::uint32_t* z __asm__("r3") = numbers;
    __asm__("bl girih_cortex_m_count_above"
            : "+r"(x), "+r"(y), "+r"(z)
            :
            : "r4", "r5", "r6", "r12", "lr", "cc");
    return static_cast<std::uint32_t>(x);
}

/// The high half of a b.
[[nodiscard, gnu::always_inline]] inline U64 multiply_high(U64 a, U64 b) noexcept
{
    const auto a0 = static_cast<std::uint32_t>(a);
    const auto a1 = static_cast<std::uint32_t>(a >> 32);
    const auto b0 = static_cast<std::uint32_t>(b);
    const auto b1 = static_cast<std::uint32_t>(b >> 32);
    std::uint32_t carried;
    std::uint32_t middle;
    std::uint32_t high;
    __asm__(
        "umull %0, %1, %3, %5\n\t"  // a0 b0, whose low word is not needed
        "umull %0, %2, %4, %5\n\t"  // a1 b0
        "umaal %1, %0, %3, %6\n\t"  // + a0 b1
        "umaal %2, %0, %4, %6"      // + a1 b1
        : "=&r"(carried), "=&r"(middle), "=&r"(high)
        : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
    return U64{carried} << 32 | high;
}

}  // namespace girih::isa::cortex_m::fpr_calls

#endif
