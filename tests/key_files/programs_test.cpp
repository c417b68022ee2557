/// Key files that other programs made, in the folder files; its README names the programs.
#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

/// A private key, with the public key that the same program wrote beside it.
struct Sample {
    std::string name;
    std::string private_file;
    std::string public_file;
    const char* alg;
    PrivateForm form;
    bool is_encrypted = false;
    bool is_for_hash_ml_dsa = false;
};
void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

Bytes file(const std::string& name) { return contents(GIRIH_KEY_FILES "/" + name); }

/// The passphrase of every encrypted file.
Passphrase passphrase()
{
    static const Bytes bytes = bytes_of("correct horse");
    return {bytes};
}

std::vector<Sample> samples_of_programs()
{
    constexpr auto seed = PrivateForm::seed;
    constexpr auto expanded = PrivateForm::expanded;
    std::vector<Sample> all{
        {"BouncyCastleFalcon512", "bouncy_castle-falcon-512.priv.der", "bouncy_castle-falcon-512.pub.der",
         "Falcon-512", expanded},
        {"BouncyCastleFalcon1024", "bouncy_castle-falcon-1024.priv.der", "bouncy_castle-falcon-1024.pub.der",
         "Falcon-1024", expanded},
        {"BouncyCastleMlDsa", "bouncy_castle-ml-dsa-44.priv.der", "bouncy_castle-ml-dsa-44.pub.der",
         "ML-DSA-44", PrivateForm::both},
        {"BouncyCastleHashMlDsa", "bouncy_castle-hash-ml-dsa-44.priv.der",
         "bouncy_castle-hash-ml-dsa-44.pub.der", "ML-DSA-44", PrivateForm::both, false, true},
        {"BouncyCastleSntrup653", "bouncy_castle-sntrup653.priv.der", "bouncy_castle-sntrup653.pub.der",
         "sntrup653", expanded},
        {"BouncyCastleNtrulpr653", "bouncy_castle-ntrulpr653.priv.der", "bouncy_castle-ntrulpr653.pub.der",
         "ntrulpr653", expanded},
        {"CryptographyMlDsa", "cryptography-encrypted-ml-dsa-44.pem", "cryptography-ml-dsa-44.pub.pem",
         "ML-DSA-44", seed, true},
        {"CryptographyMlKem", "cryptography-encrypted-ml-kem-768.pem", "cryptography-ml-kem-768.pub.pem",
         "ML-KEM-768", seed, true},
        {"NodeMlDsa", "node-encrypted-ml-dsa-44.pem", "node-ml-dsa-44.pub.pem", "ML-DSA-44", seed, true},
        {"NodeMlKem", "node-encrypted-ml-kem-512.pem", "node-ml-kem-512.pub.pem", "ML-KEM-512", seed, true},
    };
    for (const auto& [title, file, alg] :
         {std::tuple("MlDsa", "ml-dsa-44", "ML-DSA-44"), std::tuple("MlKem", "ml-kem-512", "ML-KEM-512")}) {
        const std::string rest = "-" + std::string(file);
        const auto add = [&](const std::string& name, const std::string& kind, PrivateForm form,
                             bool is_encrypted) {
            all.push_back({"OpenSsl" + name, "openssl-" + kind + rest + ".der",
                           "openssl-" + kind + rest + ".pub.der", alg, form, is_encrypted});
        };
        const std::string t = title;
        add("BareSeed" + t, "bare-seed", seed, false);
        add("BarePriv" + t, "bare-priv", expanded, false);
        add("OqsKeypair" + t, "oqskeypair", expanded, false);
        add("SeedPriv" + t, "seed-priv", PrivateForm::both, false);
        add("Scrypt" + t, "enc-scrypt", seed, true);
        add("Sha512" + t, "enc-sha512", seed, true);
    }
    return all;
}

class OfPrograms : public testing::TestWithParam<Sample> {};

TEST_P(OfPrograms, PrivateKeysAreRead)
{
    const Sample& sample = GetParam();
    const auto found = read(file(sample.private_file), nullptr, passphrase());
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->kind, Kind::private_key);
    EXPECT_STREQ(girih_name(found->alg()), sample.alg);
    EXPECT_EQ(found->form, sample.form);
    EXPECT_EQ(found->encryption.has_value(), sample.is_encrypted);
    EXPECT_EQ(found->for_hash_ml_dsa(), sample.is_for_hash_ml_dsa);
    const auto public_key = read(file(sample.public_file));
    ASSERT_TRUE(public_key) << public_key.error().message;
    EXPECT_EQ(public_key->kind, Kind::public_key);
    EXPECT_EQ(public_key->for_hash_ml_dsa(), sample.is_for_hash_ml_dsa);
    EXPECT_EQ(found->public_key(), public_key->public_key());
}

/// The identifier says what a key is for.
TEST_P(OfPrograms, KeysKeepTheirIdentifier)
{
    const auto secret = read_private_key(file(GetParam().private_file), nullptr, passphrase());
    const auto shown = read_public_key(file(GetParam().public_file));
    ASSERT_TRUE(secret);
    ASSERT_TRUE(shown);
    for (const Format format : {Format::pem, Format::der}) {
        const auto private_again = read(*write_private_key(*secret, PrivateForm::expanded, format));
        const auto public_again = read(write_public_key(*shown, format));
        ASSERT_TRUE(private_again);
        ASSERT_TRUE(public_again);
        EXPECT_EQ(private_again->for_hash_ml_dsa(), GetParam().is_for_hash_ml_dsa);
        EXPECT_EQ(public_again->for_hash_ml_dsa(), GetParam().is_for_hash_ml_dsa);
    }
    EXPECT_EQ(write_public_key(*shown, Format::der) == file(GetParam().public_file),
              GetParam().public_file.ends_with(".der"));
    EXPECT_EQ(fingerprint(*shown), fingerprint({shown->alg, shown->bytes})) << "is of the bytes";
}

INSTANTIATE_TEST_SUITE_P(Files, OfPrograms, testing::ValuesIn(samples_of_programs()),
                         [](const auto& sample) { return sample.param.name; });

}  // namespace
}  // namespace girih::key_files
