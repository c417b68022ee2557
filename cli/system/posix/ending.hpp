/// What signals undo before they end the program: files that are not complete, and an emulator that
/// runs. A signal that was ignored from the start stays so.
#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>
#include <string>

namespace girih::cli::system {

/// The signals that come from outside and end the program.
inline constexpr std::array endings{SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGABRT, SIGALRM,
                                    SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU};

/// While this lives, all signals wait that can.
class SignalsWait {
  public:
    SignalsWait() noexcept;
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;
    ~SignalsWait();

    /// Which signals waited before, for a process that is begun meanwhile.
    [[nodiscard]] const sigset_t& before() const noexcept { return before_; }

  private:
    sigset_t before_;
};

/// A file that is removed in the end, until it is kept.
void remove_on_end(const std::string& path);
void keep(const std::string& path) noexcept;

/// The process that is killed in the end; 0 is none.
void kill_on_end(pid_t process) noexcept;

}  // namespace girih::cli::system
