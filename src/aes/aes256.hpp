/// AES-256 (FIPS 197), four blocks in each 64-bit lane of a vector at once.
///
/// Constant time in keys and blocks: bitsliced, without a table. The expanded key is wiped.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "aes/inverse.hpp"
#include "aes/round.hpp"
#include "core/bytes.hpp"
#include "core/wipe.hpp"

namespace girih::aes {

inline constexpr std::size_t key_bytes = 32;
inline constexpr std::size_t rounds = 14;  ///< Nr (FIPS 197, Table 3)

/// SUBWORD() (FIPS 197, equation 5.11).
template <class Isa>
[[nodiscard]] constexpr std::uint32_t sub_word(std::uint32_t word) noexcept
{
    Wiped<State<OneLane<Isa>>> s;
    (*s)[0] = word;
    transpose_bits<OneLane<Isa>>(*s);
    sub_bytes<OneLane<Isa>>(*s);
    transpose_bits<OneLane<Isa>>(*s);
    return static_cast<std::uint32_t>((*s)[0]);
}

/// The round keys, 4 little-endian words each.
using KeySchedule = std::array<std::uint32_t, 4 * (rounds + 1)>;

/// KEYEXPANSION() (FIPS 197, Algorithm 2) for Nk = 8, by any way to substitute the bytes of a word.
template <class SubWord>
constexpr void expand_key(KeySchedule& w, BytesIn<key_bytes> key, SubWord sub_word) noexcept
{
    constexpr std::size_t nk = key_bytes / 4;
    for (std::size_t i = 0; i < nk; ++i) w[i] = load_le32(&key[4 * i]);
    for (std::size_t i = nk; i < w.size(); ++i) {
        std::uint32_t temp = w[i - 1];
        if (i % nk == 0) {
            // ROTWORD(), and Rcon[i / Nk] = x^(i / Nk - 1), which needs no reduction up to x^6.
            temp = sub_word(std::rotr(temp, 8)) ^ (1U << (i / nk - 1));
        } else if (i % nk == 4) {
            temp = sub_word(temp);
        }
        w[i] = w[i - nk] ^ temp;
    }
}

/// An expanded key.
template <class Isa>
class EncryptionKey {
  public:
    static constexpr std::size_t bytes = block_bytes * blocks_per_lane * lanes<Isa>;  ///< at once

    constexpr explicit EncryptionKey(BytesIn<key_bytes> key) noexcept
    {
        Wiped<KeySchedule> w;
        expand_key(*w, key, sub_word<Isa>);
        Wiped<std::array<Byte, block_bytes * blocks_per_lane>> blocks;  // the same round key for every block
        for (std::size_t round = 0; round <= rounds; ++round) {
            for (std::size_t i = 0; i < blocks->size() / 4; ++i) {
                store_le32(&(*blocks)[4 * i], (*w)[4 * round + i % 4]);
            }
            load<OneLane<Isa>>(round_keys_[round], *blocks);
        }
    }
    EncryptionKey(const EncryptionKey&) = delete;
    EncryptionKey& operator=(const EncryptionKey&) = delete;
    constexpr ~EncryptionKey() { wipe(round_keys_); }

    /// CIPHER() (FIPS 197, Algorithm 1) on every block of the state.
    constexpr void encrypt(State<Isa>& s) const noexcept
    {
        add_round_key(s, 0);
        for (std::size_t round = 1; round < rounds; ++round) {
            sub_bytes<Isa>(s);
            shift_rows<Isa>(s);
            mix_columns<Isa>(s);
            add_round_key(s, round);
        }
        sub_bytes<Isa>(s);
        shift_rows<Isa>(s);
        add_round_key(s, rounds);
    }
    /// The same of blocks, in place.
    constexpr void encrypt(BytesOut<bytes> blocks) const noexcept
    {
        Wiped<State<Isa>> s;
        load<Isa>(*s, blocks);
        encrypt(*s);
        store<Isa>(blocks, *s);
    }

    /// INVCIPHER() (FIPS 197, Algorithm 3) on blocks, in place.
    constexpr void decrypt(BytesOut<bytes> blocks) const noexcept
    {
        Wiped<State<Isa>> s;
        load<Isa>(*s, blocks);
        add_round_key(*s, rounds);
        for (std::size_t round = rounds - 1; round > 0; --round) {
            inverse_shift_rows<Isa>(*s);
            inverse_sub_bytes<Isa>(*s);
            add_round_key(*s, round);
            inverse_mix_columns<Isa>(*s);
        }
        inverse_shift_rows<Isa>(*s);
        inverse_sub_bytes<Isa>(*s);
        add_round_key(*s, 0);
        store<Isa>(blocks, *s);
    }

  private:
    /// ADDROUNDKEY() (FIPS 197, Section 5.1.4).
    constexpr void add_round_key(State<Isa>& s, std::size_t round) const noexcept
    {
        for (std::size_t i = 0; i < 8; ++i) s[i] ^= Isa::broadcast(round_keys_[round][i]);
    }

    std::array<State<OneLane<Isa>>, rounds + 1> round_keys_{};  // the same for every lane
};

}  // namespace girih::aes
