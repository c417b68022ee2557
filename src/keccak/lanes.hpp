/// The lanes that permute Keccak's states: the part of an engine's contract (isa/isa.hpp) that
/// sponges use.
///
/// `Permutes` and `PermutesTasks` list what every engine has; the options make it faster. Every
/// function is constant time in the values of lanes, unless its comment says that an argument is
/// public.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace girih::keccak {

// ---- Options

/// A state with its own layout, and permute(), its permutation. With several lanes it is an array
/// of their states: word i of a lane is state[lane][i].
template <class L>
concept OwnState = requires { typename L::State; };
template <class L>
concept KeepsStatesApart = OwnState<L> && requires { requires L::count > 1; };
template <class L, class State>
concept OwnPermutation = requires(State& state) { L::permute(state); };

/// The bytes of stack that permute() uses, to be wiped after secrets. Default: 4096.
template <class L>
concept KnownPermutationStack = requires { L::permutation_stack_bytes; };

/// An engine whose sponges share SpongeIsa's code for all functions, to save flash.
template <class Isa>
concept SharesSponges = requires { typename Isa::SpongeIsa; };

/// rotate_left(a ^ b), and a ^ rotate_left<1>(b), as one instruction each (Arm's SHA-3 extension).
template <class L>
concept RotatesSums = requires(typename L::Words a) { L::template rotate_sum_left<1>(a, a); };
template <class L>
concept AddsRotated = requires(typename L::Words a) { L::add_rotated(a, a); };

/// Absorbing one lane's row: faster than absorb_rows() for up to `single_rows` lanes.
template <class L>
concept AbsorbsSingleRows = requires { L::single_rows; };
template <class L, class State>
concept SingleRowMembers =
    requires(State& state, std::size_t lane, std::array<std::uint64_t, 24>& row, bool is_fresh) {
        L::absorb_row(state, lane, row, is_fresh);  // as absorb_rows; lane and is_fresh are public
    };

/// Lanes for the last tasks: `Fewer`, and `One` for a single task. (On a Sapphire Rapids a
/// permutation of eight states takes 880 ticks, of four 590, of one 515.)
template <class L>
concept HasFewerLanes = requires {
    typename L::Fewer;
    typename L::One;
};

/// Two permutations side by side take less time than one after the other: operations of one wait
/// for results while those of the other run.
template <class L>
concept PermutesPairs = requires { requires L::permutes_pairs; };

// ---- Required of all lanes

/// `count` states of Keccak, 1 to 8, one in each lane of Words or each by itself.
template <class L>
concept HoldsStates =
    requires { requires L::count >= 1 && L::count <= 8; } && (KeepsStatesApart<L> || requires {
        requires sizeof(typename L::Words) == L::count * sizeof(std::uint64_t);
    });

/// Rows of a sponge, one for each lane, of a multiple of `count` words. The flags are public.
template <class L, class State>
concept AbsorbsRows = requires(State& state, std::array<std::array<std::uint64_t, 24>, L::count>& rows,
                               const std::array<bool, L::count>& is_fresh) {
    L::absorb_rows(state, rows, is_fresh);  // state ^= row, or = row where fresh; rows become 0
} && (!AbsorbsSingleRows<L> || SingleRowMembers<L, State>);

/// Rows of output: the first words of each state. States that are kept apart are read in place.
template <class L, class State>
concept ReadsRows = requires(const State& state, std::array<std::array<std::uint64_t, 24>, L::count>& rows) {
    L::to_rows(state, rows);
};

/// Logic on such words, from which the permutation is made; lanes with an OwnState need none.
template <class L>
concept WordLogic = requires(typename L::Words a, std::uint64_t word) {
    { L::template rotate_left<1>(a) } -> std::same_as<typename L::Words>;  // by 0 to 63 bits
    { L::chi(a, a, a) } -> std::same_as<typename L::Words>;                // a ^ (~b & c)
    { L::xor5(a, a, a, a, a) } -> std::same_as<typename L::Words>;
    { L::broadcast(word) } -> std::same_as<typename L::Words>;
};

/// A sponge on each lane.
template <class L>
concept PermutesArrays = WordLogic<L> && AbsorbsRows<L, std::array<typename L::Words, 25>> &&
                         ReadsRows<L, std::array<typename L::Words, 25>>;
template <class L>
concept PermutesOwnState =
    OwnState<L> && OwnPermutation<L, typename L::State> && AbsorbsRows<L, typename L::State> &&
    (KeepsStatesApart<L> || ReadsRows<L, typename L::State>);
template <class L>
concept Permutes = HoldsStates<L> && (PermutesOwnState<L> || PermutesArrays<L>);
/// These lanes permute, and so do the fewer lanes for the last tasks.
template <class L>
concept PermutesTasks =
    Permutes<L> && (!HasFewerLanes<L> || (Permutes<typename L::Fewer> && Permutes<typename L::One> &&
                                          L::Fewer::count < L::count && L::One::count == 1));

}  // namespace girih::keccak
