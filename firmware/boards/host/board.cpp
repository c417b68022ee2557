/// No board, but a process with the firmware's shell on a pseudo-terminal, for tests of the other
/// end. It prints the terminal's name, and ends with its standard input.
#include "boards/board.hpp"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "app/measure.hpp"
#include "core/random.hpp"

namespace girih::firmware {

// The stack is not measured here.
void paint_stack() {}
std::size_t painted_stack_used() { return 0; }

namespace board {
namespace {

int terminal = -1;
const auto beginning = std::chrono::steady_clock::now();

[[noreturn]] void fail(const char* what)
{
    std::perror(what);
    std::exit(1);
}

}  // namespace

void start()
{
    terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) fail("posix_openpt");
    const char* name = ::ptsname(terminal);
    // Kept open, so that a client that disconnects does not end the line; without echo, like a
    // serial port.
    const int held = ::open(name, O_RDWR | O_NOCTTY);
    termios settings{};
    if (held < 0 || ::tcgetattr(held, &settings) != 0) fail(name);
    ::cfmakeraw(&settings);
    if (::tcsetattr(held, TCSANOW, &settings) != 0) fail(name);
    if (std::puts(name) < 0 || std::fflush(stdout) != 0) fail("puts");
}

std::string_view warning() { return {}; }

char get()
{
    for (;;) {
        std::array<pollfd, 2> watched{{{terminal, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}}};
        if (::poll(watched.data(), watched.size(), -1) < 0) fail("poll");
        char character = 0;
        if ((watched[1].revents & (POLLIN | POLLHUP)) != 0 && ::read(STDIN_FILENO, &character, 1) <= 0)
            std::exit(0);
        if ((watched[0].revents & POLLIN) != 0 && ::read(terminal, &character, 1) == 1) return character;
    }
}

void put(char character)
{
    if (::write(terminal, &character, 1) != 1) fail("write");
}

bool random(BytesOut<> out) { return os_random(out); }
bool set_random(BytesIn<>) { return false; }

std::uint64_t milliseconds() { return cycles() / 1'000'000; }

/// Nanoseconds.
std::uint64_t cycles()
{
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::steady_clock::now() - beginning).count());
}

}  // namespace board
}  // namespace girih::firmware
