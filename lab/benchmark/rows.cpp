#include "lab/benchmark/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <regex>
#include <utility>

#include "lab/measure/statistics.hpp"

namespace girih::lab {

namespace {

bool a_row_failed = false;
std::size_t rows = 0;

/// The rows that --benchmark_filter names.
struct Filter {
    std::string text;
    std::optional<std::regex> expression;  ///< nothing if the text is none, such as "f[1600"
    bool leaves_out = false;

    [[nodiscard]] bool matches(const std::string& name) const
    {
        return name.find(text) != name.npos || (expression && std::regex_search(name, *expression));
    }
};
std::optional<Filter> filter;

bool is_chosen(const std::string& name, const std::string& title)
{
    return !filter || (filter->matches(name) || filter->matches(title)) != filter->leaves_out;
}

std::string with_arguments(std::string_view text, const std::vector<std::int64_t>& arguments)
{
    std::string filled;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '{') {
            filled += text[i];
            continue;
        }
        filled += std::to_string(arguments.at(static_cast<std::size_t>(text[i + 1] - '0')));
        i += 2;
    }
    return filled;
}

}  // namespace

std::string name_of(std::string_view component, std::initializer_list<std::int64_t> arguments)
{
    std::string name{component};
    const char* separator = "<";
    for (const std::int64_t argument : arguments) {
        name.append(separator).append(std::to_string(argument));
        separator = ", ";
    }
    return arguments.size() == 0 ? name : name + '>';
}

void choose_rows(std::string_view text)
{
    if (text.empty() || text == "all") return;
    Filter& chosen = filter.emplace();
    chosen.leaves_out = text.starts_with('-');
    chosen.text = text.substr(chosen.leaves_out ? 1 : 0);
    try {
        chosen.expression.emplace(chosen.text, std::regex::extended);
    } catch (const std::regex_error&) {
    }
}

void add_component(const Scheme& scheme, std::string_view component,
                   std::initializer_list<std::int64_t> arguments, std::string_view title, Row row)
{
    const std::string name = scheme.prefix + name_of(component, arguments);
    const std::string whole = scheme.subject + with_arguments(title, arguments);
    if (!is_chosen(name, whole)) return;
    ++rows;
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        row(state);
        state.SetLabel(whole);
    });
}

void add_operation_row(const std::string& name, const std::string& title,
                       std::function<void(benchmark::State&)> row)
{
    if (!is_chosen(name + "/manual_time", title)) return;
    ++rows;
    const auto labelled = [=](benchmark::State& state) {
        row(state);
        state.SetLabel(title);
    };
    benchmark::RegisterBenchmark(name.c_str(), labelled)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

std::size_t count_of_rows() { return rows; }

void fail(benchmark::State& state, const std::string& message)
{
    a_row_failed = true;
    state.SkipWithError(message.c_str());
}

bool any_failed() { return a_row_failed; }

void Samples::reserve(benchmark::IterationCount count) { ticks_.reserve(static_cast<std::size_t>(count)); }

void Samples::add(std::uint64_t ticks) { ticks_.push_back(static_cast<double>(ticks)); }

void Samples::set_ticks(benchmark::State& state, benchmark::IterationCount iterations_each,
                        std::size_t kinds) const
{
    if (!Counter::has_ticks || ticks_.size() < kinds) return;
    double sum = 0;
    std::vector<double> same;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        same.clear();
        for (std::size_t i = kind; i < ticks_.size(); i += kinds) same.push_back(ticks_[i]);
        sum += median(same);
    }
    state.counters["ticks"] = sum / static_cast<double>(kinds) / static_cast<double>(iterations_each);
}

namespace {

/// The columns of durations, and the quantile that each has.
constexpr std::pair<const char*, double> quantiles[] = {
    {"median_exec_time (ns)", 0.5}, {"min_exec_time (ns)", 0},    {"p10_exec_time (ns)", 0.1},
    {"p20_exec_time (ns)", 0.2},    {"p30_exec_time (ns)", 0.3},  {"p40_exec_time (ns)", 0.4},
    {"p60_exec_time (ns)", 0.6},    {"p70_exec_time (ns)", 0.7},  {"p80_exec_time (ns)", 0.8},
    {"p90_exec_time (ns)", 0.9},    {"p95_exec_time (ns)", 0.95}, {"max_exec_time (ns)", 1},
};

}  // namespace

void Samples::set_durations(benchmark::State& state, benchmark::IterationCount iterations_each) const
{
    if (ticks_.empty()) return;
    const std::vector<double> all = sorted(ticks_);
    for (const auto& [column, q] : quantiles)
        state.counters[column] = nanoseconds(quantile(all, q)) / static_cast<double>(iterations_each);
    const double sum = std::accumulate(all.begin(), all.end(), 0.0);
    state.counters[mean_column] =
        nanoseconds(sum / static_cast<double>(all.size())) / static_cast<double>(iterations_each);
    state.counters["samples"] = static_cast<double>(all.size());
}

std::vector<std::string> Samples::duration_columns()
{
    std::vector<std::string> columns{mean_column, "samples"};
    for (const auto& [column, q] : quantiles) columns.emplace_back(column);
    return columns;
}

ml_dsa::Coefficients random_coefficients(std::int64_t low, std::int64_t high)
{
    Random random;
    ml_dsa::Coefficients coefficients;
    for (std::int32_t& c : coefficients) c = random.between(low, high);
    return coefficients;
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
    samples.set_durations(state, iterations);
    samples.set_ticks(state, iterations);
}

Durations::Durations(benchmark::State& state) : state_(state) { samples_.reserve(state.max_iterations); }

void Durations::report(std::size_t kinds)
{
    const CoreTime now = CoreTime::now();
    const double on_core = now.on_core - began_.on_core;
    state_.SetIterationTime(on_core > 0 ? on_core : now.elapsed - began_.elapsed);
    state_.SetItemsProcessed(state_.iterations());
    samples_.set_durations(state_);
    samples_.set_ticks(state_, 1, kinds);
}

}  // namespace girih::lab
