/// Vectors of Falcon's key generator, whose transforms interleave blocks of lanes.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "isa/shared/shuffle.hpp"

namespace girih::isa {

/// `Isa` keeps the types of engines apart.
template <class Isa, class V>
struct BlockLanes {
    using Lane = std::remove_cvref_t<decltype(V{}[0])>;
    static constexpr std::size_t count = sizeof(V) / sizeof(Lane);

    template <class T>
    [[nodiscard, gnu::always_inline]] static V load(const T* from) noexcept
    {
        static_assert(sizeof(T) == sizeof(Lane));
        V a;
        std::memcpy(&a, from, sizeof a);
        return a;
    }
    [[gnu::always_inline]] static void store(Lane* to, V a) noexcept { std::memcpy(to, &a, sizeof a); }
    [[nodiscard, gnu::always_inline]] static V broadcast(Lane a) noexcept { return V{} + a; }

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
        constexpr auto in_order = [](std::size_t number) { return number; };
        return spread<size>(load_first<count / size>(from), in_order, std::make_index_sequence<count>{});
    }
    /// Spreads the numbers in reverse.
    template <std::size_t size, class T>
    [[nodiscard, gnu::always_inline]] static V spread_reversed(const T* from) noexcept
    {
        constexpr auto in_reverse = [](std::size_t number) { return count / size - 1 - number; };
        return spread<size>(load_first<count / size>(from), in_reverse, std::make_index_sequence<count>{});
    }

  private:
    template <std::size_t numbers, class T>
    [[nodiscard, gnu::always_inline]] static V load_first(const T* from) noexcept
    {
        V a{};
        std::memcpy(&a, from, numbers * sizeof(Lane));
        return a;
    }
    template <std::size_t size, std::size_t start, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V blocks(V a, V b, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(
            a, b, (i / (2 * size) * (2 * size) + start + i % size + (i / size % 2) * count)...);
    }
    /// The number of lane i of even_blocks: block i / (2 size) of x, or of y.
    template <std::size_t size>
    static constexpr std::size_t part(std::size_t i)
    {
        return i / (2 * size) + (i / size % 2) * (count / (2 * size));
    }
    template <std::size_t size, class Order, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V spread(V a, Order, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(a, a, (Order{}(part<size>(i)))...);
    }
};

}  // namespace girih::isa
