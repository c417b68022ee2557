/// The clock of everything that is timed here: the processor's counter, its rate, its own cost, and
/// whether the scheduler took the core away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "isa/counter.hpp"

namespace girih::lab {

using isa::Counter;

/// The counter's rate, measured once against the steady clock.
[[nodiscard]] double ticks_per_second();

[[nodiscard]] inline double nanoseconds(double ticks) { return ticks * 1e9 / ticks_per_second(); }

/// Ticks from a start to a stop with nothing between them: the least of many tries.
[[nodiscard]] std::uint64_t empty_measurement();

/// Keeps the program on the given core, or on its current one. Nothing if the system does not
/// allow it.
[[nodiscard]] std::optional<int> stay_on_core(std::optional<int> core = {});

/// The last core that the program may use.
[[nodiscard]] std::optional<int> last_core();

/// How often the scheduler has taken the core away from this thread.
[[nodiscard]] long interruptions();

/// How long this thread has had a core, and the time by the clock, in seconds.
struct CoreTime {
    double on_core;
    double elapsed;

    [[nodiscard]] static CoreTime now();
};

/// The ticks of a call without interruption; or, after five interrupted tries, of the last one's
/// part in which the thread had the core.
template <class F>
double uninterrupted_ticks(F f)
{
    double ticks = 0;
    for (int attempt = 0; attempt < 5; ++attempt) {
        const CoreTime before = CoreTime::now();
        const long interrupted = interruptions();
        const std::uint64_t begin = Counter::start();
        f();
        ticks = static_cast<double>(Counter::stop() - begin);
        if (interruptions() == interrupted) return ticks;
        const CoreTime after = CoreTime::now();
        const double share = (after.on_core - before.on_core) / (after.elapsed - before.elapsed);
        ticks *= share < 0 ? 0 : share > 1 ? 1 : share;
    }
    return ticks;
}

/// Cycles of the core, for figures that are given in cycles and never turned into time.
///
/// If the processor's counter does not count cycles (Arm's virtual counter has a rate of its own),
/// the system may offer the core's cycle counter (PMCCNTR_EL0 on Arm) through perf_event; it counts
/// cycles in this program, not those in the system. If it does not, the cycles are ticks of the
/// processor's counter, or nanoseconds if it has none.
class CycleCounter {
  public:
    enum class Source {
        usual,  ///< the time-stamp counter if the processor has it, else perf_event's if that may be used
        perf_event,  ///< perf_event's if it may be used
    };
    static void choose(Source source);

    /// The counted unit, in words for a header.
    [[nodiscard]] static std::string name();

    /// Cycles from a start to a stop with nothing between them: the least of many tries.
    [[nodiscard]] static std::uint64_t empty_measurement();

    static std::uint64_t start() noexcept { return event_ < 0 ? Counter::start() : read_event(); }
    static std::uint64_t stop() noexcept { return event_ < 0 ? Counter::stop() : read_event(); }

  private:
    static std::uint64_t read_event() noexcept;

    static inline int event_ = -1;  ///< the file that perf_event's counter is read from
};

}  // namespace girih::lab
