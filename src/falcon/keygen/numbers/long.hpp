/// 64-bit integers whose sums are modulo 2^64: if f and g have no solution, numbers may be longer
/// than planned. The result does not matter then, but has to be the same everywhere.
#pragma once

#include <cstdint>

namespace girih::falcon {

using Long = std::int64_t;

[[nodiscard, gnu::always_inline]] constexpr Long add(Long a, Long b) noexcept
{
    return static_cast<Long>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
[[nodiscard, gnu::always_inline]] constexpr Long subtract(Long a, Long b) noexcept
{
    return static_cast<Long>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace girih::falcon
