/// Keys of type AKP (RFC 9964): JWK (RFC 7517) and COSE_Key (RFC 9052, Section 7) of ML-DSA, whose
/// private part is the seed.
#pragma once

#include <girih/key_files.hpp>

#include <cstdint>
#include <string>

#include "core/bytes.hpp"

namespace girih::key_files::cbor {
class Reader;
}

namespace girih::key_files::akp {

/// The algorithm of an `alg` in JOSE, which distinguishes capitals; null if there is none.
[[nodiscard]] const girih_alg* by_name(BytesIn<> name) noexcept;
/// Reads COSE's; throws Malformed if there is none.
[[nodiscard]] const girih_alg* algorithm_of(cbor::Reader& reader);
/// COSE's number of an algorithm; 0 if RFC 9964 has none.
[[nodiscard]] std::int64_t number_of(const girih_alg* alg) noexcept;

/// The names of the algorithms, for messages.
inline constexpr const char* names = "ML-DSA-44, ML-DSA-65 and ML-DSA-87";

Result<KeyFile> read_jwk(BytesIn<> file);
Result<KeyFile> read_cose_key(BytesIn<> file);

/// Writes a JWK or a COSE_Key, with the key's kid or its thumbprint. A public key has no seed.
Result<SecretBytes> write(const PublicKey& key, BytesIn<> seed, Format format);

/// The kid that a file in this format gives the key: its own if the format can hold it, else its
/// thumbprint.
[[nodiscard]] Bytes kid_of(const PublicKey& key, Format format);

}  // namespace girih::key_files::akp
