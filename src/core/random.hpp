/// Random bytes from the operating system.
#pragma once

#include "core/bytes.hpp"

namespace girih {

/// Fills `out` from the operating system's generator: getrandom on Linux, and where that is refused
/// (by a kernel before 3.17 or a filter of system calls) /dev/urandom, once /dev/random can be
/// read; BCryptGenRandom on Windows, getentropy elsewhere. False, with `out` zeroed, if there is
/// none, as in a build with GIRIH_NO_SYSTEM_RANDOMNESS; errno is that of the call that failed.
/// Thread-safe; may block until the system has gathered its first entropy.
[[nodiscard]] bool os_random(BytesOut<> out) noexcept;

}  // namespace girih
