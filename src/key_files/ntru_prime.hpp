/// Private keys of NTRU Prime in Bouncy Castle's encoding, within privateKey of PKCS#8.
///
/// The specification's secret key is a sequence of parts; the file has an OCTET STRING for each, in
/// the same order:
///   Streamlined NTRU Prime: SEQUENCE { f, 1/g, the public key, rho, the public key's hash }
///   NTRU LPRime:            SEQUENCE { a, the public key, rho, the public key's hash }
#pragma once

#include "key_files/structures.hpp"

namespace girih::key_files::ntru_prime {

/// The parts of a secret key, joined.
[[nodiscard]] PrivateParts read_parts(der::Reader& content, const Identified& algorithm);

void append_parts(SecretBytes& out, const PrivateKey& key, const Identified& algorithm);

/// The error for GIRIH_ERROR_SECRET_KEY and GIRIH_ERROR_KEY_MISMATCH with such a key.
[[nodiscard]] Error malformed_error(const Identified& algorithm);
[[nodiscard]] Error mismatch_error(const Identified& algorithm);

}  // namespace girih::key_files::ntru_prime
