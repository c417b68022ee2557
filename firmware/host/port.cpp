#include "firmware/host/port.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include "cli/system/failure.hpp"
#include "cli/system/posix/ending.hpp"

namespace girih::cli::board {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what, int error)
{
    throw Failure(exit_file, name + ": " + what + ": " + std::strerror(error));
}

constexpr const char* emulator = "qemu-system-arm";

/// Refuses a file that is not an image for the board: QEMU would only print registers.
void check_image(const std::string& path)
{
    // The header of a 32-bit ELF file: magic number, machine at byte 18, entry at byte 24.
    std::array<unsigned char, 28> header{};
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.number() < 0) fail(path, "cannot be read", errno);
    const bool is_elf = ::read(file.number(), header.data(), header.size()) == ssize_t{header.size()} &&
                        std::memcmp(header.data(), "\177ELF\1", 5) == 0;
    constexpr unsigned char arm = 40;
    const unsigned upper_half_of_entry = header[26] | static_cast<unsigned>(header[27]) << 8;
    constexpr unsigned end_of_memory = 4 << 20 >> 16;
    if (!is_elf || header[18] != arm || upper_half_of_entry >= end_of_memory)
        throw Failure(exit_file, path + ": is no image for the emulated board (images/mps2_an500/*.elf are)");
}

/// Whether an event came before `end`; nothing if poll(2) fails.
std::optional<bool> wait_for(int port, short event, std::chrono::steady_clock::time_point end)
{
    for (;;) {
        const auto now = std::chrono::steady_clock::now();
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now).count();
        if (left <= 0) return false;
        pollfd watched{port, event, 0};
        const int ready = ::poll(&watched, 1, static_cast<int>(left));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return {};
    }
}

/// The result of read(2) or write(2).
Transfer transfer_of(ssize_t characters)
{
    if (characters >= 0) return {Ending::done, static_cast<std::size_t>(characters)};
    return {errno == EINTR || errno == EAGAIN ? Ending::done : Ending::failed};
}

}  // namespace

Descriptor open_port(const std::string& path)
{
    Descriptor port{::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)};
    if (port.number() < 0) fail(path, "cannot be opened", errno);
    termios settings{};
    if (::tcgetattr(port.number(), &settings) != 0) fail(path, "is no serial port", errno);
    // Two programs that read one port would get parts of each answer. (TIOCEXCL would outlast this
    // program if another one has the port open.)
    if (::flock(port.number(), LOCK_EX | LOCK_NB) != 0) fail(path, "is another program's", errno);
    ::cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
    if (::cfsetspeed(&settings, B115200) != 0 || ::tcsetattr(port.number(), TCSANOW, &settings) != 0)
        fail(path, "cannot be set to 115200 baud", errno);
    (void)::tcflush(port.number(), TCIOFLUSH);
    return port;
}

Emulator::Emulator(const std::string& image)
{
    check_image(image);
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        fail(emulator, "no socket", errno);
    port_ = Descriptor{ends[0]};
    Descriptor theirs{ends[1]};

    // Every instruction takes 2^4 ns of emulated time: figures repeat exactly, and the firmware
    // knows this number. The descriptor's number is unused, because one duplicated onto itself
    // would still be closed on exec.
    constexpr int serial = 100;
    std::array<std::string, 14> words{emulator,
                                      "-M",
                                      "mps2-an500",
                                      "-display",
                                      "none",
                                      "-monitor",
                                      "none",
                                      "-icount",
                                      "shift=4",
                                      "-chardev",
                                      "socket,id=link,fd=100",
                                      "-serial",
                                      "chardev:link",
                                      "-kernel"};
    std::array<char*, words.size() + 2> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
    std::string kernel = image;
    arguments[words.size()] = kernel.data();

    posix_spawn_file_actions_t actions;
    (void)::posix_spawn_file_actions_init(&actions);
    (void)::posix_spawn_file_actions_adddup2(&actions, theirs.number(), serial);
    (void)::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    // A signal before kill_on_end() would leave the process running.
    const system::SignalsWait wait;
    posix_spawnattr_t attributes;
    (void)::posix_spawnattr_init(&attributes);
    (void)::posix_spawnattr_setsigmask(&attributes, &wait.before());
    (void)::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t process = -1;
    const int error = ::posix_spawnp(&process, emulator, &actions, &attributes, arguments.data(), environ);
    (void)::posix_spawnattr_destroy(&attributes);
    (void)::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fail(emulator, "cannot be started (it is in Debian's package of that name)", error);
    process_ = process;
    system::kill_on_end(process);
    (void)::fcntl(port_.number(), F_SETFL, O_NONBLOCK);
}

Emulator::~Emulator()
{
    if (process_ <= 0) return;
    const system::SignalsWait wait;
    system::kill_on_end(0);
    (void)::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Transfer send(int port, std::string_view text, std::chrono::steady_clock::time_point end)
{
    const auto ready = wait_for(port, POLLOUT, end);
    if (!ready) return {Ending::failed};
    if (!*ready) return {Ending::late};
    return transfer_of(::write(port, text.data(), text.size()));
}

Transfer receive(int port, std::span<char> buffer, std::chrono::steady_clock::time_point end)
{
    const auto ready = wait_for(port, POLLIN, end);
    if (!ready) return {Ending::failed};
    if (!*ready) return {Ending::late};
    const ssize_t got = ::read(port, buffer.data(), buffer.size());
    if (got == 0) return {Ending::gone};
    return transfer_of(got);
}

}  // namespace girih::cli::board
