/// A verdict that one fault of the processor does not turn into another.
#pragma once

#include <cstdint>

namespace girih {

/// Verification in little memory returns 0 for a good signature, and this number for any other.
inline constexpr std::uint32_t not_verified = 0x5A3CC3A5;

}  // namespace girih
