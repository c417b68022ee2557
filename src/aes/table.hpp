/// AES-256 in the forward direction (FIPS 197) by a table, for keys and blocks that are public.
///
/// Variable time: table indices depend on key and block, and so does the time on a processor with a
/// cache.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "aes/aes256.hpp"
#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "isa/isa.hpp"

namespace girih::aes {

/// The column that SUBBYTES() and MIXCOLUMNS() give for a byte in row 0: {02} s, s, s, {03} s, from
/// row 0 on. (g++ does not apply -fvisibility to templates of variables.)
template <class Isa>
[[gnu::visibility("hidden")]] inline constexpr auto columns_of_bytes = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        const std::uint32_t s = sub_word<Isa>(byte) & 0xFF;
        const std::uint32_t twice = (s << 1 ^ ((0 - (s >> 7)) & 0x1B)) & 0xFF;
        table[byte] = twice | s << 8 | s << 16 | (twice ^ s) << 24;
    }
    return table;
}();

/// An expanded key that is public. `Isa` keeps the types of engines apart.
///
/// Successive counters mostly differ in their last byte alone. The state that such blocks share
/// after two rounds is kept for the next block.
template <class Isa>
class VartimeKey {
  public:
    static constexpr std::size_t bytes = block_bytes;

    constexpr explicit VartimeKey(BytesIn<key_bytes> key) noexcept
    {
        expand_key(w_, key, [](std::uint32_t word) {
            return substituted<0>(word) | substituted<1>(word) | substituted<2>(word) | substituted<3>(word);
        });
    }

    VartimeKey(const VartimeKey&) = delete;
    VartimeKey& operator=(const VartimeKey&) = delete;
    constexpr ~VartimeKey()
    {
        wipe(w_);
        wipe(common_);
    }

    /// CIPHER() (FIPS 197, Algorithm 1), in place. Variable time.
    [[gnu::noinline]] constexpr void encrypt(BytesOut<bytes> block) noexcept
    {
        const std::uint32_t last = load_le32(&block[12]);
        const std::array<std::uint32_t, 4> others{load_le32(&block[0]), load_le32(&block[4]),
                                                  load_le32(&block[8]), last & 0xFFFFFF};
        if (!common_.is_known || others != common_.block) find_common(others);
        // Round 1 moves the last byte to column 0; round 2 moves a byte of that to each column.
        const std::uint32_t changed = common_.first ^ mixed<3>(last ^ w_[3]);
        Columns s = common_.second;
        s[0] ^= mixed<0>(changed);
        s[1] ^= mixed<3>(changed);
        s[2] ^= mixed<2>(changed);
        s[3] ^= mixed<1>(changed);
        if constexpr (isa::AesVartime<Isa>) {
            for (std::size_t c = 0; c < 4; ++c) store_le32(&block[4 * c], s[c]);
            return Isa::aes_vartime(block.data(), &w_[8], columns_of_bytes<Isa>.data(), &w_[4 * rounds]);
        }
        add(s, 2);
        for (std::size_t round = 3; round < rounds; ++round) {
            s = {column(s, 0), column(s, 1), column(s, 2), column(s, 3)};
            add(s, round);
        }
        const std::uint32_t* key = &w_[4 * rounds];
        for (std::size_t c = 0; c < 4; ++c)
            store_le32(&block[4 * c],
                       key[c] ^ (substituted<0>(s[c]) | substituted<1>(s[(c + 1) % 4]) |
                                 substituted<2>(s[(c + 2) % 4]) | substituted<3>(s[(c + 3) % 4])));
    }

  private:
    using Columns = std::array<std::uint32_t, 4>;

    /// The shared state of blocks that differ in the last byte alone.
    struct Common {
        Columns block;        ///< without the last byte
        std::uint32_t first;  ///< column 0 after round 1, without the last byte
        Columns second;       ///< all columns after round 2, without column 0 and the round key
        bool is_known;
    };

    [[gnu::noinline]] constexpr void find_common(const Columns& block) noexcept
    {
        Columns s = block;
        add(s, 0);
        Columns first{mixed<0>(s[0]) ^ mixed<1>(s[1]) ^ mixed<2>(s[2]), column(s, 1), column(s, 2),
                      column(s, 3)};
        add(first, 1);
        common_ = {block,
                   first[0],
                   {mixed<1>(first[1]) ^ mixed<2>(first[2]) ^ mixed<3>(first[3]),
                    mixed<0>(first[1]) ^ mixed<1>(first[2]) ^ mixed<2>(first[3]),
                    mixed<0>(first[2]) ^ mixed<1>(first[3]) ^ mixed<3>(first[1]),
                    mixed<0>(first[3]) ^ mixed<2>(first[1]) ^ mixed<3>(first[2])},
                   true};
    }

    constexpr void add(Columns& s, std::size_t round) const noexcept
    {
        for (std::size_t c = 0; c < 4; ++c) s[c] ^= w_[4 * round + c];
    }
    /// Column c after SUBBYTES(), SHIFTROWS() and MIXCOLUMNS().
    [[nodiscard, gnu::always_inline]] static constexpr std::uint32_t column(const Columns& s,
                                                                            std::size_t c) noexcept
    {
        return mixed<0>(s[c]) ^ mixed<1>(s[(c + 1) % 4]) ^ mixed<2>(s[(c + 2) % 4]) ^
               mixed<3>(s[(c + 3) % 4]);
    }
    /// The contribution of the byte in `row` of a column to MIXCOLUMNS(SUBBYTES()).
    template <int row>
    [[nodiscard, gnu::always_inline]] static constexpr std::uint32_t mixed(std::uint32_t column) noexcept
    {
        return std::rotl(columns_of_bytes<Isa>[column >> (8 * row) & 0xFF], 8 * row);
    }
    template <int row>
    [[nodiscard, gnu::always_inline]] static constexpr std::uint32_t substituted(
        std::uint32_t column) noexcept
    {
        return (columns_of_bytes<Isa>[column >> (8 * row) & 0xFF] >> 8 & 0xFF) << (8 * row);
    }

    KeySchedule w_{};
    Common common_{};
};

}  // namespace girih::aes
