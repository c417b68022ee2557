#include "cli/system/posix/ending.hpp"

#include <unistd.h>

#include <set>

#include "cli/system/process.hpp"

namespace girih::cli::system {
namespace {

/// Changed only while signals are blocked, so that a handler sees them whole. Never destroyed,
/// because a signal may come after main.
std::set<std::string>& files()
{
    static auto& all = *new std::set<std::string>;  // NOLINT(cppcoreguidelines-owning-memory)
    return all;
}
volatile std::sig_atomic_t running = 0;

void end(int signal)
{
    if (running > 0) (void)::kill(running, SIGKILL);
    for (const std::string& file : files()) (void)::unlink(file.c_str());
    (void)std::signal(signal, SIG_DFL);
    (void)::raise(signal);
}

void handle_endings()
{
    static bool is_done = false;
    if (is_done) return;
    is_done = true;
    (void)files();  // constructed here, not in a handler
    struct sigaction action{};
    action.sa_handler = end;
    for (const int signal : endings) (void)sigaddset(&action.sa_mask, signal);
    for (const int signal : endings) {
        struct sigaction before{};
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)::sigaction(signal, &action, nullptr);
    }
}

}  // namespace

SignalsWait::SignalsWait() noexcept : before_{}
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)::sigprocmask(SIG_BLOCK, &all, &before_);
}

SignalsWait::~SignalsWait() { (void)::sigprocmask(SIG_SETMASK, &before_, nullptr); }

void uninterrupted(const std::function<void()>& work)
{
    const SignalsWait wait;
    work();
}

void remove_on_end(const std::string& path)
{
    handle_endings();
    const SignalsWait wait;
    files().insert(path);
}

void keep(const std::string& path) noexcept
{
    const SignalsWait wait;
    files().erase(path);
}

void kill_on_end(pid_t process) noexcept
{
    handle_endings();
    running = process;
}

}  // namespace girih::cli::system
