/// SHA-1 (FIPS 180-4), the default of PBKDF2 in files that name no function (RFC 8018, Appendix
/// A.2); it is still sound in HMAC. For reading only.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/wipe.hpp"

namespace girih::key_files {

/// A message in pieces. Constant time in its content, not in its length. Wiped.
class Sha1 {
  public:
    static constexpr std::size_t digest_bytes = 20;
    static constexpr std::size_t block_bytes = 64;

    constexpr Sha1() noexcept = default;
    constexpr Sha1(const Sha1&) noexcept = default;
    constexpr Sha1& operator=(const Sha1&) noexcept = default;
    constexpr ~Sha1()
    {
        wipe(hash_);
        wipe(block_);
    }

    constexpr Sha1& update(BytesIn<> message) noexcept
    {
        for (const Byte byte : message) {
            block_[message_bytes_++ % block_bytes] = byte;
            if (message_bytes_ % block_bytes == 0) compress();
        }
        return *this;
    }

    /// Ends the message. The object is then ready for a new one.
    constexpr void finish(BytesOut<digest_bytes> digest) noexcept
    {
        const std::uint64_t bits = 8 * message_bytes_;
        constexpr Byte one = 0x80;
        constexpr Byte zero = 0;
        update({&one, 1});
        while (message_bytes_ % block_bytes != block_bytes - sizeof bits) update({&zero, 1});
        std::array<Byte, sizeof bits> length{};
        store_be64(length.data(), bits);
        update(length);
        for (std::size_t i = 0; i < hash_.size(); ++i) store_be32(&digest[4 * i], hash_[i]);
        *this = Sha1{};
    }

  private:
    /// FIPS 180-4, Section 6.1.2.
    constexpr void compress() noexcept
    {
        Wiped<std::array<std::uint32_t, 80>> w;
        for (std::size_t t = 0; t < 16; ++t) (*w)[t] = load_be32(&block_[4 * t]);
        for (std::size_t t = 16; t < 80; ++t)
            (*w)[t] = std::rotl((*w)[t - 3] ^ (*w)[t - 8] ^ (*w)[t - 14] ^ (*w)[t - 16], 1);
        auto [a, b, c, d, e] = hash_;
        for (std::size_t t = 0; t < 80; ++t) {
            const std::uint32_t choice = (b & c) ^ (~b & d);
            const std::uint32_t parity = b ^ c ^ d;
            const std::uint32_t majority = (b & c) ^ (b & d) ^ (c & d);
            const std::uint32_t f = t < 20 ? choice : t < 40 ? parity : t < 60 ? majority : parity;
            const std::uint32_t k = t < 20   ? 0x5a827999  // 2^30 times the square roots of 2, 3, 5 and 10
                                    : t < 40 ? 0x6ed9eba1
                                    : t < 60 ? 0x8f1bbcdc
                                             : 0xca62c1d6;
            const std::uint32_t next = std::rotl(a, 5) + f + e + k + (*w)[t];
            e = d;
            d = c;
            c = std::rotl(b, 30);
            b = a;
            a = next;
        }
        hash_[0] += a;
        hash_[1] += b;
        hash_[2] += c;
        hash_[3] += d;
        hash_[4] += e;
    }

    std::array<std::uint32_t, 5> hash_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    std::array<Byte, block_bytes> block_{};
    std::uint64_t message_bytes_ = 0;
};

}  // namespace girih::key_files
