/// Names and sizes: of algorithms, pre-hashes, errors and the library itself.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/subject.hpp"
#include "engines/selection.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih::test;

enum class Scheme { ml_dsa, dilithium, falcon, ml_kem, ntru_prime };
constexpr std::size_t seed_bytes[]{32, 32, 48, 64, 32};

struct Algorithm {
    const char* name;
    Scheme scheme;
    std::size_t public_key, secret_key;
    std::size_t made;  ///< the longest signature, or a ciphertext
};
/// FIPS 204, Table 2; Dilithium's specification, round 3.1; the formats of Falcon's reference
/// implementation; FIPS 203, Table 3; NTRU Prime's specification, round 3.
constexpr Algorithm algorithms[]{
    {"ML-DSA-44", Scheme::ml_dsa, 1312, 2560, 2420},
    {"ML-DSA-65", Scheme::ml_dsa, 1952, 4032, 3309},
    {"ML-DSA-87", Scheme::ml_dsa, 2592, 4896, 4627},
    {"Dilithium2", Scheme::dilithium, 1312, 2528, 2420},
    {"Dilithium3", Scheme::dilithium, 1952, 4000, 3293},
    {"Dilithium5", Scheme::dilithium, 2592, 4864, 4595},
    {"Falcon-512", Scheme::falcon, 897, 1281, 752},
    {"Falcon-1024", Scheme::falcon, 1793, 2305, 1462},
    {"Falcon-padded-512", Scheme::falcon, 897, 1281, 666},
    {"Falcon-padded-1024", Scheme::falcon, 1793, 2305, 1280},
    {"Falcon-CT-512", Scheme::falcon, 897, 1281, 809},
    {"Falcon-CT-1024", Scheme::falcon, 1793, 2305, 1577},
    {"ML-KEM-512", Scheme::ml_kem, 800, 1632, 768},
    {"ML-KEM-768", Scheme::ml_kem, 1184, 2400, 1088},
    {"ML-KEM-1024", Scheme::ml_kem, 1568, 3168, 1568},
    {"sntrup653", Scheme::ntru_prime, 994, 1518, 897},
    {"sntrup761", Scheme::ntru_prime, 1158, 1763, 1039},
    {"sntrup857", Scheme::ntru_prime, 1322, 1999, 1184},
    {"sntrup953", Scheme::ntru_prime, 1505, 2254, 1349},
    {"sntrup1013", Scheme::ntru_prime, 1623, 2417, 1455},
    {"sntrup1277", Scheme::ntru_prime, 2067, 3059, 1847},
    {"ntrulpr653", Scheme::ntru_prime, 897, 1125, 1025},
    {"ntrulpr761", Scheme::ntru_prime, 1039, 1294, 1167},
    {"ntrulpr857", Scheme::ntru_prime, 1184, 1463, 1312},
    {"ntrulpr953", Scheme::ntru_prime, 1349, 1652, 1477},
    {"ntrulpr1013", Scheme::ntru_prime, 1455, 1773, 1583},
    {"ntrulpr1277", Scheme::ntru_prime, 1847, 2231, 1975},
};

TEST(Algorithms, AreListedOnceEachWithTheSizesOfTheirStandards)
{
    for (std::size_t i = 0; i < std::size(algorithms); ++i) {
        const Algorithm& expected = algorithms[i];
        const girih_alg* const alg = girih_algorithm_at(i);
        ASSERT_NE(alg, nullptr) << expected.name;
        EXPECT_EQ(girih_algorithm(expected.name), alg);
        EXPECT_STREQ(girih_name(alg), expected.name);
        const bool is_ml_kem = expected.scheme == Scheme::ml_kem;
        const bool is_kem = is_ml_kem || expected.scheme == Scheme::ntru_prime;
        EXPECT_EQ(girih_is_kem(alg), is_kem ? 1 : 0) << expected.name;
        EXPECT_EQ(girih_has_context(alg), expected.scheme == Scheme::ml_dsa ? 1 : 0) << expected.name;
        EXPECT_EQ(girih_has_mu(alg), expected.scheme < Scheme::falcon ? 1 : 0) << expected.name;
        EXPECT_EQ(girih_seed_bytes(alg), seed_bytes[static_cast<int>(expected.scheme)]) << expected.name;
        EXPECT_EQ(girih_public_key_bytes(alg), expected.public_key) << expected.name;
        EXPECT_EQ(girih_secret_key_bytes(alg), expected.secret_key) << expected.name;
        EXPECT_EQ(girih_signature_bytes(alg), is_kem ? 0 : expected.made) << expected.name;
        EXPECT_EQ(girih_ciphertext_bytes(alg), is_kem ? expected.made : 0) << expected.name;
        EXPECT_EQ(girih_shared_secret_bytes(alg), is_kem ? 32U : 0U) << expected.name;
        EXPECT_EQ(girih_encapsulation_key_size(alg) != 0, is_ml_kem) << expected.name;
        EXPECT_EQ(girih_decapsulation_key_size(alg) != 0, is_ml_kem) << expected.name;
        EXPECT_EQ(girih_decapsulation_key_size(alg) % GIRIH_PREPARED_ALIGNMENT, 0U) << expected.name;
        EXPECT_EQ(girih_signing_key_size(alg) % GIRIH_PREPARED_ALIGNMENT, 0U) << expected.name;
    }
    EXPECT_EQ(girih_algorithm_at(std::size(algorithms)), nullptr);
    EXPECT_EQ(girih_algorithm_at(SIZE_MAX), nullptr);
}

TEST(Algorithms, ThatVerifyOnlyAreDescribedAsTheFullOnesAndNotListed)
{
    std::set<std::string> seen;
    for (const girih_alg* const alg : all_algorithms()) {
        const girih_alg* const full = girih_algorithm(girih_name(alg));
        if (alg == full) continue;
        EXPECT_TRUE(seen.insert(girih_name(alg)).second);
        EXPECT_EQ(girih_public_key_bytes(alg), girih_public_key_bytes(full));
        EXPECT_EQ(girih_secret_key_bytes(alg), girih_secret_key_bytes(full));
        EXPECT_EQ(girih_signature_bytes(alg), girih_signature_bytes(full));
        EXPECT_EQ(girih_has_context(alg), girih_has_context(full));
        EXPECT_EQ(girih_has_mu(alg), girih_has_mu(full));
        EXPECT_EQ(girih_verifying_key_size(alg), girih_verifying_key_size(full));
        EXPECT_EQ(girih_signing_key_size(alg), 0U);
    }
    EXPECT_EQ(seen.size(), 12U);
}

TEST(Version, OfTheLibraryIsThatOfItsHeader)
{
    EXPECT_STREQ(girih_version(), GIRIH_VERSION);
    EXPECT_EQ(std::string{GIRIH_VERSION}, std::to_string(GIRIH_VERSION_MAJOR) + "." +
                                              std::to_string(GIRIH_VERSION_MINOR) + "." +
                                              std::to_string(GIRIH_VERSION_PATCH));
}

TEST(Errors, HaveASentenceEach)
{
    std::set<std::string> seen;
    for (int error = GIRIH_OK; error >= GIRIH_ERROR_FAULT; --error) {
        const std::string text = girih_error_text(error);
        EXPECT_FALSE(text.empty());
        EXPECT_NE(text.back(), '.');
        EXPECT_TRUE(seen.insert(text).second) << text;
    }
    EXPECT_STREQ(girih_error_text(1), girih_error_text(GIRIH_ERROR_FAULT - 1));
}

TEST(Engine, IsNamedWithAReason)
{
    ASSERT_NE(girih_engine(), nullptr);
    EXPECT_FALSE(std::string_view{girih_engine()}.empty());
    EXPECT_FALSE(std::string_view{girih_engine_reason()}.empty());
}

/// In a process of its own: an engine is chosen once. (GoogleTest runs what is named a death test
/// first, so the process that this one is a copy of has not chosen yet.)
TEST(EngineVariableDeathTest, ThatNamesThePortableEngineChoosesIt)
{
    const auto choose = [] {
        set_variable("GIRIH_ISA", "portable");
        std::exit(girih_engine() != nullptr && std::string_view{girih_engine()} == "portable" ? 0 : 1);
    };
    EXPECT_EXIT(choose(), testing::ExitedWithCode(0), "");
}

TEST(EngineSelection, KnowsThePortableEngineAndHasABestOne)
{
    using girih::engines::select;
    EXPECT_NE(select("").engine, nullptr);
    ASSERT_NE(select("portable").engine, nullptr);
    EXPECT_EQ(select("portable").engine->name, "portable");
    for (const char* name : {"x", "Portable", "portable ", "portabl"})
        EXPECT_EQ(select(name).engine, nullptr) << name;
}

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
                             "Dilithium4", "ML-DSA-45",  "ML-KEM",        "ML-KEM-76",
                             "M-LKEM-768", "ML-KEM-7-68"})
        EXPECT_EQ(girih_algorithm(name), nullptr) << name;
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
}

/// FIPS 204, Section 5.4: half of the digest against collisions.
TEST(Names, OfPreHashesComeWithTheStrengthOfTheirDigests)
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
    EXPECT_EQ(girih_pre_hash_at(SIZE_MAX), nullptr);
}

}  // namespace
