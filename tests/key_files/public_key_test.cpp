#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

/// So a reader has nothing to refuse. (Falcon's: falcon_test.cpp; ML-KEM's: ml_kem_test.cpp.)
TEST(PublicKey, OfAnythingButFalconAndMlKemIsEveryStringOfItsLength)
{
    for (const girih_alg* alg : algorithms()) {
        const std::string_view name = girih_name(alg);
        if (name.starts_with("Falcon") || name.starts_with("ML-KEM")) continue;
        for (const auto value : {std::uint8_t{0x00}, std::uint8_t{0xFF}}) {
            const Bytes bytes(girih_public_key_bytes(alg), value);
            const auto key = read_public_key(write_public_key({alg, bytes}, Format::der));
            ASSERT_TRUE(key) << girih_name(alg) << ": " << key.error().message;
            if (girih_is_kem(alg) == 1) {
                Bytes ciphertext(girih_ciphertext_bytes(alg)), secret(girih_shared_secret_bytes(alg));
                EXPECT_EQ(girih_encapsulate(alg, nullptr, bytes.data(), bytes.size(), ciphertext.data(),
                                            ciphertext.size(), secret.data(), secret.size()),
                          GIRIH_OK);
            } else {
                const Bytes signature(girih_signature_bytes(alg));
                EXPECT_EQ(girih_verify(alg, bytes.data(), bytes.size(), nullptr, 0, nullptr, signature.data(),
                                       signature.size()),
                          GIRIH_ERROR_SIGNATURE);
            }
        }
    }
}

TEST(PublicKey, ComesBackInEveryFormat)
{
    for (const girih_alg* alg : algorithms()) {
        const PublicKey key = public_half(key_of(alg));
        for (const Format format : {Format::pem, Format::der, Format::raw}) {
            SCOPED_TRACE(std::string(girih_name(alg)) + ", format " +
                         std::to_string(static_cast<int>(format)));
            const auto back = read(write_public_key(key, format), needed_name(alg, format));
            ASSERT_TRUE(back) << back.error().message;
            EXPECT_EQ(back->kind, Kind::public_key);
            EXPECT_EQ(back->format, format);
            EXPECT_EQ(back->alg(), alg);
            EXPECT_EQ(back->public_key(), key.bytes);
        }
    }
}

/// An algorithm that only verifies has the keys of the whole one.
TEST(PublicKey, OfAnAlgorithmThatOnlyVerifiesIsTheSame)
{
    for (const auto& [verifying, name] : {std::pair{girih_ml_dsa_44_verifying(), "ML-DSA-44"},
                                          {girih_dilithium5_verifying(), "Dilithium5"},
                                          {girih_falcon_padded_512_verifying(), "Falcon-padded-512"}}) {
        const girih_alg* const whole = girih_algorithm(name);
        const PublicKey key = public_half(key_of(whole));
        for (const Format format : {Format::pem, Format::der, Format::raw}) {
            const Bytes file = write_public_key(key, format);
            EXPECT_EQ(write_public_key({verifying, key.bytes}, format), file) << name;
            const auto back = read(file, verifying);
            ASSERT_TRUE(back) << back.error().message;
            EXPECT_EQ(back->alg(), whole);
            EXPECT_EQ(back->public_key(), key.bytes);
        }
        EXPECT_EQ(fingerprint({verifying, key.bytes}), fingerprint(key)) << name;
        EXPECT_EQ(read(write_public_key(key, Format::pem), girih_ml_dsa_87_verifying()).error().problem,
                  Problem::algorithm);
    }
}

TEST(PublicKey, IsWrittenAsSubjectPublicKeyInfo)
{
    for (const girih_alg* alg : algorithms()) {
        const PublicKey key = public_half(key_of(alg));
        EXPECT_EQ(write_public_key(key, Format::der),
                  public_key_info(girih_name(alg), public_key_bits(alg, key.bytes)));
    }
}

std::vector<Malformed> malformed()
{
    const std::string alg = "ML-DSA-87";
    const Bytes key = public_half(key_of(girih_algorithm("ML-DSA-87"))).bytes;
    const Bytes bits = join({{0}, key});
    const Bytes good = public_key_info(alg, bits);
    const Bytes short_bits(bits.begin(), bits.end() - 1);
    return {
        {"CutShort", Bytes(good.begin(), good.end() - 1), Problem::der_truncated, "byte 0"},
        {"BytesAfterTheFile", join({good, {0}}), Problem::der_trailing,
         "1 byte too many after the public key"},
        {"BytesAfterTheKey", element(0x30, join({algorithm_of(alg), element(0x03, bits), {5, 0}})),
         Problem::der_trailing, "2 bytes too many after SubjectPublicKeyInfo"},
        {"NoKey", element(0x30, algorithm_of(alg)), Problem::der_truncated,
         "SubjectPublicKeyInfo ends where subjectPublicKey"},
        {"NoBitString", element(0x30, join({algorithm_of(alg), element(0x05, {})})), Problem::der_tag,
         "subjectPublicKey (BIT STRING) is expected"},
        {"UnusedBits", public_key_info(alg, join({{4}, key})), Problem::der_unused_bits, "subjectPublicKey"},
        {"EmptyBitString", public_key_info(alg, {}), Problem::der_unused_bits, "subjectPublicKey"},
        {"TooShort", public_key_info(alg, short_bits), Problem::public_key_length,
         "2591 bytes, and should have 2592"},
        {"TooLong", public_key_info(alg, join({bits, {0}})), Problem::public_key_length, "2593 bytes"},
        {"OfAnotherAlgorithmsLength", public_key_info("ML-DSA-44", bits), Problem::public_key_length,
         "the ML-DSA-44 public key has 2592 bytes"},
        {"ForeignAlgorithm", public_key_info("RSA", bits), Problem::unknown_algorithm,
         "1.2.840.113549.1.1.1 (RSA)"},
        {"Parameters",
         element(
             0x30,
             join({element(0x30, join({element(0x06, {0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x13}), {5, 0}})),
                   element(0x03, bits)})),
         Problem::parameters, "ML-DSA-87"},
        {"LengthWithALeadingZero", join({{0x30, 0x83, 0}, Bytes(good.begin() + 2, good.end())}),
         Problem::der_length_form, "fewest bytes"},
        {"LongFormOfAShortLength",
         element(0x30, join({{0x30, 0x81, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x13},
                             element(0x03, bits)})),
         Problem::der_length_form, "byte 5 of the DER"},
    };
}

class MalformedPublicKey : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedPublicKey, IsRefusedForItsOwnReason) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(MlDsa, MalformedPublicKey, testing::ValuesIn(malformed()), name_of);

}  // namespace
}  // namespace girih::key_files
