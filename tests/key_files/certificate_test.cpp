#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;
using enum Problem;

using C = Certificate;

/// What names and the like are made of, in a place where nothing but its being DER is looked at.
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
    expect_refused(std::vector<Malformed>{
        {"CutShort", shorter(good), der_truncated, "byte 0"},
        {"BytesAfterTheFile", longer(good), der_trailing, "1 byte too many after the certificate"},
        {"BytesAfterTheSignature", C{.rest = {5, 0}}.der(), der_trailing, "after Certificate"},
        {"BytesAfterTheKey", C{.optional_fields = {5, 0}}.der(), der_trailing, "after tbsCertificate"},
        {"OptionalFieldsOutOfOrder", C{.optional_fields = join({extensions(), element(0x81, {0})})}.der(),
         der_trailing, "after tbsCertificate"},
        {"NoSerialNumber", C{.serial_number = {}}.der(), der_tag, "serialNumber (INTEGER)"},
        {"NoSubject", C{.subject = {}}.der(), der_truncated,
         "tbsCertificate ends where SubjectPublicKeyInfo"},
        {"NoPublicKey", C{.public_key = {}}.der(), der_truncated,
         "tbsCertificate ends where SubjectPublicKeyInfo"},
        {"NoSignatureAlgorithm", C{.signature_algorithm = {}}.der(), der_tag, "signatureAlgorithm"},
        {"NoSignatureValue", C{.signature_value = {}}.der(), der_truncated, "signatureValue"},
        {"SignatureWithUnusedBits", C{.signature_value = element(0x03, {1, 0})}.der(), der_unused_bits,
         "signatureValue"},
        {"VersionOneWritten", C{.version = version_field(0)}.der(), Problem::version, "neither 2 nor 3"},
        {"VersionFour", C{.version = version_field(3)}.der(), Problem::version, "neither 2 nor 3"},
        {"VersionOfTwoBytes", C{.version = element(0xA0, element(0x02, {0, 2}))}.der(), Problem::version,
         "neither 2 nor 3"},
        {"BytesAfterTheVersion", C{.version = element(0xA0, {0x02, 1, 2, 0x05, 0})}.der(), der_trailing,
         "2 bytes too many after version"},
        {"ExtensionsInVersion1", C{.version = {}, .optional_fields = extensions()}.der(), Problem::version,
         "extensions is there, which a certificate of version 1"},
        {"UniqueIdentifierInVersion1", C{.version = {}, .optional_fields = unique_identifiers()}.der(),
         Problem::version, "issuerUniqueID is there"},
        {"TwoSignatureAlgorithms", C{.signature_algorithm = algorithm_of("ML-DSA-65")}.der(), certificate,
         "signatureAlgorithm is not the algorithm that signature names"},
        {"SerialNumberEmpty", C{.serial_number = {0x02, 0}}.der(), der_value,
         "INTEGER is not written as DER"},
        {"SerialNumberWithALeadingZero", C{.serial_number = {0x02, 2, 0, 1}}.der(), der_value,
         "INTEGER is not written as DER"},
        {"ValidityOfBrokenDer", C{.validity = broken}.der(), der_truncated, "NULL"},
        {"SubjectOfBrokenDer", C{.subject = broken}.der(), der_truncated, "NULL"},
        {"SignatureOfBrokenDer", C{.signature = broken}.der(), der_truncated, "NULL"},
        {"ExtensionsOfBrokenDer", C{.optional_fields = element(0xA3, {0x05})}.der(), der_truncated, "NULL"},
        {"KeyOfAForeignAlgorithm", C{.public_key = public_key_info("Ed25519", Bytes(33, 0))}.der(),
         unknown_algorithm, "Ed25519"},
        {"KeyTooShort", C{.public_key = public_key_info("ML-DSA-44", Bytes(1312, 0))}.der(),
         public_key_length, "1311 bytes"},
    });
}

TEST(MalformedCertificate, WithBrokenDerInANameIsRefused)
{
    struct Row {
        const char* name;
        Bytes content;
        Problem problem;
        const char* says;
    };
    for (const auto& [name, content, problem, says] : std::vector<Row>{
             {"BooleanOfOne", {0x01, 1, 1}, der_value, "BOOLEAN"},
             {"IntegerWithLeadingOnes", {0x02, 2, 0xFF, 0x80}, der_value, "INTEGER"},
             {"EnumeratedWithALeadingZero", {0x0A, 2, 0, 1}, der_value, "ENUMERATED"},
             {"BitsOfNothing", {0x03, 0}, der_value, "BIT STRING"},
             {"BitsUnusedOfNone", {0x03, 1, 1}, der_value, "BIT STRING"},
             {"EightUnusedBits", {0x03, 2, 8, 0}, der_value, "BIT STRING"},
             {"UnusedBitThatIsOne", {0x03, 2, 1, 1}, der_value, "BIT STRING"},
             {"NullOfOneByte", {0x05, 1, 0}, der_value, "NULL"},
             {"IdentifierOfNothing", {0x06, 0}, der_value, "OBJECT IDENTIFIER"},
             {"IdentifierCutShort", {0x06, 2, 0x2A, 0x81}, der_value, "OBJECT IDENTIFIER"},
             {"IdentifierWithALeadingZero", {0x06, 3, 0x2A, 0x80, 1}, der_value, "OBJECT IDENTIFIER"},
             {"StringInPieces", {0x24, 0}, der_value, "0x24"},
             {"SequenceThatIsPrimitive", {0x10, 0}, der_value, "0x10"},
             {"SetThatIsPrimitive", {0x11, 0}, der_value, "0x11"},
             {"EndOfContents", {0x00, 0}, der_value, "0x00"},
             {"TagOfTwoBytes", {0x1F, 0x1F, 0}, der_tag, "more than one byte"},
             {"Indefinite", {0x31, 0x80, 0, 0}, der_indefinite, "SET"},
             {"LengthNotInTheFewestBytes", {0x04, 0x81, 1, 0}, der_length_form, "OCTET STRING"},
             {"LongerThanTheSet",
              {0x31, 2, 0x04, 1, 0},
              der_truncated,
              "OCTET STRING has 1 bytes by its length, and 0"},
             {"TagWithoutLength", {0x05}, der_truncated, "NULL is missing"},
             {"DeepNesting", nested(32), der_nesting, "too deep"},
         })
        expect_refused({name, with_issuer(content).der(), problem, says});
}

}  // namespace
}  // namespace girih::key_files
