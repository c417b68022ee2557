#include "ssh/programs.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace girih::test::ssh {
namespace {

using namespace std::chrono_literals;

/// Who runs the programs instead of root: sshd of root wants a folder of the system, and
/// a user of its own.
const passwd* substitute_of_root() { return ::geteuid() == 0 ? ::getpwnam("nobody") : nullptr; }

/// In the child: only what is allowed between fork and exec.
[[noreturn]] void run(char* const* arguments, int errors, int connection, const passwd* user)
{
    const int null = ::open("/dev/null", O_RDWR);
    bool good = ::dup2(connection < 0 ? null : connection, STDIN_FILENO) >= 0;
    good = ::dup2(connection < 0 ? errors : connection, STDOUT_FILENO) >= 0 && good;
    good = ::dup2(errors, STDERR_FILENO) >= 0 && good;
    if (user != nullptr) good = ::setgid(user->pw_gid) == 0 && ::setuid(user->pw_uid) == 0 && good;
    good = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && good;  // after setuid, which would undo it
    if (good) ::execv(arguments[0], arguments);
    ::_exit(127);
}

}  // namespace

std::string find_program(std::string_view name)
{
    const char* const path = std::getenv("PATH");
    std::istringstream folders(std::string(path != nullptr ? path : "") + ":/usr/sbin:/usr/local/sbin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string file = (std::filesystem::path(folder) / name).string();
        if (folder.starts_with('/') && ::access(file.c_str(), X_OK) == 0) return file;
    }
    return {};
}

bool has_key_exchange(std::string_view name)
{
    const std::string ssh = find_program("ssh");
    if (ssh.empty()) return false;
    const Folder folder;
    if (Process({ssh, "-Q", "kex"}, folder.path("kex")).exit_code() != 0) return false;
    std::istringstream lines(folder.read("kex"));
    for (std::string line; std::getline(lines, line);)
        if (line == name) return true;
    return false;
}

Folder::Folder()
{
    std::string name = (std::filesystem::temp_directory_path() / "girih-ssh-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error("there is no folder for temporary files");
    path_ = name;
    const passwd* const user = substitute_of_root();
    if (user != nullptr && ::chown(name.c_str(), user->pw_uid, user->pw_gid) != 0) throw Error("chown");
}

Folder::~Folder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string Folder::path(std::string_view name) const
{
    return (std::filesystem::path(path_) / name).string();
}

void Folder::write(std::string_view name, std::string_view content) const
{
    std::ofstream(path(name), std::ios::binary) << content;
}

std::string Folder::read(std::string_view name) const
{
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Process::Process(const std::vector<std::string>& arguments, const std::string& errors, int connection)
{
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    const Socket error_file(::open(errors.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    const passwd* const user = substitute_of_root();
    id_ = ::fork();
    if (id_ == 0) run(pointers.data(), error_file.descriptor(), connection, user);
    if (id_ < 0) throw Error("fork");
}

Process::~Process()
{
    if (id_ <= 0 || ends_within(1s)) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
}

bool Process::ends_within(std::chrono::seconds patience)
{
    const auto last = std::chrono::steady_clock::now() + patience;
    while (::waitpid(id_, &status_, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > last) return false;
        std::this_thread::sleep_for(5ms);
    }
    id_ = -1;
    return true;
}

int Process::exit_code()
{
    if (!ends_within(120s)) throw Error("a program did not end in two minutes");
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

}  // namespace girih::test::ssh
