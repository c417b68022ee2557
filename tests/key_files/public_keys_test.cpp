/// Public keys and certificates with one thing wrong, each refused for its own reason.
#include "samples.hpp"
#include "support/c_call.hpp"

namespace girih::key_files {
namespace {

using namespace samples;
using enum Problem;

// ---- Public keys

TEST(MalformedPublicKey, IsRefusedForItsOwnReason)
{
    constexpr const char* alg = "ML-DSA-87";
    const Bytes key = key_of(alg).public_key;
    const Bytes good = public_key_info(alg, bits(key)), algorithm = algorithm_of(alg),
                shown = element(0x03, bits(key));
    expect_refused(std::vector<Malformed>{
        {shorter(good), der_truncated, "byte 0"},
        {longer(good), der_trailing, "1 byte too many after the public key"},
        {sequence({algorithm, shown, {5, 0}}), der_trailing, "2 bytes too many after SubjectPublicKeyInfo"},
        {sequence({algorithm}), der_truncated, "SubjectPublicKeyInfo ends where subjectPublicKey"},
        {sequence({algorithm, {5, 0}}), der_tag, "subjectPublicKey (BIT STRING) is expected"},
        {public_key_info(alg, join({{4}, key})), der_unused_bits, "subjectPublicKey"},
        {public_key_info(alg, {}), der_unused_bits, "subjectPublicKey"},
        {public_key_info(alg, bits(shorter(key))), public_key_length, "2591 bytes, but should have 2592"},
        {public_key_info(alg, bits(longer(key))), public_key_length, "2593 bytes"},
        {public_key_info("ML-DSA-44", bits(key)), public_key_length,
         "the ML-DSA-44 public key has 2592 bytes"},
        {public_key_info(alg, bits(octets(key))), public_key_length,
         "the ML-DSA-87 public key has 2596 bytes, but should have 2592"},
        {public_key_info("RSA", bits(key)), unknown_algorithm, "1.2.840.113549.1.1.1 (RSA)"},
        {sequence({algorithm_of(alg, {5, 0}), shown}), parameters, "ML-DSA-87"},
        {join({{0x30, 0x83, 0}, Bytes(good.begin() + 2, good.end())}), der_length_form, "fewest bytes"},
        {sequence({{0x30, 0x81}, Bytes(algorithm.begin() + 1, algorithm.end()), shown}), der_length_form,
         "byte 5 of the DER"},
    });
}

TEST(MalformedPublicKey, OfNtruPrimeIsRefusedForItsOwnReason)
{
    constexpr const char* alg = "sntrup761";
    const Bytes key = key_of(alg).public_key, good = bits(octets(key));
    const auto info = [](const Bytes& bit_string) { return public_key_info(alg, bit_string); };
    expect_refused(std::vector<Malformed>{
        {info(join({{0, 0}, key})), der_tag, "the public key (OCTET STRING) is expected"},
        {info(shorter(good)), der_truncated, "1157 are there"},
        {info(longer(good)), der_trailing, "1 byte too many after subjectPublicKey"},
        {info(with_byte(good, 0, 1)), der_unused_bits, "subjectPublicKey"},
        {info(bits(octets(shorter(key)))), public_key_length,
         "the sntrup761 public key has 1157 bytes, but should have 1158"},
        {info(bits(octets(longer(key)))), public_key_length, "1159 bytes"},
        {public_key_info("sntrup653", good), public_key_length, "the sntrup653 public key has 1158 bytes"},
    });
}

TEST(MalformedPublicKey, OutOfRangeIsRefusedInEveryKindOfFile)
{
    const auto expect = [](const girih_alg* alg, const Bytes& key, std::string_view says) {
        SCOPED_TRACE(girih_name(alg));
        for (const Bytes& file : files_of({alg, key})) expect_refused({file, public_key_range, says}, alg);
    };
    const Bytes ones{0xFF, 0xFF};  // of a coefficient that is not below q
    for (const girih_alg* alg : algorithms("ML-KEM"))
        expect(alg, with_bytes(key_of(alg).public_key, 0, ones),
               "not an ML-KEM key: a coefficient is not below q");
    for (const girih_alg* alg : algorithms("Falcon")) {
        const Bytes& good = key_of(alg).public_key;
        expect(alg, with_bytes(good, 1, ones), "the public key is not a Falcon key");
        expect(alg, with_byte(good, 0, 0x10), "the public key is not a Falcon key: a wrong header");
    }
}

/// The reader refuses none of these keys.
TEST(PublicKey, OfAnythingButFalconAndMlKemIsEveryStringOfItsLength)
{
    for (const girih_alg* alg : algorithms()) {
        const std::string_view name = girih_name(alg);
        if (name.starts_with("Falcon") || name.starts_with("ML-KEM")) continue;
        for (const auto value : {std::uint8_t{0x00}, std::uint8_t{0xFF}}) {
            const Bytes bytes(girih_public_key_bytes(alg), value);
            const auto key = read_public_key(write_public_key({alg, bytes}, Format::der));
            ASSERT_TRUE(key) << name << ": " << key.error().message;
            Bytes ciphertext(girih_ciphertext_bytes(alg)), secret(girih_shared_secret_bytes(alg));
            const Bytes none, signature(girih_signature_bytes(alg));
            if (girih_is_kem(alg) == 1)
                EXPECT_EQ(test::call(girih_encapsulate, alg, nullptr, bytes, ciphertext, secret), GIRIH_OK);
            else
                EXPECT_EQ(test::call(girih_verify, alg, bytes, none, nullptr, signature),
                          GIRIH_ERROR_SIGNATURE);
        }
    }
}

// ---- Certificates

using C = Certificate;

/// A certificate with this issuer, a field in which readers only check that it is DER.
C with_issuer(const Bytes& content) { return {.issuer = sequence({content})}; }

/// `depth` SEQUENCEs, one within the other.
Bytes nested(int depth)
{
    Bytes inner;
    while (depth-- > 0) inner = sequence({inner});
    return inner;
}

Bytes version_field(std::uint8_t value) { return element(0xA0, integer(value)); }
Bytes extensions() { return element(0xA3, {0x30, 0}); }
Bytes unique_identifiers() { return join({element(0x81, {0, 1}), element(0x82, {0, 2})}); }

TEST(Certificate, GivesItsSubjectsKey)
{
    std::vector<C> good{
        {},
        {.version = {}},
        {.version = version_field(1), .optional_fields = unique_identifiers()},
        {.optional_fields = extensions()},
        {.optional_fields = join({unique_identifiers(), extensions()})},
        {.subject = nested(32)},
    };
    for (const Bytes& content :
         {Bytes{0x01, 1, 0xFF}, Bytes{0x02, 1, 0x80}, Bytes{0x02, 2, 0x00, 0x80}, Bytes{0x02, 2, 0xFF, 0x7F},
          Bytes{0x03, 1, 0}, Bytes{0x03, 2, 7, 0x80}, Bytes{0x04, 0}, Bytes{0x05, 0},
          Bytes{0x06, 2, 0x81, 0x00}, Bytes{0x0A, 1, 1}, Bytes{0x0C, 2, 0xC3, 0xA4}, Bytes{0x17, 1, '0'},
          Bytes{0x31, 2, 0x05, 0}, Bytes{0xA5, 2, 0x05, 0}, Bytes{0x85, 1, 7}, Bytes{0x5E, 0}})
        good.push_back(with_issuer(content));
    for (const C& certificate : good) {
        const auto file = read(certificate.der());
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->kind, Kind::certificate);
        EXPECT_EQ(file->public_key(), certified_key());
    }
    EXPECT_TRUE(read_public_key(C{}.der()));
    EXPECT_EQ(read_private_key(C{}.der()).error().message, "is a certificate, not a private key");
}

TEST(MalformedCertificate, IsRefusedForItsOwnReason)
{
    const Bytes good = C{}.der(), broken = sequence({{0x05}});
    expect_refused({shorter(good), der_truncated, "byte 0"});
    expect_refused({longer(good), der_trailing, "1 byte too many after the certificate"});
    expect_refused(std::vector<Row<C>>{
        {{.rest = {5, 0}}, der_trailing, "after Certificate"},
        {{.optional_fields = {5, 0}}, der_trailing, "after tbsCertificate"},
        {{.optional_fields = join({extensions(), element(0x81, {0})})}, der_trailing, "after tbsCertificate"},
        {{.serial_number = {}}, der_tag, "serialNumber (INTEGER)"},
        {{.subject = {}}, der_truncated, "tbsCertificate ends where SubjectPublicKeyInfo"},
        {{.public_key = {}}, der_truncated, "tbsCertificate ends where SubjectPublicKeyInfo"},
        {{.signature_algorithm = {}}, der_tag, "signatureAlgorithm"},
        {{.signature_value = {}}, der_truncated, "signatureValue"},
        {{.signature_value = element(0x03, {1, 0})}, der_unused_bits, "signatureValue"},
        {{.version = version_field(0)}, Problem::version, "neither 2 nor 3"},
        {{.version = version_field(3)}, Problem::version, "neither 2 nor 3"},
        {{.version = element(0xA0, element(0x02, {0, 2}))}, Problem::version, "neither 2 nor 3"},
        {{.version = element(0xA0, {0x02, 1, 2, 0x05, 0})}, der_trailing, "2 bytes too many after version"},
        {{.version = {}, .optional_fields = extensions()},
         Problem::version,
         "extensions is present, which a certificate of version 1"},
        {{.version = {}, .optional_fields = unique_identifiers()},
         Problem::version,
         "issuerUniqueID is present"},
        {{.signature_algorithm = algorithm_of("ML-DSA-65")},
         certificate,
         "signatureAlgorithm is not the algorithm that signature names"},
        {{.serial_number = {0x02, 0}}, der_value, "INTEGER is not in DER's form"},
        {{.serial_number = {0x02, 2, 0, 1}}, der_value, "INTEGER is not in DER's form"},
        {{.validity = broken}, der_truncated, "NULL"},
        {{.subject = broken}, der_truncated, "NULL"},
        {{.signature = broken}, der_truncated, "NULL"},
        {{.optional_fields = element(0xA3, {0x05})}, der_truncated, "NULL"},
        {{.public_key = public_key_info("Ed25519", Bytes(33, 0))}, unknown_algorithm, "Ed25519"},
        {{.public_key = public_key_info("ML-DSA-44", Bytes(1312, 0))}, public_key_length, "1311 bytes"},
    });
}

TEST(MalformedCertificate, WithBrokenDerInANameIsRefused)
{
    for (const auto& [content, problem, says] : std::vector<Malformed>{
             {{0x01, 1, 1}, der_value, "BOOLEAN"},
             {{0x02, 2, 0xFF, 0x80}, der_value, "INTEGER"},
             {{0x0A, 2, 0, 1}, der_value, "ENUMERATED"},
             {{0x03, 0}, der_value, "BIT STRING"},
             {{0x03, 1, 1}, der_value, "BIT STRING"},
             {{0x03, 2, 8, 0}, der_value, "BIT STRING"},
             {{0x03, 2, 1, 1}, der_value, "BIT STRING"},
             {{0x05, 1, 0}, der_value, "NULL"},
             {{0x06, 0}, der_value, "OBJECT IDENTIFIER"},
             {{0x06, 2, 0x2A, 0x81}, der_value, "OBJECT IDENTIFIER"},
             {{0x06, 3, 0x2A, 0x80, 1}, der_value, "OBJECT IDENTIFIER"},
             {{0x24, 0}, der_value, "0x24"},
             {{0x10, 0}, der_value, "0x10"},
             {{0x11, 0}, der_value, "0x11"},
             {{0x00, 0}, der_value, "0x00"},
             {{0x1F, 0x1F, 0}, der_tag, "more than one byte"},
             {{0x31, 0x80, 0, 0}, der_indefinite, "SET"},
             {{0x04, 0x81, 1, 0}, der_length_form, "OCTET STRING"},
             {{0x31, 2, 0x04, 1, 0}, der_truncated, "OCTET STRING has 1 bytes by its length, but 0"},
             {{0x05}, der_truncated, "NULL is missing"},
             {nested(32), der_nesting, "too deep"},
         })
        expect_refused({with_issuer(content).der(), problem, says});
}

}  // namespace
}  // namespace girih::key_files
