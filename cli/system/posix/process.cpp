#include "cli/system/process.hpp"

#include <csignal>
#include <cstdlib>

#include "cli/system/descriptor.hpp"

namespace girih::cli::system {

const char* const home_variable = "HOME";
const char* const folder_of_keys_in_help = "~/.girih";

void prepare()
{
    take_standard_numbers();
    // A closed pipe and a limit on file sizes are failures to write, and reported like others.
    for (const int signal : {SIGPIPE, SIGXFSZ}) (void)std::signal(signal, SIG_IGN);
}

std::string why_no_randomness()
{
#if defined(__linux__)
    return "getrandom or /dev/urandom: " + reason();
#else
    return "getentropy: " + reason();
#endif
}

std::vector<std::string> arguments(int argc, char** argv) { return {argv + (argc > 0 ? 1 : 0), argv + argc}; }

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace girih::cli::system
