#include "bench/support/reporters.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>

#include "bench/support/counter.hpp"
#include "bench/support/titles.hpp"

namespace girih::bench {

namespace {

using Run = benchmark::BenchmarkReporter::Run;

/// The column of the means, in nanoseconds.
constexpr const char* mean_column = "mean_time (ns)";

double counter_of(const Run& run, const char* name)
{
    const auto found = run.counters.find(name);
    return found == run.counters.end() ? 0 : found->second.value;
}

/// Whether a row is a statistic without a unit, as the coefficient of variation.
bool is_share(const Run& run)
{
    return run.run_type == Run::RT_Aggregate && run.aggregate_unit != benchmark::StatisticUnit::kTime;
}

/// The row with its median for a time, if its ticks are counted.
Run with_median(Run run)
{
    if (run.report_label.empty()) run.report_label = title_of_row(run.benchmark_name());
    const double ticks = counter_of(run, "ticks");
    if (run.error_occurred || run.iterations == 0 || ticks == 0 || run.report_big_o || run.report_rms)
        return run;
    if (is_share(run)) {
        run.real_accumulated_time = ticks;
        return run;
    }
    const auto iterations = static_cast<double>(run.iterations);
    run.counters[mean_column] = run.real_accumulated_time / iterations * 1e9;
    run.real_accumulated_time = ticks / ticks_per_second() * iterations;
    if (const auto rate = run.counters.find("items_per_second"); rate != run.counters.end())
        rate->second.value = ticks_per_second() / ticks;
    return run;
}

constexpr int title_width = 62;
constexpr int time_width = 12;
constexpr int ticks_width = 14;
constexpr int count_width = 11;

/// "0.36 %".
std::string share_text(double share)
{
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.2f %%", 100 * share);
    return text.data();
}

/// "16.43 us": three or four digits.
std::string time_text(double nanoseconds)
{
    if (nanoseconds <= 0) return "-";
    double value = nanoseconds;
    const char* unit = "ns";
    for (const char* larger : {"us", "ms", "s"}) {
        if (value < 1000) break;
        value /= 1000;
        unit = larger;
    }
    std::array<char, 32> text;
    const int digits = value < 10 ? 3 : value < 100 ? 2 : 1;
    std::snprintf(text.data(), text.size(), "%.*f %s", digits, value, unit);
    return text.data();
}

}  // namespace

Run run_of(const std::string& name, const std::string& title, double nanoseconds,
           benchmark::IterationCount count)
{
    Run run;
    run.run_name.function_name = name;
    run.report_label = title;
    run.family_index = 0;
    run.per_family_instance_index = 0;
    run.repetition_index = 0;
    run.repetitions = 1;
    run.iterations = count;
    run.time_unit = benchmark::kNanosecond;
    run.real_accumulated_time = nanoseconds * 1e-9 * static_cast<double>(count);
    run.cpu_accumulated_time = run.real_accumulated_time;
    run.statistics = nullptr;
    return run;
}

bool MedianReporter::ReportContext(const Context& context)
{
    reporter_->SetOutputStream(&GetOutputStream());
    reporter_->SetErrorStream(&GetErrorStream());
    return reporter_->ReportContext(context);
}

void MedianReporter::ReportRuns(const std::vector<Run>& runs)
{
    std::vector<Run> changed;
    for (const Run& run : runs) changed.push_back(with_median(run));
    if (is_first_ && !changed.empty()) {
        // CSV takes its columns from the first row.
        for (const std::string& column : columns_) changed[0].counters.try_emplace(column, std::nan(""));
    }
    is_first_ = false;
    reporter_->ReportRuns(changed);
}

void MedianReporter::Finalize()
{
    if (more_) {
        // One after another, as google-benchmark hands them over.
        for (const Run& run : more_()) reporter_->ReportRuns({run});
    }
    reporter_->Finalize();
}

bool Table::ReportContext(const Context& context)
{
    // A library that was built as DEBUG is google-benchmark's own, as Debian has it; what is timed
    // is not.
    std::stringstream lines;
    PrintBasicContext(&lines, context);
    for (std::string line; std::getline(lines, line);)
        if (line.find("Library was built as DEBUG") == std::string::npos) GetOutputStream() << line << '\n';
    return true;
}

void Table::print_head()
{
    auto& out = GetOutputStream();
    out << std::left << std::setw(title_width) << "row" << std::right << std::setw(time_width) << "median"
        << std::setw(time_width) << "mean" << std::setw(time_width) << "least" << std::setw(time_width)
        << "greatest" << std::setw(ticks_width) << "ticks" << std::setw(count_width) << "runs"
        << "  name\n";
    has_head_ = true;
}

void Table::ReportRuns(const std::vector<Run>& runs)
{
    auto& out = GetOutputStream();
    if (!has_head_) print_head();
    for (const Run& run : runs) {
        const std::string name = run.benchmark_name();
        if (run.error_occurred) {
            out << name << ": ERROR: " << run.error_message << std::endl;
            continue;
        }
        const auto iterations = static_cast<double>(run.iterations);
        std::string title = run.report_label;
        if (!run.aggregate_name.empty()) title.append(" (").append(run.aggregate_name).append(")");
        out << std::left << std::setw(title_width) << title << std::right << std::setw(time_width);
        if (is_share(run)) {
            out << share_text(run.real_accumulated_time) << std::endl;
            continue;
        }
        out << time_text(run.real_accumulated_time / iterations * 1e9) << std::setw(time_width)
            << time_text(counter_of(run, mean_column)) << std::setw(time_width)
            << time_text(counter_of(run, "min_exec_time (ns)")) << std::setw(time_width)
            << time_text(counter_of(run, "max_exec_time (ns)")) << std::setw(ticks_width) << std::fixed
            << std::setprecision(1) << counter_of(run, "ticks") << std::setw(count_width) << run.iterations
            << "  " << name << std::endl;
    }
}

}  // namespace girih::bench
