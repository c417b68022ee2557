/// Triple DES with three keys (NIST SP 800-67, Section 3.1), for files that others encrypted.
/// girih decrypts with it, and never encrypts.
///
/// Constant time in key and content: an S-box is read from end to end. Wiped.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"

namespace girih::des {

inline constexpr std::size_t block_bytes = 8;
inline constexpr std::size_t key_bytes = 24;  // each eighth bit is a parity bit, which is ignored

/// The tables of SP 800-67, Appendix A. They count bits from 1, the highest.
namespace tables {

inline constexpr std::array<Byte, 64> ip{58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4,
                                         62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
                                         57, 49, 41, 33, 25, 17, 9,  1, 59, 51, 43, 35, 27, 19, 11, 3,
                                         61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7};
inline constexpr std::array<Byte, 32> p{16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
                                        2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25};
inline constexpr std::array<Byte, 56> pc1{57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18,
                                          10, 2,  59, 51, 43, 35, 27, 19, 11, 3,  60, 52, 44, 36,
                                          63, 55, 47, 39, 31, 23, 15, 7,  62, 54, 46, 38, 30, 22,
                                          14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4};
inline constexpr std::array<Byte, 48> pc2{14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,
                                          26, 8,  16, 7,  27, 20, 13, 2,  41, 52, 31, 37, 47, 55, 30, 40,
                                          51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32};
inline constexpr std::array<Byte, 16> shifts{1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1};

/// S1 to S8: four rows, each of sixteen hexadecimal digits.
inline constexpr std::array<std::array<std::uint64_t, 4>, 8> s{{
    {{0xe4d12fb83a6c5907, 0x0f74e2d1a6cb9538, 0x41e8d62bfc973a50, 0xfc8249175b3ea06d}},
    {{0xf18e6b34972dc05a, 0x3d47f28ec01a69b5, 0x0e7ba4d158c6932f, 0xd8a13f42b67c05e9}},
    {{0xa09e63f51dc7b428, 0xd709346a285ecbf1, 0xd6498f30b12c5ae7, 0x1ad069874fe3b52c}},
    {{0x7de3069a1285bc4f, 0xd8b56f03472c1ae9, 0xa690cb7df13e5284, 0x3f06a1d8945bc72e}},
    {{0x2c417ab6853fd0e9, 0xeb2c47d150fa3986, 0x421bad78f9c5630e, 0xb8c71e2d6f09a453}},
    {{0xc1af92680d34e75b, 0xaf427c9561de0b38, 0x9ef528c3704a1db6, 0x432c95fabe17608d}},
    {{0x4b2ef08d3c975a61, 0xd0b7491ae35c2f86, 0x14bdc37eaf680592, 0x6bd814a7950fe23c}},
    {{0xd2846fb1a93e50c7, 0x1fd8a374c56b0e92, 0x7b419ce206adf358, 0x21e74a8dfc90356b}},
}};

/// The inverse of a permutation.
[[nodiscard]] constexpr std::array<Byte, 64> inverse(const std::array<Byte, 64>& table) noexcept
{
    std::array<Byte, 64> inverted{};
    for (std::size_t i = 0; i < table.size(); ++i) inverted[table[i] - 1u] = static_cast<Byte>(i + 1);
    return inverted;
}
inline constexpr std::array<Byte, 64> ip_inverse = inverse(ip);

}  // namespace tables

/// The bits of a value of `bits` bits that a table names, the first one highest.
template <std::size_t n>
[[nodiscard]] constexpr std::uint64_t select(std::uint64_t value, unsigned bits,
                                             const std::array<Byte, n>& table) noexcept
{
    std::uint64_t selected = 0;
    for (const Byte place : table) selected = selected << 1 | (value >> (bits - place) & 1);
    return selected;
}

/// The value that an S-box has for six bits, of which the outer two name the row.
[[nodiscard]] constexpr std::uint32_t substitute(const std::array<std::uint64_t, 4>& box,
                                                 std::uint32_t six) noexcept
{
    const std::uint32_t wanted = (six & 0x20) | (six & 1) << 4 | (six >> 1 & 0xF);
    std::uint32_t value = 0;
    for (std::uint32_t place = 0; place < 64; ++place) {
        const auto digit = static_cast<std::uint32_t>(box[place / 16] >> (60 - 4 * (place % 16)) & 0xF);
        value |= digit & ~nonzero_mask(place ^ wanted);
    }
    return value;
}

/// The function f. E takes eight groups of six neighbouring bits, four bits apart, in a circle.
[[nodiscard]] constexpr std::uint32_t round_function(std::uint32_t half, std::uint64_t round_key) noexcept
{
    std::uint32_t substituted = 0;
    for (int i = 0; i < 8; ++i) {
        const std::uint32_t group = std::rotl(half, 4 * i + 5) & 0x3F;
        const auto key = static_cast<std::uint32_t>(round_key >> (42 - 6 * i) & 0x3F);
        substituted = substituted << 4 | substitute(tables::s[static_cast<std::size_t>(i)], group ^ key);
    }
    return static_cast<std::uint32_t>(select(substituted, 32, tables::p));
}

/// The key schedule KS of a key of 8 bytes.
using RoundKeys = std::array<std::uint64_t, 16>;
constexpr void schedule(BytesIn<8> key, RoundKeys& round_keys) noexcept
{
    constexpr std::uint32_t half_bits = 28, half_mask = (1u << half_bits) - 1;
    const std::uint64_t chosen = select(load_be64(key.data()), 64, tables::pc1);
    auto c = static_cast<std::uint32_t>(chosen >> half_bits);
    auto d = static_cast<std::uint32_t>(chosen & half_mask);
    for (std::size_t i = 0; i < round_keys.size(); ++i) {
        for (std::uint32_t* const half : {&c, &d})
            *half = (*half << tables::shifts[i] | *half >> (half_bits - tables::shifts[i])) & half_mask;
        round_keys[i] = select(std::uint64_t{c} << half_bits | d, 2 * half_bits, tables::pc2);
    }
}

/// The sixteen rounds between IP and its inverse, with the halves exchanged at the end.
[[nodiscard]] constexpr std::uint64_t rounds(std::uint64_t block, const RoundKeys& keys,
                                             bool forward) noexcept
{
    auto left = static_cast<std::uint32_t>(block >> 32);
    auto right = static_cast<std::uint32_t>(block);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::uint32_t next = left ^ round_function(right, keys[forward ? i : keys.size() - 1 - i]);
        left = right;
        right = next;
    }
    return std::uint64_t{right} << 32 | left;
}

/// A key to decrypt with.
class DecryptionKey {
  public:
    constexpr explicit DecryptionKey(BytesIn<key_bytes> key) noexcept
    {
        for (std::size_t i = 0; i < keys_->size(); ++i) schedule(key.subspan(8 * i).first<8>(), (*keys_)[i]);
    }

    /// Decrypts by the third key, encrypts by the second, decrypts by the first. IP and its inverse
    /// cancel out between them.
    [[nodiscard]] constexpr std::uint64_t decrypt(std::uint64_t block) const noexcept
    {
        block = select(block, 64, tables::ip);
        block = rounds(block, (*keys_)[2], false);
        block = rounds(block, (*keys_)[1], true);
        block = rounds(block, (*keys_)[0], false);
        return select(block, 64, tables::ip_inverse);
    }

  private:
    Wiped<std::array<RoundKeys, 3>> keys_;
};

/// Decrypts whole blocks in CBC mode (NIST SP 800-38A, Section 6.2), in place.
constexpr void decrypt_cbc(BytesIn<key_bytes> key, BytesIn<block_bytes> iv, BytesOut<> blocks) noexcept
{
    const DecryptionKey cipher(key);
    std::uint64_t before = load_be64(iv.data());
    for (; !blocks.empty(); blocks = blocks.subspan(block_bytes)) {
        const std::uint64_t block = load_be64(blocks.data());
        store_be64(blocks.data(), cipher.decrypt(block) ^ before);
        before = block;
    }
}

}  // namespace girih::des
