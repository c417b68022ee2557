#include <array>
#include <cstdio>

#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/output/json.hpp"

namespace girih::cli {
namespace {

JsonObject describe(const girih_alg* alg)
{
    const bool is_kem = girih_is_kem(alg) == 1;
    JsonObject all{{"name", girih_name(alg)},
                   {"kind", is_kem ? "key encapsulation" : "signature"},
                   {"seed_bytes", girih_seed_bytes(alg)},
                   {"public_key_bytes", girih_public_key_bytes(alg)},
                   {"secret_key_bytes", girih_secret_key_bytes(alg)}};
    if (is_kem) {
        all.add("ciphertext_bytes", girih_ciphertext_bytes(alg));
        all.add("shared_secret_bytes", girih_shared_secret_bytes(alg));
    } else {
        all.add("signature_bytes", girih_signature_bytes(alg));
        all.add("contexts", girih_has_context(alg) == 1);
    }
    return all;
}

JsonObject describe()
{
    JsonArray algorithms;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i) algorithms.add(describe(alg));
    JsonArray pre_hashes;
    for (std::size_t i = 0; const char* name = girih_pre_hash_at(i); ++i) pre_hashes.add(name);
    return {{"version", GIRIH_VERSION},
            {"engine", girih_engine()},
            {"engine_reason", girih_engine_reason()},
            {"algorithms", algorithms},
            {"pre_hashes", pre_hashes}};
}

std::string row(const char* name, const std::array<std::string, 5>& columns)
{
    std::array<char, 128> text{};
    (void)std::snprintf(text.data(), text.size(), "%-18s%6s%12s%12s%12s  %s\n", name, columns[0].c_str(),
                        columns[1].c_str(), columns[2].c_str(), columns[3].c_str(), columns[4].c_str());
    return text.data();
}

std::string row(const girih_alg* alg)
{
    const bool is_kem = girih_is_kem(alg) == 1;
    const std::size_t sent = is_kem ? girih_ciphertext_bytes(alg) : girih_signature_bytes(alg);
    return row(girih_name(alg),
               {std::to_string(girih_seed_bytes(alg)), std::to_string(girih_public_key_bytes(alg)),
                std::to_string(girih_secret_key_bytes(alg)), std::to_string(sent),
                is_kem                        ? std::to_string(girih_shared_secret_bytes(alg))
                : girih_has_context(alg) == 1 ? "yes"
                                              : "no"});
}

std::string in_words()
{
    std::string signing = row("", {"seed", "public key", "secret key", "signature", "contexts, pre-hashes"});
    std::string kems = row("", {"seed", "public key", "secret key", "ciphertext", "shared secret"});
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        (girih_is_kem(alg) == 1 ? kems : signing) += row(alg);
    const std::string text = signing + "\n" + kems;
    return text + "\nSizes are in bytes.\nPre-hashes: " + pre_hash_names() + ".\nEngine: " + girih_engine() +
           " (" + girih_engine_reason() + ").\n";
}

}  // namespace

void add_list(const Command& girih)
{
    auto json = std::make_shared<bool>(false);
    const Command sub = girih.subcommand("list", "show the algorithms, and the engine that runs them");
    sub.flag("--json", *json, "in JSON");
    sub.action([json] {
        if (*json)
            print_good_json(describe());
        else
            print(in_words());
        return exit_good;
    });
}

}  // namespace girih::cli
