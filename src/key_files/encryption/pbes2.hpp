/// EncryptedPrivateKeyInfo (RFC 5958, Section 3) with PBES2 (RFC 8018, Section 6.2).
#pragma once

#include <girih/key_files.hpp>

#include "core/bytes.hpp"

namespace girih::key_files::pbes2 {

/// A key's file taken apart; the views point into it.
struct Locked {
    Encryption how;
    BytesIn<> salt;
    BytesIn<> iv;       ///< aes::block_bytes
    BytesIn<> content;  ///< of whole blocks, one at least
};

/// Everything about the encryption is checked, and that it asks for no more than `limits`.
Result<Locked> parse(BytesIn<> der, const Limits& limits);

struct Unlocked {
    SecretBytes content;
    bool is_padded;  ///< else `content` has all that was decrypted, and is no key
};

/// Constant time in the passphrase's bytes (but for scrypt) and in what is decrypted, but for the
/// length of the result.
[[nodiscard]] Unlocked unlock(const Locked& locked, BytesIn<> passphrase);

/// Encrypts DER. What is 0 in `how` is chosen here; the rest has to be within the default Limits.
Result<SecretBytes> lock(BytesIn<> der, BytesIn<> passphrase, Encryption how);

}  // namespace girih::key_files::pbes2
