/// The progress of a long job, on standard error, if that is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace girih::cli {

/// A line that is rewritten. Not shown in the first second, or if standard error is not a terminal;
/// erased at the end.
class Progress {
  public:
    enum class Unit { bytes, signatures, runs };

    explicit Progress(std::optional<std::uint64_t> total, Unit unit = Unit::bytes);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// Adds `amount` to the finished work.
    void add(std::uint64_t amount);

  private:
    using Clock = std::chrono::steady_clock;

    std::optional<std::uint64_t> total_;
    Unit unit_;
    std::uint64_t done_ = 0;
    bool watched_;
    bool shown_ = false;
    Clock::time_point next_;
};

/// A bar that fills with the steps of a job. Shown from the first step on, otherwise like Progress.
class Bar {
  public:
    explicit Bar(std::size_t steps);
    Bar(const Bar&) = delete;
    Bar& operator=(const Bar&) = delete;
    ~Bar();

    /// Begins the next step; `what` describes it.
    void step(const std::string& what);

  private:
    std::size_t steps_;
    std::size_t done_ = 0;
    bool watched_;
};

}  // namespace girih::cli
