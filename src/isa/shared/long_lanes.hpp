/// 64-bit integers side by side, whose products are those of their low halves: for Falcon's key
/// generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "isa/shared/block_lanes.hpp"
#include "isa/shared/shuffle.hpp"

namespace girih::isa {

/// `Isa` has multiply_signed_halves of `V`, and keeps the types of engines apart; `Words` has as
/// many 32-bit lanes.
template <class Isa, class V, class Words>
struct LongLanes : BlockLanes<Isa, V> {
    using Longs = V;
    using BlockLanes<Isa, V>::count;

    /// Loads words that are signed, or below 2^31.
    template <std::size_t words = count>
    [[nodiscard, gnu::always_inline]] static V load_words(const void* from) noexcept
    {
        Words a{};
        std::memcpy(&a, from, words * sizeof(std::int32_t));
        return __builtin_convertvector(a, V);
    }
    template <std::size_t words = count>
    [[gnu::always_inline]] static void store_words(void* to, V a) noexcept
    {
        const Words narrow = __builtin_convertvector(a, Words);
        std::memcpy(to, &narrow, words * sizeof(std::int32_t));
    }
    /// The signed products of the low halves.
    [[nodiscard, gnu::always_inline]] static V multiply(V a, V b) noexcept
    {
        return Isa::multiply_signed_halves(a, b);
    }

    /// Copies lane `first` of every group of `size` lanes to the whole group.
    template <std::size_t size, std::size_t first>
    [[nodiscard, gnu::always_inline]] static V repeat_in_groups(V a) noexcept
    {
        return repeat<size, first>(a, std::make_index_sequence<count>{});
    }

  private:
    template <std::size_t size, std::size_t first, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V repeat(V a, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(a, a, (i / size * size + first)...);
    }
};

}  // namespace girih::isa
