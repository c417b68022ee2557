/// The structures that hold keys: PKCS#8, SubjectPublicKeyInfo and X.509 certificates.
#pragma once

#include <girih/key_files.hpp>

#include "core/bytes.hpp"
#include "key_files/algorithms.hpp"
#include "key_files/der.hpp"

namespace girih::key_files {

/// AlgorithmIdentifier (RFC 5280, Section 4.1.1.2) of one of girih's algorithms, without parameters. `alg` is
/// null on an error.
[[nodiscard]] Identified read_algorithm(der::Reader& reader);
void append_algorithm(SecretBytes& out, const Identified& algorithm);

/// A private key as a file gave it, nothing checked but lengths. The parts point into the file.
struct PrivateParts {
    BytesIn<> seed;        ///< empty if there is none
    BytesIn<> expanded;    ///< empty if there is none
    BytesIn<> public_key;  ///< empty if there is none
};

/// A private key with every check: the parts agree, and the expanded key is one.
Result<PrivateKey> check_private_key(const girih_alg* alg, const PrivateParts& parts);

/// OneAsymmetricKey (RFC 5958, Section 2), which PKCS#8 PrivateKeyInfo is version 1 of.
Result<PrivateKey> read_pkcs8(BytesIn<> der, PrivateForm& form);
Result<SecretBytes> encode_pkcs8(const PrivateKey& key, PrivateForm form);

/// SubjectPublicKeyInfo (RFC 5280, Section 4.1.2.7).
Result<PublicKey> read_public_key_info(BytesIn<> der);
[[nodiscard]] SecretBytes encode_public_key_info(const PublicKey& key);

/// The subject's public key of a Certificate (RFC 5280, Section 4.1). Nothing else in it is looked at, but
/// that it is there.
Result<PublicKey> read_certificate(BytesIn<> der);

/// An error that the library returned.
[[nodiscard]] Error library_error(int code);

}  // namespace girih::key_files
