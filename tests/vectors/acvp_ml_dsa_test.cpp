/// NIST's ACVP vectors for FIPS 204, every case of them (release v1.1.0.43).
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "engines/selection.hpp"
#include "ml_dsa/operations.hpp"
#include "support/acvp.hpp"
#include "support/bytes.hpp"
#include "support/operations.hpp"
#include "support/signatures.hpp"
#include "support/vector_files.hpp"

namespace {

using namespace girih;
using nlohmann::json;
using test::algorithm_of;
using test::bytes_of;
using test::ByteString;
using test::for_each_case;

/// How a group's cases go into the functions of FIPS 204.
enum class Interface {
    external,  ///< ML-DSA.Sign and Verify, or HashML-DSA's: a message with a context
    mu,        ///< the internal functions after line 6: mu
    internal,  ///< the internal functions: the message is M', without any frame
};

Interface interface_of(const json& group)
{
    if (group.at("signatureInterface") == "external") return Interface::external;
    return group.at("externalMu").get<bool>() ? Interface::mu : Interface::internal;
}

/// The options of a case with the external interface; keeps what they point to.
class CaseOptions {
  public:
    CaseOptions(const json& group, const json& test_case, const girih_random* random)
        : context_(bytes_of(test_case.at("context")))
    {
        if (group.at("preHash") == "preHash") pre_hash_ = test_case.at("hashAlg").get<std::string>();
        options_.context = context_.data();
        options_.context_bytes = context_.size();
        options_.pre_hash = pre_hash_.empty() ? nullptr : pre_hash_.c_str();
        options_.deterministic = random == nullptr;
        options_.random = random;
    }
    CaseOptions(const CaseOptions&) = delete;
    CaseOptions& operator=(const CaseOptions&) = delete;

    [[nodiscard]] const girih_options& get() const { return options_; }

  private:
    ByteString context_;
    std::string pre_hash_;
    girih_options options_{};
};

/// The engine's own functions, which take messages without a frame.
const ml_dsa::Operations& operations_of(const json& group)
{
    constexpr std::array names{"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"};
    std::size_t index = 0;
    while (group.at("parameterSet") != names.at(index)) ++index;
    return test::ml_dsa_on(*engines::selected().engine, index);
}

TEST(Acvp, AllKeysAreMade)
{
    GIRIH_NEEDS_VECTOR_FILES();
    const std::size_t count = for_each_case(
        "ML-DSA-keyGen-FIPS204", [](const json& group, const json& test_case, const json& result) {
            const test::KeyPair keys = test::key_pair(algorithm_of(group), bytes_of(test_case.at("seed")));
            EXPECT_EQ(keys.public_key, bytes_of(result.at("pk")));
            EXPECT_EQ(keys.secret_key, bytes_of(result.at("sk")));
        });
    EXPECT_EQ(count, 75U);
}

/// The signature of one case.
ByteString sign_case(const json& group, const json& test_case)
{
    const girih_alg* alg = algorithm_of(group);
    const ByteString secret_key = test_case.contains("sk")
                                      ? bytes_of(test_case.at("sk"))
                                      : test::key_pair(alg, bytes_of(test_case.at("seed"))).secret_key;
    const bool deterministic = group.at("deterministic").get<bool>();
    EXPECT_EQ(test_case.contains("rnd"), !deterministic);
    const ByteString rnd = deterministic ? ByteString{} : bytes_of(test_case.at("rnd"));
    const test::GivenBytes given{rnd};
    const girih_random* random = deterministic ? nullptr : given.source();
    switch (interface_of(group)) {
        case Interface::external:
            return test::sign(alg, secret_key, bytes_of(test_case.at("message")),
                              CaseOptions{group, test_case, random}.get());
        case Interface::mu:
            return test::sign_mu(alg, secret_key, bytes_of(test_case.at("mu")),
                                 {nullptr, 0, nullptr, deterministic, random, 0, {}});
        case Interface::internal:
            break;
    }
    ByteString signature(girih_signature_bytes(alg));
    const ByteString message = bytes_of(test_case.at("message"));
    EXPECT_EQ(operations_of(group).sign(secret_key.data(), ml_dsa::Frame::none(), message,
                                        deterministic ? nullptr : rnd.data(), signature.data()),
              ml_dsa::SignResult::good);
    return signature;
}

/// Signs every case of a set; returns how many there were of each interface.
std::map<Interface, std::size_t> expect_signatures(const std::string& set)
{
    std::map<Interface, std::size_t> count;
    for_each_case(set, [&](const json& group, const json& test_case, const json& result) {
        EXPECT_EQ(sign_case(group, test_case), bytes_of(result.at("signature")));
        ++count[interface_of(group)];
    });
    return count;
}

TEST(Acvp, AllMessagesAreSigned)
{
    GIRIH_NEEDS_VECTOR_FILES();
    auto count = expect_signatures("ML-DSA-sigGen-FIPS204");
    EXPECT_EQ(count[Interface::external], 180U);
    EXPECT_EQ(count[Interface::mu], 90U);
    EXPECT_EQ(count[Interface::internal], 90U);
}

TEST(Acvp, AllMessagesAreSignedFromSeedsAndKeys)
{
    GIRIH_NEEDS_VECTOR_FILES();
    auto count = expect_signatures("ML-DSA-sigGen-FIPS204-tr1");
    EXPECT_EQ(count[Interface::external], 360U);
    EXPECT_EQ(count[Interface::mu], 180U);
    EXPECT_EQ(count[Interface::internal], 180U);
}

/// Whether the signature of one case verifies.
bool verify_case(const json& group, const json& test_case)
{
    const girih_alg* alg = algorithm_of(group);
    const ByteString public_key = bytes_of(test_case.at("pk"));
    const ByteString signature = bytes_of(test_case.at("signature"));
    switch (interface_of(group)) {
        case Interface::external:
            return test::verify(alg, public_key, bytes_of(test_case.at("message")), signature,
                                CaseOptions{group, test_case, nullptr}.get()) == GIRIH_OK;
        case Interface::mu:
            return test::verify_mu(alg, public_key, bytes_of(test_case.at("mu")), signature) == GIRIH_OK;
        case Interface::internal:
            break;
    }
    EXPECT_EQ(signature.size(), girih_signature_bytes(alg));
    const ByteString message = bytes_of(test_case.at("message"));
    return operations_of(group).verify(public_key.data(), ml_dsa::Frame::none(), message, signature.data());
}

TEST(Acvp, AllSignaturesAreJudgedForEveryReason)
{
    GIRIH_NEEDS_VECTOR_FILES();
    std::map<std::pair<int, int>, std::string> reasons;
    for (const json& entry : test::read_acvp("ML-DSA-sigVer-FIPS204/reasons.json"))
        reasons[{entry.at("tgId").get<int>(), entry.at("tcId").get<int>()}] =
            entry.at("reason").get<std::string>();

    std::map<std::string, int> accepted;
    std::map<std::string, int> refused;
    const std::size_t count = for_each_case(
        "ML-DSA-sigVer-FIPS204", [&](const json& group, const json& test_case, const json& result) {
            const bool verdict = verify_case(group, test_case);
            EXPECT_EQ(verdict, result.at("testPassed").get<bool>());
            const auto& reason = reasons.at({group.at("tgId").get<int>(), test_case.at("tcId").get<int>()});
            ++(verdict ? accepted : refused)[reason];
        });
    EXPECT_EQ(count, 180U);
    EXPECT_EQ(accepted.size(), 1U);
    EXPECT_EQ(accepted["valid signature and message - signature should verify successfully"], 36);
    EXPECT_EQ(refused.size(), 4U);
    EXPECT_EQ(refused["modified message"], 36);
    EXPECT_EQ(refused["modified signature - commitment"], 36);
    EXPECT_EQ(refused["modified signature - z"], 36);
    EXPECT_EQ(refused["modified signature - hint"], 36);
}

}  // namespace
