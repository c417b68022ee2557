/// The rows: their names, and the columns that they add to google-benchmark's own.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "lab/measure/clock.hpp"
#include "lab/measure/random.hpp"
#include "ml_dsa/types.hpp"

namespace girih::lab {

using Row = void (*)(benchmark::State&);

/// The beginnings of the names and titles of a scheme's components. ML-DSA's components have the
/// names of the dilithium library's tables, so that old and new tables can be compared.
struct Scheme {
    std::string prefix, subject;
};
inline const Scheme lattice_of_both{"bench_dilithium::", "ML-DSA and Dilithium: "};
inline const Scheme ml_kem_components{"bench_ml_kem::", "ML-KEM: "};

/// "decompose<190464>": a component and its arguments.
[[nodiscard]] std::string name_of(std::string_view component, std::initializer_list<std::int64_t> arguments);

/// Makes rows that are added later be left out unless the text, a filter, matches their name or
/// title: as a regular expression, or as a part of either. A filter that begins with - leaves out
/// those.
void choose_rows(std::string_view text);

/// Adds the row of a component. In the title, {0}, {1}, ... are its arguments. Rows run in the
/// order in which they were added.
void add_component(const Scheme& scheme, std::string_view component,
                   std::initializer_list<std::int64_t> arguments, std::string_view title, Row row);

/// Adds the row of an operation, whose iterations are timed by hand, in microseconds.
void add_operation_row(const std::string& name, const std::string& title,
                       std::function<void(benchmark::State&)> row);

/// How many rows there are that were not left out.
[[nodiscard]] std::size_t count_of_rows();

/// Ends a row with a message in its place in the table. The program will end with a failure.
void fail(benchmark::State& state, const std::string& message);

/// Whether any row failed.
[[nodiscard]] bool any_failed();

/// Makes the compiler assume that every later memory clobber reads and writes the object.
template <class T>
void expose(T& object)
{
    T* pointer = &object;
    benchmark::DoNotOptimize(pointer);
}

/// Random coefficients between two bounds, both included.
[[nodiscard]] ml_dsa::Coefficients random_coefficients(std::int64_t low, std::int64_t high);

/// Readings of the counter in the course of a row.
class Samples {
  public:
    /// The column of means, in nanoseconds.
    static constexpr const char* mean_column = "mean_time (ns)";

    void reserve(benchmark::IterationCount count);
    void add(std::uint64_t ticks);

    /// Sets the column of ticks, for samples of `iterations_each` iterations: their median, or if
    /// `kinds` kinds of work took turns, the mean of the medians of each. An interruption by
    /// another program does not move it.
    void set_ticks(benchmark::State& state, benchmark::IterationCount iterations_each,
                   std::size_t kinds = 1) const;

    /// Sets the columns of the mean, greatest, median and least duration of one iteration, of the
    /// percentiles between, and of the number of samples.
    void set_durations(benchmark::State& state, benchmark::IterationCount iterations_each = 1) const;

    /// The names of those columns.
    [[nodiscard]] static std::vector<std::string> duration_columns();

  private:
    std::vector<double> ticks_;
};

/// A loop that times calls of a function, each of several iterations. The rest of a row is
/// compiled once.
struct TimedLoop {
    std::uint64_t (*ticks)(void* function, benchmark::IterationCount calls);
    void* function;
    benchmark::IterationCount iterations;
};

/// How many calls take about 50 microseconds, beside which reading the counter costs nothing.
[[nodiscard]] benchmark::IterationCount calls_to_time(const TimedLoop& loop);

/// Times `calls` calls at a time.
void time_loop(benchmark::State& state, const TimedLoop& loop, benchmark::IterationCount calls);

/// A row that times f, each call of which does several iterations. (f takes no vectors: g++ 12
/// compiles lambdas that do without the engine's target.)
template <class F>
void each_call(benchmark::State& state, benchmark::IterationCount iterations, F f)
{
    const auto ticks = [](void* function, benchmark::IterationCount calls) {
        F& timed = *static_cast<F*>(function);
        const std::uint64_t begin = Counter::start();
        for (benchmark::IterationCount i = 0; i < calls; ++i) timed();
        return Counter::stop() - begin;
    };
    const TimedLoop loop{ticks, &f, iterations};
    // Found once for each f: google-benchmark wants every repetition to have the same iterations.
    static const benchmark::IterationCount calls = calls_to_time(loop);
    time_loop(state, loop, calls);
}

/// A row that times f, which may write to any exposed object.
template <class F>
void each_call(benchmark::State& state, F f)
{
    each_call(state, 1, [&] {
        f();
        benchmark::ClobberMemory();
    });
}

/// The columns of a row whose iterations are timed by hand, each with one reading of the counter
/// before and one after. google-benchmark is told the processor's time of the whole row, with the
/// preparation, so that its minimum is of that.
class Durations {
  public:
    explicit Durations(benchmark::State& state);

    /// Runs and times an operation; returns what it returns.
    template <class Operation>
    auto time(Operation operation)
    {
        const std::uint64_t begin = Counter::start();
        const auto result = operation();
        samples_.add(Counter::stop() - begin);
        return result;
    }

    /// Sets all columns; `kinds` as in Samples::set_ticks.
    void report(std::size_t kinds = 1);

  private:
    benchmark::State& state_;
    Samples samples_;
    CoreTime began_ = CoreTime::now();
};

}  // namespace girih::lab
