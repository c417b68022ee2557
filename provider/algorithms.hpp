/// The algorithms of the provider: one table, which all other parts use.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace girih::provider {

/// An algorithm of OpenSSL's: the classical half of a hybrid group or of a composite.
struct Classical {
    const char* key_type;
    const char* curve;
    std::size_t public_bytes;      ///< of an uncompressed point, with EC
    std::size_t private_bytes;     ///< in a composite key; 0 in a group, whose keys have no files
    std::size_t result_bytes;      ///< of the secret that two keys agree on, or at most of a signature
    const char* digest = nullptr;  ///< of signatures; null if they are of the message itself
};

inline constexpr Classical x25519{"X25519", "X25519", 32, 32, 32};
inline constexpr Classical ecdh_p256{"EC", "P-256", 65, 0, 32};
inline constexpr Classical ecdh_p384{"EC", "P-384", 97, 0, 48};
inline constexpr Classical ed25519{"ED25519", "Ed25519", 32, 32, 64};
inline constexpr Classical ecdsa_p256{"EC", "P-256", 65, 51, 72, "SHA256"};
inline constexpr Classical ecdsa_p384{"EC", "P-384", 97, 64, 104, "SHA384"};

/// A signature or key encapsulation of two halves: girih's and OpenSSL's.
struct Composite {
    const Classical& classical;
    std::string_view label;
    std::span<const std::uint8_t> identifier;  ///< the content of its OBJECT IDENTIFIER
    std::size_t seed_bytes = 0;  ///< of a private key that both halves' are expanded from; 0 if it has both
};

/// An algorithm with its names in OpenSSL and its number in TLS 1.3.
struct Algorithm {
    const girih_alg* (*alg)();  ///< girih's own, or of a composite's lattice half
    const char* names;          ///< for fetching: names and the identifier, separated by colons
    const char* identifier;     ///< OBJECT IDENTIFIER in dotted form
    const char* short_name;     ///< of the object identifier, one of `names`
    const char* name;           ///< the displayed name, first of `names`
    unsigned int security_bits;
    int security_category;    ///< of NIST
    unsigned int code_point;  ///< of a TLS signature scheme or group; 0 if it has none
    const char* tls_name;     ///< of that code point
    const Composite* composite = nullptr;
};

/// 1.3.6.1.5.5.7.6.`number`.
template <std::uint8_t number>
inline constexpr std::array<std::uint8_t, 8> pkix_algorithm{0x2B, 6, 1, 5, 5, 7, 6, number};

/// Composite ML-DSA (draft-ietf-lamps-pq-composite-sigs-19, Section 6).
inline constexpr Composite mldsa44_ed25519{ed25519, "COMPSIG-MLDSA44-Ed25519-SHA512", pkix_algorithm<39>};
inline constexpr Composite mldsa65_p256{ecdsa_p256, "COMPSIG-MLDSA65-ECDSA-P256-SHA512", pkix_algorithm<45>};
inline constexpr Composite mldsa65_ed25519{ed25519, "COMPSIG-MLDSA65-Ed25519-SHA512", pkix_algorithm<48>};
inline constexpr Composite mldsa87_p384{ecdsa_p384, "COMPSIG-MLDSA87-ECDSA-P384-SHA512", pkix_algorithm<49>};

/// X-Wing (draft-connolly-cfrg-xwing-kem-10): 1.3.6.1.4.1.62253.25722.
inline constexpr std::array<std::uint8_t, 11> x_wing_identifier{0x2B, 6,    1,    4,    1,   0x83,
                                                                0xE6, 0x2D, 0x81, 0xC8, 0x7A};
inline constexpr Composite x_wing{x25519, "\\.//^\\", x_wing_identifier, 32};

/// Composites, then ML-DSA (RFC 9881, and draft-ietf-tls-mldsa for TLS) and Falcon (oqs-provider's
/// names and identifiers).
inline constexpr auto signature_algorithms = std::to_array<Algorithm>({
    {girih_ml_dsa_44, "MLDSA44-Ed25519-SHA512:id-MLDSA44-Ed25519-SHA512:1.3.6.1.5.5.7.6.39",
     "1.3.6.1.5.5.7.6.39", "id-MLDSA44-Ed25519-SHA512", "MLDSA44-Ed25519-SHA512", 128, 2, 0, nullptr,
     &mldsa44_ed25519},
    {girih_ml_dsa_65, "MLDSA65-ECDSA-P256-SHA512:id-MLDSA65-ECDSA-P256-SHA512:1.3.6.1.5.5.7.6.45",
     "1.3.6.1.5.5.7.6.45", "id-MLDSA65-ECDSA-P256-SHA512", "MLDSA65-ECDSA-P256-SHA512", 192, 3, 0, nullptr,
     &mldsa65_p256},
    {girih_ml_dsa_65, "MLDSA65-Ed25519-SHA512:id-MLDSA65-Ed25519-SHA512:1.3.6.1.5.5.7.6.48",
     "1.3.6.1.5.5.7.6.48", "id-MLDSA65-Ed25519-SHA512", "MLDSA65-Ed25519-SHA512", 192, 3, 0, nullptr,
     &mldsa65_ed25519},
    {girih_ml_dsa_87, "MLDSA87-ECDSA-P384-SHA512:id-MLDSA87-ECDSA-P384-SHA512:1.3.6.1.5.5.7.6.49",
     "1.3.6.1.5.5.7.6.49", "id-MLDSA87-ECDSA-P384-SHA512", "MLDSA87-ECDSA-P384-SHA512", 256, 5, 0, nullptr,
     &mldsa87_p384},
    // facts: signatures
    {girih_ml_dsa_44, "ML-DSA-44:MLDSA44:id-ml-dsa-44:2.16.840.1.101.3.4.3.17", "2.16.840.1.101.3.4.3.17",
     "id-ml-dsa-44", "ML-DSA-44", 128, 2, 0x0904, "mldsa44"},
    {girih_ml_dsa_65, "ML-DSA-65:MLDSA65:id-ml-dsa-65:2.16.840.1.101.3.4.3.18", "2.16.840.1.101.3.4.3.18",
     "id-ml-dsa-65", "ML-DSA-65", 192, 3, 0x0905, "mldsa65"},
    {girih_ml_dsa_87, "ML-DSA-87:MLDSA87:id-ml-dsa-87:2.16.840.1.101.3.4.3.19", "2.16.840.1.101.3.4.3.19",
     "id-ml-dsa-87", "ML-DSA-87", 256, 5, 0x0906, "mldsa87"},
    {girih_falcon_512, "Falcon-512:falcon512:1.3.9999.3.11", "1.3.9999.3.11", "falcon512", "Falcon-512", 128,
     1, 0, nullptr},
    {girih_falcon_1024, "Falcon-1024:falcon1024:1.3.9999.3.14", "1.3.9999.3.14", "falcon1024", "Falcon-1024",
     256, 5, 0, nullptr},
    {girih_falcon_padded_512, "Falcon-padded-512:falconpadded512:1.3.9999.3.16", "1.3.9999.3.16",
     "falconpadded512", "Falcon-padded-512", 128, 1, 0, nullptr},
    {girih_falcon_padded_1024, "Falcon-padded-1024:falconpadded1024:1.3.9999.3.19", "1.3.9999.3.19",
     "falconpadded1024", "Falcon-padded-1024", 256, 5, 0, nullptr},
    // facts: end
});

/// ML-KEM: RFC 9935, and draft-ietf-tls-mlkem for TLS. sntrup761: Bouncy Castle's identifier.
inline constexpr auto kem_algorithms = std::to_array<Algorithm>({
    // facts: kems
    {girih_ml_kem_512, "ML-KEM-512:MLKEM512:id-alg-ml-kem-512:2.16.840.1.101.3.4.4.1",
     "2.16.840.1.101.3.4.4.1", "id-alg-ml-kem-512", "ML-KEM-512", 128, 1, 0x0200, "MLKEM512"},
    {girih_ml_kem_768, "ML-KEM-768:MLKEM768:id-alg-ml-kem-768:2.16.840.1.101.3.4.4.2",
     "2.16.840.1.101.3.4.4.2", "id-alg-ml-kem-768", "ML-KEM-768", 192, 3, 0x0201, "MLKEM768"},
    {girih_ml_kem_1024, "ML-KEM-1024:MLKEM1024:id-alg-ml-kem-1024:2.16.840.1.101.3.4.4.3",
     "2.16.840.1.101.3.4.4.3", "id-alg-ml-kem-1024", "ML-KEM-1024", 256, 5, 0x0202, "MLKEM1024"},
    {girih_sntrup761, "sntrup761:1.3.6.1.4.1.22554.5.7.2.2", "1.3.6.1.4.1.22554.5.7.2.2", "sntrup761",
     "sntrup761", 128, 2, 0, nullptr},
    // facts: end
    {girih_ml_kem_768, "X-Wing:XWING:id-XWing:1.3.6.1.4.1.62253.25722", "1.3.6.1.4.1.62253.25722", "id-XWing",
     "X-Wing", 192, 3, 0, nullptr, &x_wing},
});

/// The first of the signature algorithms are composites: the other rows are a table without them.
inline constexpr std::size_t composite_count = 4;

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
    const Classical& classical;
    bool curve_first;  ///< in shares and secrets; else ML-KEM's part comes first
};

inline constexpr std::array<HybridGroup, 3> hybrid_groups{{
    {"X25519MLKEM768", "ML-KEM-768 and X25519", 0x11EC, 192, girih_ml_kem_768, x25519, false},
    {"SecP256r1MLKEM768", "P-256 and ML-KEM-768", 0x11EB, 192, girih_ml_kem_768, ecdh_p256, true},
    {"SecP384r1MLKEM1024", "P-384 and ML-KEM-1024", 0x11ED, 256, girih_ml_kem_1024, ecdh_p384, true},
}};

}  // namespace girih::provider
