#include "cli/system/process.hpp"

#include <sys/resource.h>
#if defined(__linux__)
#    include <sys/prctl.h>
#endif

#include <csignal>
#include <cstdlib>

#include "cli/system/descriptor.hpp"

namespace girih::cli::system {

const char* const home_variable = "HOME";
const char* const folder_of_keys_in_help = "~/.girih";

void prepare()
{
    take_standard_numbers();
    // Makes a closed pipe and a file size limit ordinary write failures.
    for (const int signal : {SIGPIPE, SIGXFSZ}) (void)std::signal(signal, SIG_IGN);
}

void keep_memory_private() noexcept
{
    rlimit core{};
    if (::getrlimit(RLIMIT_CORE, &core) == 0) {
        core.rlim_cur = 0;
        (void)::setrlimit(RLIMIT_CORE, &core);
    }
#if defined(__linux__)
    // A program that receives core dumps through a pipe gets them in spite of the limit.
    (void)::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
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
