/// NIST's ACVP vectors for FIPS 203 and 204, every case of them (release v1.1.0.43).
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "engines/selection.hpp"
#include "ml_dsa/operations.hpp"
#include "support/bytes.hpp"
#include "support/operations.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/vector_files.hpp"

namespace girih::test {
namespace {

using nlohmann::json;

ByteString bytes_of(const json& value) { return from_hex(value.get_ref<const std::string&>()); }

/// A case of a file of prompts, with its group and its expected result.
struct Case {
    const json& group;
    const json& prompt;
    const json& result;
    const json& reason;  ///< of a set that has reasons
    const girih_alg* alg = girih_algorithm(group.at("parameterSet").get<std::string>().c_str());

    [[nodiscard]] ByteString bytes(const char* name) const { return bytes_of(prompt.at(name)); }
    [[nodiscard]] ByteString result_bytes(const char* name) const { return bytes_of(result.at(name)); }
    [[nodiscard]] bool is_deterministic() const { return group.at("deterministic").get<bool>(); }
    [[nodiscard]] bool passes() const { return result.at("testPassed").get<bool>(); }
};

// ---- ML-DSA

std::string make_signing_key(const Case& of)
{
    EXPECT_EQ(key_pair(of.alg, of.bytes("seed")), (KeyPair{of.result_bytes("pk"), of.result_bytes("sk")}));
    return "key";
}

/// The interface of FIPS 204 that a group's cases use: a message with a context (external), mu, or
/// M' without any frame (internal), for which only the engine has a function.
std::string interface_of(const Case& of)
{
    if (of.group.at("signatureInterface") == "external") return "external";
    return of.group.at("externalMu").get<bool>() ? "mu" : "internal";
}

const ml_dsa::Operations& engine_of(const Case& of)
{
    return of.alg->on<ml_dsa::Operations>(*engines::selected().engine);
}

/// Calls call(options) with the options of a case with the external interface.
template <class Call>
auto with_options(const Case& of, const girih_random* random, const Call& call)
{
    const ByteString context = of.bytes("context");
    const bool is_hashed = of.group.at("preHash") == "preHash";
    const auto pre_hash = is_hashed ? of.prompt.at("hashAlg").get<std::string>() : std::string{};
    girih_options options = with_context(context, is_hashed ? pre_hash.c_str() : nullptr);
    options.deterministic = random == nullptr ? 1 : 0;
    options.random = random;
    return call(options);
}

ByteString signature_of(const Case& of)
{
    const ByteString secret_key =
        of.prompt.contains("sk") ? of.bytes("sk") : key_pair(of.alg, of.bytes("seed")).secret_key;
    EXPECT_EQ(of.prompt.contains("rnd"), !of.is_deterministic());
    const ByteString rnd = of.is_deterministic() ? ByteString{} : of.bytes("rnd");
    const GivenBytes given{rnd};
    const girih_random* const random = of.is_deterministic() ? nullptr : given.source();
    if (interface_of(of) == "external")
        return with_options(of, random, [&](const girih_options& options) {
            return sign(of.alg, secret_key, of.bytes("message"), options);
        });
    if (interface_of(of) == "mu")
        return sign_mu(of.alg, secret_key, of.bytes("mu"),
                       {nullptr, 0, nullptr, of.is_deterministic(), random, 0, {}});
    ByteString signature(girih_signature_bytes(of.alg));
    EXPECT_EQ(engine_of(of).sign(secret_key.data(), ml_dsa::Frame::none(), of.bytes("message"),
                                 of.is_deterministic() ? nullptr : rnd.data(), signature.data()),
              ml_dsa::SignResult::good);
    return signature;
}

std::string make_signature(const Case& of)
{
    EXPECT_EQ(signature_of(of), of.result_bytes("signature"));
    return interface_of(of);
}

bool verifies(const Case& of)
{
    const ByteString public_key = of.bytes("pk");
    const ByteString signature = of.bytes("signature");
    if (interface_of(of) == "external")
        return with_options(of, nullptr, [&](const girih_options& options) {
            return verify(of.alg, public_key, of.bytes("message"), signature, options) == GIRIH_OK;
        });
    if (interface_of(of) == "mu") return verify_mu(of.alg, public_key, of.bytes("mu"), signature) == GIRIH_OK;
    EXPECT_EQ(signature.size(), girih_signature_bytes(of.alg));
    return engine_of(of).verify(public_key.data(), ml_dsa::Frame::none(), of.bytes("message"),
                                signature.data());
}

std::string judge_signature(const Case& of)
{
    EXPECT_EQ(verifies(of), of.passes());
    return (of.passes() ? "good: " : "bad: ") + of.reason.get<std::string>();
}

// ---- ML-KEM

std::string make_decapsulation_key(const Case& of)
{
    ByteString seed = of.bytes("d");
    const ByteString z = of.bytes("z");
    seed.insert(seed.end(), z.begin(), z.end());
    EXPECT_EQ(key_pair(of.alg, seed), (KeyPair{of.result_bytes("ek"), of.result_bytes("dk")}));
    return "key";
}

void make_ciphertext(const Case& of)
{
    const ByteString ek = of.bytes("ek");
    const ByteString m = of.bytes("m");
    const GivenBytes given{m}, given_again{m};
    const Encapsulation expected{of.result_bytes("c"), of.result_bytes("k")};
    EXPECT_EQ(encapsulate(of.alg, ek, given.source()), expected);
    EXPECT_EQ((PreparedEncapsulationKey{of.alg, ek}.encapsulate(given_again.source())), expected);
}

void find_secret(const Case& of)
{
    const ByteString dk = of.bytes("dk");
    const ByteString ciphertext = of.bytes("c");
    EXPECT_EQ(decapsulate(of.alg, dk, ciphertext), of.result_bytes("k"));
    EXPECT_EQ((PreparedDecapsulationKey{of.alg, dk}.decapsulate(ciphertext)), of.result_bytes("k"));
}

/// Checks a key by its check operation, and by preparing it.
void check_encapsulation_key(const Case& of)
{
    const ByteString ek = of.bytes("ek");
    auto [ciphertext, secret] = room_for_encapsulation(of.alg);
    const int error = of.passes() ? GIRIH_OK : GIRIH_ERROR_PUBLIC_KEY;
    EXPECT_EQ(call(girih_encapsulate, of.alg, nullptr, ek, ciphertext, secret), error);
    EXPECT_EQ((PreparedEncapsulationKey{of.alg, ek}.error()), error);
}
void check_decapsulation_key(const Case& of)
{
    const ByteString dk = of.bytes("dk");
    auto [ciphertext, secret] = room_for_encapsulation(of.alg);
    const int error = of.passes() ? GIRIH_OK : GIRIH_ERROR_KEY_MISMATCH;
    EXPECT_EQ(call(girih_decapsulate, of.alg, dk, ciphertext, secret), error);
    EXPECT_EQ((PreparedDecapsulationKey{of.alg, dk}.error()), error);
}

std::string encapsulate_and_decapsulate(const Case& of)
{
    static const std::map<std::string, void (*)(const Case&)> checks{
        {"encapsulation", make_ciphertext},
        {"decapsulation", find_secret},
        {"encapsulationKeyCheck", check_encapsulation_key},
        {"decapsulationKeyCheck", check_decapsulation_key}};
    const auto function = of.group.at("function").get<std::string>();
    checks.at(function)(of);
    return function + (of.result.contains("testPassed") && !of.passes() ? ", refused" : "");
}

// ---- Sets of vectors

struct VectorSet {
    const char* name;
    std::string (*run)(const Case&);    ///< returns its kind
    std::map<std::string, int> counts;  ///< of cases of each kind
};
void PrintTo(const VectorSet& set, std::ostream* out) { *out << set.name; }

json read(const VectorSet& set, const char* file)
{
    return json::parse(read_vector_file(std::string{"acvp/"} + set.name + "/" + file));
}

/// The tests of a file by group and case. The file has them in groups, or each names its group.
std::map<std::pair<int, int>, json> by_case(const json& file)
{
    std::map<std::pair<int, int>, json> found;
    if (file.is_array()) {
        for (const json& entry : file)
            found[{entry.at("tgId").get<int>(), entry.at("tcId").get<int>()}] = entry.at("reason");
        return found;
    }
    for (const json& group : file.at("testGroups"))
        for (const json& test : group.at("tests"))
            found[{group.at("tgId").get<int>(), test.at("tcId").get<int>()}] = test;
    return found;
}

class Acvp : public testing::TestWithParam<VectorSet> {};
INSTANTIATE_TEST_SUITE_P(
    Of, Acvp,
    testing::Values(
        VectorSet{"ML-DSA-keyGen-FIPS204", make_signing_key, {{"key", 75}}},
        VectorSet{"ML-DSA-sigGen-FIPS204", make_signature, {{"external", 180}, {"mu", 90}, {"internal", 90}}},
        VectorSet{
            "ML-DSA-sigGen-FIPS204-tr1", make_signature, {{"external", 360}, {"mu", 180}, {"internal", 180}}},
        VectorSet{"ML-DSA-sigVer-FIPS204",
                  judge_signature,
                  {{"good: valid signature and message - signature should verify successfully", 36},
                   {"bad: modified message", 36},
                   {"bad: modified signature - commitment", 36},
                   {"bad: modified signature - z", 36},
                   {"bad: modified signature - hint", 36}}},
        VectorSet{"ML-KEM-keyGen-FIPS203", make_decapsulation_key, {{"key", 75}}},
        VectorSet{"ML-KEM-encapDecap-FIPS203",
                  encapsulate_and_decapsulate,
                  {{"encapsulation", 75},
                   {"decapsulation", 30},
                   {"encapsulationKeyCheck", 15},
                   {"encapsulationKeyCheck, refused", 15},
                   {"decapsulationKeyCheck", 15},
                   {"decapsulationKeyCheck, refused", 15}}}),
    [](const auto& set) { return test_name(set.param.name); });

TEST_P(Acvp, EveryCaseGivesItsResult)
{
    GIRIH_NEEDS_VECTOR_FILES();
    const bool has_reasons = GetParam().run == judge_signature;
    const json prompts = read(GetParam(), "prompt.json.gz");
    const auto results = by_case(read(GetParam(), "expectedResults.json.gz"));
    const auto reasons = by_case(has_reasons ? read(GetParam(), "reasons.json") : json::array());
    std::map<std::string, int> counts;
    for (const json& group : prompts.at("testGroups"))
        for (const json& prompt : group.at("tests")) {
            const std::pair id{group.at("tgId").get<int>(), prompt.at("tcId").get<int>()};
            SCOPED_TRACE("group " + std::to_string(id.first) + ", case " + std::to_string(id.second));
            const Case of{group, prompt, results.at(id), has_reasons ? reasons.at(id) : prompt};
            if (!is_left_out(of.alg)) ++counts[GetParam().run(of)];
        }
    if (is_whole_library()) {
        EXPECT_EQ(counts, GetParam().counts);
    }
}

}  // namespace
}  // namespace girih::test
