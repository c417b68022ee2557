#include "cli/files/passphrase.hpp"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/output/terminal.hpp"

namespace girih::cli {
namespace {

using key_files::Kdf;
using key_files::SecretBytes;

constexpr std::size_t longest_passphrase = 1024;

constexpr std::array<std::pair<const char*, Kdf>, 3> kdfs{
    {{"pbkdf2-sha256", Kdf::pbkdf2_sha256}, {"pbkdf2-sha512", Kdf::pbkdf2_sha512}, {"scrypt", Kdf::scrypt}}};

/// The signal that came while a passphrase was typed, or 0.
volatile std::sig_atomic_t signal_that_came = 0;

extern "C" void note_signal(int number) { signal_that_came = number; }

/// A terminal that does not show what is typed, until this ends; signals that would end or stop the
/// command in between come while it waits for bytes, and are raised again at the end.
class HiddenTyping {
  public:
    explicit HiddenTyping(int terminal) : terminal_(terminal)
    {
        signal_that_came = 0;
        sigset_t held{};
        (void)::sigemptyset(&held);
        for (const int number : signals) (void)::sigaddset(&held, number);
        (void)::sigprocmask(SIG_BLOCK, &held, &mask_);
        struct sigaction note{};
        note.sa_handler = note_signal;
        for (std::size_t i = 0; i < signals.size(); ++i) (void)::sigaction(signals[i], &note, &before_[i]);
        if (::tcgetattr(terminal_, &settings_) != 0) return;
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
        (void)::sigprocmask(SIG_SETMASK, &mask_, nullptr);  // here it comes
    }
    [[nodiscard]] bool is_hidden() const noexcept { return is_hidden_; }
    /// Waits for bytes; false if a signal came instead. Signals come here alone, so that none comes
    /// just before and is noticed only after the waiting.
    [[nodiscard]] bool wait() const noexcept
    {
        pollfd bytes{terminal_, POLLIN, 0};
        while (::ppoll(&bytes, 1, nullptr, &mask_) < 0 && errno == EINTR && signal_that_came == 0) {
        }
        return signal_that_came == 0;
    }

  private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

    int terminal_;
    bool is_hidden_ = false;
    termios settings_{};
    sigset_t mask_{};
    std::array<struct sigaction, signals.size()> before_{};
};

/// The first line without its end, LF or CR LF. What follows is left unread: more may be meant for
/// somebody else. Nothing, if a signal came that `typing` raises again.
std::optional<SecretBytes> read_line(int descriptor, const std::string& name,
                                     const HiddenTyping* typing = nullptr)
{
    SecretBytes line(longest_passphrase + 2);  // a byte too many, or a carriage return, shows
    std::size_t bytes = 0;
    while (bytes < line.size()) {
        if (typing != nullptr && !typing->wait()) return {};
        const ssize_t got = ::read(descriptor, &line[bytes], 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw Failure(exit_file, name + ": " + std::strerror(errno));
        if (got == 0 || line[bytes] == '\n') break;
        ++bytes;
    }
    if (bytes > 0 && line[bytes - 1] == '\r') --bytes;
    if (bytes > longest_passphrase)
        throw Failure(exit_file, name + ": the passphrase has more than " +
                                     std::to_string(longest_passphrase) + " bytes");
    line.resize(bytes);
    return line;
}

std::string descriptor_name(unsigned number) { return "file descriptor " + std::to_string(number); }

/// Asks on the terminal; nothing, if there is none.
std::optional<SecretBytes> ask(const std::string& question)
{
    const Descriptor terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (terminal.number() < 0) return {};
    const std::string text = printable(question) + ": ";
    for (;;) {  // again, if a signal stopped the command only for a while
        const HiddenTyping typing(terminal.number());
        if (!typing.is_hidden()) return {};
        if (::write(terminal.number(), text.data(), text.size()) < 0) return {};
        if (auto line = read_line(terminal.number(), "the terminal", &typing)) return line;
    }
}

}  // namespace

void PassphraseSource::add_options(const Command& subcommand, const std::string& what,
                                   const std::string& prefix)
{
    file_option_ = "--" + prefix + "passphrase-file";
    descriptor_option_ = "--" + prefix + "passphrase-fd";
    const Option file = subcommand
                            .option(file_option_.c_str(), path_,
                                    "a file whose first line is " + what + "; asked for if not given")
                            .type_name("FILE");
    subcommand.option(descriptor_option_.c_str(), descriptor_, "an open file descriptor with the same line")
        .type_name("NUMBER")
        .between(0, 65535)
        .excludes(file);
}

bool PassphraseSource::is_given() const noexcept { return path_ || descriptor_ != none; }

void PassphraseSource::append_to(std::vector<FileOption>& inputs) const
{
    if (path_) {
        if (path_->empty()) throw Failure(exit_usage, file_option_ + ": the file's name is empty");
        inputs.push_back({file_option_, *path_});
    }
    if (descriptor_ == none) return;
    // Later, a file that girih opens itself may have the number.
    if (::fcntl(static_cast<int>(descriptor_), F_GETFD) == -1)
        throw Failure(exit_file, descriptor_name(descriptor_) + ": " + std::strerror(errno));
    inputs.push_back({descriptor_option_, "/dev/fd/" + std::to_string(descriptor_)});
}

std::optional<SecretBytes> PassphraseSource::read_given() const
{
    if (descriptor_ != none) return read_line(static_cast<int>(descriptor_), descriptor_name(descriptor_));
    if (*path_ == "-") return read_line(STDIN_FILENO, input_name(*path_));
    const Descriptor file(::open(path_->c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) throw Failure(exit_file, *path_ + ": " + std::strerror(errno));
    return read_line(file.number(), *path_);
}

void PassphraseSource::fail_without_terminal(const std::string& what) const
{
    throw Failure(exit_file, what + ", and there is no terminal to ask for it on (" + file_option_ + ", " +
                                 descriptor_option_ + ")");
}

const SecretBytes& PassphraseSource::get(const std::string& name) const
{
    if (passphrase_) return *passphrase_;
    passphrase_ = is_given() ? read_given() : ask("passphrase of " + name);
    if (!passphrase_)
        fail_without_terminal(name + ": is an encrypted private key, which needs its passphrase");
    return *passphrase_;
}

const SecretBytes& PassphraseSource::get_new(const std::string& name) const
{
    if (!passphrase_ && !is_given()) {
        passphrase_ = ask("new passphrase for " + name);
        if (!passphrase_) fail_without_terminal(name + ": is to be encrypted with a passphrase");
        if (ask("the same again") != passphrase_)
            throw Failure(exit_file, name + ": the two passphrases that were typed differ");
    }
    if (get(name).empty()) throw Failure(exit_file, name + ": the passphrase to encrypt with is empty");
    return *passphrase_;
}

void add_kdf_option(const Command& subcommand, std::string& name)
{
    subcommand
        .option("--kdf", name,
                "how the passphrase becomes a key: pbkdf2-sha256, pbkdf2-sha512 or scrypt; "
                "pbkdf2-sha256 if not given")
        .type_name("NAME")
        .one_of({kdfs[0].first, kdfs[1].first, kdfs[2].first});
}

key_files::Encryption encryption_of(const std::string& kdf)
{
    key_files::Encryption how;
    for (const auto& [name, value] : kdfs)
        if (kdf == name) how.kdf = value;
    return how;
}

std::string encryption_in_words(const key_files::Encryption& encryption)
{
    if (encryption.kdf == Kdf::scrypt)
        return "scrypt with N = " + std::to_string(encryption.scrypt_n) +
               ", r = " + std::to_string(encryption.scrypt_r) +
               " and p = " + std::to_string(encryption.scrypt_p) + ", and AES-256-CBC";
    return std::string("PBKDF2 with HMAC-SHA-") + (encryption.kdf == Kdf::pbkdf2_sha512 ? "512" : "256") +
           ", " + std::to_string(encryption.iterations) + " iterations, and AES-256-CBC";
}

}  // namespace girih::cli
