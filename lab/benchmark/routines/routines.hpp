/// The tables of NTRU Prime's routines: the time of each within key generation, encapsulation and
/// decapsulation.
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

/// How often each routine is run; its figure is the median. The engines take turns, so that other
/// work of the machine disturbs them alike.
inline constexpr std::size_t routine_runs = 100;
inline constexpr std::size_t runs_of_a_pass = 10;

/// A line of a table.
struct RoutineLine {
    enum Kind {
        step,   ///< of the operation
        part,   ///< of the step above
        rest,   ///< the step without its parts: for code that is not in a function
        total,  ///< the whole operation
    };

    std::string_view name{};
    Kind kind = step;
    std::size_t calls = 0;  ///< of the routine within the line; 0 if not shown
};

/// Times the routines of one parameter set on one engine, in the order of their calls. Only the
/// functions that an engine passes are compiled with its instructions.
class RoutineClock {
  public:
    /// Begins a pass over all lines. Each pass has the same lines.
    void begin_pass();

    /// Begins an operation, to which the next lines belong.
    void begin(std::string_view operation);

    /// Times a routine. `prepare` runs before each run, untimed.
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

    /// A routine and its preparation as plain functions, so that the rest is compiled once.
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

/// The parameter sets that a text names, separated by commas; "all" means all, and an empty text
/// the usual ones. Empty if a set is unknown.
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

/// The tables as rows of a file: a row for each line and engine, named
/// "bench_ntru_prime::routine<sntrup761, avx2>/encapsulate/Rq_mult_small". Times are from cycles.
[[nodiscard]] Runs runs_of_routines(const std::vector<RoutineTable>& tables);

/// Prints the machine, for outputs without another header. Pins the program to a core.
void print_routines_header();

}  // namespace girih::lab
