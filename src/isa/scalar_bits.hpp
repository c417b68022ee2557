/// A long integer's bits in words of 64.
#pragma once

#include <cstdint>

namespace girih::isa {

/// `Isa` only names a type of an engine's own.
template <class Isa>
struct ScalarBits {
    using Vector = std::uint64_t;

    [[nodiscard]] static Vector broadcast(std::uint64_t word) noexcept { return word; }
    [[nodiscard]] static std::uint64_t first_word(Vector a) noexcept { return a; }
    /// All bits one place up, the lowest from the top of what is below; or down, the highest from
    /// the bottom of what is above.
    [[nodiscard]] static Vector up(Vector a, Vector below) noexcept { return a << 1 | below >> 63; }
    [[nodiscard]] static Vector down(Vector a, Vector above) noexcept { return a >> 1 | above << 63; }
};

}  // namespace girih::isa
