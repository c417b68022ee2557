/// How far a long job is, on standard error, for somebody who watches.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace girih::cli {

/// A line that is rewritten: nothing in the first second, nothing if standard error is no terminal,
/// and gone at the end.
class Progress {
  public:
    enum class Unit { bytes, signatures, runs };

    explicit Progress(std::optional<std::uint64_t> total, Unit unit = Unit::bytes);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// So much more is done.
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

/// A bar that fills as a job goes through its steps: shown from the first, and else as Progress.
class Bar {
  public:
    explicit Bar(std::size_t steps);
    Bar(const Bar&) = delete;
    Bar& operator=(const Bar&) = delete;
    ~Bar();

    /// The next step begins: this is what it does.
    void step(const std::string& what);

  private:
    std::size_t steps_;
    std::size_t done_ = 0;
    bool watched_;
};

}  // namespace girih::cli
