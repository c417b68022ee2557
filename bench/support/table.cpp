#include "bench/support/table.hpp"

#include <algorithm>
#include <utility>

namespace girih::bench {

namespace {

bool a_row_failed = false;
std::size_t rows = 0;

/// The lower median: one of the values, of which there is at least one.
std::uint64_t median(std::vector<std::uint64_t> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::string name_of_row(std::string name, std::string_view component,
                        std::initializer_list<std::int64_t> arguments)
{
    name += component;
    char separator = '<';
    for (const std::int64_t argument : arguments) {
        name += separator;
        if (separator == ',') name += ' ';
        name += std::to_string(argument);
        separator = ',';
    }
    if (arguments.size() != 0) name += '>';
    return name;
}

}  // namespace

std::string dilithium_name(std::string_view component, std::initializer_list<std::int64_t> arguments)
{
    return name_of_row("bench_dilithium::", component, arguments);
}

std::string ml_kem_name(std::string_view component, std::initializer_list<std::int64_t> arguments)
{
    return name_of_row("bench_ml_kem::", component, arguments);
}

void add_row(const std::string& name, Row row)
{
    benchmark::RegisterBenchmark(name.c_str(), row);
    ++rows;
}

benchmark::internal::Benchmark* add_operation_row(const std::string& name,
                                                  std::function<void(benchmark::State&)> row)
{
    ++rows;
    return benchmark::RegisterBenchmark(name.c_str(), std::move(row))
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

std::size_t count_of_rows() { return rows; }

void fail(benchmark::State& state, const std::string& message)
{
    a_row_failed = true;
    state.SkipWithError(message.c_str());
}

bool any_failed() { return a_row_failed; }

void Samples::reserve(benchmark::IterationCount count) { ticks_.reserve(static_cast<std::size_t>(count)); }

void Samples::add(std::uint64_t ticks) { ticks_.push_back(ticks); }

void Samples::set_ticks(benchmark::State& state, benchmark::IterationCount iterations_each,
                        std::size_t kinds) const
{
    if (!Counter::has_ticks || ticks_.size() < kinds) return;
    double sum = 0;
    std::vector<std::uint64_t> same;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        same.clear();
        for (std::size_t i = kind; i < ticks_.size(); i += kinds) same.push_back(ticks_[i]);
        sum += static_cast<double>(median(same));
    }
    state.counters["ticks"] = sum / static_cast<double>(kinds) / static_cast<double>(iterations_each);
}

namespace {

/// A column of durations, of which so many in a hundred are no longer.
struct Percentile {
    const char* column;
    std::size_t percent;
};

constexpr Percentile percentiles[] = {
    {"min_exec_time (ns)", 0},  {"p10_exec_time (ns)", 10},  {"p20_exec_time (ns)", 20},
    {"p30_exec_time (ns)", 30}, {"p40_exec_time (ns)", 40},  {"p60_exec_time (ns)", 60},
    {"p70_exec_time (ns)", 70}, {"p80_exec_time (ns)", 80},  {"p90_exec_time (ns)", 90},
    {"p95_exec_time (ns)", 95}, {"max_exec_time (ns)", 100},
};
constexpr const char* median_column = "median_exec_time (ns)";

}  // namespace

void Samples::set_durations(benchmark::State& state) const
{
    if (ticks_.empty()) return;
    const auto nanoseconds = [](std::uint64_t ticks) {
        return static_cast<double>(ticks) * 1e9 / ticks_per_second();
    };
    std::vector<std::uint64_t> sorted = ticks_;
    std::ranges::sort(sorted);
    state.counters[median_column] = nanoseconds(median(ticks_));
    for (const auto& [column, percent] : percentiles)
        state.counters[column] = nanoseconds(sorted[(sorted.size() - 1) * percent / 100]);
}

std::vector<std::string> Samples::duration_columns()
{
    std::vector<std::string> columns{median_column};
    for (const Percentile& percentile : percentiles) columns.emplace_back(percentile.column);
    return columns;
}

benchmark::IterationCount calls_to_time(const TimedLoop& loop)
{
    const double enough = 50e-6 * ticks_per_second();
    for (benchmark::IterationCount calls = 1;; calls *= 2) {
        // The least of three: an interruption makes few calls look long.
        std::uint64_t least = UINT64_MAX;
        for (int attempt = 0; attempt < 3; ++attempt)
            least = std::min(least, loop.ticks(loop.function, calls));
        if (static_cast<double>(least) >= enough) return calls;
    }
}

void time_loop(benchmark::State& state, const TimedLoop& loop, benchmark::IterationCount calls)
{
    const benchmark::IterationCount iterations = calls * loop.iterations;
    Samples samples;
    while (state.KeepRunningBatch(iterations)) samples.add(loop.ticks(loop.function, calls));
    samples.set_ticks(state, iterations);
}

Durations::Durations(benchmark::State& state) : state_(state) { samples_.reserve(state.max_iterations); }

void Durations::add(std::uint64_t ticks)
{
    samples_.add(ticks);
    state_.SetIterationTime(static_cast<double>(ticks) / ticks_per_second());
}

void Durations::report(std::size_t kinds)
{
    state_.SetItemsProcessed(state_.iterations());
    samples_.set_durations(state_);
    samples_.set_ticks(state_, 1, kinds);
}

}  // namespace girih::bench
