/// AES (FIPS 197), four blocks in each 64-bit lane of a vector at once. Constants are AES-256's;
/// key files may be decrypted with the shorter keys as well.
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

/// Nr (FIPS 197, Table 3).
constexpr std::size_t rounds_of(std::size_t bytes_of_key) { return bytes_of_key / 4 + 6; }
inline constexpr std::size_t rounds = rounds_of(key_bytes);

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

/// KEYEXPANSION() (FIPS 197, Algorithm 2) with a given SUBWORD(). Nk is Nr - 6, from the number of
/// words, 4 (Nr + 1).
template <std::size_t words, class SubWord>
constexpr void expand_key(std::array<std::uint32_t, words>& w, BytesIn<words - 28> key,
                          SubWord sub_word) noexcept
{
    constexpr std::size_t nk = words / 4 - 7;
    for (std::size_t i = 0; i < nk; ++i) w[i] = load_le32(&key[4 * i]);
    for (std::size_t i = nk; i < w.size(); ++i) {
        std::uint32_t temp = w[i - 1];
        if (i % nk == 0) {
            // ROTWORD(), and Rcon[i / Nk] = x^(i / Nk - 1); x^8 = 0x1b.
            const std::size_t power = i / nk - 1;
            temp = sub_word(std::rotr(temp, 8)) ^ (power < 8 ? 1U << power : 0x1bU << (power - 8));
        } else if (nk > 6 && i % nk == 4) {
            temp = sub_word(temp);
        }
        w[i] = w[i - nk] ^ temp;
    }
}

/// An expanded key.
template <class Isa, std::size_t bytes_of_key = key_bytes>
class EncryptionKey {
    static constexpr std::size_t rounds = rounds_of(bytes_of_key);

  public:
    static constexpr std::size_t bytes = block_bytes * blocks_per_lane * lanes<Isa>;  ///< at once

    constexpr explicit EncryptionKey(BytesIn<bytes_of_key> key) noexcept
    {
        Wiped<std::array<std::uint32_t, 4 * (rounds + 1)>> w;
        expand_key(*w, key, sub_word<Isa>);
        Wiped<std::array<Byte, block_bytes * blocks_per_lane>> blocks;  // each holds the round key
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
    /// Encrypts blocks in place.
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
