/// The interface to a board. Each folder here implements it.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::firmware::board {

/// Starts clocks, caches, the serial port, the random generator and the counters. Called once,
/// before all other functions.
void start();

/// A warning about this board in one line, or empty.
[[nodiscard]] std::string_view warning();

/// The serial port; both functions wait.
[[nodiscard]] char get();
void put(char character);

/// Random bytes. False, with `out` zeroed, if the generator fails.
[[nodiscard]] bool random(BytesOut<> out);

/// Makes `random` return these bytes next. Only on boards for tests; elsewhere false.
[[nodiscard]] bool set_random(BytesIn<> bytes);

/// Milliseconds since the start.
[[nodiscard]] std::uint64_t milliseconds();

/// Processor cycles since the start; in an emulator, instructions.
[[nodiscard]] std::uint64_t cycles();

}  // namespace girih::firmware::board
