#include "cli/commands/selftest.hpp"

#include <algorithm>

#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/files/hex.hpp"
#include "cli/output/json.hpp"
#include "sha2/sha2.hpp"

namespace girih::cli {
namespace selftest {

KeyPair counting_key_pair(const girih_alg* alg)
{
    KeyPair keys{alg, Bytes(girih_public_key_bytes(alg)), Bytes(girih_secret_key_bytes(alg)), false};
    Bytes seed(girih_seed_bytes(alg));
    for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(i);
    keys.good =
        girih_keygen_from_seed(alg, seed.data(), seed.size(), keys.public_key.data(), keys.public_key.size(),
                               keys.secret_key.data(), keys.secret_key.size()) == GIRIH_OK;
    return keys;
}

bool secret_key_belongs(const KeyPair& keys)
{
    Bytes computed(keys.public_key.size());
    return girih_public_key(keys.alg, keys.secret_key.data(), keys.secret_key.size(), computed.data(),
                            computed.size()) == GIRIH_OK &&
           computed == keys.public_key;
}

std::string_view digest_for(const girih_alg* alg, std::span<const KnownAnswer> known_answers)
{
    const auto known = std::ranges::find(known_answers, std::string_view(girih_name(alg)), &KnownAnswer::alg);
    return known == known_answers.end() ? "" : known->digest;
}

std::string digest_of(std::initializer_list<const Bytes*> parts)
{
    sha2::Sha256 hash;
    for (const Bytes* part : parts) hash.update(*part);
    return to_hex(hash.digest());
}

}  // namespace selftest

namespace {

int run_selftest(bool json)
{
    JsonArray results;
    std::string text = std::string("engine ") + girih_engine() + " (" + girih_engine_reason() + ")\n";
    std::string faults;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i) {
        const std::string fault =
            girih_is_kem(alg) == 1 ? selftest::fault_of_kem(alg) : selftest::fault_of_signatures(alg);
        JsonObject result{{"algorithm", girih_name(alg)}, {"passed", fault.empty()}};
        if (!fault.empty()) result.add("fault", fault);
        results.add(result);
        text += std::string(girih_name(alg)) + ": " + (fault.empty() ? "good" : fault) + "\n";
        if (!fault.empty())
            faults += (faults.empty() ? "" : "; ") + std::string(girih_name(alg)) + ": " + fault;
    }
    const Failure failure(exit_unverified, "selftest: " + faults);
    if (json) {
        const JsonObject members{{"engine", girih_engine()},
                                 {"engine_reason", girih_engine_reason()},
                                 {"passed", faults.empty()},
                                 {"results", results}};
        faults.empty() ? print_good_json(members) : print_bad_json(failure, members);
    } else {
        print(text);
    }
    if (!faults.empty()) throw json ? failure.reported() : failure;
    return exit_good;
}

}  // namespace

void add_selftest(const Command& girih)
{
    auto json = std::make_shared<bool>(false);
    const Command sub = girih.subcommand(
        "selftest", "check that every algorithm works on this machine, against known answers");
    sub.flag("--json", *json, "in JSON");
    sub.action([json] { return run_selftest(*json); });
}

}  // namespace girih::cli
