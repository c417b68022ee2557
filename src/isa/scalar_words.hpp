/// Keccak on one state in general registers: the serial lane of every engine.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace girih::isa {

/// `Engine` keeps the functions of engines apart, each compiled for its own processor.
template <class Engine>
struct ScalarWords {
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
    /// Adds a row to the state of each lane, or to a zero state if the lane is fresh, and clears
    /// the row.
    template <std::size_t words, std::size_t state_words>
    static constexpr void absorb_rows(std::array<Words, state_words>& state,
                                      std::array<std::array<std::uint64_t, words>, count>& rows,
                                      const std::array<bool, count>& fresh) noexcept
    {
        if (fresh[0]) state = {};
        for (std::size_t i = 0; i < words; ++i) {
            state[i] ^= rows[0][i];
            rows[0][i] = 0;
        }
    }

    /// Copies the first words of each lane's state to its row.
    template <std::size_t words, std::size_t state_words>
    static constexpr void to_rows(const std::array<Words, state_words>& state,
                                  std::array<std::array<std::uint64_t, words>, count>& rows) noexcept
    {
        for (std::size_t i = 0; i < words; ++i) rows[0][i] = state[i];
    }
};

}  // namespace girih::isa
