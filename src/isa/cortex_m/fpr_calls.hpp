/// How C++ calls the functions of fpr.S, which keep to a convention of their own: whoever calls says
/// what they change. Numbers are plain words of 64 bits.
#pragma once

#if defined(__ARM_ARCH_7EM__)

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

}  // namespace girih::isa::cortex_m::fpr_calls

#endif
