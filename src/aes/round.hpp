/// The steps of an AES round (FIPS 197, Section 5.1) on four blocks in each 64-bit lane of a
/// vector, bit by bit.
///
/// A slice holds one bit of every byte. Within a lane, the bit of block b, row r, column c is at
/// position 16 r + 4 c + b: rotating the lane by 16 moves rows, and rotating 16 bits by 4 moves
/// columns.
///
/// `Isa` has a vector of 64-bit lanes, `Words`, with `rotate_left` and `broadcast`. Constant time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "aes/sbox.hpp"
#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"

namespace girih::aes {

inline constexpr std::size_t block_bytes = 16;
inline constexpr std::size_t blocks_per_lane = 4;  ///< 8 slices of 64 bits are 4 blocks

/// One lane, for every processor. The parameter keeps the types of engines apart, so that code
/// compiled for one processor shares no symbol with the same code compiled for another.
template <class Isa = void>
struct OneLane {
    using Words = std::uint64_t;

    template <int bits>
    [[nodiscard]] static constexpr Words rotate_left(Words a) noexcept
    {
        return std::rotl(a, bits);
    }
    [[nodiscard]] static constexpr Words broadcast(std::uint64_t word) noexcept { return word; }
};

template <class Isa>
using State = Slices<typename Isa::Words>;

template <class Isa>
inline constexpr std::size_t lanes = sizeof(typename Isa::Words) / sizeof(std::uint64_t);

/// A state as it lies in memory.
template <class Isa>
using LanesOfSlices = Slices<std::array<std::uint64_t, lanes<Isa>>>;

/// For each word i whose index has `bit`, and each position j within a byte that lacks `bit`:
/// exchanges bit j of word i with bit j + `bit` of word i - `bit`. `without` marks these positions.
template <class Isa>
constexpr void exchange_index_bit(State<Isa>& s, unsigned bit, std::uint64_t without) noexcept
{
    const typename Isa::Words mask = Isa::broadcast(without);
    for (unsigned i = 0; i < 8; ++i) {
        if ((i & bit) != 0) continue;
        const typename Isa::Words difference = ((s[i] >> bit) ^ s[i + bit]) & mask;
        s[i + bit] ^= difference;
        s[i] ^= difference << bit;
    }
}

/// Exchanges, in every lane, bit j of byte k of word i and bit i of byte k of word j,
/// for all i, j and k.
template <class Isa>
constexpr void transpose_bits(State<Isa>& s) noexcept
{
    exchange_index_bit<Isa>(s, 1, 0x5555555555555555);
    exchange_index_bit<Isa>(s, 2, 0x3333333333333333);
    exchange_index_bit<Isa>(s, 4, 0x0F0F0F0F0F0F0F0F);
}

/// A column of a block (4 bytes, row 0 first) as the even bytes of a word.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t spread(std::uint32_t column) noexcept
{
    std::uint64_t word = column;
    word = (word | (word << 16)) & 0x0000FFFF0000FFFF;
    return (word | (word << 8)) & 0x00FF00FF00FF00FF;
}

/// The inverse of spread(), whatever the odd bytes are.
[[nodiscard, gnu::always_inline]] constexpr std::uint32_t gather(std::uint64_t word) noexcept
{
    word &= 0x00FF00FF00FF00FF;
    word = (word | (word >> 8)) & 0x0000FFFF0000FFFF;
    return static_cast<std::uint32_t>(word | (word >> 16));
}

/// The state of 4 blocks a lane, 64 bytes a lane in `blocks`.
///
/// Word 4 (c mod 2) + b of a lane takes column c of block b; its byte 2 r + c / 2 takes row r. The
/// transposition then brings bit j of that byte into slice j, to position 8 (2 r + c / 2) + 4
/// (c mod 2) + b = 16 r + 4 c + b.
template <class Isa>
constexpr void load(State<Isa>& s, BytesIn<64 * lanes<Isa>> blocks) noexcept
{
    Wiped<LanesOfSlices<Isa>> words;
    for (std::size_t n = 0; n < lanes<Isa> * blocks_per_lane; ++n) {
        const Byte* block = &blocks[block_bytes * n];
        for (std::size_t odd = 0; odd < 2; ++odd) {
            const std::uint64_t first = spread(load_le32(block + 4 * odd));
            const std::uint64_t second = spread(load_le32(block + 4 * (odd + 2)));
            (*words)[4 * odd + n % blocks_per_lane][n / blocks_per_lane] = first | (second << 8);
        }
    }
    s = std::bit_cast<State<Isa>>(*words);
    transpose_bits<Isa>(s);
}

/// The inverse of load().
template <class Isa>
constexpr void store(BytesOut<64 * lanes<Isa>> blocks, State<Isa> s) noexcept
{
    transpose_bits<Isa>(s);
    const Wiped<LanesOfSlices<Isa>> words{std::bit_cast<LanesOfSlices<Isa>>(s)};
    for (std::size_t n = 0; n < lanes<Isa> * blocks_per_lane; ++n) {
        Byte* block = &blocks[block_bytes * n];
        for (std::size_t odd = 0; odd < 2; ++odd) {
            const std::uint64_t both = (*words)[4 * odd + n % blocks_per_lane][n / blocks_per_lane];
            store_le32(block + 4 * odd, gather(both));
            store_le32(block + 4 * (odd + 2), gather(both >> 8));
        }
    }
    wipe(s);
}

/// SHIFTROWS() (FIPS 197, Section 5.1.2): row r rotates by r columns; column c receives column c +
/// r.
template <class Isa>
constexpr void shift_rows(State<Isa>& s) noexcept
{
    // Row 3 is in the highest 16 bits.
    const auto rows_2_and_0 = Isa::broadcast(0x0000'FFFF'0000'FFFF);
    const auto first_half_of_rows_3_and_2 = Isa::broadcast(0x00FF'00FF'0000'0000);
    const auto all_but_last_of_rows_3_and_1 = Isa::broadcast(0x0FFF'0000'0FFF'0000);
    const auto last_of_rows_3_and_1 = Isa::broadcast(0xF000'0000'F000'0000);
    unroll<8>([&](auto i) __attribute__((always_inline)) {
        typename Isa::Words& x = s[i];
        // Rows 2 and 3 by two columns: their halves are exchanged.
        const typename Isa::Words difference = (x ^ (x >> 8)) & first_half_of_rows_3_and_2;
        x ^= difference ^ (difference << 8);
        // Rows 1 and 3 by one column: each rotates right by 4 bits.
        x = (x & rows_2_and_0) | ((x >> 4) & all_but_last_of_rows_3_and_1) |
            ((x << 12) & last_of_rows_3_and_1);
    });
}

/// MIXCOLUMNS() (FIPS 197, Section 5.1.3): a_r becomes {02}
/// (a_r + a_(r+1)) + a_(r+1) + (a_(r+2) + a_(r+3)).
template <class Isa>
constexpr void mix_columns(State<Isa>& s) noexcept
{
    State<Isa> next{};
    State<Isa> sums{};  // a_r + a_(r+1)
    for (std::size_t i = 0; i < 8; ++i) {
        next[i] = Isa::template rotate_left<48>(s[i]);  // a_(r+1)
        sums[i] = s[i] ^ next[i];
    }
    for (std::size_t i = 0; i < 8; ++i) s[i] = next[i] ^ Isa::template rotate_left<32>(sums[i]);
    // {02}, XTIMES() (Section 4.2): a shift of the bits, and {1b} where bit 7 falls out.
    for (std::size_t i = 1; i < 8; ++i) s[i] ^= sums[i - 1];
    for (const std::size_t i : {0U, 1U, 3U, 4U}) s[i] ^= sums[7];
}

}  // namespace girih::aes
