/// The processor's counter, with its rate and its own cost.
#pragma once

#include <cstdint>
#include <string>

#include "isa/counter.hpp"

namespace girih::bench {

using isa::Counter;

/// The counter's rate, measured once against the steady clock.
[[nodiscard]] double ticks_per_second();

/// Ticks from a start to a stop with nothing between them: the least of many tries.
[[nodiscard]] std::uint64_t empty_measurement();

/// Cycles of the core, for what is told in cycles and never turned into time.
///
/// Where the processor's counter is not one of cycles (Arm's virtual counter goes at a rate of its
/// own) the system may lend the core's cycle counter (PMCCNTR_EL0 on Arm) through perf_event, for
/// the cycles in this program without those in the system. Where it does not, the cycles are ticks
/// of the processor's counter, or nanoseconds if it has none.
class CycleCounter {
  public:
    enum class Source {
        usual,  ///< the time-stamp counter if the processor has it, else perf_event's if that may be used
        perf_event,  ///< perf_event's if it may be used
    };
    static void choose(Source source);

    /// What is counted, in words for a header.
    [[nodiscard]] static std::string name();

    /// Cycles from a start to a stop with nothing between them: the least of many tries.
    [[nodiscard]] static std::uint64_t empty_measurement();

    static std::uint64_t start() noexcept { return event_ < 0 ? Counter::start() : read_event(); }
    static std::uint64_t stop() noexcept { return event_ < 0 ? Counter::stop() : read_event(); }

  private:
    static std::uint64_t read_event() noexcept;

    static inline int event_ = -1;  ///< the file that perf_event's counter is read from
};

}  // namespace girih::bench
