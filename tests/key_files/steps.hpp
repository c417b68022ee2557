/// A count of a program's work, which depends only on the program and its input, not on the
/// processor's speed or the machine's load.
#pragma once

#include <cstdint>

namespace girih::key_files {

/// So far: basic blocks that ran, of what is compiled with -fsanitize-coverage=trace-pc; bytes that
/// were allocated; and bytes that the C library's functions for memory went over.
[[nodiscard]] std::uint64_t steps() noexcept;

}  // namespace girih::key_files
