/// The object identifiers of algorithms, and the layout of their keys.
#pragma once

#include <girih/girih.h>

#include <string>

#include "core/bytes.hpp"
#include "key_files/identifier.hpp"

namespace girih::key_files {

/// The content of a PKCS#8 privateKey.
enum class PrivateLayout {
    choice,        ///< CHOICE of seed, expandedKey and both (RFC 9881, Section 6; RFC 9935, Section 6)
    oqs_provider,  ///< OCTET STRING of the secret key, usually followed by the public key
    falcon,        ///< as oqs_provider, but never a seed
    streamlined,   ///< SEQUENCE of the parts of a Streamlined NTRU Prime secret key (ntru_prime.hpp)
    lprime         ///< SEQUENCE of the parts of an NTRU LPRime secret key
};

/// An algorithm with an object identifier.
struct Identified {
    const girih_alg* alg;
    PrivateLayout layout;
    BytesIn<> identifier;         ///< the content of its OBJECT IDENTIFIER
    bool is_hash_ml_dsa = false;  ///< `identifier` is HashML-DSA's with SHA-512

    [[nodiscard]] bool is_ml_kem() const noexcept
    {
        return layout == PrivateLayout::choice && girih_is_kem(alg) == 1;
    }
    [[nodiscard]] bool is_ntru_prime() const noexcept
    {
        return layout == PrivateLayout::streamlined || layout == PrivateLayout::lprime;
    }
};

/// The algorithm with this OBJECT IDENTIFIER content; its `alg` is null if there is none.
[[nodiscard]] Identified by_identifier(BytesIn<> identifier) noexcept;

/// The entry of one of girih's algorithms, or of HashML-DSA with its keys. An algorithm that only
/// verifies has the full algorithm's entry.
[[nodiscard]] Identified by_algorithm(const girih_alg* alg, bool for_hash_ml_dsa = false) noexcept;

/// The name of an algorithm with its article: "an ML-DSA-44", "a Dilithium2", "an sntrup761".
[[nodiscard]] std::string with_article(const girih_alg* alg);

/// An OBJECT IDENTIFIER in dotted form, with the algorithm's name if it is widely used:
/// "1.3.101.112 (Ed25519)". One that is longer than any in use is described by its length.
[[nodiscard]] std::string describe_identifier(BytesIn<> identifier);

}  // namespace girih::key_files
