/// AES-256 in the forward direction (FIPS 197), two blocks at once in eight words of 32 bits, for
/// 32-bit processors.
///
/// Word i has bit i of every byte. The bit of block b, row r, column c is at position 8 r + 2 c +
/// b: rotating the word by 8 moves rows, and rotating each byte by 2 moves columns.
///
/// Constant time in keys and blocks: bitsliced, without a table.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "aes/aes256.hpp"
#include "aes/round.hpp"
#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "isa/isa.hpp"

namespace girih::aes {

/// An expanded key. `Isa` keeps the types of engines apart.
template <class Isa>
class TwoBlocks {
  public:
    static constexpr std::size_t bytes = 2 * block_bytes;

    constexpr explicit TwoBlocks(BytesIn<key_bytes> key) noexcept
    {
        Wiped<KeySchedule> w;
        expand(*w, key);
        for (std::size_t round = 0; round <= rounds; ++round) {
            State& k = round_keys_[round];
            for (std::size_t c = 0; c < 4; ++c) k[2 * c] = k[2 * c + 1] = (*w)[4 * round + c];
            transpose(k);
            // The round keys include the additive constant of SUBBYTES().
            if (round > 0)
                for (std::size_t i = 0; i < k.size(); ++i) k[i] ^= added(i);
            for (std::size_t i = 0; i < pending(round); ++i) shift_rows<3>(k);
        }
    }
    TwoBlocks(const TwoBlocks&) = delete;
    TwoBlocks& operator=(const TwoBlocks&) = delete;
    constexpr ~TwoBlocks() { wipe(round_keys_); }

    /// CIPHER() (FIPS 197, Algorithm 1) of both blocks, in place.
    ///
    /// SHIFTROWS() is deferred: each round treats rows as shifted by one more column, and after
    /// four rounds they are back in place (Adomnicai and Peyrin, "Fixslicing AES-like ciphers",
    /// 2021). Round keys are shifted back by the same amount.
    [[gnu::noinline]] constexpr void encrypt(BytesOut<bytes> blocks) const noexcept
    {
        Wiped<State> wiped{uninitialized};
        State& s = *wiped;
        for (std::size_t i = 0; i < s.size(); ++i) s[i] = load_le32(&blocks[16 * (i % 2) + 4 * (i / 2)]);
        transpose(s);
        add(s, round_keys_[0]);
        full_round<1>(s, round_keys_[1]);
        finish(s, blocks);
    }

  protected:
    using State = Slices<std::uint32_t>;

    /// The number of SHIFTROWS() still deferred in a round, its own included.
    static constexpr std::size_t pending(std::size_t round) { return round % 4; }

    /// Bit i of the bytes that SUBBYTES() adds, {63}.
    static constexpr std::uint32_t added(std::size_t i)
    {
        return (0x63 >> i & 1) != 0 ? ~std::uint32_t{0} : 0;
    }

    /// KEYEXPANSION() (FIPS 197, Algorithm 2) for Nk = 8.
    static constexpr void expand(KeySchedule& w, BytesIn<key_bytes> key) noexcept
    {
        expand_key(w, key, [](std::uint32_t word) {
            Wiped<State> s;
            (*s)[0] = word;
            transpose(*s);
            sub_bytes_without_constant(*s);
            transpose(*s);
            return (*s)[0] ^ 0x63636363;
        });
    }

    /// Exchanges bit j of byte k of word i and bit i of byte k of word j, for all i, j and k.
    [[gnu::noinline]] static constexpr void transpose(State& s) noexcept
    {
        exchange<1>(s, 0x55555555);
        exchange<2>(s, 0x33333333);
        exchange<4>(s, 0x0F0F0F0F);
    }
    template <unsigned bit>
    [[gnu::always_inline]] static constexpr void exchange(State& s, std::uint32_t without) noexcept
    {
        for (unsigned i = 0; i < 8; ++i) {
            if ((i & bit) != 0) continue;
            const std::uint32_t difference = ((s[i] >> bit) ^ s[i + bit]) & without;
            s[i + bit] ^= difference;
            s[i] ^= difference << bit;
        }
    }

    /// All rounds from the second one on.
    [[gnu::always_inline]] constexpr void finish(State& s, BytesOut<bytes> blocks) const noexcept
    {
        rounds_from_second(s);
        shift_rows<pending(rounds)>(s);
        transpose(s);
        for (std::size_t i = 0; i < s.size(); ++i) store_le32(&blocks[16 * (i % 2) + 4 * (i / 2)], s[i]);
    }
    constexpr void rounds_from_second(State& s) const noexcept
    {
        static_assert(rounds % 4 == 2);
        if constexpr (isa::AesTwoBlockRounds<Isa>)
            return Isa::aes_rounds(s.data(), round_keys_[2].data(), round_keys_[rounds].data());
        for (std::size_t round = 2; round < rounds; round += 4) {
            full_round<2>(s, round_keys_[round]);
            full_round<3>(s, round_keys_[round + 1]);
            full_round<0>(s, round_keys_[round + 2]);
            full_round<1>(s, round_keys_[round + 3]);
        }
        sub_bytes_without_constant(s);
        add(s, round_keys_[rounds]);
    }

    static constexpr void add(State& s, const State& key) noexcept
    {
        for (std::size_t i = 0; i < s.size(); ++i) s[i] ^= key[i];
    }

    /// Rotates each byte by `columns` columns.
    template <std::size_t columns>
    [[nodiscard, gnu::always_inline]] static constexpr std::uint32_t turn_bytes(std::uint32_t a) noexcept
    {
        constexpr std::uint32_t low = (0xFFU >> (2 * columns)) * 0x01010101;
        if constexpr (columns == 0) return a;
        return (a >> (2 * columns) & low) | (a << (8 - 2 * columns) & ~low);
    }
    /// SHIFTROWS() (FIPS 197, Section 5.1.2), `times` times.
    template <std::size_t times>
    static constexpr void shift_rows(State& s) noexcept
    {
        for (std::uint32_t& x : s)
            x = (x & 0xFF) | (turn_bytes<times>(x) & 0xFF00) | (turn_bytes<2 * times % 4>(x) & 0xFF0000) |
                (turn_bytes<3 * times % 4>(x) & 0xFF000000);
    }
    /// The rows below by `rows`, with `shifts` SHIFTROWS() deferred.
    template <std::size_t rows, std::size_t shifts>
    [[nodiscard, gnu::always_inline]] static constexpr std::uint32_t below(std::uint32_t a) noexcept
    {
        return turn_bytes<rows * shifts % 4>(std::rotr(a, 8 * rows));
    }

    /// A round with `shifts` = pending(): SUBBYTES(), MIXCOLUMNS() (FIPS 197, Section 5.1.3) as in
    /// mix_columns() of round.hpp, and ADDROUNDKEY().
    template <std::size_t shifts>
    [[gnu::noinline]] static constexpr void full_round(State& s, const State& key) noexcept
    {
        sub_bytes_without_constant(s);
        const State a = s;
        // The highest bit of a_r + a_(r+1) first: {02} adds it to four others.
        const std::uint32_t top_sum = a[7] ^ below<1, shifts>(a[7]);
        std::uint32_t sum_before = top_sum;
        unroll<8>([&](auto i) __attribute__((always_inline)) {
            const std::uint32_t next = below<1, shifts>(a[i]);
            const std::uint32_t sum = i == 7 ? top_sum : a[i] ^ next;
            std::uint32_t mixed = next ^ below<2, shifts>(sum) ^ key[i] ^ sum_before;
            if constexpr (i == 1 || i == 3 || i == 4) mixed ^= top_sum;
            s[i] = mixed;
            sum_before = sum;
        });
    }

    /// SUBBYTES() (FIPS 197, Section 5.1.1) without its additive constant.
    [[gnu::noinline]] static constexpr void sub_bytes_without_constant(State& s) noexcept
    {
        if constexpr (isa::AesSubstitutes<Isa>) return Isa::aes_substitute(s.data());
        s = substitute_without_constant(s);
    }

    std::array<State, rounds + 1> round_keys_{};
};

}  // namespace girih::aes
