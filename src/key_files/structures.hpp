/// The structures that hold keys: PKCS#8, SubjectPublicKeyInfo and X.509 certificates.
#pragma once

#include <girih/key_files.hpp>

#include "core/bytes.hpp"
#include "key_files/algorithms.hpp"
#include "key_files/der.hpp"

namespace girih::key_files {

/// AlgorithmIdentifier (RFC 5280, Section 4.1.1.2) of one of girih's algorithms, without
/// parameters. `alg` is null on an error.
[[nodiscard]] Identified read_algorithm(der::Reader& reader);
void append_algorithm(SecretBytes& out, const Identified& algorithm);

/// The bits of a public key, in a BIT STRING: as they are, but for NTRU Prime, where an OCTET
/// STRING holds them.
[[nodiscard]] BytesIn<> read_public_key_bits(der::Reader& parent, Byte tag, std::string_view field,
                                             const Identified& algorithm);

/// An element of a private key, which has to have this many bytes.
[[nodiscard]] BytesIn<> read_private_part(der::Reader& reader, Byte tag, std::string_view field,
                                          std::size_t bytes);

/// A private key as a file gave it, nothing checked but lengths. The parts point into the
/// file, or to `joined`.
struct PrivateParts {
    BytesIn<> seed;        ///< empty if there is none
    BytesIn<> expanded;    ///< empty if there is none
    BytesIn<> public_key;  ///< empty if there is none
    SecretBytes joined;    ///< an expanded key that is not in one piece in the file
};

/// A private key with every check: the parts agree, and the expanded key is one.
Result<PrivateKey> check_private_key(const girih_alg* alg, const PrivateParts& parts);

/// A public key with every check that its encoding allows.
Result<PublicKey> check_public_key(PublicKey key);

/// What a structure says of the key in it.
struct Found {
    PrivateForm form = PrivateForm::seed;  ///< of a private key
    bool for_hash_ml_dsa = false;
};

/// OneAsymmetricKey (RFC 5958, Section 2), which PKCS#8 PrivateKeyInfo is version 1 of.
Result<PrivateKey> read_pkcs8(BytesIn<> der, Found& found);
Result<SecretBytes> encode_pkcs8(const PrivateKey& key, PrivateForm form);

/// SubjectPublicKeyInfo (RFC 5280, Section 4.1.2.7).
Result<PublicKey> read_public_key_info(BytesIn<> der, Found& found);
[[nodiscard]] SecretBytes encode_public_key_info(const PublicKey& key);

/// The subject's public key of a Certificate (RFC 5280, Section 4.1). All else is DER, with the
/// version that it needs, and names one signature algorithm twice.
Result<PublicKey> read_certificate(BytesIn<> der, Found& found);

/// An error that the library returned.
[[nodiscard]] Error library_error(int code);

}  // namespace girih::key_files
