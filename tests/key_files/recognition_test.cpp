#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

const girih_alg* ml_dsa_65() { return girih_algorithm("ML-DSA-65"); }

TEST(Recognition, RefusesAnEmptyFile) { expect_refused({"", {}, Problem::empty, "empty"}); }

TEST(Recognition, RefusesWhatIsNoKey)
{
    expect_refused({"", bytes_of("hello\n"), Problem::unrecognised, "neither PEM nor DER"});
}

TEST(Recognition, NamesWhatARawKeyMayBe)
{
    expect_refused({"", Bytes(32, 1), Problem::raw_unnamed, "a raw seed, whose algorithm has to be named"});
    expect_refused({"", Bytes(4032, 1), Problem::raw_unnamed, "a raw ML-DSA-65 secret key"});
    expect_refused({"", Bytes(1952, 1), Problem::raw_unnamed, "a raw ML-DSA-65 or Dilithium3 public key"});
    expect_refused({"", Bytes(3309, 1), Problem::unrecognised, "a raw ML-DSA-65 signature"});
    expect_refused({"", Bytes(1763, 1), Problem::raw_unnamed, "a raw sntrup761 secret key"});
    expect_refused({"", Bytes(1039, 1), Problem::raw_unnamed, "a raw ntrulpr761 public key"});
    expect_refused({"", Bytes(1167, 1), Problem::unrecognised, "a raw ntrulpr761 ciphertext"});
}

TEST(Recognition, RefusesARawKeyOfAnotherLength)
{
    expect_refused(
        {"", Bytes(1951, 1), Problem::raw_length, "a seed has 32, a secret key 4032, a public key 1952"},
        ml_dsa_65());
}

TEST(Recognition, ChecksARawSecretKey)
{
    Bytes expanded = bytes_of(key_of(ml_dsa_65()).expanded);
    expanded.back() ^= 1;
    expect_refused({"", expanded, Problem::secret_key_mismatch, ""}, ml_dsa_65());
}

TEST(Recognition, TakesARawSeedThatLooksLikeDer)
{
    Bytes seed(32, 0);
    seed[0] = 0x30;
    seed[1] = 30;
    const auto key = read_private_key(seed, ml_dsa_65());
    ASSERT_TRUE(key) << key.error().message;
    EXPECT_EQ(bytes_of(key->seed), seed);
}

/// As in the comment of a certificate that quotes another.
TEST(Recognition, TakesDerForDerWhateverTextIsInIt)
{
    const Bytes key = key_of(ml_dsa_65()).public_key;
    const Bytes issuer = element(0x30, element(0x0C, bytes_of("\n-----BEGIN CERTIFICATE-----\n")));
    const Bytes tbs = join({element(0x02, {1}), algorithm_of("ML-DSA-65"), issuer, element(0x30, {}),
                            element(0x30, {}), public_key_info("ML-DSA-65", join({{0}, key}))});
    const auto found =
        read(element(0x30, join({element(0x30, tbs), algorithm_of("ML-DSA-65"), element(0x03, {0})})));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->public_key(), key);
}

TEST(Recognition, NamesUtf16)
{
    const Bytes pem = write_public_key(public_half(key_of(ml_dsa_65())), Format::pem);
    for (const bool is_big_endian : {false, true}) {
        Bytes file = is_big_endian ? Bytes{0xFE, 0xFF} : Bytes{0xFF, 0xFE};
        for (const std::uint8_t c : pem) {
            if (is_big_endian) file.push_back(0);
            file.push_back(c);
            if (!is_big_endian) file.push_back(0);
        }
        expect_refused({"", file, Problem::unrecognised, "PEM in UTF-16"});
        expect_refused({"", file, Problem::unrecognised, "PEM in UTF-16"}, ml_dsa_65());
    }
}

TEST(Recognition, RefusesAKeyOfAnotherAlgorithm)
{
    const Bytes file = write_public_key(public_half(key_of(girih_algorithm("Dilithium3"))), Format::pem);
    expect_refused({"", file, Problem::algorithm, "is a Dilithium3 key, not an ML-DSA-65 key"}, ml_dsa_65());
    const Bytes kem = write_public_key(public_half(key_of(girih_algorithm("sntrup761"))), Format::der);
    expect_refused({"", kem, Problem::algorithm, "is an sntrup761 key, not an ML-DSA-65 key"}, ml_dsa_65());
}

TEST(Recognition, RefusesAKeyEncryptedInAnotherWay)
{
    const Bytes file = element(0x30, join({element(0x30, element(0x06, {0x2A})), element(0x04, {1, 2, 3})}));
    expect_refused({"", file, Problem::encryption,
                    "byte 4 of the DER: the private key is encrypted with the scheme 1.2, which girih does "
                    "not decrypt"});
}

TEST(Recognition, RefusesDerThatIsNoKeyAtAll)
{
    expect_refused({"", {0x30, 0}, Problem::der_truncated, "OneAsymmetricKey ends where version"});
    expect_refused({"", {0x30, 2, 0x05, 0}, Problem::der_tag, "version (INTEGER) is expected"});
    expect_refused(
        {"", {0x30, 3, 0x30, 9, 0}, Problem::der_truncated, "9 bytes by its length, and 1 are there"});
}

TEST(Recognition, TellsPrivateFromPublic)
{
    const PrivateKey key = key_of(ml_dsa_65());
    const auto secret_file = write_private_key(key, PrivateForm::seed, Format::der);
    const auto as_public = read_public_key(*secret_file);
    ASSERT_FALSE(as_public);
    EXPECT_EQ(as_public.error().message, "is a private key, not a public key");
    const auto as_private = read_private_key(write_public_key(public_half(key), Format::der));
    ASSERT_FALSE(as_private);
    EXPECT_EQ(as_private.error().message, "is a public key, not a private key");
}

TEST(ErasingAllocator, LeavesNothingBehind)
{
    alignas(16) static unsigned char memory[64];
    std::fill(std::begin(memory), std::end(memory), 0xAA);
    erase(memory, sizeof memory);
    EXPECT_TRUE(std::all_of(std::begin(memory), std::end(memory), [](unsigned char c) { return c == 0; }));
}

}  // namespace
}  // namespace girih::key_files
