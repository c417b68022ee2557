/// 64-bit integers side by side, whose products are those of their low halves: for Falcon's key
/// generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "isa/shuffle.hpp"

namespace girih::isa {

/// `Isa` has multiply_signed_halves of `V`, and keeps the types of engines apart; `Words` has as
/// many 32-bit lanes.
template <class Isa, class V, class Words>
struct LongLanes {
    using Longs = V;
    static constexpr std::size_t count = sizeof(V) / sizeof(std::int64_t);

    template <class T>
    [[nodiscard, gnu::always_inline]] static V load(const T* from) noexcept
    {
        static_assert(sizeof(T) == sizeof(std::int64_t));
        V a;
        std::memcpy(&a, from, sizeof a);
        return a;
    }
    [[gnu::always_inline]] static void store(std::int64_t* to, V a) noexcept
    {
        std::memcpy(to, &a, sizeof a);
    }
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
    [[nodiscard, gnu::always_inline]] static V broadcast(std::int64_t a) noexcept { return V{} + a; }
    /// The signed products of the low halves.
    [[nodiscard, gnu::always_inline]] static V multiply(V a, V b) noexcept
    {
        return Isa::multiply_signed_halves(a, b);
    }

    /// Interleaves the even blocks of `size` lanes of a and b; odd_blocks, the odd ones. Applying
    /// both twice is the identity.
    template <std::size_t size>
    [[nodiscard, gnu::always_inline]] static V even_blocks(V a, V b) noexcept
    {
        return blocks<size, 0>(a, b, std::make_index_sequence<count>{});
    }
    template <std::size_t size>
    [[nodiscard, gnu::always_inline]] static V odd_blocks(V a, V b) noexcept
    {
        return blocks<size, size>(a, b, std::make_index_sequence<count>{});
    }
    /// Spreads count / size numbers over the blocks of `size` lanes of even_blocks(x, y): first
    /// those for x's blocks, then those for y's.
    template <std::size_t size, class T>
    [[nodiscard, gnu::always_inline]] static V spread(const T* from) noexcept
    {
        V a{};
        std::memcpy(&a, from, count / size * sizeof(std::int64_t));
        return spread_in_order<size>(a, std::make_index_sequence<count>{});
    }
    /// Copies lane `first` of every group of `size` lanes to the whole group.
    template <std::size_t size, std::size_t first>
    [[nodiscard, gnu::always_inline]] static V repeat_in_groups(V a) noexcept
    {
        return repeat<size, first>(a, std::make_index_sequence<count>{});
    }

  private:
    template <std::size_t size, std::size_t start, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V blocks(V a, V b, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(
            a, b, (i / (2 * size) * (2 * size) + start + i % size + (i / size % 2) * count)...);
    }
    template <std::size_t size, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V spread_in_order(V a, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(a, a, (i / (2 * size) + (i / size % 2) * (count / (2 * size)))...);
    }
    template <std::size_t size, std::size_t first, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V repeat(V a, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(a, a, (i / size * size + first)...);
    }
};

}  // namespace girih::isa
