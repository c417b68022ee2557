/// Ways to a board: a serial port, or an emulator.
#pragma once

#include <sys/types.h>

#include <string>

#include "cli/files/files.hpp"

namespace girih::cli::board {

/// Opens a serial port: raw, 115200 baud, 8 bits, no parity. A pseudo-terminal will do.
[[nodiscard]] Descriptor open_port(const std::string& path);

/// QEMU with an image on its Cortex-M7 board, for as long as this lives.
class Emulator {
  public:
    explicit Emulator(const std::string& image);
    Emulator(const Emulator&) = delete;
    Emulator& operator=(const Emulator&) = delete;
    ~Emulator();

    /// The other end of its serial port. Once.
    [[nodiscard]] Descriptor take_port() { return std::move(port_); }

  private:
    pid_t process_ = -1;
    Descriptor port_;
};

}  // namespace girih::cli::board
