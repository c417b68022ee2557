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

struct Algorithm {
    const char* name;
    Scheme scheme;
    std::size_t seed, public_key, secret_key;
    std::size_t made;  ///< the longest signature, or a ciphertext
};
#define ALGORITHM(name, scheme, prefix, made) \
    {name,                                    \
     Scheme::scheme,                          \
     GIRIH_##prefix##_SEED_BYTES,             \
     GIRIH_##prefix##_PUBLIC_KEY_BYTES,       \
     GIRIH_##prefix##_SECRET_KEY_BYTES,       \
     GIRIH_##prefix##_##made##_BYTES}
constexpr Algorithm algorithms[]{
    ALGORITHM("ML-DSA-44", ml_dsa, ML_DSA_44, SIGNATURE),
    ALGORITHM("ML-DSA-65", ml_dsa, ML_DSA_65, SIGNATURE),
    ALGORITHM("ML-DSA-87", ml_dsa, ML_DSA_87, SIGNATURE),
    ALGORITHM("Dilithium2", dilithium, DILITHIUM2, SIGNATURE),
    ALGORITHM("Dilithium3", dilithium, DILITHIUM3, SIGNATURE),
    ALGORITHM("Dilithium5", dilithium, DILITHIUM5, SIGNATURE),
    ALGORITHM("Falcon-512", falcon, FALCON_512, SIGNATURE),
    ALGORITHM("Falcon-1024", falcon, FALCON_1024, SIGNATURE),
    ALGORITHM("Falcon-padded-512", falcon, FALCON_PADDED_512, SIGNATURE),
    ALGORITHM("Falcon-padded-1024", falcon, FALCON_PADDED_1024, SIGNATURE),
    ALGORITHM("Falcon-CT-512", falcon, FALCON_CT_512, SIGNATURE),
    ALGORITHM("Falcon-CT-1024", falcon, FALCON_CT_1024, SIGNATURE),
    ALGORITHM("ML-KEM-512", ml_kem, ML_KEM_512, CIPHERTEXT),
    ALGORITHM("ML-KEM-768", ml_kem, ML_KEM_768, CIPHERTEXT),
    ALGORITHM("ML-KEM-1024", ml_kem, ML_KEM_1024, CIPHERTEXT),
    ALGORITHM("sntrup653", ntru_prime, SNTRUP653, CIPHERTEXT),
    ALGORITHM("sntrup761", ntru_prime, SNTRUP761, CIPHERTEXT),
    ALGORITHM("sntrup857", ntru_prime, SNTRUP857, CIPHERTEXT),
    ALGORITHM("sntrup953", ntru_prime, SNTRUP953, CIPHERTEXT),
    ALGORITHM("sntrup1013", ntru_prime, SNTRUP1013, CIPHERTEXT),
    ALGORITHM("sntrup1277", ntru_prime, SNTRUP1277, CIPHERTEXT),
    ALGORITHM("ntrulpr653", ntru_prime, NTRULPR653, CIPHERTEXT),
    ALGORITHM("ntrulpr761", ntru_prime, NTRULPR761, CIPHERTEXT),
    ALGORITHM("ntrulpr857", ntru_prime, NTRULPR857, CIPHERTEXT),
    ALGORITHM("ntrulpr953", ntru_prime, NTRULPR953, CIPHERTEXT),
    ALGORITHM("ntrulpr1013", ntru_prime, NTRULPR1013, CIPHERTEXT),
    ALGORITHM("ntrulpr1277", ntru_prime, NTRULPR1277, CIPHERTEXT),
};
#undef ALGORITHM

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
        EXPECT_EQ(girih_seed_bytes(alg), expected.seed) << expected.name;
        EXPECT_EQ(girih_public_key_bytes(alg), expected.public_key) << expected.name;
        EXPECT_EQ(girih_secret_key_bytes(alg), expected.secret_key) << expected.name;
        EXPECT_EQ(girih_signature_bytes(alg), is_kem ? 0 : expected.made) << expected.name;
        EXPECT_EQ(girih_ciphertext_bytes(alg), is_kem ? expected.made : 0) << expected.name;
        EXPECT_EQ(girih_shared_secret_bytes(alg), is_kem ? GIRIH_SHARED_SECRET_BYTES : 0U) << expected.name;
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
    for (int error = GIRIH_OK; error >= GIRIH_ERROR_CAPACITY; --error) {
        const std::string text = girih_error_text(error);
        EXPECT_FALSE(text.empty());
        EXPECT_NE(text.back(), '.');
        EXPECT_TRUE(seen.insert(text).second) << text;
    }
    EXPECT_STREQ(girih_error_text(1), girih_error_text(GIRIH_ERROR_CAPACITY - 1));
}

TEST(Engine, IsNamedWithAReason)
{
    ASSERT_NE(girih_engine(), nullptr);
    EXPECT_FALSE(std::string_view{girih_engine()}.empty());
    EXPECT_FALSE(std::string_view{girih_engine_reason()}.empty());
}

/// In its own process, since an engine is chosen only once. (GoogleTest runs death tests first, so
/// the process that this one copies has not chosen yet.)
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
