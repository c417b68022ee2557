#include "lab/benchmark/reporters.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <string>

#include "lab/benchmark/rows.hpp"
#include "lab/measure/clock.hpp"
#include "lab/measure/table.hpp"

namespace girih::lab {

namespace {

using Run = benchmark::BenchmarkReporter::Run;

double counter_of(const Run& run, const char* name)
{
    const auto found = run.counters.find(name);
    return found == run.counters.end() ? 0 : found->second.value;
}

/// Whether a row is a statistic without a unit, such as the coefficient of variation.
bool is_share(const Run& run)
{
    return run.run_type == Run::RT_Aggregate && run.aggregate_unit != benchmark::StatisticUnit::kTime;
}

/// The row with its median as its time, if its ticks are counted.
Run with_median(Run run)
{
    const double ticks = counter_of(run, "ticks");
    if (run.error_occurred || run.iterations == 0 || ticks == 0 || run.report_big_o || run.report_rms)
        return run;
    if (is_share(run)) {
        run.real_accumulated_time = ticks;
        return run;
    }
    const auto iterations = static_cast<double>(run.iterations);
    run.real_accumulated_time = ticks / ticks_per_second() * iterations;
    if (const auto rate = run.counters.find("items_per_second"); rate != run.counters.end())
        rate->second.value = ticks_per_second() / ticks;
    return run;
}

/// The columns that are shown, each figure with its unit.
const Table& columns()
{
    static const Table table{"",
                             {{"row", true, 60},
                              {"median", false, 10},
                              {"mean", false, 10},
                              {"least", false, 10},
                              {"greatest", false, 10},
                              {"ticks", false, 12},
                              {"runs", false, 9},
                              {"name", true}}};
    return table;
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

Progress::Progress(std::size_t rows) : rows_(rows), is_terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::clear() const
{
    if (is_terminal_) std::cerr << "\r\033[K" << std::flush;
}

void Progress::reach(std::size_t row)
{
    done_ = std::max(done_, row + 1);
    const auto now = Clock::now();
    if (done_ >= rows_ || (!is_terminal_ && now - told_ < std::chrono::minutes{1})) return;
    told_ = now;
    const std::chrono::duration<double> taken = now - began_;
    const double left = taken.count() / static_cast<double>(done_) * static_cast<double>(rows_ - done_);
    std::cerr << "row " << done_ << " of " << rows_ << ", about "
              << (left < 60 ? std::to_string(std::lround(left)) + " s"
                            : std::to_string(std::lround(left / 60)) + " min")
              << " left" << (is_terminal_ ? "" : "\n") << std::flush;
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
    if (progress_) progress_->clear();
    reporter_->ReportRuns(changed);
    if (progress_ && !changed.empty())
        progress_->reach(static_cast<std::size_t>(changed.back().family_index));
}

void MedianReporter::Finalize()
{
    if (more_) {
        // One after another, as google-benchmark hands them over.
        for (const Run& run : more_()) reporter_->ReportRuns({run});
    }
    reporter_->Finalize();
}

bool RowReporter::ReportContext(const Context& context)
{
    // "Library was built as DEBUG" is about google-benchmark itself (Debian's is), not about the
    // code that is timed.
    std::stringstream lines;
    PrintBasicContext(&lines, context);
    for (std::string line; std::getline(lines, line);)
        if (line.find("Library was built as DEBUG") == std::string::npos) GetOutputStream() << line << '\n';
    return true;
}

void RowReporter::ReportRuns(const std::vector<Run>& runs)
{
    auto& out = GetOutputStream();
    if (!has_head_) out << columns().head();
    has_head_ = true;
    for (const Run& run : runs) {
        const std::string name = run.benchmark_name();
        if (run.error_occurred) {
            out << name << ": ERROR: " << run.error_message << std::endl;
            continue;
        }
        const auto iterations = static_cast<double>(run.iterations);
        std::string title = run.report_label;
        if (!run.aggregate_name.empty()) title.append(" (").append(run.aggregate_name).append(")");
        if (is_share(run)) {
            out << columns().line({title, percent(run.real_accumulated_time, 2)}) << std::flush;
            continue;
        }
        out << columns().line({title, time_text(run.real_accumulated_time / iterations * 1e9),
                               time_text(counter_of(run, Samples::mean_column)),
                               time_text(counter_of(run, "min_exec_time (ns)")),
                               time_text(counter_of(run, "max_exec_time (ns)")),
                               fixed(counter_of(run, "ticks"), 1), std::to_string(run.iterations), name})
            << std::flush;
    }
}

}  // namespace girih::lab
