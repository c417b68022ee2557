/// What the key exchange needs besides girih, from OpenSSL: X25519, Ed25519 and SHA-512.
#pragma once

#include <openssl/evp.h>

#include <memory>
#include <string>

#include "ssh/wire.hpp"

namespace girih::test::ssh {

struct FreeKey {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;

/// A new key; `type` is EVP_PKEY_X25519 or EVP_PKEY_ED25519.
[[nodiscard]] Key generate(int type);
/// The 32 bytes of a public key.
[[nodiscard]] ByteString public_bytes(const Key& key);

[[nodiscard]] ByteString x25519(const Key& own, BytesIn<> peer);
[[nodiscard]] ByteString ed25519_sign(const Key& key, BytesIn<> message);
[[nodiscard]] bool ed25519_verify(BytesIn<> public_key, BytesIn<> message, BytesIn<> signature);
[[nodiscard]] ByteString sha512(BytesIn<> message);
[[nodiscard]] std::string base64(BytesIn<> bytes);

}  // namespace girih::test::ssh
