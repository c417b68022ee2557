#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

/// The fields of a certificate, each of which a test may replace.
struct Certificate {
    Bytes version = element(0xA0, element(0x02, {2}));
    Bytes serial_number = element(0x02, {1});
    Bytes signature = algorithm_of("ML-DSA-44");
    Bytes issuer = element(0x30, {});
    Bytes validity = element(0x30, {});
    Bytes subject = element(0x30, {});
    Bytes public_key =
        public_key_info("ML-DSA-44", join({{0}, key_of(girih_algorithm("ML-DSA-44")).public_key}));
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
    EXPECT_EQ(file->public_key(), key_of(girih_algorithm("ML-DSA-44")).public_key);
}

TEST(Certificate, GivesItsSubjectsKey)
{
    expect_key({});
    EXPECT_TRUE(read_public_key(Certificate{}.der()));
}

TEST(Certificate, OfVersion1HasNoVersion) { expect_key(with(&Certificate::version, {})); }

TEST(Certificate, MayHaveUniqueIdentifiersAndExtensions)
{
    const Bytes extensions = element(0xA3, {0x30, 0});
    expect_key(with(&Certificate::optional_fields, extensions));
    expect_key(with(&Certificate::optional_fields,
                    join({element(0x81, {0, 1}), element(0x82, {0, 2}), extensions})));
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
