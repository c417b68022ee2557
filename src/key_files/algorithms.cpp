#include "key_files/algorithms.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace girih::key_files {
namespace {

struct Row {
    const char* name;
    PrivateLayout layout;
    EncodedIdentifier identifier;
};

/// src/algorithms.tsv says where the identifiers come from. Falcon's constant-time format shares
/// the identifier of its keys, so the caller has to name it.
constexpr auto rows = std::to_array<Row>({
    // facts: identifiers
    {"ML-DSA-44", PrivateLayout::choice, encode_identifier({2, 16, 840, 1, 101, 3, 4, 3, 17})},
    {"ML-DSA-65", PrivateLayout::choice, encode_identifier({2, 16, 840, 1, 101, 3, 4, 3, 18})},
    {"ML-DSA-87", PrivateLayout::choice, encode_identifier({2, 16, 840, 1, 101, 3, 4, 3, 19})},
    {"Dilithium2", PrivateLayout::oqs_provider, encode_identifier({1, 3, 6, 1, 4, 1, 2, 267, 7, 4, 4})},
    {"Dilithium3", PrivateLayout::oqs_provider, encode_identifier({1, 3, 6, 1, 4, 1, 2, 267, 7, 6, 5})},
    {"Dilithium5", PrivateLayout::oqs_provider, encode_identifier({1, 3, 6, 1, 4, 1, 2, 267, 7, 8, 7})},
    {"Falcon-512", PrivateLayout::falcon, encode_identifier({1, 3, 9999, 3, 11})},
    {"Falcon-1024", PrivateLayout::falcon, encode_identifier({1, 3, 9999, 3, 14})},
    {"Falcon-padded-512", PrivateLayout::falcon, encode_identifier({1, 3, 9999, 3, 16})},
    {"Falcon-padded-1024", PrivateLayout::falcon, encode_identifier({1, 3, 9999, 3, 19})},
    {"Falcon-CT-512", PrivateLayout::falcon, encode_identifier({1, 3, 9999, 3, 11})},
    {"Falcon-CT-1024", PrivateLayout::falcon, encode_identifier({1, 3, 9999, 3, 14})},
    {"ML-KEM-512", PrivateLayout::choice, encode_identifier({2, 16, 840, 1, 101, 3, 4, 4, 1})},
    {"ML-KEM-768", PrivateLayout::choice, encode_identifier({2, 16, 840, 1, 101, 3, 4, 4, 2})},
    {"ML-KEM-1024", PrivateLayout::choice, encode_identifier({2, 16, 840, 1, 101, 3, 4, 4, 3})},
    {"sntrup653", PrivateLayout::streamlined, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 2, 1})},
    {"sntrup761", PrivateLayout::streamlined, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 2, 2})},
    {"sntrup857", PrivateLayout::streamlined, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 2, 3})},
    {"sntrup953", PrivateLayout::streamlined, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 2, 4})},
    {"sntrup1013", PrivateLayout::streamlined, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 2, 5})},
    {"sntrup1277", PrivateLayout::streamlined, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 2, 6})},
    {"ntrulpr653", PrivateLayout::lprime, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 1, 1})},
    {"ntrulpr761", PrivateLayout::lprime, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 1, 2})},
    {"ntrulpr857", PrivateLayout::lprime, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 1, 3})},
    {"ntrulpr953", PrivateLayout::lprime, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 1, 4})},
    {"ntrulpr1013", PrivateLayout::lprime, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 1, 5})},
    {"ntrulpr1277", PrivateLayout::lprime, encode_identifier({1, 3, 6, 1, 4, 1, 22554, 5, 7, 1, 6})},
    // facts: end
});

/// HashML-DSA with SHA-512, whose keys are those of ML-DSA: 2.16.840.1.101.3.4.3.{32, 33, 34}, in
/// the order of `rows` (NIST's Computer Security Objects Register; FIPS 204, Section 5.4).
constexpr std::array<EncodedIdentifier, 3> hash_ml_dsa{
    encode_identifier({2, 16, 840, 1, 101, 3, 4, 3, 32}),
    encode_identifier({2, 16, 840, 1, 101, 3, 4, 3, 33}),
    encode_identifier({2, 16, 840, 1, 101, 3, 4, 3, 34}),
};

Identified identified(const Row* row, bool for_hash_ml_dsa)
{
    if (row == rows.end()) return {nullptr, PrivateLayout::choice, {}};
    const auto index = static_cast<std::size_t>(row - rows.begin());
    const bool is_hash = for_hash_ml_dsa && index < hash_ml_dsa.size();
    const EncodedIdentifier& identifier = is_hash ? hash_ml_dsa[index] : row->identifier;
    return {girih_algorithm(row->name), row->layout, identifier.view(), is_hash};
}

/// The longest identifier that is shown in dotted form. Identifiers in use have at most 16 bytes.
constexpr std::size_t longest_shown = 32;

/// An identifier in dotted form. Arcs beyond 64 bits, which nobody uses, come out wrong.
std::string dotted(BytesIn<> identifier)
{
    std::string text;
    std::uint64_t value = 0;
    for (const Byte byte : identifier) {
        value = (value << 7) | (byte & 0x7Fu);
        if ((byte & 0x80) != 0) continue;
        if (text.empty()) {
            const std::uint64_t first = std::min<std::uint64_t>(value / 40, 2);
            text = std::to_string(first);
            value -= 40 * first;
        }
        text += '.';
        text += std::to_string(value);
        value = 0;
    }
    return text;
}

struct Foreign {
    std::string_view identifier;
    std::string_view name;
};

/// Common algorithms of keys and encryption that girih does not have.
constexpr std::array<Foreign, 27> foreign{{
    {"1.2.840.113549.1.1.1", "RSA"},
    {"1.2.840.10045.2.1", "elliptic curve"},
    {"1.3.101.110", "X25519"},
    {"1.3.101.112", "Ed25519"},
    {"1.3.101.113", "Ed448"},
    {"1.3.6.1.4.1.2.267.12.4.4", "a draft of ML-DSA-44"},
    {"1.3.6.1.4.1.2.267.12.6.5", "a draft of ML-DSA-65"},
    {"1.3.6.1.4.1.2.267.12.8.7", "a draft of ML-DSA-87"},
    {"1.2.840.113549.1.5.1", "PBES1 with MD2 and DES"},
    {"1.2.840.113549.1.5.3", "PBES1 with MD5 and DES"},
    {"1.2.840.113549.1.5.4", "PBES1 with MD2 and RC2"},
    {"1.2.840.113549.1.5.6", "PBES1 with MD5 and RC2"},
    {"1.2.840.113549.1.5.10", "PBES1 with SHA-1 and DES"},
    {"1.2.840.113549.1.5.11", "PBES1 with SHA-1 and RC2"},
    {"1.2.840.113549.1.12.1.1", "PKCS #12 with SHA-1 and RC4"},
    {"1.2.840.113549.1.12.1.2", "PKCS #12 with SHA-1 and RC4 of 40 bits"},
    {"1.2.840.113549.1.12.1.3", "PKCS #12 with SHA-1 and triple DES"},
    {"1.2.840.113549.1.12.1.4", "PKCS #12 with SHA-1 and triple DES of two keys"},
    {"1.2.840.113549.1.12.1.5", "PKCS #12 with SHA-1 and RC2"},
    {"1.2.840.113549.1.12.1.6", "PKCS #12 with SHA-1 and RC2 of 40 bits"},
    {"1.3.14.3.2.7", "DES in CBC mode"},
    {"1.2.840.113549.3.2", "RC2 in CBC mode"},
    {"1.2.840.113549.3.9", "RC5 in CBC mode"},
    {"2.16.840.1.101.3.4.1.6", "AES-128 in GCM mode"},
    {"2.16.840.1.101.3.4.1.46", "AES-256 in GCM mode"},
    {"1.2.156.10197.1.104.2", "SM4 in CBC mode"},
    {"1.2.410.200046.1.1.14", "ARIA-256 in CBC mode"},
}};

}  // namespace

Identified by_identifier(BytesIn<> identifier) noexcept
{
    const auto is = [identifier](const EncodedIdentifier& known) {
        return std::ranges::equal(known.view(), identifier);
    };
    const auto* hashing = std::ranges::find_if(hash_ml_dsa, is);
    if (hashing != hash_ml_dsa.end()) return identified(rows.begin() + (hashing - hash_ml_dsa.begin()), true);
    return identified(std::ranges::find_if(rows, is, &Row::identifier), false);
}

Identified by_algorithm(const girih_alg* alg, bool for_hash_ml_dsa) noexcept
{
    if (alg == nullptr) return identified(rows.end(), false);
    return identified(std::ranges::find(rows, std::string_view(girih_name(alg)), &Row::name),
                      for_hash_ml_dsa);
}

std::string with_article(const girih_alg* alg)
{
    const std::string name = girih_name(alg);
    const bool begins_as_a_vowel = std::string_view("MNns").find(name[0]) != std::string_view::npos;
    return (begins_as_a_vowel ? "an " : "a ") + name;
}

std::string describe_identifier(BytesIn<> identifier)
{
    if (identifier.size() > longest_shown)
        return "of an identifier of " + std::to_string(identifier.size()) + " bytes";
    std::string text = dotted(identifier);
    for (const Foreign& known : foreign)
        if (known.identifier == text) return text.append(" (").append(known.name).append(")");
    return text;
}

}  // namespace girih::key_files
