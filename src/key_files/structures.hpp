/// The structures that hold keys: PKCS#8, SubjectPublicKeyInfo and X.509 certificates.
#pragma once

#include <girih/key_files.hpp>

#include "core/bytes.hpp"
#include "key_files/algorithms.hpp"
#include "key_files/encoding/der.hpp"

namespace girih::key_files {

/// AlgorithmIdentifier (RFC 5280, Section 4.1.1.2) of one of girih's algorithms, without
/// parameters. `alg` is null on an error.
[[nodiscard]] Identified read_algorithm(der::Reader& reader);
void append_algorithm(SecretBytes& out, const Identified& algorithm);

/// The bits of a public key in a BIT STRING; NTRU Prime wraps them in an OCTET STRING.
[[nodiscard]] BytesIn<> read_public_key_bits(der::Reader& parent, Byte tag, std::string_view field,
                                             const Identified& algorithm);

/// An element of a private key with exactly `bytes` bytes.
[[nodiscard]] BytesIn<> read_private_part(der::Reader& reader, Byte tag, std::string_view field,
                                          std::size_t bytes);

/// A private key from a file, with only its lengths checked. The parts point into the file, or to
/// `joined`.
struct PrivateParts {
    BytesIn<> seed;        ///< empty if there is none
    BytesIn<> expanded;    ///< empty if there is none
    BytesIn<> public_key;  ///< empty if there is none
    SecretBytes joined;    ///< an expanded key that is not in one piece in the file
};

/// A private key after every check: the parts agree, and the expanded key is valid.
Result<PrivateKey> check_private_key(const girih_alg* alg, const PrivateParts& parts);

/// A public key after every check that its encoding allows.
Result<PublicKey> check_public_key(PublicKey key);

/// The information on a key in its structure.
struct Found {
    PrivateForm form = PrivateForm::seed;  ///< of a private key
    bool for_hash_ml_dsa = false;
};

/// OneAsymmetricKey (RFC 5958, Section 2); its version 1 is PKCS#8's PrivateKeyInfo.
Result<PrivateKey> read_pkcs8(BytesIn<> der, Found& found);
Result<SecretBytes> encode_pkcs8(const PrivateKey& key, PrivateForm form);

/// SubjectPublicKeyInfo (RFC 5280, Section 4.1.2.7).
Result<PublicKey> read_public_key_info(BytesIn<> der, Found& found);
[[nodiscard]] SecretBytes encode_public_key_info(const PublicKey& key);

/// The subject's public key of a Certificate (RFC 5280, Section 4.1). The rest has to be DER with
/// the right version, and name the same signature algorithm twice.
Result<PublicKey> read_certificate(BytesIn<> der, Found& found);

/// An error that the library returned.
[[nodiscard]] Error library_error(int code);

}  // namespace girih::key_files
