/// The processor's counter, with its rate and its own cost.
#pragma once

#include <cstdint>

#include "isa/counter.hpp"

namespace girih::bench {

using isa::Counter;

/// The counter's rate, measured once against the steady clock.
[[nodiscard]] double ticks_per_second();

/// Ticks from a start to a stop with nothing between them: the least of many tries.
[[nodiscard]] std::uint64_t empty_measurement();

}  // namespace girih::bench
