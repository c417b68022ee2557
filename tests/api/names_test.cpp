/// Names of algorithms and pre-hashes: one rule for both, as girih.h has it.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

TEST(Names, OfAlgorithmsMayLoseTheirHyphensAndTheirCase)
{
    for (const char* name : {"ML-DSA-44", "ml-dsa-44", "mldsa44", "MLDSA-44", "ML-DSA44", "mlDSA-44"})
        EXPECT_EQ(girih_algorithm(name), girih_algorithm_at(0)) << name;
    for (const char* name : {"Falcon-padded-512", "falconpadded512", "FALCON-PADDED512"})
        EXPECT_STREQ(girih_name(girih_algorithm(name)), "Falcon-padded-512") << name;
    for (const char* name : {"sntrup761", "SNTRUP-761"})
        EXPECT_STREQ(girih_name(girih_algorithm(name)), "sntrup761") << name;
    for (const char* name : {"ML-KEM-768", "ml-kem-768", "mlkem768", "MLKEM-768", "ML-KEM768"})
        EXPECT_EQ(girih_algorithm(name), girih_ml_kem_768()) << name;
    EXPECT_STREQ(girih_name(girih_algorithm("Dilithium-2")), "Dilithium2");
}

TEST(Names, AreOtherwiseExact)
{
    for (const char* name : {"",           "-",          "m-l-d-s-a-4-4", "ML-DSA-4-4",
                             "M-L-DSA-44", "ML--DSA-44", "ML-DSA--44",    "-ML-DSA-44",
                             "ML-DSA-44-", "ML-DSA",     "ML-DSA-444",    "ML_DSA_44",
                             "ML DSA 44",  " ML-DSA-44", "ML-DSA-44 ",    "Falcon-pad-ded-512",
                             "sntr-up761", "sntrup7-61", "sntrup76l",     "Dilithium",
                             "ML-KEM",     "ML-KEM-76",  "M-LKEM-768",    "ML-KEM-7-68"})
        EXPECT_EQ(girih_algorithm(name), nullptr) << name;
    EXPECT_EQ(girih_algorithm(nullptr), nullptr);
}

TEST(Names, OfPreHashesFollowTheSameRule)
{
    for (const char* name : {"SHA2-256", "sha2-256", "SHA2256", "SHA-2-256"})
        EXPECT_EQ(girih_pre_hash_strength(name), 128U) << name;
    for (const char* name : {"SHAKE128", "SHAKE-128", "shake-128"})
        EXPECT_EQ(girih_pre_hash_strength(name), 128U) << name;
    for (const char* name :
         {"", "-", "S-HAKE128", "SHAKE-1-28", "SHAKE--128", "SHA2-25-6", "SHA256", "SHA-256", "SHA2_256"})
        EXPECT_EQ(girih_pre_hash_strength(name), 0U) << name;
    EXPECT_EQ(girih_pre_hash_strength(nullptr), 0U);
}

/// FIPS 204, Section 5.4: half of the digest against collisions.
TEST(PreHashes, HaveTheStrengthOfTheirDigests)
{
    const std::vector<std::pair<std::string, std::size_t>> expected{
        {"SHA2-224", 112},     {"SHA2-256", 128},     {"SHA2-384", 192}, {"SHA2-512", 256},
        {"SHA2-512/224", 112}, {"SHA2-512/256", 128}, {"SHA3-224", 112}, {"SHA3-256", 128},
        {"SHA3-384", 192},     {"SHA3-512", 256},     {"SHAKE128", 128}, {"SHAKE256", 256}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NE(girih_pre_hash_at(i), nullptr);
        EXPECT_EQ(girih_pre_hash_at(i), expected[i].first);
        EXPECT_EQ(girih_pre_hash_strength(girih_pre_hash_at(i)), expected[i].second) << expected[i].first;
    }
    EXPECT_EQ(girih_pre_hash_at(expected.size()), nullptr);
}

}  // namespace
