/// Keccak states in the lanes of a vector, over the compilers' vector extensions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/unroll.hpp"

namespace girih::isa {

/// Keccak states, one in each 64-bit lane of `V`. `States` is the engine's type that derives from
/// this. It has transpose(v); all_but(fresh), a mask of the lanes that are not fresh; and
/// keep(mask, a), which zeroes the lanes outside the mask.
template <class States, class V>
struct StateLanes {
    using Words = V;
    static constexpr std::size_t count = sizeof(V) / sizeof(std::uint64_t);

    [[nodiscard]] static Words broadcast(std::uint64_t word) noexcept { return Words{} + word; }

    template <std::size_t words, std::size_t state_words>
    static void absorb_rows(std::array<Words, state_words>& state,
                            std::array<std::array<std::uint64_t, words>, count>& rows,
                            const std::array<bool, count>& fresh) noexcept
    {
        static_assert(words % count == 0);
        const auto kept = States::all_but(fresh);
        const Words zero{};
        for (std::size_t i = 0; i < words; i += count) {
            std::array<Words, count> v;
            unroll<count>([&](auto j) __attribute__((always_inline)) {
                std::memcpy(&v[j], &rows[j][i], sizeof v[j]);
                std::memcpy(&rows[j][i], &zero, sizeof zero);
            });
            States::transpose(v);
            unroll<count>([&](auto j) __attribute__((always_inline)) {
                state[i + j] = States::keep(kept, state[i + j]) ^ v[j];
            });
        }
        for (std::size_t i = words; i < state_words; ++i) state[i] = States::keep(kept, state[i]);
    }

    template <std::size_t words, std::size_t state_words>
    static void to_rows(const std::array<Words, state_words>& state,
                        std::array<std::array<std::uint64_t, words>, count>& rows) noexcept
    {
        static_assert(words % count == 0);
        for (std::size_t i = 0; i < words; i += count) {
            std::array<Words, count> v;
            unroll<count>([&](auto j) __attribute__((always_inline)) { v[j] = state[i + j]; });
            States::transpose(v);
            unroll<count>(
                [&](auto j) __attribute__((always_inline)) { std::memcpy(&rows[j][i], &v[j], sizeof v[j]); });
        }
    }
};

}  // namespace girih::isa
