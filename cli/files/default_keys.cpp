#include "cli/files/default_keys.hpp"

#include "cli/command_line.hpp"
#include "cli/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"

namespace girih::cli {
namespace {

constexpr const char* folder_variable = "GIRIH_KEYS";

std::string stem_of(Use use) { return use == Use::signatures ? "girih" : "girih-kem"; }

std::string folder_of_keys()
{
    if (std::string folder = system::variable(folder_variable); !folder.empty()) return folder;
    const std::string home = system::variable(system::home_variable);
    if (home.empty())
        throw Failure(exit_usage, std::string("--secret: not given, and neither ") + folder_variable +
                                      " nor " + system::home_variable + " says where private keys are");
    return home + system::separator + ".girih";
}

}  // namespace

void add_secret_option(const Command& subcommand, std::optional<std::string>& path, Use use)
{
    subcommand
        .option("--secret", path,
                "the private key; - is standard input; if not given, " + default_secret_name(use))
        .type_name("FILE");
}

void add_public_option(const Command& subcommand, std::optional<std::string>& path, Use use,
                       const std::string& what)
{
    subcommand.option("--public", path, what + "; if not given, " + default_public_name(use))
        .type_name("FILE");
}

std::string secret_path_of(const std::optional<std::string>& given, Use use)
{
    return given ? *given : folder_of_keys() + system::separator + stem_of(use) + ".key";
}

std::string public_path_of(const std::optional<std::string>& given, Use use)
{
    return given.value_or(default_public_name(use));
}

std::string default_public_name(Use use) { return stem_of(use) + ".pub"; }

std::string default_secret_name(Use use)
{
    return stem_of(use) + ".key in " + system::folder_of_keys_in_help + " (or in " + folder_variable + ")";
}

void make_folder_of_keys()
{
    const std::string folder = folder_of_keys();
    if (!system::make_folder(folder)) throw Failure(exit_file, folder + ": " + system::reason());
}

}  // namespace girih::cli
