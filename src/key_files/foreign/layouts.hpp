/// Contents of privateKey in PKCS#8 that no RFC specifies: those of OpenSSL, oqs-provider and
/// Bouncy Castle.
#pragma once

#include <optional>

#include "key_files/structures.hpp"

namespace girih::key_files {

/// A private key of ML-DSA or ML-KEM, if the content has a length that no layout of RFC 9881 and
/// RFC 9935 has: OpenSSL's bare-seed and bare-priv (the bytes without a tag) and its oqskeypair, or
/// Bouncy Castle 1.79's seed in an OCTET STRING.
[[nodiscard]] std::optional<PrivateParts> read_foreign_choice(der::Reader& content, const girih_alg* alg);

/// oqs-provider's: the secret key and the public key in one OCTET STRING. A build option of it
/// omits the public key.
[[nodiscard]] PrivateParts read_oqs_provider(der::Reader& content, const girih_alg* alg);
void append_oqs_provider(SecretBytes& out, const PrivateKey& key);

/// Bouncy Castle's encoding of a Falcon key: SEQUENCE { version 0, f, g, F, SEQUENCE { h } }, where
/// the parts are encoded as in the secret and public key, without headers.
[[nodiscard]] PrivateParts read_bouncy_castle_falcon(der::Reader& content, const girih_alg* alg);

}  // namespace girih::key_files
