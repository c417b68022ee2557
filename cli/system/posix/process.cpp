#include "cli/system/process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace girih::cli::system {

const char* const home_variable = "HOME";
const char* const folder_of_keys_in_help = "~/.girih";

void prepare()
{
    // open(2) gives the lowest free number. Read-only, so that writing to a closed
    // output still fails.
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
        if (::fcntl(number, F_GETFD) == -1 && errno == EBADF) (void)!::open("/dev/null", O_RDONLY);
    // A closed pipe and a limit on file sizes are failures to write, and reported like others.
    for (const int signal : {SIGPIPE, SIGXFSZ}) (void)std::signal(signal, SIG_IGN);
}

std::vector<std::string> arguments(int argc, char** argv) { return {argv + (argc > 0 ? 1 : 0), argv + argc}; }

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace girih::cli::system
