/// MXCSR, the control register of x86 floating point: for tests of FloatMode.
#pragma once

#include <cstdint>

#include <xmmintrin.h>

namespace girih::isa::mxcsr {

inline constexpr std::uint32_t seen = 0x3F;            ///< exceptions that have happened
inline constexpr std::uint32_t small_operands = 0x40;  ///< denormal operands are zero
inline constexpr std::uint32_t masked = 0x1F80;        ///< no exception traps
inline constexpr std::uint32_t masked_but_invalid = 0x1F00;
inline constexpr std::uint32_t downward = 0x2000;
inline constexpr std::uint32_t upward = 0x4000;
inline constexpr std::uint32_t towards_zero = 0x6000;
inline constexpr std::uint32_t small_results = 0x8000;  ///< denormal results are zero

[[nodiscard]] inline std::uint32_t get() noexcept { return _mm_getcsr(); }
inline void set(std::uint32_t mode) noexcept { _mm_setcsr(mode); }

}  // namespace girih::isa::mxcsr
