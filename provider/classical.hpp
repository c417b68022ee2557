/// Classical halves of hybrid groups and composites: keys, agreement and signatures by OpenSSL, in
/// the library of the program that loaded the provider.
#pragma once

#include <openssl/evp.h>

#include <optional>

#include "core/bytes.hpp"
#include "provider/context.hpp"

namespace girih::provider {

using ClassicalKey = Owned<EVP_PKEY, EVP_PKEY_free>;

/// A new key; null, with an error in the queue, if there is none.
[[nodiscard]] ClassicalKey new_classical_key(const Provider& provider, const Classical& classical);

/// The public key in bytes, which the error calls `name`; null, with an error in the queue, if they
/// hold none. Points are uncompressed and on the curve (RFC 8446, Section 4.2.8.2).
[[nodiscard]] ClassicalKey classical_public(const Provider& provider, const Classical& classical,
                                            const char* name, BytesIn<> bytes);
/// The key of a composite's private bytes: Ed25519's (RFC 8032), or ECPrivateKey (RFC 5915) with
/// the curve and without the public key. Null, with an error in the queue, if they are malformed.
[[nodiscard]] ClassicalKey classical_private(const Provider& provider, const Classical& classical,
                                             BytesIn<> bytes);

/// Write a key's parts, whose lengths are those of `Classical`.
[[nodiscard]] bool write_public(const ClassicalKey& key, BytesOut<> bytes);
[[nodiscard]] bool write_private(const Classical& classical, const ClassicalKey& key, BytesOut<> bytes);

/// The secret of two keys. Fails, with an error in the queue, also if it is zero, as for a share of
/// small order (RFC 8446, Section 7.4.2).
[[nodiscard]] bool agree(const Provider& provider, const ClassicalKey& own, const ClassicalKey& peer,
                         BytesOut<> secret);

/// A signature's length; 0, with an error in the queue, if there is none.
[[nodiscard]] std::size_t classical_sign(const Provider& provider, const Classical& classical,
                                         const ClassicalKey& key, BytesIn<> message, BytesOut<> signature);
/// Nothing, with an error in the queue, if OpenSSL cannot begin to verify.
[[nodiscard]] std::optional<bool> classical_verify(const Provider& provider, const Classical& classical,
                                                   const ClassicalKey& key, BytesIn<> message,
                                                   BytesIn<> signature);

}  // namespace girih::provider
