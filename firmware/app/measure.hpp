/// Measures an operation's cycles, time and stack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "boards/board.hpp"

namespace girih::firmware {

/// Fills the stack below the caller with a pattern, down to its limit or as deep as any operation.
void paint_stack();

/// The bytes of the stack below the caller used since paint_stack().
[[nodiscard]] std::size_t painted_stack_used();

/// The figures of the last operation.
struct Measurement {
    std::uint64_t cycles = 0;
    std::uint64_t milliseconds = 0;
    std::size_t stack_bytes = 0;
};

/// Runs the operation on a painted stack.
template <class Operation>
auto measure(Measurement& last, Operation operation)
{
    paint_stack();
    const std::uint64_t time = board::milliseconds();
    const std::uint64_t cycles = board::cycles();
    const auto result = operation();
    last.cycles = board::cycles() - cycles;
    last.milliseconds = board::milliseconds() - time;
    last.stack_bytes = painted_stack_used();
    return result;
}

}  // namespace girih::firmware
