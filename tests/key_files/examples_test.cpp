/// Key files from elsewhere: from other programs, in the folder files, whose README names them; and
/// from the appendices of RFC 9881 and RFC 9935, in the folder that GIRIH_VECTORS names.
#include <cstdlib>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

constexpr auto seed = PrivateForm::seed;
constexpr auto expanded = PrivateForm::expanded;
constexpr auto both = PrivateForm::both;

// ---- Programs

/// A private key, FILE.priv.TYPE, with the public key that the same program wrote beside it.
struct Sample {
    const char* name;
    const char* file;
    const char* type;
    const char* alg;
    PrivateForm form;
    bool is_encrypted = false;
    bool is_for_hash_ml_dsa = false;

    [[nodiscard]] Bytes half(const char* of) const
    {
        return contents(GIRIH_KEY_FILES "/" + std::string(file) + "." + of + "." + type);
    }
};
void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

constexpr Sample of_programs[]{
    {"BouncyCastleFalcon512", "bouncy_castle-falcon-512", "der", "Falcon-512", expanded},
    {"BouncyCastleFalcon1024", "bouncy_castle-falcon-1024", "der", "Falcon-1024", expanded},
    {"BouncyCastleMlDsa", "bouncy_castle-ml-dsa-44", "der", "ML-DSA-44", both},
    {"BouncyCastleHashMlDsa", "bouncy_castle-hash-ml-dsa-44", "der", "ML-DSA-44", both, false, true},
    {"BouncyCastleSntrup653", "bouncy_castle-sntrup653", "der", "sntrup653", expanded},
    {"BouncyCastleNtrulpr653", "bouncy_castle-ntrulpr653", "der", "ntrulpr653", expanded},
    {"CryptographyMlDsa", "cryptography-encrypted-ml-dsa-44", "pem", "ML-DSA-44", seed, true},
    {"CryptographyMlKem", "cryptography-encrypted-ml-kem-768", "pem", "ML-KEM-768", seed, true},
    {"NodeMlDsa", "node-encrypted-ml-dsa-44", "pem", "ML-DSA-44", seed, true},
    {"NodeMlKem", "node-encrypted-ml-kem-512", "pem", "ML-KEM-512", seed, true},
    {"OpenSslBareSeedMlDsa", "openssl-bare-seed-ml-dsa-44", "der", "ML-DSA-44", seed},
    {"OpenSslBareSeedMlKem", "openssl-bare-seed-ml-kem-512", "der", "ML-KEM-512", seed},
    {"OpenSslBarePrivMlDsa", "openssl-bare-priv-ml-dsa-44", "der", "ML-DSA-44", expanded},
    {"OpenSslBarePrivMlKem", "openssl-bare-priv-ml-kem-512", "der", "ML-KEM-512", expanded},
    {"OpenSslOqsKeypairMlDsa", "openssl-oqskeypair-ml-dsa-44", "der", "ML-DSA-44", expanded},
    {"OpenSslOqsKeypairMlKem", "openssl-oqskeypair-ml-kem-512", "der", "ML-KEM-512", expanded},
    {"OpenSslSeedPrivMlDsa", "openssl-seed-priv-ml-dsa-44", "der", "ML-DSA-44", both},
    {"OpenSslSeedPrivMlKem", "openssl-seed-priv-ml-kem-512", "der", "ML-KEM-512", both},
    {"OpenSslScryptMlDsa", "openssl-enc-scrypt-ml-dsa-44", "der", "ML-DSA-44", seed, true},
    {"OpenSslScryptMlKem", "openssl-enc-scrypt-ml-kem-512", "der", "ML-KEM-512", seed, true},
    {"OpenSslSha512MlDsa", "openssl-enc-sha512-ml-dsa-44", "der", "ML-DSA-44", seed, true},
    {"OpenSslSha512MlKem", "openssl-enc-sha512-ml-kem-512", "der", "ML-KEM-512", seed, true},
};

class OfPrograms : public testing::TestWithParam<Sample> {};

TEST_P(OfPrograms, KeysAreReadAndKeepTheirIdentifier)
{
    const Sample& sample = GetParam();
    const auto found = read(sample.half("priv"), nullptr, words());
    const auto shown = read_public_key(sample.half("pub"));
    ASSERT_TRUE(found && shown) << (found ? shown.error() : found.error()).message;
    EXPECT_EQ(found->kind, Kind::private_key);
    EXPECT_STREQ(girih_name(found->alg()), sample.alg);
    EXPECT_EQ(found->form, sample.form);
    EXPECT_EQ(found->encryption.has_value(), sample.is_encrypted);
    EXPECT_EQ(found->for_hash_ml_dsa(), sample.is_for_hash_ml_dsa);
    EXPECT_EQ(shown->for_hash_ml_dsa, sample.is_for_hash_ml_dsa);
    EXPECT_EQ(found->public_key(), shown->bytes);

    for (const Format format : {Format::pem, Format::der}) {
        const auto secret_again =
            read(*write_private_key(std::get<PrivateKey>(found->key), PrivateForm::expanded, format));
        const auto shown_again = read(write_public_key(*shown, format));
        ASSERT_TRUE(secret_again && shown_again);
        EXPECT_EQ(shown_again->kind, Kind::public_key);
        EXPECT_EQ(secret_again->for_hash_ml_dsa(), sample.is_for_hash_ml_dsa);
        EXPECT_EQ(shown_again->for_hash_ml_dsa(), sample.is_for_hash_ml_dsa);
    }
    const Format format = std::string_view(sample.type) == "der" ? Format::der : Format::pem;
    EXPECT_EQ(write_public_key(*shown, format), sample.half("pub"));
    EXPECT_EQ(fingerprint(*shown), fingerprint({shown->alg, shown->bytes})) << "is of the bytes";
}

INSTANTIATE_TEST_SUITE_P(Files, OfPrograms, testing::ValuesIn(of_programs),
                         [](const auto& sample) { return std::string(sample.param.name); });

// ---- Standards

/// RFC 9881's of ML-DSA, and RFC 9935's of ML-KEM.
class Examples : public testing::Test {
  protected:
    void SetUp() override
    {
        if (folder_ == nullptr) GTEST_SKIP() << "GIRIH_VECTORS is not set: it names the folder of vectors";
    }
    [[nodiscard]] Bytes file(const std::string& name) const
    {
        const bool is_ml_dsa = name.find("ML-DSA") != std::string::npos;
        return contents(folder_ + std::string(is_ml_dsa ? "/rfc9881/" : "/rfc9935/") + name);
    }

  private:
    const char* const folder_ = std::getenv("GIRIH_VECTORS");
};

TEST_F(Examples, AreReadAndWrittenToTheByte)
{
    for (const girih_alg* alg : algorithms("ML-")) {
        const std::string name = girih_name(alg);
        const PrivateKey key = *from_seed(alg, test::counting(girih_seed_bytes(alg)));
        for (const auto& [form, rest] : {std::pair(seed, "-seed.priv"), std::pair(expanded, "-expanded.priv"),
                                         std::pair(both, "-both.priv")}) {
            const auto back = read(file(name + rest));
            ASSERT_TRUE(back) << name << rest << ": " << back.error().message;
            EXPECT_EQ(back->form, form);
            EXPECT_EQ(back->public_key(), key.public_key);
            EXPECT_EQ(bytes_of(*write_private_key(key, form, Format::pem)), file(name + rest))
                << name << rest;
        }
        const auto shown = read_public_key(file(name + ".pub"));
        ASSERT_TRUE(shown) << shown.error().message;
        EXPECT_EQ(shown->bytes, key.public_key);
        EXPECT_EQ(write_public_key(public_half(key), Format::pem), file(name + ".pub"));
        const auto certificate = read(file(name + ".crt"));
        ASSERT_TRUE(certificate) << certificate.error().message;
        EXPECT_EQ(certificate->kind, Kind::certificate);
        EXPECT_EQ(certificate->public_key(), key.public_key);
    }
}

TEST_F(Examples, MadeBadOnPurposeAreRefused)
{
    using enum Problem;
    const auto bad = [this](const std::string& name) { return file("bad-" + name + ".priv"); };
    expect_refused(std::vector<Malformed>{
        {bad("ML-DSA-44-1"), halves_mismatch, "seed"},
        // A wrong tr and a wrong t0, which the library does not distinguish.
        {bad("ML-DSA-44-2"), secret_key_mismatch, "its t0 or its tr"},
        {bad("ML-DSA-44-3"), secret_key_mismatch, "its t0 or its tr"},
        {bad("ML-KEM-512-1"), halves_mismatch, "the expanded key is not the one that the seed"},
        {bad("ML-KEM-512-2"), secret_key_mismatch, "its s does not match the public key in it"},
        {bad("ML-KEM-512-3"), secret_key_mismatch, "its hash does not match the public key"},
        {bad("ML-KEM-512-4"), halves_mismatch, "its z is not that of the seed"},
    });
}

}  // namespace
}  // namespace girih::key_files
