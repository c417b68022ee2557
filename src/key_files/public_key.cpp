#include "key_files/structures.hpp"

namespace girih::key_files {
namespace {

PublicKey read_public_key_info(der::Reader& parent)
{
    der::Reader info = parent.inside(der::sequence, "SubjectPublicKeyInfo");
    const Identified algorithm = read_algorithm(info);
    if (info.failed()) return {};
    const BytesIn<> bytes = read_public_key_bits(info, der::bit_string, "subjectPublicKey", algorithm);
    if (info.failed()) return {};
    info.end();
    return {algorithm.alg, Bytes(bytes.begin(), bytes.end())};
}

/// TBSCertificate (RFC 5280, Section 4.1.2): what stands before the subject's public key, and after it.
PublicKey read_to_be_signed(der::Reader& certificate)
{
    der::Reader tbs = certificate.inside(der::sequence, "tbsCertificate");
    if (tbs.next_is(der::context_constructed(0))) (void)tbs.element(der::context_constructed(0), "version");
    (void)tbs.element(der::integer, "serialNumber");
    for (const std::string_view field : {"signature", "issuer", "validity", "subject"})
        (void)tbs.element(der::sequence, field);
    PublicKey key = read_public_key_info(tbs);
    if (tbs.next_is(der::context_primitive(1)))
        (void)tbs.element(der::context_primitive(1), "issuerUniqueID");
    if (tbs.next_is(der::context_primitive(2)))
        (void)tbs.element(der::context_primitive(2), "subjectUniqueID");
    if (tbs.next_is(der::context_constructed(3)))
        (void)tbs.element(der::context_constructed(3), "extensions");
    tbs.end();
    return key;
}

}  // namespace

Identified read_algorithm(der::Reader& reader)
{
    der::Reader algorithm = reader.inside(der::sequence, "AlgorithmIdentifier");
    const BytesIn<> identifier = algorithm.element(der::object_identifier, "algorithm");
    if (algorithm.failed()) return {};
    const Identified known = by_identifier(identifier);
    if (known.alg == nullptr)
        algorithm.fail(
            Problem::unknown_algorithm,
            "a key for the algorithm " + describe_identifier(identifier) + ", which girih does not have");
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
                                                    " bytes, and should have " + std::to_string(right));
    return bytes;
}

Result<PublicKey> read_public_key_info(BytesIn<> der)
{
    std::optional<Error> error;
    der::Reader file(der, "the public key", error);
    PublicKey key = read_public_key_info(file);
    file.end();
    if (error) return *error;
    return key;
}

SecretBytes encode_public_key_info(const PublicKey& key)
{
    const Identified algorithm = by_algorithm(key.alg);
    SecretBytes bits{0};  // no unused bits in the last byte
    if (algorithm.is_ntru_prime())
        der::append(bits, der::octet_string, key.bytes);
    else
        bits.insert(bits.end(), key.bytes.begin(), key.bytes.end());
    SecretBytes info;
    append_algorithm(info, algorithm);
    der::append(info, der::bit_string, bits);
    SecretBytes out;
    der::append(out, der::sequence, info);
    return out;
}

Result<PublicKey> read_certificate(BytesIn<> der)
{
    std::optional<Error> error;
    der::Reader file(der, "the certificate", error);
    der::Reader certificate = file.inside(der::sequence, "Certificate");
    file.end();
    PublicKey key = read_to_be_signed(certificate);
    (void)certificate.element(der::sequence, "signatureAlgorithm");
    (void)certificate.whole_bytes(der::bit_string, "signatureValue");
    certificate.end();
    if (error) return *error;
    return key;
}

}  // namespace girih::key_files
