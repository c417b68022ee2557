/// A count of what a program does, which depends on nothing but the program and its input: the
/// processor's speed, and whatever else the machine does, are not in it.
#pragma once

#include <cstdint>

namespace girih::key_files {

/// So far: basic blocks that ran, of what is compiled with -fsanitize-coverage=trace-pc; bytes that
/// were allocated; and bytes that the C library's functions for memory went over.
[[nodiscard]] std::uint64_t steps() noexcept;

}  // namespace girih::key_files
