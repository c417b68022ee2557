/// Keccak-f[1600] in an order that suits processors with 32 vectors and operations on three of
/// them: 90 operations a round, and 15 copies.
///
/// A word of the state keeps its register for several rounds: pi only changes the register that the
/// next round reads. Then all words move to the registers that the first of these rounds expects.
///
/// Constant time: additions modulo 2, rotations and a fixed order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/secret.hpp"
#include "core/unroll.hpp"
#include "keccak/permutation.hpp"

namespace girih::isa::avx512 {

/// For lanes whose xor3(a, b, c) and chi(a, b, c) are one operation each.
template <class Lanes>
class KeccakInPlace {
    using Words = typename Lanes::Words;

  public:
    static void permute(keccak::State<Lanes>& state) noexcept
    {
        KeccakInPlace in{state};
        in.template add_first_rows<0>();
        in.template add_last_rows<0>();
        for (std::size_t round = 0; round < keccak::rounds; round += at_once) {
            unroll<at_once>([&](auto i) __attribute__((always_inline)) {
                in.template next<i>(keccak::tables::round_constants[round + i]);
            });
            in.move_home();
        }
        state = in.a_;
    }

  private:
    [[gnu::always_inline]] explicit KeccakInPlace(const keccak::State<Lanes>& state) noexcept : a_(state) {}

    /// The number of unrolled rounds: as fast as all 24, and 4 KB of code instead of 18.
    static constexpr std::size_t at_once = 4;

    /// The register of word i before each of these rounds, and after the last.
    static constexpr auto places = [] {
        std::array<std::array<std::size_t, keccak::words>, at_once + 1> table{};
        for (std::size_t i = 0; i < keccak::words; ++i) table[0][i] = i;
        for (std::size_t round = 0; round < at_once; ++round)
            for (std::size_t i = 0; i < keccak::words; ++i)
                table[round + 1][i] = table[round][keccak::tables::pi_source(i)];
        return table;
    }();
    static_assert(keccak::rounds % at_once == 0);

    template <std::size_t round, std::size_t i>
    [[gnu::always_inline]] Words& word() noexcept
    {
        return a_[places[round][i]];
    }

    /// Makes the compiler compute `word` here. Any other order needs more registers than there are,
    /// and the processor does not look ahead as far as a round.
    [[gnu::always_inline]] static void now([[maybe_unused]] Words& word) noexcept
    {
#if !defined(GIRIH_MEMORY_SANITIZER)  // which loses sight of secrets here
        __asm__ volatile("" : "+v"(word));
#endif
    }

    /// The columns' parities (FIPS 202, Algorithm 1, step 1), first of rows 0 to 2, then of the
    /// others.
    template <std::size_t round>
    [[gnu::always_inline]] void add_first_rows() noexcept
    {
        unroll<5>([&](auto x) __attribute__((always_inline)) {
            c_[x] = Lanes::xor3(word<round, x>(), word<round, x + 5>(), word<round, x + 10>());
            now(c_[x]);
        });
    }
    template <std::size_t round>
    [[gnu::always_inline]] void add_last_rows() noexcept
    {
        unroll<5>([&](auto x) __attribute__((always_inline)) {
            c_[x] = Lanes::xor3(c_[x], word<round, x + 15>(), word<round, x + 20>());
            now(c_[x]);
        });
    }

    /// Rho for the word that pi moves to place i.
    template <std::size_t round, std::size_t i>
    [[gnu::always_inline]] void rho() noexcept
    {
        constexpr std::size_t source = keccak::tables::pi_source(i);
        if constexpr (keccak::tables::rotations[source] == 0) return;
        Words& a = word<round, source>();
        a = Lanes::template rotate_left<keccak::tables::rotations[source]>(a);
        now(a);
    }

    /// Theta on column x, and rho already for the word that pi moves to row 0, where chi begins.
    template <std::size_t round, std::size_t x>
    [[gnu::always_inline]] void add_parities() noexcept
    {
        Words rotated = Lanes::template rotate_left<1>(c_[(x + 1) % 5]);
        now(rotated);
        unroll<5>([&](auto y) __attribute__((always_inline)) {
            constexpr std::size_t i = (x + 2 * y) % 5 + 5 * y;  // in row y, from column x
            static_assert(keccak::tables::pi_source(i) % 5 == x);
            Words& a = word<round, keccak::tables::pi_source(i)>();
            a = Lanes::xor3(a, c_[(x + 4) % 5], rotated);
            now(a);
            if constexpr (y == 0) rho<round, i>();
        });
    }

    /// Chi on row y, and iota.
    template <std::size_t round, std::size_t y>
    [[gnu::always_inline]] void next_row(std::uint64_t constant) noexcept
    {
        Words& b0 = word<round + 1, 5 * y>();
        Words& b1 = word<round + 1, 5 * y + 1>();
        Words& b2 = word<round + 1, 5 * y + 2>();
        Words& b3 = word<round + 1, 5 * y + 3>();
        Words& b4 = word<round + 1, 5 * y + 4>();
        const Words old0 = b0;
        const Words old1 = b1;
        b0 = Lanes::chi(b0, b1, b2);
        now(b0);
        if constexpr (y == 0) {
            b0 ^= Lanes::broadcast(constant);
            now(b0);
        }
        b1 = Lanes::chi(b1, b2, b3);
        now(b1);
        b2 = Lanes::chi(b2, b3, b4);
        now(b2);
        b3 = Lanes::chi(b3, b4, old0);
        now(b3);
        b4 = Lanes::chi(b4, old0, old1);
        now(b4);
    }

    /// Rnd(A, i) (FIPS 202, Section 3.3), and the parities for the next one.
    template <std::size_t round>
    [[gnu::always_inline]] void next(std::uint64_t constant) noexcept
    {
        unroll<5>([&](auto x) __attribute__((always_inline)) { add_parities<round, x>(); });
        unroll<keccak::words - 5>([&](auto i) __attribute__((always_inline)) { rho<round, i + 5>(); });
        unroll<5>([&](auto y) __attribute__((always_inline)) {
            next_row<round, y>(constant);
            if constexpr (y == 2) add_first_rows<round + 1>();
        });
        add_last_rows<round + 1>();
    }

    [[gnu::always_inline]] void move_home() noexcept
    {
        const keccak::State<Lanes> a = a_;
        unroll<keccak::words>([&](auto i) __attribute__((always_inline)) { a_[i] = a[places[at_once][i]]; });
    }

    keccak::State<Lanes> a_;
    std::array<Words, 5> c_{};
};

}  // namespace girih::isa::avx512
