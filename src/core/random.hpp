/// Random bytes from the operating system.
#pragma once

#include "core/bytes.hpp"

namespace girih {

/// Fills `out` from the operating system's generator: getrandom on Linux, BCryptGenRandom on
/// Windows, getentropy elsewhere. False, with `out` zeroed, if it has none to give. Thread-safe;
/// may block until the system has gathered its first entropy.
[[nodiscard]] bool os_random(BytesOut<> out) noexcept;

}  // namespace girih
