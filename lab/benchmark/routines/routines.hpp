/// The tables of NTRU Prime's routines: what each takes within key generation, encapsulation
/// and decapsulation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/benchmark/engines/engines.hpp"
#include "lab/benchmark/reporters.hpp"
#include "lab/benchmark/rows.hpp"
#include "lab/measure/clock.hpp"

namespace girih::lab {

/// How often each routine is run; its figure is the median. The engines take turns, so that what
/// else the machine does meets both.
inline constexpr std::size_t routine_runs = 100;
inline constexpr std::size_t runs_of_a_pass = 10;

/// A line of a table.
struct RoutineLine {
    enum Kind {
        step,   ///< of the operation
        part,   ///< of the step above
        rest,   ///< what is left of that step once its parts are taken away: for code that is no function
        total,  ///< the whole operation
    };

    std::string_view name{};
    Kind kind = step;
    std::size_t calls = 0;  ///< of the routine within the line; 0 where there is no point in saying so
};

/// Times the routines of one parameter set on one engine, in the order in which they come. What
/// an engine's own code does is in the functions that it hands over; nothing else is compiled
/// with its instructions.
class RoutineClock {
  public:
    /// Begins a pass over all lines, which are the same in each.
    void begin_pass();

    /// Begins an operation. The lines to come are its.
    void begin(std::string_view operation);

    /// Times a routine, which is prepared before each run, untimed.
    template <class Prepare, class Run>
    void time(const RoutineLine& line, Prepare prepare, Run run)
    {
        const auto prepare_once = [](void* function) { (*static_cast<Prepare*>(function))(); };
        const auto cycles_of_run = [](void* function) {
            Run& timed = *static_cast<Run*>(function);
            benchmark::ClobberMemory();
            const std::uint64_t begin = CycleCounter::start();
            timed();
            benchmark::ClobberMemory();
            return CycleCounter::stop() - begin;
        };
        time(line, {prepare_once, &prepare, cycles_of_run, &run});
    }

    void rest(std::string_view name) { add({name, RoutineLine::rest}); }

    /// A line with its median.
    struct Figure {
        std::string_view operation;
        RoutineLine line;
        double cycles;
    };
    [[nodiscard]] std::vector<Figure> figures() const;

  private:
    struct Measured {
        std::string_view operation;
        RoutineLine line;
        std::vector<double> cycles;
    };

    /// A routine and what prepares it, as plain functions, so that all else is compiled once.
    struct Routine {
        void (*prepare)(void* function);
        void* preparation;
        std::uint64_t (*cycles)(void* function);
        void* run;
    };
    void time(const RoutineLine& line, const Routine& routine);
    void add(const RoutineLine& line);

    std::string_view operation_;
    std::vector<Measured> lines_;
    std::size_t next_ = 0;
    std::array<std::uint64_t, runs_of_a_pass> cycles_{};
};

/// The parameter sets that a text names, with commas between them; "all" stands for all, and
/// nothing for the usual ones. Empty if there is no such set.
[[nodiscard]] std::vector<std::string_view> routine_sets(std::string_view text);

/// A parameter set's routines on the reference engine, which comes first, and on others.
struct RoutineTable {
    std::string_view set;
    struct Column {
        std::string_view engine;
        std::vector<RoutineClock::Figure> figures;
    };
    std::vector<Column> columns;
};

/// Measures the routines of parameter sets, the engines in turn.
[[nodiscard]] std::vector<RoutineTable> time_routines(const std::vector<std::string_view>& sets,
                                                      const std::vector<const EngineRows*>& optimized);

void print_routines(const std::vector<RoutineTable>& tables);

/// The same as rows for a file: a line of each engine, "bench_ntru_prime::routine<sntrup761,
/// avx2>/encapsulate/Rq_mult_small", its time made of its cycles.
[[nodiscard]] Runs runs_of_routines(const std::vector<RoutineTable>& tables);

/// What the tables were made on, for where no other header says it. Pins the program to a core.
void print_routines_header();

}  // namespace girih::lab
