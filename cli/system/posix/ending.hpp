/// The cleanup before a signal ends the program: removes incomplete files, and kills the emulator.
/// Signals that were ignored from the start stay ignored.
#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>
#include <string>

namespace girih::cli::system {

/// The signals from outside that end the program.
inline constexpr std::array endings{SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGABRT, SIGALRM,
                                    SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU};

/// Blocks all signals that can be blocked, until destruction.
class SignalsWait {
  public:
    SignalsWait() noexcept;
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;
    ~SignalsWait();

    /// The mask of blocked signals before, for a process started meanwhile.
    [[nodiscard]] const sigset_t& before() const noexcept { return before_; }

  private:
    sigset_t before_;
};

/// Removes a file if a signal ends the program, until keep() is called.
void remove_on_end(const std::string& path);
void keep(const std::string& path) noexcept;

/// Sets the process to kill if a signal ends the program; 0 for none.
void kill_on_end(pid_t process) noexcept;

}  // namespace girih::cli::system
