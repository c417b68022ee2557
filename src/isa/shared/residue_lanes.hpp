/// Unsigned residues modulo 31-bit primes, side by side: for Falcon's key generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "isa/shared/block_lanes.hpp"
#include "isa/shared/shuffle.hpp"

namespace girih::isa {

/// `Isa` has multiply_even, odd and minimum of `V`, and keeps the types of engines apart.
template <class Isa, class V>
struct ResidueLanes : BlockLanes<Isa, V> {
    using Words = V;
    using BlockLanes<Isa, V>::count;

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
        return choose(Isa::odd_lanes_down(even), odd, std::make_index_sequence<count>{});
    }

  private:
    template <std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V choose(V even, V odd, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(even, odd, (i % 2 == 0 ? i : i + count)...);
    }
};

}  // namespace girih::isa
