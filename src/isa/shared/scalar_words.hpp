/// Keccak on one state in general registers: the serial lane of every engine.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace girih::isa {

/// The rows of one state. `Engine` keeps the functions of engines apart, each compiled for its own
/// processor.
template <class Engine>
struct OneState {
    /// Adds a row to the state, or to a zero state if the lane is fresh, and clears the row.
    template <std::size_t words, class State>
    static constexpr void absorb_rows(State& state, std::array<std::array<std::uint64_t, words>, 1>& rows,
                                      const std::array<bool, 1>& fresh) noexcept
    {
        if (fresh[0]) state = {};
        for (std::size_t i = 0; i < words; ++i) {
            state[i] ^= rows[0][i];
            rows[0][i] = 0;
        }
    }

    /// Copies the first words of the state to its row.
    template <std::size_t words, class State>
    static constexpr void to_rows(const State& state,
                                  std::array<std::array<std::uint64_t, words>, 1>& rows) noexcept
    {
        for (std::size_t i = 0; i < words; ++i) rows[0][i] = state[i];
    }
};

/// Its words.
template <class Engine>
struct ScalarWords : OneState<Engine> {
    using Words = std::uint64_t;
    static constexpr std::size_t count = 1;

    template <int bits>
    [[nodiscard]] static constexpr Words rotate_left(Words a) noexcept
    {
        return std::rotl(a, bits);
    }
    [[nodiscard]] static constexpr Words chi(Words a, Words b, Words c) noexcept { return a ^ (~b & c); }
    [[nodiscard]] static constexpr Words xor5(Words a, Words b, Words c, Words d, Words e) noexcept
    {
        return a ^ b ^ c ^ d ^ e;
    }
    [[nodiscard]] static constexpr Words broadcast(std::uint64_t word) noexcept { return word; }
};

}  // namespace girih::isa
