/// The bits of a long integer, in 64-bit words.
#pragma once

#include <cstdint>

namespace girih::isa {

/// `Isa` keeps the types of engines apart.
template <class Isa>
struct ScalarBits {
    using Vector = std::uint64_t;

    [[nodiscard]] static Vector broadcast(std::uint64_t word) noexcept { return word; }
    [[nodiscard]] static std::uint64_t first_word(Vector a) noexcept { return a; }
    /// Shifts all bits up by one, taking the lowest from the top of `below`; or down, taking the
    /// highest from the bottom of `above`.
    [[nodiscard]] static Vector up(Vector a, Vector below) noexcept { return a << 1 | below >> 63; }
    [[nodiscard]] static Vector down(Vector a, Vector above) noexcept { return a >> 1 | above << 63; }
};

}  // namespace girih::isa
