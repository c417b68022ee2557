/// The algorithms of the provider: one table, which all other parts use.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>

namespace girih::provider {

/// An algorithm with its names in OpenSSL and its number in TLS 1.3.
struct Algorithm {
    const girih_alg* (*alg)();  ///< girih's own
    const char* names;          ///< for fetching: names and the identifier, separated by colons
    const char* identifier;     ///< OBJECT IDENTIFIER in dotted form
    const char* short_name;     ///< of the object identifier, one of `names`
    const char* name;           ///< the displayed name, first of `names`
    unsigned int security_bits;
    int security_category;    ///< of NIST
    unsigned int code_point;  ///< of a TLS signature scheme or group; 0 if it has none
    const char* tls_name;     ///< of that code point
};

/// ML-DSA: RFC 9881, and draft-ietf-tls-mldsa for TLS. Falcon: oqs-provider's names and
/// identifiers.
inline constexpr std::array<Algorithm, 7> signature_algorithms{{
    {girih_ml_dsa_44, "ML-DSA-44:MLDSA44:2.16.840.1.101.3.4.3.17:id-ml-dsa-44", "2.16.840.1.101.3.4.3.17",
     "id-ml-dsa-44", "ML-DSA-44", 128, 2, 0x0904, "mldsa44"},
    {girih_ml_dsa_65, "ML-DSA-65:MLDSA65:2.16.840.1.101.3.4.3.18:id-ml-dsa-65", "2.16.840.1.101.3.4.3.18",
     "id-ml-dsa-65", "ML-DSA-65", 192, 3, 0x0905, "mldsa65"},
    {girih_ml_dsa_87, "ML-DSA-87:MLDSA87:2.16.840.1.101.3.4.3.19:id-ml-dsa-87", "2.16.840.1.101.3.4.3.19",
     "id-ml-dsa-87", "ML-DSA-87", 256, 5, 0x0906, "mldsa87"},
    {girih_falcon_512, "Falcon-512:falcon512:1.3.9999.3.11", "1.3.9999.3.11", "falcon512", "Falcon-512", 128,
     1, 0, nullptr},
    {girih_falcon_1024, "Falcon-1024:falcon1024:1.3.9999.3.14", "1.3.9999.3.14", "falcon1024", "Falcon-1024",
     256, 5, 0, nullptr},
    {girih_falcon_padded_512, "Falcon-padded-512:falconpadded512:1.3.9999.3.16", "1.3.9999.3.16",
     "falconpadded512", "Falcon-padded-512", 128, 1, 0, nullptr},
    {girih_falcon_padded_1024, "Falcon-padded-1024:falconpadded1024:1.3.9999.3.19", "1.3.9999.3.19",
     "falconpadded1024", "Falcon-padded-1024", 256, 5, 0, nullptr},
}};

/// ML-KEM: RFC 9935, and draft-ietf-tls-mlkem for TLS. sntrup761: Bouncy Castle's identifier.
inline constexpr std::array<Algorithm, 4> kem_algorithms{{
    {girih_ml_kem_512, "ML-KEM-512:MLKEM512:id-alg-ml-kem-512:2.16.840.1.101.3.4.4.1",
     "2.16.840.1.101.3.4.4.1", "id-alg-ml-kem-512", "ML-KEM-512", 128, 1, 0x0200, "MLKEM512"},
    {girih_ml_kem_768, "ML-KEM-768:MLKEM768:id-alg-ml-kem-768:2.16.840.1.101.3.4.4.2",
     "2.16.840.1.101.3.4.4.2", "id-alg-ml-kem-768", "ML-KEM-768", 192, 3, 0x0201, "MLKEM768"},
    {girih_ml_kem_1024, "ML-KEM-1024:MLKEM1024:id-alg-ml-kem-1024:2.16.840.1.101.3.4.4.3",
     "2.16.840.1.101.3.4.4.3", "id-alg-ml-kem-1024", "ML-KEM-1024", 256, 5, 0x0202, "MLKEM1024"},
    {girih_sntrup761, "sntrup761:1.3.6.1.4.1.22554.5.7.2.2", "1.3.6.1.4.1.22554.5.7.2.2", "sntrup761",
     "sntrup761", 128, 2, 0, nullptr},
}};

inline constexpr std::size_t algorithm_count = signature_algorithms.size() + kem_algorithms.size();

/// All algorithms: signatures, then key encapsulation.
constexpr const Algorithm& algorithm_at(std::size_t index)
{
    return index < signature_algorithms.size() ? signature_algorithms[index]
                                               : kem_algorithms[index - signature_algorithms.size()];
}

/// A group of TLS 1.3 that joins ML-KEM by girih with a curve by OpenSSL (RFC 10024).
struct HybridGroup {
    const char* name;
    const char* description;
    unsigned int code_point;
    unsigned int security_bits;
    const girih_alg* (*ml_kem)();
    const char* key_type;  ///< OpenSSL's, of the curve
    const char* curve;
    std::size_t share_bytes;   ///< of the curve
    std::size_t secret_bytes;  ///< of the curve
    bool curve_first;          ///< in shares and secrets; else ML-KEM's part stands first
};

inline constexpr std::array<HybridGroup, 3> hybrid_groups{{
    {"X25519MLKEM768", "ML-KEM-768 and X25519", 0x11EC, 192, girih_ml_kem_768, "X25519", "X25519", 32, 32,
     false},
    {"SecP256r1MLKEM768", "P-256 and ML-KEM-768", 0x11EB, 192, girih_ml_kem_768, "EC", "P-256", 65, 32, true},
    {"SecP384r1MLKEM1024", "P-384 and ML-KEM-1024", 0x11ED, 256, girih_ml_kem_1024, "EC", "P-384", 97, 48,
     true},
}};

}  // namespace girih::provider
