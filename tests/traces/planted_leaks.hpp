/// Planted leaks, which CMakeLists.txt puts into select_secret of an amalgamated ML-KEM-768, on
/// each engine: the comparison of traces has to find every one of them there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace planted {

inline volatile std::uint32_t observed;
inline const std::array<std::uint8_t, 256> table{3, 1, 4, 1, 5, 9, 2, 6};

/// A load of sixteen lanes. (Without AVX-512 in its options, a compiler knows no k1 to save.)
[[gnu::always_inline]] inline void load_masked(std::uint32_t mask)
{
    std::uint64_t saved = 0;
    asm volatile("kmovq %%k1, %0\n\tkmovd %1, %%k1\n\tvmovdqu32 %2, %%zmm0%{%%k1%}%{z%}\n\tkmovq %0, %%k1"
                 : "=&r"(saved)
                 : "r"(mask), "m"(table)
                 : "xmm0");
}
/// No leak: none of these bits names a lane.
[[gnu::always_inline]] inline void load_with_unused_bits(std::uint8_t secret)
{
    load_masked(std::uint32_t{secret} << 16 | 1);
}

/// A branch on whether the ciphertext is rejected, an index and a divisor from the secret; with
/// AVX-512, lanes that are read.
[[gnu::always_inline]] inline void leak(std::uint8_t is_rejected, std::span<const std::uint8_t> secret)
{
    if (__builtin_cpu_supports("avx512bw")) {
        load_masked(secret[2]);
        load_with_unused_bits(secret[2]);
    }
    if (is_rejected != 0) observed = 1;
    observed = table[secret[0]];
    observed = 0x10000U / (secret[1] + 1U);
}

}  // namespace planted
