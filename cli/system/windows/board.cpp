#include "cli/system/board.hpp"

#include "cli/failure.hpp"

namespace girih::cli::board {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& name)
{
    throw Failure(exit_usage, option + " " + name + ": girih does not speak to boards on Windows yet");
}

}  // namespace

Descriptor open_port(const std::string& path) { refuse("--port", path); }

Emulator::Emulator(const std::string& image) { refuse("--emulate", image); }

Emulator::~Emulator() = default;

// Ports are not supported here.
Transfer send(int, std::string_view, std::chrono::steady_clock::time_point) { return {Ending::gone}; }
Transfer receive(int, std::span<char>, std::chrono::steady_clock::time_point) { return {Ending::gone}; }

}  // namespace girih::cli::board
