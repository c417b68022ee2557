/// HMAC (FIPS 198-1, RFC 2104).
#pragma once

#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "sha2/sha2.hpp"

namespace girih::sha2 {

/// An absorbed key: each MAC under it costs a copy of the state and the message's blocks.
///
/// Constant time in key and message, not in their lengths. Wiped.
template <class Hash, std::size_t block>
class HmacOf {
  public:
    static constexpr std::size_t mac_bytes = Hash::digest_bytes;

    constexpr explicit HmacOf(BytesIn<> key) noexcept
    {
        Wiped<std::array<Byte, block>> padded;  // K0 (FIPS 198-1, Section 4, steps 1 to 3)
        if (key.size() > block) {
            Hash hash;
            hash.update(key);
            hash.finish(BytesOut<>{*padded}.template first<mac_bytes>());
        } else {
            copy(key, *padded);
        }
        for (Byte& byte : *padded) byte ^= ipad;
        inner_.update(*padded);
        for (Byte& byte : *padded) byte ^= ipad ^ opad;
        outer_.update(*padded);
    }

    /// The MAC of two concatenated parts. `mac` may be one of them.
    constexpr void mac(BytesIn<> first, BytesIn<> second, BytesOut<mac_bytes> mac) const noexcept
    {
        Hash inner = inner_;
        inner.update(first).update(second).finish(mac);
        Hash outer = outer_;
        outer.update(mac).finish(mac);
    }

  private:
    static constexpr Byte ipad = 0x36;
    static constexpr Byte opad = 0x5c;

    Hash inner_;  ///< has absorbed K0 + ipad
    Hash outer_;  ///< has absorbed K0 + opad
};

/// HMAC with a function of SHA-2.
template <Params P>
using Hmac = HmacOf<Hash<P>, block_bytes<typename decltype(P)::WordType>>;

}  // namespace girih::sha2
