/// What the firmware needs of a board. Each folder here implements it once, on registers.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::firmware::board {

/// Clocks, caches, the serial port, the random generator and the counters. Called once, before
/// anything else of these.
void start();

/// What to know before trusting this board, in one line; empty if there is nothing.
[[nodiscard]] std::string_view warning();

/// The serial port, which waits.
[[nodiscard]] char get();
void put(char character);

/// Random bytes. False, with `out` zeroed, if the generator failed.
[[nodiscard]] bool random(BytesOut<> out);

/// Has `random` give these bytes next, on boards that are there for tests only; elsewhere false.
[[nodiscard]] bool give_random(BytesIn<> bytes);

/// Milliseconds since the start.
[[nodiscard]] std::uint64_t milliseconds();

/// Cycles of the processor since the start; in an emulator, instructions.
[[nodiscard]] std::uint64_t cycles();

}  // namespace girih::firmware::board
