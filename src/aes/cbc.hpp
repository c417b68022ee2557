/// AES in CBC mode (NIST SP 800-38A, Section 6.2) on whole blocks.
///
/// Constant time in key and content, not in the length. Wiped.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include "aes/aes256.hpp"
#include "core/bytes.hpp"
#include "core/wipe.hpp"

namespace girih::aes {

/// The bytes that a key processes at once.
inline constexpr std::size_t cbc_chunk = EncryptionKey<OneLane<>>::bytes;

/// Encrypts in place with AES-256, one block after the other.
constexpr void encrypt_cbc(BytesIn<key_bytes> key, BytesIn<block_bytes> iv, BytesOut<> blocks) noexcept
{
    const EncryptionKey<OneLane<>> cipher(key);
    Wiped<std::array<Byte, cbc_chunk>> chunk;
    copy(iv, *chunk);
    for (; !blocks.empty(); blocks = blocks.subspan(block_bytes)) {
        for (std::size_t i = 0; i < block_bytes; ++i) (*chunk)[i] ^= blocks[i];
        cipher.encrypt(*chunk);
        copy(BytesIn<>{*chunk}.first(block_bytes), blocks);
    }
}

/// Decrypts in place.
template <std::size_t bytes_of_key = key_bytes>
constexpr void decrypt_cbc(std::type_identity_t<BytesIn<bytes_of_key>> key, BytesIn<block_bytes> iv,
                           BytesOut<> blocks) noexcept
{
    const EncryptionKey<OneLane<>, bytes_of_key> cipher(key);
    Wiped<std::array<Byte, cbc_chunk>> chunk;
    std::array<Byte, block_bytes + cbc_chunk> before{};  // the previous block, then the chunk's ciphertext
    copy(iv, before);
    while (!blocks.empty()) {
        const std::size_t taken = std::min(blocks.size(), cbc_chunk);
        const BytesOut<> now = blocks.first(taken);
        copy(now, *chunk);
        copy(now, BytesOut<>{before}.subspan(block_bytes));
        cipher.decrypt(*chunk);
        for (std::size_t i = 0; i < taken; ++i) now[i] = (*chunk)[i] ^ before[i];
        std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(taken), block_bytes, before.begin());
        blocks = blocks.subspan(taken);
    }
}

}  // namespace girih::aes
