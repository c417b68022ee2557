/// Connections to a board: a serial port or an emulator.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cli/system/descriptor.hpp"

namespace girih::cli::board {

/// Opens a serial port: raw, 115200 baud, 8 bits, no parity. A pseudo-terminal works as well.
[[nodiscard]] Descriptor open_port(const std::string& path);

/// QEMU with an image on its Cortex-M7 board, ended by the destructor.
class Emulator {
  public:
    explicit Emulator(const std::string& image);
    Emulator(const Emulator&) = delete;
    Emulator& operator=(const Emulator&) = delete;
    ~Emulator();

    /// The other end of its serial port; may be taken once.
    [[nodiscard]] Descriptor take_port() { return std::move(port_); }

  private:
    int process_ = -1;
    Descriptor port_;
};

/// The result of sending or receiving characters.
enum class Ending {
    done,    ///< some were transferred
    late,    ///< none in time
    gone,    ///< the other end is closed
    failed,  ///< system::reason() says why
};

struct Transfer {
    Ending ending;
    std::size_t characters = 0;  ///< may be fewer than requested, or none
};

/// Sends as much as the board accepts before `end`.
[[nodiscard]] Transfer send(int port, std::string_view text, std::chrono::steady_clock::time_point end);
/// Waits for characters until `end`, and reads those available.
[[nodiscard]] Transfer receive(int port, std::span<char> buffer, std::chrono::steady_clock::time_point end);

}  // namespace girih::cli::board
