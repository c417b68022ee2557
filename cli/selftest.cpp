#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "cli/failure.hpp"
#include "cli/files.hpp"
#include "cli/hex.hpp"
#include "cli/json.hpp"
#include "cli/subcommands.hpp"
#include "sha2/sha2.hpp"

namespace girih::cli {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The SHA-256 of public key, secret key and signature: of the seed 00 01 ... 1f, whose ML-DSA keys are RFC
/// 9881's examples, and its deterministic signature of `message`.
struct KnownAnswer {
    std::string_view alg;
    std::string_view digest;
};
constexpr std::array<KnownAnswer, 6> known_answers{{
    {"ML-DSA-44", "3112e6bfdf559447dc718599d3fc22e9419ff4871014a0ac6d493fc2ad0c06d2"},
    {"ML-DSA-65", "8c60b651215eada3456f77ff71aa5839174256fc48d8aaffb01a24f67d0d6eed"},
    {"ML-DSA-87", "5ca24093fd441c840de3edd0810f1a2ae90dfe8ad3f44864db83528d368c5988"},
    {"Dilithium2", "6120c497e78c0decf708e41d17c7733d5512021dad81bba44887eb5d51c90d6b"},
    {"Dilithium3", "2c29566fe973c8fc221527a14d97fe5778d805b8e73539de6f2cf6f9373eccd9"},
    {"Dilithium5", "668d6a21dc427ed722087359e2562e9ee12b0e886ee0fb5ff84d3e2f20791a49"},
}};
constexpr std::string_view message = "girih selftest";

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

/// One algorithm with a key pair.
class Subject {
  public:
    explicit Subject(const girih_alg* alg)
        : alg_(alg), public_key_(girih_public_key_bytes(alg)), secret_key_(girih_secret_key_bytes(alg))
    {
        Bytes seed(girih_seed_bytes(alg));
        for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(i);
        good_ = girih_keygen_from_seed(alg, seed.data(), seed.size(), public_key_.data(), public_key_.size(),
                                       secret_key_.data(), secret_key_.size()) == GIRIH_OK;
    }

    /// The first check that fails; empty if none does.
    [[nodiscard]] std::string fault()
    {
        if (!good_) return "no key from a seed";
        if (sign(bytes_of(message), signature_, deterministic_) != GIRIH_OK) return "no signature";
        if (digest() != expected_digest()) return "keys or signature are not the known answer";
        if (!secret_key_belongs()) return "the secret key does not give the public key";
        if (!verifies(public_key_, bytes_of(message), signature_)) return "a signature does not verify";
        if (!flips_are_refused()) return "a flipped bit is not noticed";
        if (!hedged_signatures_verify()) return "hedged signing fails";
        if (girih_has_context(alg_) == 1 && !contexts_and_pre_hashes_separate())
            return "contexts or pre-hashes are not kept apart";
        return {};
    }

  private:
    int sign(const Bytes& text, Bytes& signature, const girih_options& options) const
    {
        signature.resize(girih_signature_bytes(alg_));
        std::size_t bytes = 0;
        const int code = girih_sign(alg_, secret_key_.data(), secret_key_.size(), text.data(), text.size(),
                                    &options, signature.data(), signature.size(), &bytes);
        signature.resize(bytes);
        return code;
    }

    [[nodiscard]] bool verifies(const Bytes& public_key, const Bytes& text, const Bytes& signature,
                                const girih_options& options = {}) const
    {
        return girih_verify(alg_, public_key.data(), public_key.size(), text.data(), text.size(), &options,
                            signature.data(), signature.size()) == GIRIH_OK;
    }

    [[nodiscard]] std::string digest() const
    {
        sha2::Sha256 hash;
        hash.update(public_key_);
        hash.update(secret_key_);
        hash.update(signature_);
        return to_hex(hash.digest());
    }

    [[nodiscard]] std::string_view expected_digest() const
    {
        const auto* known =
            std::ranges::find(known_answers, std::string_view(girih_name(alg_)), &KnownAnswer::alg);
        return known == known_answers.end() ? "" : known->digest;
    }

    [[nodiscard]] bool secret_key_belongs() const
    {
        Bytes computed(public_key_.size());
        return girih_public_key(alg_, secret_key_.data(), secret_key_.size(), computed.data(),
                                computed.size()) == GIRIH_OK &&
               computed == public_key_;
    }

    /// Flips one bit in every 61st byte (and the last) of each input of verification.
    [[nodiscard]] bool flips_are_refused() const
    {
        std::array<Bytes, 3> inputs{public_key_, bytes_of(message), signature_};
        for (Bytes& input : inputs) {
            for (std::size_t i = 0; i < input.size();
                 i = i + 1 == input.size() ? i + 1 : std::min(i + 61, input.size() - 1)) {
                const auto bit = static_cast<std::uint8_t>(1u << (i % 8));
                input[i] ^= bit;
                if (verifies(inputs[0], inputs[1], inputs[2])) return false;
                input[i] ^= bit;
            }
        }
        return true;
    }

    [[nodiscard]] bool hedged_signatures_verify() const
    {
        const Bytes text = bytes_of(message);
        Bytes first, second;
        if (sign(text, first, {}) != GIRIH_OK || sign(text, second, {}) != GIRIH_OK) return false;
        return first != second && verifies(public_key_, text, first) && verifies(public_key_, text, second);
    }

    /// What is signed with a context or a pre-hash verifies with it, and not without.
    [[nodiscard]] bool separates(const girih_options& options) const
    {
        const Bytes text = bytes_of(message);
        Bytes signature;
        return sign(text, signature, options) == GIRIH_OK &&
               verifies(public_key_, text, signature, options) && !verifies(public_key_, text, signature);
    }

    [[nodiscard]] bool contexts_and_pre_hashes_separate() const
    {
        const Bytes context = bytes_of("context");
        girih_options options{};
        options.context = context.data();
        options.context_bytes = context.size();
        bool good = separates(options);
        for (std::size_t i = 0; const char* name = girih_pre_hash_at(i); ++i) {
            girih_options hashed{};
            hashed.pre_hash = name;
            good = separates(hashed) && good;
        }
        return good;
    }

    const girih_alg* alg_;
    Bytes public_key_;
    Bytes secret_key_;  // of a seed that is in this file
    Bytes signature_;
    bool good_ = false;
    girih_options deterministic_{nullptr, 0, nullptr, 1, nullptr};
};

int selftest(bool json)
{
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    std::string text = std::string("engine ") + girih_engine() + " (" + girih_engine_reason() + ")\n";
    std::string faults;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i) {
        const std::string fault = Subject(alg).fault();
        results.push_back({{"algorithm", girih_name(alg)}, {"passed", fault.empty()}});
        if (!fault.empty()) results.back()["fault"] = fault;
        text += std::string(girih_name(alg)) + ": " + (fault.empty() ? "good" : fault) + "\n";
        if (!fault.empty())
            faults += (faults.empty() ? "" : "; ") + std::string(girih_name(alg)) + ": " + fault;
    }
    if (json)
        print_json({{"engine", girih_engine()},
                    {"engine_reason", girih_engine_reason()},
                    {"passed", faults.empty()},
                    {"results", results}});
    else
        print(text);
    if (!faults.empty()) throw Failure(exit_unverified, "selftest: " + faults);
    return exit_good;
}

}  // namespace

void add_selftest(CLI::App& girih, Action& chosen)
{
    auto json = std::make_shared<bool>(false);
    CLI::App* sub = girih.add_subcommand(
        "selftest", "check that every algorithm works on this machine, against known answers");
    sub->add_flag("--json", *json, "in JSON");
    sub->callback([&chosen, json] { chosen = [json] { return selftest(*json); }; });
}

}  // namespace girih::cli
