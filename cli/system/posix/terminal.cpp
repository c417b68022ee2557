#include "cli/system/terminal.hpp"

#include <fcntl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "cli/system/descriptor.hpp"
#include "cli/system/failure.hpp"
#include "cli/system/posix/ending.hpp"

namespace girih::cli::system {
namespace {

/// The signal received while a passphrase is typed, or 0.
volatile std::sig_atomic_t signal_that_came = 0;

extern "C" void note_signal(int number) { signal_that_came = number; }

/// Hides typing on a terminal until destruction. Signals that would end or stop the command are
/// delivered only while it waits for bytes, and raised again at the end.
class HiddenTyping {
  public:
    explicit HiddenTyping(int terminal) : terminal_(terminal)
    {
        signal_that_came = 0;
        sigset_t held{};
        (void)sigemptyset(&held);  // macOS has macros of these names
        for (const int number : signals) (void)sigaddset(&held, number);
        (void)::sigprocmask(SIG_BLOCK, &held, &mask_);
        struct sigaction note{};
        note.sa_handler = note_signal;
        for (std::size_t i = 0; i < signals.size(); ++i) (void)::sigaction(signals[i], &note, &before_[i]);
        if (terminal_ >= FD_SETSIZE || ::tcgetattr(terminal_, &settings_) != 0) return;
        termios hidden = settings_;
        hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        hidden.c_lflag |= ECHONL;
        is_hidden_ = ::tcsetattr(terminal_, TCSAFLUSH, &hidden) == 0;
    }
    HiddenTyping(const HiddenTyping&) = delete;
    HiddenTyping& operator=(const HiddenTyping&) = delete;
    ~HiddenTyping()
    {
        if (is_hidden_) (void)::tcsetattr(terminal_, TCSAFLUSH, &settings_);
        for (std::size_t i = 0; i < signals.size(); ++i) (void)::sigaction(signals[i], &before_[i], nullptr);
        const int came = signal_that_came;
        signal_that_came = 0;
        if (came != 0) (void)std::raise(came);
        (void)::sigprocmask(SIG_SETMASK, &mask_, nullptr);  // delivers it
    }
    [[nodiscard]] bool is_hidden() const noexcept { return is_hidden_; }
    /// Waits for bytes; false if a signal came instead. Signals are delivered only here, so that
    /// none comes just before and is noticed only after the wait. (By pselect: macOS has no ppoll.)
    [[nodiscard]] bool wait() const noexcept
    {
        fd_set readable;
        do {
            FD_ZERO(&readable);
            FD_SET(terminal_, &readable);
        } while (::pselect(terminal_ + 1, &readable, nullptr, nullptr, nullptr, &mask_) < 0 &&
                 errno == EINTR && signal_that_came == 0);
        return signal_that_came == 0;
    }

  private:
    /// The signals that end the program, and that of Ctrl-Z.
    static constexpr auto signals = [] {
        std::array<int, endings.size() + 1> all{};
        std::copy(endings.begin(), endings.end(), all.begin());
        all.back() = SIGTSTP;
        return all;
    }();

    int terminal_;
    bool is_hidden_ = false;
    termios settings_{};
    sigset_t mask_{};
    std::array<struct sigaction, signals.size()> before_{};
};

/// Nothing if a signal came, which `typing` raises again.
std::optional<key_files::SecretBytes> read_line(const Descriptor& terminal, const HiddenTyping& typing,
                                                std::size_t max_bytes)
{
    key_files::SecretBytes line(max_bytes);
    std::size_t bytes = 0;
    while (bytes < max_bytes) {
        if (!typing.wait()) return {};
        const auto got = read(terminal.number(), std::span(line).subspan(bytes, 1));
        if (!got) throw Failure(exit_file, "the terminal: " + reason());
        if (*got == 0 || line[bytes] == '\n') break;
        ++bytes;
    }
    line.resize(bytes);
    return line;
}

}  // namespace

bool is_terminal(int number) noexcept { return ::isatty(number) == 1; }

bool obeys_escapes(int number) noexcept { return is_terminal(number); }

std::optional<key_files::SecretBytes> ask_hidden(const std::string& question, std::size_t max_bytes)
{
    const Descriptor terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (terminal.number() < 0) return {};
    for (;;) {  // repeats if a signal only suspended the command
        const HiddenTyping typing(terminal.number());
        if (!typing.is_hidden()) return {};
        if (::write(terminal.number(), question.data(), question.size()) < 0) return {};
        if (auto line = read_line(terminal, typing, max_bytes)) return line;
    }
}

}  // namespace girih::cli::system
