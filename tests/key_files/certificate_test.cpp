#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

const Bytes& certified_key()
{
    static const Bytes key = key_of(girih_algorithm("ML-DSA-44")).public_key;
    return key;
}

/// The fields of a certificate, each of which a test may replace.
struct Certificate {
    Bytes version = element(0xA0, element(0x02, {2}));
    Bytes serial_number = element(0x02, {1});
    Bytes signature = algorithm_of("ML-DSA-44");
    Bytes issuer = element(0x30, {});
    Bytes validity = element(0x30, {});
    Bytes subject = element(0x30, {});
    Bytes public_key = public_key_info("ML-DSA-44", join({{0}, certified_key()}));
    Bytes optional_fields;
    Bytes signature_algorithm = algorithm_of("ML-DSA-44");
    Bytes signature_value = element(0x03, Bytes(2421, 0));
    Bytes rest;

    [[nodiscard]] Bytes der() const
    {
        return element(0x30, join({element(0x30, join({version, serial_number, signature, issuer, validity,
                                                       subject, public_key, optional_fields})),
                                   signature_algorithm, signature_value, rest}));
    }
};

Certificate with(Bytes Certificate::* field, const Bytes& value)
{
    Certificate certificate;
    certificate.*field = value;
    return certificate;
}

void expect_key(const Certificate& certificate)
{
    const auto file = read(certificate.der());
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->kind, Kind::certificate);
    EXPECT_EQ(file->public_key(), certified_key());
}

TEST(Certificate, GivesItsSubjectsKey)
{
    expect_key({});
    EXPECT_TRUE(read_public_key(Certificate{}.der()));
}

TEST(Certificate, OfVersion2MayHaveUniqueIdentifiers)
{
    Certificate certificate = with(&Certificate::version, element(0xA0, element(0x02, {1})));
    certificate.optional_fields = join({element(0x81, {0, 1}), element(0x82, {0, 2})});
    expect_key(certificate);
}

/// What names and the like are made of, in a place where nothing but its being DER is looked at.
TEST(Certificate, MayHaveAnyDerInItsName)
{
    for (const Bytes& content :
         {Bytes{0x01, 1, 0xFF}, Bytes{0x02, 1, 0x80}, Bytes{0x02, 2, 0x00, 0x80}, Bytes{0x02, 2, 0xFF, 0x7F},
          Bytes{0x03, 1, 0}, Bytes{0x03, 2, 7, 0x80}, Bytes{0x04, 0}, Bytes{0x05, 0},
          Bytes{0x06, 2, 0x81, 0x00}, Bytes{0x0A, 1, 1}, Bytes{0x0C, 2, 0xC3, 0xA4}, Bytes{0x17, 1, '0'},
          Bytes{0x31, 2, 0x05, 0}, Bytes{0xA5, 2, 0x05, 0}, Bytes{0x85, 1, 7}, Bytes{0x5E, 0}})
        expect_key(with(&Certificate::issuer, element(0x30, content)));
}

/// `depth` SEQUENCEs, one within the other.
Bytes nested(int depth)
{
    Bytes inner;
    while (depth-- > 0) inner = element(0x30, inner);
    return inner;
}

TEST(Certificate, MayHaveElementsWithinElements) { expect_key(with(&Certificate::subject, nested(32))); }

TEST(Certificate, OfVersion1HasNoVersion) { expect_key(with(&Certificate::version, {})); }

TEST(Certificate, MayHaveUniqueIdentifiersAndExtensions)
{
    const Bytes extensions = element(0xA3, {0x30, 0});
    expect_key(with(&Certificate::optional_fields, extensions));
    expect_key(with(&Certificate::optional_fields,
                    join({element(0x81, {0, 1}), element(0x82, {0, 2}), extensions})));
}

Bytes version_1_with(const Bytes& optional_fields)
{
    Certificate certificate = with(&Certificate::version, {});
    certificate.optional_fields = optional_fields;
    return certificate.der();
}

Malformed in_the_issuer(const std::string& name, const Bytes& content, Problem problem, std::string_view says)
{
    return {name, with(&Certificate::issuer, element(0x30, content)).der(), problem, says};
}

std::vector<Malformed> malformed()
{
    const Bytes good = Certificate{}.der();
    const auto missing = [](Bytes Certificate::* field) { return with(field, {}).der(); };
    return {
        {"CutShort", Bytes(good.begin(), good.end() - 1), Problem::der_truncated, "byte 0"},
        {"BytesAfterTheFile", join({good, {0}}), Problem::der_trailing,
         "1 byte too many after the certificate"},
        {"BytesAfterTheSignature", with(&Certificate::rest, {5, 0}).der(), Problem::der_trailing,
         "after Certificate"},
        {"BytesAfterTheKey", with(&Certificate::optional_fields, {5, 0}).der(), Problem::der_trailing,
         "after tbsCertificate"},
        {"OptionalFieldsOutOfOrder",
         with(&Certificate::optional_fields, join({element(0xA3, {}), element(0x81, {0})})).der(),
         Problem::der_trailing, "after tbsCertificate"},
        {"NoSerialNumber", missing(&Certificate::serial_number), Problem::der_tag, "serialNumber (INTEGER)"},
        {"NoSubject", missing(&Certificate::subject), Problem::der_truncated,
         "tbsCertificate ends where SubjectPublicKeyInfo"},
        {"NoPublicKey", missing(&Certificate::public_key), Problem::der_truncated,
         "tbsCertificate ends where SubjectPublicKeyInfo"},
        {"NoSignatureAlgorithm", missing(&Certificate::signature_algorithm), Problem::der_tag,
         "signatureAlgorithm"},
        {"NoSignatureValue", missing(&Certificate::signature_value), Problem::der_truncated,
         "signatureValue"},
        {"SignatureWithUnusedBits", with(&Certificate::signature_value, element(0x03, {1, 0})).der(),
         Problem::der_unused_bits, "signatureValue"},
        {"VersionOneWritten", with(&Certificate::version, element(0xA0, element(0x02, {0}))).der(),
         Problem::version, "neither 2 nor 3"},
        {"VersionFour", with(&Certificate::version, element(0xA0, element(0x02, {3}))).der(),
         Problem::version, "neither 2 nor 3"},
        {"VersionOfTwoBytes", with(&Certificate::version, element(0xA0, element(0x02, {0, 2}))).der(),
         Problem::version, "neither 2 nor 3"},
        {"BytesAfterTheVersion", with(&Certificate::version, element(0xA0, {0x02, 1, 2, 0x05, 0})).der(),
         Problem::der_trailing, "2 bytes too many after version"},
        {"ExtensionsInVersion1", version_1_with(element(0xA3, {0x30, 0})), Problem::version,
         "extensions is there, which a certificate of version 1"},
        {"UniqueIdentifierInVersion1", version_1_with(element(0x81, {0, 1})), Problem::version,
         "issuerUniqueID is there"},
        {"TwoSignatureAlgorithms", with(&Certificate::signature_algorithm, algorithm_of("ML-DSA-65")).der(),
         Problem::certificate, "signatureAlgorithm is not the algorithm that signature names"},
        {"SerialNumberEmpty", with(&Certificate::serial_number, element(0x02, {})).der(), Problem::der_value,
         "INTEGER is not written as DER"},
        {"SerialNumberWithALeadingZero", with(&Certificate::serial_number, element(0x02, {0, 1})).der(),
         Problem::der_value, "INTEGER is not written as DER"},
        in_the_issuer("BooleanOfOne", {0x01, 1, 1}, Problem::der_value, "BOOLEAN"),
        in_the_issuer("IntegerWithLeadingOnes", {0x02, 2, 0xFF, 0x80}, Problem::der_value, "INTEGER"),
        in_the_issuer("EnumeratedWithALeadingZero", {0x0A, 2, 0, 1}, Problem::der_value, "ENUMERATED"),
        in_the_issuer("BitsOfNothing", {0x03, 0}, Problem::der_value, "BIT STRING"),
        in_the_issuer("BitsUnusedOfNone", {0x03, 1, 1}, Problem::der_value, "BIT STRING"),
        in_the_issuer("EightUnusedBits", {0x03, 2, 8, 0}, Problem::der_value, "BIT STRING"),
        in_the_issuer("UnusedBitThatIsOne", {0x03, 2, 1, 1}, Problem::der_value, "BIT STRING"),
        in_the_issuer("NullOfOneByte", {0x05, 1, 0}, Problem::der_value, "NULL"),
        in_the_issuer("IdentifierOfNothing", {0x06, 0}, Problem::der_value, "OBJECT IDENTIFIER"),
        in_the_issuer("IdentifierCutShort", {0x06, 2, 0x2A, 0x81}, Problem::der_value, "OBJECT IDENTIFIER"),
        in_the_issuer("IdentifierWithALeadingZero", {0x06, 3, 0x2A, 0x80, 1}, Problem::der_value,
                      "OBJECT IDENTIFIER"),
        in_the_issuer("StringInPieces", {0x24, 0}, Problem::der_value, "0x24"),
        in_the_issuer("SequenceThatIsPrimitive", {0x10, 0}, Problem::der_value, "0x10"),
        in_the_issuer("SetThatIsPrimitive", {0x11, 0}, Problem::der_value, "0x11"),
        in_the_issuer("EndOfContents", {0x00, 0}, Problem::der_value, "0x00"),
        in_the_issuer("TagOfTwoBytes", {0x1F, 0x1F, 0}, Problem::der_tag, "more than one byte"),
        in_the_issuer("Indefinite", {0x31, 0x80, 0, 0}, Problem::der_indefinite, "SET"),
        in_the_issuer("LengthNotInTheFewestBytes", {0x04, 0x81, 1, 0}, Problem::der_length_form,
                      "OCTET STRING"),
        in_the_issuer("LongerThanTheSetAroundIt", {0x31, 2, 0x04, 1, 0}, Problem::der_truncated,
                      "OCTET STRING has 1 bytes by its length, and 0"),
        in_the_issuer("TagWithoutLength", {0x05}, Problem::der_truncated, "NULL is missing"),
        in_the_issuer("DeepNesting", nested(32), Problem::der_nesting, "too deep"),
        {"ValidityOfBrokenDer", with(&Certificate::validity, element(0x30, {0x05})).der(),
         Problem::der_truncated, "NULL"},
        {"SubjectOfBrokenDer", with(&Certificate::subject, element(0x30, {0x05})).der(),
         Problem::der_truncated, "NULL"},
        {"SignatureOfBrokenDer", with(&Certificate::signature, element(0x30, {0x05})).der(),
         Problem::der_truncated, "NULL"},
        {"ExtensionsOfBrokenDer", with(&Certificate::optional_fields, element(0xA3, {0x05})).der(),
         Problem::der_truncated, "NULL"},
        {"KeyOfAForeignAlgorithm",
         with(&Certificate::public_key, public_key_info("Ed25519", Bytes(33, 0))).der(),
         Problem::unknown_algorithm, "Ed25519"},
        {"KeyTooShort", with(&Certificate::public_key, public_key_info("ML-DSA-44", Bytes(1312, 0))).der(),
         Problem::public_key_length, "1311 bytes"},
    };
}

class MalformedCertificate : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedCertificate, IsRefusedForItsOwnReason) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(MlDsa, MalformedCertificate, testing::ValuesIn(malformed()), name_of);

}  // namespace
}  // namespace girih::key_files
