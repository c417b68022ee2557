#include <algorithm>
#include <array>

#include "key_files/structures.hpp"

namespace girih::key_files {
namespace {

PublicKey read_public_key_info(der::Reader& parent, Found& found)
{
    der::Reader info = parent.inside(der::sequence, "SubjectPublicKeyInfo");
    const Identified algorithm = read_algorithm(info);
    if (info.failed()) return {};
    const BytesIn<> bytes = read_public_key_bits(info, der::bit_string, "subjectPublicKey", algorithm);
    if (info.failed()) return {};
    info.end();
    found.for_hash_ml_dsa = algorithm.is_hash_ml_dsa;
    return {algorithm.alg, Bytes(bytes.begin(), bytes.end())};
}

/// Version (RFC 5280, Section 4.1.2.1), from 1. Version 1 is the default, which DER omits.
Byte read_certificate_version(der::Reader& tbs)
{
    if (!tbs.next_is(der::context_constructed(0))) return 1;
    der::Reader wrapped = tbs.inside(der::context_constructed(0), "version");
    const BytesIn<> version = wrapped.element(der::integer, "version");
    wrapped.end();
    if (wrapped.failed()) return 1;
    if (version.size() == 1 && (version[0] == 1 || version[0] == 2)) return static_cast<Byte>(version[0] + 1);
    tbs.fail(Problem::version, "the version of the certificate is neither 2 nor 3, nor left out");
    return 1;
}

/// The fields after the subject's public key, each of which requires a version.
void read_optional_fields(der::Reader& tbs, Byte version)
{
    struct Field {
        std::string_view name;
        Byte tag;
        Byte version;
    };
    constexpr std::array<Field, 3> fields{{{"issuerUniqueID", der::context_primitive(1), 2},
                                           {"subjectUniqueID", der::context_primitive(2), 2},
                                           {"extensions", der::context_constructed(3), 3}}};
    for (const Field& field : fields) {
        if (!tbs.next_is(field.tag)) continue;
        (void)tbs.well_formed(field.tag, field.name);
        if (version < field.version)
            tbs.fail(Problem::version, std::string(field.name) +
                                           " is present, which a certificate of version " +
                                           std::to_string(version) + " does not have");
    }
    tbs.end();
}

/// The parts of a certificate that are used.
struct Certified {
    PublicKey key;
    BytesIn<> signature_algorithm;  ///< the content of its AlgorithmIdentifier
};

/// TBSCertificate (RFC 5280, Section 4.1.2).
Certified read_to_be_signed(der::Reader& certificate, Found& found)
{
    der::Reader tbs = certificate.inside(der::sequence, "tbsCertificate");
    const Byte version = read_certificate_version(tbs);
    (void)tbs.well_formed(der::integer, "serialNumber");
    const BytesIn<> signature_algorithm = tbs.well_formed(der::sequence, "signature");
    for (const std::string_view field : {"issuer", "validity", "subject"})
        (void)tbs.well_formed(der::sequence, field);
    PublicKey key = read_public_key_info(tbs, found);
    read_optional_fields(tbs, version);
    return {std::move(key), signature_algorithm};
}

/// The library's error on preparing a public key, which checks it in full.
template <class Prepared>
int code_of_preparing(const PublicKey& key, std::size_t (*size)(const girih_alg*),
                      int (*prepare)(const girih_alg*, const Byte*, std::size_t, void*, std::size_t,
                                     Prepared**))
{
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes;
    };
    std::vector<Line> memory(size(key.alg) / sizeof(Line));
    Prepared* prepared = nullptr;
    return prepare(key.alg, key.bytes.data(), key.bytes.size(), memory.data(), memory.size() * sizeof(Line),
                   &prepared);
}

}  // namespace

Result<PublicKey> check_public_key(PublicKey key)
{
    const Identified algorithm = by_algorithm(key.alg);
    const bool is_falcon = algorithm.layout == PrivateLayout::falcon;
    // For the other algorithms, every string of the right length is a public key.
    if (!is_falcon && !algorithm.is_ml_kem()) return key;
    const int code =
        is_falcon ? code_of_preparing(key, girih_verifying_key_size, girih_prepare_verifying_key)
                  : code_of_preparing(key, girih_encapsulation_key_size, girih_prepare_encapsulation_key);
    if (code == GIRIH_ERROR_PUBLIC_KEY)
        return Error{Problem::public_key_range,
                     is_falcon
                         ? "the public key is not a Falcon key: a wrong header, or a coefficient that is not "
                           "below q"
                         : "the public key is not an ML-KEM key: a coefficient is not below q"};
    if (code != GIRIH_OK) return library_error(code);
    return key;
}

Identified read_algorithm(der::Reader& reader)
{
    der::Reader algorithm = reader.inside(der::sequence, "AlgorithmIdentifier");
    const BytesIn<> identifier = algorithm.element(der::object_identifier, "algorithm");
    if (algorithm.failed()) return {};
    const Identified known = by_identifier(identifier);
    if (known.alg == nullptr)
        algorithm.fail(
            Problem::unknown_algorithm,
            "a key for the algorithm " + describe_identifier(identifier) + ", which girih does not support");
    else if (!algorithm.at_end())
        algorithm.fail(Problem::parameters, std::string("parameters beside the algorithm, which ") +
                                                girih_name(known.alg) + " does not have");
    return known;
}

void append_algorithm(SecretBytes& out, const Identified& algorithm)
{
    SecretBytes content;
    der::append(content, der::object_identifier, algorithm.identifier);
    der::append(out, der::sequence, content);
}

BytesIn<> read_public_key_bits(der::Reader& parent, Byte tag, std::string_view field,
                               const Identified& algorithm)
{
    BytesIn<> bytes;
    if (algorithm.is_ntru_prime()) {
        der::Reader bits = parent.inside_whole_bytes(tag, field);
        bytes = bits.element(der::octet_string, "the public key");
        bits.end();
    } else {
        bytes = parent.whole_bytes(tag, field);
    }
    const std::size_t right = girih_public_key_bytes(algorithm.alg);
    if (!parent.failed() && bytes.size() != right)
        parent.fail(Problem::public_key_length, std::string("the ") + girih_name(algorithm.alg) +
                                                    " public key has " + std::to_string(bytes.size()) +
                                                    " bytes, but should have " + std::to_string(right));
    return bytes;
}

Result<PublicKey> read_public_key_info(BytesIn<> der, Found& found)
{
    std::optional<Error> error;
    der::Reader file(der, "the public key", error);
    PublicKey key = read_public_key_info(file, found);
    file.end();
    if (error) return *error;
    return check_public_key(std::move(key));
}

SecretBytes encode_public_key_info(const PublicKey& key)
{
    const Identified algorithm = by_algorithm(key.alg, key.for_hash_ml_dsa);
    SecretBytes bits{0};  // no unused bits in the last byte
    if (algorithm.is_ntru_prime())
        der::append(bits, der::octet_string, key.bytes);
    else
        bits.insert(bits.end(), key.bytes.begin(), key.bytes.end());
    SecretBytes info;
    append_algorithm(info, algorithm);
    der::append(info, der::bit_string, bits);
    return der::in_sequence(info);
}

Result<PublicKey> read_certificate(BytesIn<> der, Found& found)
{
    std::optional<Error> error;
    der::Reader file(der, "the certificate", error);
    der::Reader certificate = file.inside(der::sequence, "Certificate");
    file.end();
    Certified certified = read_to_be_signed(certificate, found);
    const BytesIn<> again = certificate.well_formed(der::sequence, "signatureAlgorithm");
    // RFC 5280, Section 4.1.1.2.
    if (!std::ranges::equal(again, certified.signature_algorithm))
        certificate.fail(Problem::certificate,
                         "signatureAlgorithm is not the algorithm that signature names");
    (void)certificate.whole_bytes(der::bit_string, "signatureValue");
    certificate.end();
    if (error) return *error;
    return check_public_key(std::move(certified.key));
}

}  // namespace girih::key_files
