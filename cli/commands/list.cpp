#include <array>
#include <cstdio>

#include "cli/commands/subcommands.hpp"

namespace girih::cli {
namespace {

Json describe(const girih_alg* alg)
{
    const bool is_kem = girih_is_kem(alg) == 1;
    Json all{{"name", girih_name(alg)},
             {"kind", is_kem ? "key encapsulation" : "signature"},
             {"seed_bytes", girih_seed_bytes(alg)},
             {"public_key_bytes", girih_public_key_bytes(alg)},
             {"secret_key_bytes", girih_secret_key_bytes(alg)}};
    if (is_kem) {
        all["ciphertext_bytes"] = girih_ciphertext_bytes(alg);
        all["shared_secret_bytes"] = girih_shared_secret_bytes(alg);
    } else {
        all["signature_bytes"] = girih_signature_bytes(alg);
        all["contexts"] = girih_has_context(alg) == 1;
    }
    return all;
}

Json describe()
{
    Json algorithms = Json::array();
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        algorithms.push_back(describe(alg));
    return {{"version", GIRIH_VERSION},
            {"engine", girih_engine()},
            {"engine_reason", girih_engine_reason()},
            {"algorithms", algorithms},
            {"pre_hashes", pre_hash_names()}};
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
    return text + "\nSizes are in bytes.\nPre-hashes: " + enumeration(pre_hash_names(), " and ") +
           ".\nEngine: " + girih_engine() + " (" + girih_engine_reason() + ").\n";
}

}  // namespace

void add_list(CLI::App& girih)
{
    auto json = std::make_shared<bool>(false);
    CLI::App& sub = add_subcommand(girih, "list", "show the algorithms, and the engine that runs them");
    add(sub, "--json", *json, "in JSON");
    on_use(sub, [json] { *json ? print_good_json(describe()) : print(in_words()); });
}

}  // namespace girih::cli
