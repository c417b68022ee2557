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

/// A branch on whether the ciphertext is rejected, an index and a divisor from the secret.
[[gnu::always_inline]] inline void leak(std::uint8_t is_rejected, std::span<const std::uint8_t> secret)
{
    if (is_rejected != 0) observed = 1;
    observed = table[secret[0]];
    observed = 0x10000U / (secret[1] + 1U);
}

}  // namespace planted
