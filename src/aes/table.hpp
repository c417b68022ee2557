/// AES-256 in the forward direction (FIPS 197) by a table, for keys and blocks that are public.
///
/// Variable time: where in the table it reads depends on key and block, and a processor with a
/// cache takes longer where it has not read before.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "aes/aes256.hpp"
#include "core/bytes.hpp"
#include "core/wipe.hpp"

namespace girih::aes {

/// What SUBBYTES() and MIXCOLUMNS() make of a byte in row 0: {02} s, s, s, {03} s, from row 0 on.
/// (g++ does not apply -fvisibility to templates of variables.)
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

/// An expanded key that is public. `Isa` only names a type of an engine's own.
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
    constexpr ~VartimeKey() { wipe(w_); }

    /// CIPHER() (FIPS 197, Algorithm 1), in place. Variable time.
    [[gnu::noinline]] constexpr void encrypt(BytesOut<bytes> block) const noexcept
    {
        if constexpr (requires { &Isa::aes_vartime; })
            return Isa::aes_vartime(block.data(), w_.data(), columns_of_bytes<Isa>.data(), &w_[4 * rounds]);
        std::array<std::uint32_t, 4> s{};
        for (std::size_t c = 0; c < 4; ++c) s[c] = load_le32(&block[4 * c]) ^ w_[c];
        const std::uint32_t* key = &w_[4];
        for (std::size_t round = 1; round < rounds; ++round, key += 4) {
            const auto column = [&](std::size_t c) __attribute__((always_inline)) {
                return mixed<0>(s[c]) ^ mixed<1>(s[(c + 1) % 4]) ^ mixed<2>(s[(c + 2) % 4]) ^
                       mixed<3>(s[(c + 3) % 4]) ^ key[c];
            };
            s = {column(0), column(1), column(2), column(3)};
        }
        for (std::size_t c = 0; c < 4; ++c)
            store_le32(&block[4 * c],
                       key[c] ^ (substituted<0>(s[c]) | substituted<1>(s[(c + 1) % 4]) |
                                 substituted<2>(s[(c + 2) % 4]) | substituted<3>(s[(c + 3) % 4])));
    }

  private:
    /// Of the byte in a row of a column.
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
};

}  // namespace girih::aes
