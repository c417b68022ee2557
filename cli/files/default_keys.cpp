#include "cli/files/default_keys.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/command_line.hpp"
#include "cli/failure.hpp"

namespace girih::cli {
namespace {

constexpr const char* folder_variable = "GIRIH_KEYS";

std::string stem_of(Use use) { return use == Use::signatures ? "girih" : "girih-kem"; }

/// A variable of the environment; empty if it is not set.
std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string folder_of_keys()
{
    if (std::string folder = variable(folder_variable); !folder.empty()) return folder;
    const std::string home = variable("HOME");
    if (home.empty())
        throw Failure(exit_usage, std::string("--secret: not given, and neither ") + folder_variable +
                                      " nor HOME says where private keys are");
    return home + "/.girih";
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
    return given ? *given : folder_of_keys() + "/" + stem_of(use) + ".key";
}

std::string public_path_of(const std::optional<std::string>& given, Use use)
{
    return given.value_or(default_public_name(use));
}

std::string default_public_name(Use use) { return stem_of(use) + ".pub"; }

std::string default_secret_name(Use use)
{
    return stem_of(use) + ".key in ~/.girih (or in " + folder_variable + ")";
}

void make_folder_of_keys()
{
    const std::string folder = folder_of_keys();
    if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        throw Failure(exit_file, folder + ": " + std::strerror(errno));
}

}  // namespace girih::cli
