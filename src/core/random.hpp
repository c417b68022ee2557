/// Random bytes from the operating system.
#pragma once

#include "core/bytes.hpp"

namespace girih {

/// Fills `out` from the operating system's generator: getrandom on Linux, or, if a kernel before
/// 3.17 or a filter of system calls refuses that, /dev/urandom once /dev/random can be read;
/// BCryptGenRandom on Windows; getentropy elsewhere. Returns false and zeroes `out` on failure,
/// with the failed call's errno. Always fails in a build with GIRIH_NO_SYSTEM_RANDOMNESS.
/// Thread-safe; may block until the system has gathered its first entropy.
[[nodiscard]] bool os_random(BytesOut<> out) noexcept;

}  // namespace girih
