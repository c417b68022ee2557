/// Unsigned residues modulo 31-bit primes, side by side: for Falcon's key generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "isa/shuffle.hpp"

namespace girih::isa {

/// `Isa` has multiply_even, odd and minimum of `V`, and keeps the types of engines apart.
template <class Isa, class V>
struct ResidueLanes {
    using Words = V;
    static constexpr std::size_t count = sizeof(V) / sizeof(std::uint32_t);

    [[nodiscard, gnu::always_inline]] static V load(const std::uint32_t* from) noexcept
    {
        V a;
        std::memcpy(&a, from, sizeof a);
        return a;
    }
    [[gnu::always_inline]] static void store(std::uint32_t* to, V a) noexcept
    {
        std::memcpy(to, &a, sizeof a);
    }
    [[nodiscard, gnu::always_inline]] static V broadcast(std::uint32_t a) noexcept { return V{} + a; }
    [[nodiscard, gnu::always_inline]] static V minimum(V a, V b) noexcept
    {
        return Isa::unsigned_minimum(a, b);
    }
    /// Products of the even lanes, in 64 bits.
    [[nodiscard, gnu::always_inline]] static V multiply_even(V a, V b) noexcept
    {
        return Isa::unsigned_multiply_even(a, b);
    }
    /// Moves the odd lanes to the even ones.
    [[nodiscard, gnu::always_inline]] static V odd(V a) noexcept { return Isa::odd_lanes_down(a); }
    [[nodiscard, gnu::always_inline]] static V add_products(V a, V b) noexcept { return Isa::add_64(a, b); }
    /// The high halves of 64-bit numbers: of `even` in the even lanes, of `odd` in the odd ones.
    [[nodiscard, gnu::always_inline]] static V high_halves(V even, V odd) noexcept
    {
        return choose(odd_lanes_down_then(even), odd, std::make_index_sequence<count>{});
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
    template <std::size_t size>
    [[nodiscard, gnu::always_inline]] static V spread(const std::uint32_t* from) noexcept
    {
        return spread_in_order<size>(load_first<count / size>(from), std::make_index_sequence<count>{});
    }
    /// Spreads the numbers in reverse.
    template <std::size_t size>
    [[nodiscard, gnu::always_inline]] static V spread_reversed(const std::uint32_t* from) noexcept
    {
        return spread_in_reverse<size>(load_first<count / size>(from), std::make_index_sequence<count>{});
    }

  private:
    [[nodiscard, gnu::always_inline]] static V odd_lanes_down_then(V a) noexcept
    {
        return Isa::odd_lanes_down(a);
    }

    template <std::size_t numbers>
    [[nodiscard, gnu::always_inline]] static V load_first(const std::uint32_t* from) noexcept
    {
        V a{};
        std::memcpy(&a, from, numbers * sizeof *from);
        return a;
    }
    template <std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V choose(V even, V odd, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(even, odd, (i % 2 == 0 ? i : i + count)...);
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
    template <std::size_t size, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V spread_in_order(V a, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(a, a, part<size>(i)...);
    }
    template <std::size_t size, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V spread_in_reverse(V a, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(a, a, (count / size - 1 - part<size>(i))...);
    }
};

}  // namespace girih::isa
