/// Keccak-f[1600] (FIPS 202, Section 3.3), on as many states side by side as `Words` has lanes.
///
/// Constant time: additions modulo 2, rotations and a fixed order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "keccak/lanes.hpp"

namespace girih::keccak {

inline constexpr std::size_t words = 25;   ///< 5 x 5 words of 64 bits
inline constexpr std::size_t rounds = 24;  ///< 12 + 2 * log2(64)

/// The states of all lanes: word (x, y) of each is at index x + 5 y (FIPS 202, Section 3.1.2). An
/// array, unless the lanes have a type of their own.
template <class Lanes>
struct StateOf {
    using Type = std::array<typename Lanes::Words, words>;
};
template <OwnState Lanes>
struct StateOf<Lanes> {
    using Type = typename Lanes::State;
};
template <class Lanes>
using State = typename StateOf<Lanes>::Type;

namespace tables {

/// Algorithm 5, rc(t): bit t of the linear feedback shift register x^8 + x^6 + x^5 + x^4 + 1.
constexpr bool round_constant_bit(std::size_t t)
{
    unsigned r = 1;
    for (std::size_t i = 0; i < t % 255; ++i) {
        r <<= 1;
        if (r & 0x100) r ^= 0x171;
    }
    return r & 1;
}

/// Algorithm 6, iota: round constant i has rc(j + 7 i) at bit 2^j - 1.
inline constexpr auto round_constants = [] {
    std::array<std::uint64_t, rounds> table{};
    for (std::size_t i = 0; i < rounds; ++i)
        for (std::size_t j = 0; j <= 6; ++j)
            if (round_constant_bit(j + 7 * i)) table[i] |= std::uint64_t{1} << ((1U << j) - 1);
    return table;
}();

/// Algorithm 2, rho: word (x, y) is rotated left by (t + 1)(t + 2) / 2, for the t at which the walk
/// (x, y) -> (y, 2x + 3y) from (1, 0) reaches it.
inline constexpr auto rotations = [] {
    std::array<int, words> table{};
    std::size_t x = 1;
    std::size_t y = 0;
    for (int t = 0; t < 24; ++t) {
        table[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        const std::size_t next_y = (2 * x + 3 * y) % 5;
        x = y;
        y = next_y;
    }
    return table;
}();

/// Algorithm 3, pi: word (x, y) comes from (x + 3 y, x).
constexpr std::size_t pi_source(std::size_t index)
{
    const std::size_t x = index % 5;
    const std::size_t y = index / 5;
    return (x + 3 * y) % 5 + 5 * x;
}

}  // namespace tables

/// a ^ b rotated left by `bits`, and a ^ (b rotated left by 1). Lanes may have a function for
/// these, where the processor has an instruction.
template <class Lanes, int bits>
[[gnu::always_inline]] constexpr typename Lanes::Words rotated_sum(typename Lanes::Words a,
                                                                   typename Lanes::Words b) noexcept
{
    if constexpr (RotatesSums<Lanes>) {
        return Lanes::template rotate_sum_left<bits>(a, b);
    } else {
        return Lanes::template rotate_left<bits>(a ^ b);
    }
}
template <class Lanes>
[[gnu::always_inline]] constexpr typename Lanes::Words plus_rotated(typename Lanes::Words a,
                                                                    typename Lanes::Words b) noexcept
{
    if constexpr (AddsRotated<Lanes>) {
        return Lanes::add_rotated(a, b);
    } else {
        return a ^ Lanes::template rotate_left<1>(b);
    }
}

/// The word that pi moves to `index`, after theta and rho: theta's parity is added, rho rotates.
template <class Lanes, std::size_t index>
[[gnu::always_inline]] constexpr typename Lanes::Words rho_of_theta(const State<Lanes>& a,
                                                                    const State<Lanes>& d) noexcept
{
    constexpr std::size_t source = tables::pi_source(index);
    return rotated_sum<Lanes, tables::rotations[source]>(a[source], d[source % 5]);
}

/// Row y of the next state: chi over the five words that theta, rho and pi bring there.
template <class Lanes, std::size_t y>
[[gnu::always_inline]] constexpr void next_row(const State<Lanes>& a, const State<Lanes>& d,
                                               State<Lanes>& e) noexcept
{
    const auto b0 = rho_of_theta<Lanes, 5 * y + 0>(a, d);
    const auto b1 = rho_of_theta<Lanes, 5 * y + 1>(a, d);
    const auto b2 = rho_of_theta<Lanes, 5 * y + 2>(a, d);
    const auto b3 = rho_of_theta<Lanes, 5 * y + 3>(a, d);
    const auto b4 = rho_of_theta<Lanes, 5 * y + 4>(a, d);
    e[5 * y + 0] = Lanes::chi(b0, b1, b2);
    e[5 * y + 1] = Lanes::chi(b1, b2, b3);
    e[5 * y + 2] = Lanes::chi(b2, b3, b4);
    e[5 * y + 3] = Lanes::chi(b3, b4, b0);
    e[5 * y + 4] = Lanes::chi(b4, b0, b1);
}

/// Rnd(A, i) (FIPS 202, Section 3.3): e = iota(chi(pi(rho(theta(a)))), i).
template <class Lanes>
[[gnu::always_inline]] constexpr void round(const State<Lanes>& a, State<Lanes>& e,
                                            std::uint64_t constant) noexcept
{
    using Words = typename Lanes::Words;
    const auto column = [&a](std::size_t x) {
        return Lanes::xor5(a[x], a[x + 5], a[x + 10], a[x + 15], a[x + 20]);
    };
    const Words c0 = column(0);
    const Words c1 = column(1);
    const Words c2 = column(2);
    const Words c3 = column(3);
    const Words c4 = column(4);
    State<Lanes> d;
    d[0] = plus_rotated<Lanes>(c4, c1);
    d[1] = plus_rotated<Lanes>(c0, c2);
    d[2] = plus_rotated<Lanes>(c1, c3);
    d[3] = plus_rotated<Lanes>(c2, c4);
    d[4] = plus_rotated<Lanes>(c3, c0);
    next_row<Lanes, 0>(a, d, e);
    e[0] ^= Lanes::broadcast(constant);
    next_row<Lanes, 1>(a, d, e);
    next_row<Lanes, 2>(a, d, e);
    next_row<Lanes, 3>(a, d, e);
    next_row<Lanes, 4>(a, d, e);
}

/// The most bytes of stack that a permutation and its callers use, to be wiped afterwards. The
/// default suffices for eight states; the lanes may give their own.
template <class Lanes>
inline constexpr std::size_t permutation_stack_bytes = [] {
    if constexpr (KnownPermutationStack<Lanes>)
        return Lanes::permutation_stack_bytes;
    else
        return std::size_t{4096};
}();

/// Keccak-p[1600, 24] (FIPS 202, Algorithm 7) on every lane, by the lanes' own permutation if they
/// have one.
template <class Lanes>
constexpr void permute(State<Lanes>& state) noexcept
{
    if constexpr (OwnPermutation<Lanes, State<Lanes>>) {
        Lanes::permute(state);
    } else {
        State<Lanes> a = state;
        State<Lanes> e{};
        for (std::size_t i = 0; i < rounds; i += 2) {
            round<Lanes>(a, e, tables::round_constants[i]);
            round<Lanes>(e, a, tables::round_constants[i + 1]);
        }
        state = a;
    }
}

/// permute() of both, round by round. noinline, or the caller's tasks would run below its 2 KB of
/// stack.
template <PermutesPairs Lanes>
[[gnu::noinline]] constexpr void permute_two(State<Lanes>& first, State<Lanes>& second) noexcept
{
    State<Lanes> a = first;
    State<Lanes> b = second;
    State<Lanes> next_a{};
    State<Lanes> next_b{};
    for (std::size_t i = 0; i < rounds; i += 2) {
        round<Lanes>(a, next_a, tables::round_constants[i]);
        round<Lanes>(b, next_b, tables::round_constants[i]);
        round<Lanes>(next_a, a, tables::round_constants[i + 1]);
        round<Lanes>(next_b, b, tables::round_constants[i + 1]);
    }
    first = a;
    second = b;
}

/// noinline: all sponges share one copy of the permutation of one state; the cost of the call is
/// negligible.
template <class Lanes>
[[gnu::noinline]] constexpr void permute_one(State<Lanes>& state) noexcept
{
    static_assert(Lanes::count == 1);
    permute<Lanes>(state);
}

}  // namespace girih::keccak
