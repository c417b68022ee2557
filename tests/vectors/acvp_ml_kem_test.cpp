/// NIST's ACVP vectors for FIPS 203, every case of them (release v1.1.0.43).
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/acvp.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/signatures.hpp"
#include "support/vector_files.hpp"

namespace {

using namespace girih;
using nlohmann::json;
using test::algorithm_of;
using test::bytes_of;
using test::ByteString;
using test::for_each_case;

TEST(AcvpMlKem, AllKeysAreMade)
{
    GIRIH_NEEDS_VECTOR_FILES();
    const std::size_t count = for_each_case(
        "ML-KEM-keyGen-FIPS203", [](const json& group, const json& test_case, const json& result) {
            ByteString seed = bytes_of(test_case.at("d"));
            const ByteString z = bytes_of(test_case.at("z"));
            seed.insert(seed.end(), z.begin(), z.end());
            const test::KeyPair keys = test::key_pair(algorithm_of(group), seed);
            EXPECT_EQ(keys.public_key, bytes_of(result.at("ek")));
            EXPECT_EQ(keys.secret_key, bytes_of(result.at("dk")));
        });
    EXPECT_EQ(count, 75U);
}

void expect_encapsulation(const girih_alg* alg, const json& test_case, const json& result)
{
    const ByteString ek = bytes_of(test_case.at("ek"));
    const ByteString m = bytes_of(test_case.at("m"));
    const test::GivenBytes given{m};
    const test::Encapsulation made = test::encapsulate(alg, ek, given.source());
    EXPECT_EQ(made.ciphertext, bytes_of(result.at("c")));
    EXPECT_EQ(made.shared_secret, bytes_of(result.at("k")));
    const test::PreparedEncapsulationKey prepared{alg, ek};
    const test::GivenBytes given_again{m};
    const test::Encapsulation again = prepared.encapsulate(given_again.source());
    EXPECT_EQ(again.ciphertext, made.ciphertext);
    EXPECT_EQ(again.shared_secret, made.shared_secret);
}

void expect_decapsulation(const girih_alg* alg, const json& test_case, const json& result)
{
    const ByteString dk = bytes_of(test_case.at("dk"));
    const ByteString ciphertext = bytes_of(test_case.at("c"));
    EXPECT_EQ(test::decapsulate(alg, dk, ciphertext), bytes_of(result.at("k")));
    const test::PreparedDecapsulationKey prepared{alg, dk};
    EXPECT_EQ(prepared.decapsulate(ciphertext), bytes_of(result.at("k")));
}

/// A key check, by the operation that makes it and by preparing the key.
int check_encapsulation_key(const girih_alg* alg, const ByteString& ek)
{
    ByteString ciphertext(girih_ciphertext_bytes(alg));
    ByteString secret(girih_shared_secret_bytes(alg));
    const int error = girih_encapsulate(alg, nullptr, ek.data(), ek.size(), ciphertext.data(),
                                        ciphertext.size(), secret.data(), secret.size());
    EXPECT_EQ((test::PreparedEncapsulationKey{alg, ek}.error()), error);
    return error;
}
int check_decapsulation_key(const girih_alg* alg, const ByteString& dk)
{
    const ByteString ciphertext(girih_ciphertext_bytes(alg));
    ByteString secret(girih_shared_secret_bytes(alg));
    const int error = girih_decapsulate(alg, dk.data(), dk.size(), ciphertext.data(), ciphertext.size(),
                                        secret.data(), secret.size());
    EXPECT_EQ((test::PreparedDecapsulationKey{alg, dk}.error()), error);
    return error;
}

TEST(AcvpMlKem, AllCiphertextsAndKeysAreMadeOrRefused)
{
    GIRIH_NEEDS_VECTOR_FILES();
    std::map<std::pair<std::string, bool>, int> count;
    for_each_case("ML-KEM-encapDecap-FIPS203",
                  [&](const json& group, const json& test_case, const json& result) {
                      const girih_alg* alg = algorithm_of(group);
                      const auto function = group.at("function").get<std::string>();
                      bool is_good = true;
                      if (function == "encapsulation") {
                          expect_encapsulation(alg, test_case, result);
                      } else if (function == "decapsulation") {
                          expect_decapsulation(alg, test_case, result);
                      } else {
                          is_good = result.at("testPassed").get<bool>();
                          if (function == "encapsulationKeyCheck")
                              EXPECT_EQ(check_encapsulation_key(alg, bytes_of(test_case.at("ek"))),
                                        is_good ? GIRIH_OK : GIRIH_ERROR_PUBLIC_KEY);
                          else
                              EXPECT_EQ(check_decapsulation_key(alg, bytes_of(test_case.at("dk"))),
                                        is_good ? GIRIH_OK : GIRIH_ERROR_KEY_MISMATCH);
                      }
                      ++count[{function, is_good}];
                  });
    const auto judged = [&](const std::string& function) {
        return count[{function, true}] + count[{function, false}];
    };
    EXPECT_EQ(judged("encapsulation"), 75);
    EXPECT_EQ(judged("decapsulation"), 30);
    EXPECT_EQ(judged("encapsulationKeyCheck"), 30);
    EXPECT_EQ(judged("decapsulationKeyCheck"), 30);
    EXPECT_GT((count[{"encapsulationKeyCheck", false}]), 0);
    EXPECT_GT((count[{"decapsulationKeyCheck", false}]), 0);
}

}  // namespace
