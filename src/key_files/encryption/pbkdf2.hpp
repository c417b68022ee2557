/// PBKDF2 (RFC 8018, Section 5.2) with HMAC.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "sha2/hmac.hpp"

namespace girih::key_files {

/// Fills `key` from a passphrase; `iterations` is at least 1.
///
/// Constant time in the passphrase's bytes, not in its length. Wiped.
template <class Hmac>
constexpr void pbkdf2(BytesIn<> passphrase, BytesIn<> salt, std::uint32_t iterations, BytesOut<> key) noexcept
{
    const Hmac prf(passphrase);
    Wiped<std::array<Byte, Hmac::mac_bytes>> u;
    Wiped<std::array<Byte, Hmac::mac_bytes>> t;
    for (std::uint32_t i = 1; !key.empty(); ++i) {
        std::array<Byte, 4> index{};
        store_be32(index.data(), i);
        prf.mac(salt, index, *u);  // U_1
        *t = *u;
        for (std::uint32_t c = 1; c < iterations; ++c) {
            prf.mac(*u, {}, *u);
            for (std::size_t j = 0; j < t->size(); ++j) (*t)[j] ^= (*u)[j];
        }
        const std::size_t taken = std::min(key.size(), t->size());
        copy(BytesIn<>{*t}.first(taken), key);
        key = key.subspan(taken);
    }
}

/// PBKDF2 with HMAC of a function of SHA-2.
template <sha2::Params P>
constexpr void pbkdf2(BytesIn<> passphrase, BytesIn<> salt, std::uint32_t iterations, BytesOut<> key) noexcept
{
    pbkdf2<sha2::Hmac<P>>(passphrase, salt, iterations, key);
}

}  // namespace girih::key_files
