/// How the rows are told: their medians first, under names for people.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace girih::lab {

using Runs = std::vector<benchmark::BenchmarkReporter::Run>;

/// A row that google-benchmark did not run: a name, a title, a time in nanoseconds, and how many
/// runs that is of.
[[nodiscard]] benchmark::BenchmarkReporter::Run run_of(const std::string& name, const std::string& title,
                                                       double nanoseconds, benchmark::IterationCount count);

/// Tells on standard error how many rows are done and how long the others take: after each row on
/// a terminal, where the next row takes its place, and else at most once a minute.
class Progress {
  public:
    explicit Progress(std::size_t rows);

    /// Makes room for a row.
    void clear() const;
    /// After results of the row with this index.
    void reach(std::size_t row);

  private:
    using Clock = std::chrono::steady_clock;

    std::size_t rows_;
    std::size_t done_ = 0;
    bool is_terminal_;
    Clock::time_point began_ = Clock::now();
    Clock::time_point told_ = began_;
};

/// Hands rows on with the median for their time, the mean beside it, and their title for a label;
/// after the last of them `more`.
class MedianReporter : public benchmark::BenchmarkReporter {
  public:
    /// `columns` are what the first row has to have, whether it has a value or not.
    MedianReporter(std::unique_ptr<benchmark::BenchmarkReporter> reporter, std::function<Runs()> more,
                   std::vector<std::string> columns = {}, std::optional<Progress> progress = {})
        : reporter_(std::move(reporter)),
          more_(std::move(more)),
          columns_(std::move(columns)),
          progress_(progress)
    {
    }

    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;
    void Finalize() override;

  private:
    std::unique_ptr<benchmark::BenchmarkReporter> reporter_;
    std::function<Runs()> more_;
    std::vector<std::string> columns_;
    std::optional<Progress> progress_;
    bool is_first_ = true;
};

/// A line of a table for each row, as it comes.
class RowReporter : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;

  private:
    bool has_head_ = false;
};

}  // namespace girih::lab
