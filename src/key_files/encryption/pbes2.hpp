/// EncryptedPrivateKeyInfo (RFC 5958, Section 3) with PBES2 (RFC 8018, Section 6.2).
#pragma once

#include <girih/key_files.hpp>

#include "core/bytes.hpp"

namespace girih::key_files::pbes2 {

/// A parsed encrypted key; views point into the file.
struct Locked {
    Encryption how;
    BytesIn<> salt;
    BytesIn<> iv;       ///< a block of the cipher
    BytesIn<> content;  ///< whole blocks, at least one
};

/// Checks everything about the encryption, and that its cost is within `limits`.
Result<Locked> parse(BytesIn<> der, const Limits& limits);

struct Unlocked {
    SecretBytes content;
    bool is_padded;  ///< false: the padding is wrong, and `content` is not a key
};

/// Constant time in the passphrase's bytes (except in scrypt) and in the decrypted bytes, except
/// for the length of the result.
[[nodiscard]] Unlocked unlock(const Locked& locked, BytesIn<> passphrase);

/// Encrypts DER. Zeros in `how` become defaults; the rest has to be within the default Limits.
Result<SecretBytes> lock(BytesIn<> der, BytesIn<> passphrase, Encryption how);

}  // namespace girih::key_files::pbes2
