#include "cli/system/process.hpp"

#include <sys/resource.h>
#if defined(__linux__)
#    include <sys/prctl.h>
#endif

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "cli/system/descriptor.hpp"

namespace girih::cli::system {

const char* const home_variable = "HOME";

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

std::string path_beside(const std::string& program)
{
    std::error_code error;  // and the current folder, where there is no /proc
    return std::filesystem::read_symlink("/proc/self/exe", error).replace_filename(program);
}

void become(const std::string& program, const std::vector<std::string>& arguments)
{
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    (void)::execv(program.c_str(), pointers.data());
}

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace girih::cli::system
