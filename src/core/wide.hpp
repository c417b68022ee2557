/// Products of 64-bit integers from 32-bit ones, on every processor and at compile time.
#pragma once

#include <cstdint>

namespace girih {

struct Wide {
    std::uint64_t high;
    std::uint64_t low;
};

[[nodiscard]] constexpr Wide multiply_wide(std::uint64_t a, std::uint64_t b) noexcept
{
    const std::uint64_t a0 = a & 0xFFFFFFFF;
    const std::uint64_t a1 = a >> 32;
    const std::uint64_t b0 = b & 0xFFFFFFFF;
    const std::uint64_t b1 = b >> 32;
    const std::uint64_t low = a0 * b0;
    // Each product is at most (2^32 - 1)^2 = 2^64 - 2^33 + 1, which leaves room for two
    // numbers of 32 bits.
    const std::uint64_t middle = a1 * b0 + (low >> 32);
    const std::uint64_t other = a0 * b1 + (middle & 0xFFFFFFFF);
    return {a1 * b1 + (middle >> 32) + (other >> 32), (other << 32) | (low & 0xFFFFFFFF)};
}

#if defined(__SIZEOF_INT128__)
// A single instruction where the compiler has 128-bit integers.
[[nodiscard]] constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept
{
    __extension__ using Product = unsigned __int128;
    return static_cast<std::uint64_t>(Product{a} * b >> 64);
}
#else
[[nodiscard]] constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept
{
    return multiply_wide(a, b).high;
}
#endif

}  // namespace girih
