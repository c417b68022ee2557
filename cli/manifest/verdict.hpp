/// The results of checking many signatures or files.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/system/failure.hpp"

namespace girih::cli {

enum class Verdict { good, bad, error };

[[nodiscard]] std::string_view name_of(Verdict verdict);

/// A line for people: the verdict, in its colour, the file's name and the reason, if any.
[[nodiscard]] std::string line_of(Verdict verdict, const std::string& file, const std::string& reason);

/// The text of a failure, without the file's name if it begins with it.
[[nodiscard]] std::string reason_of(const Failure& failure, const std::string& file);

/// Counts verdicts.
class Tally {
  public:
    /// `what` names the things that are counted: "signatures".
    explicit Tally(std::string what) : what_(std::move(what)) {}
    void add(Verdict verdict, const std::string& file, const std::string& reason);
    [[nodiscard]] std::size_t total() const { return counts_[0] + counts_[1] + counts_[2]; }
    /// "12 signatures: 9 good, 2 bad, 1 error"
    [[nodiscard]] std::string summary() const;
    /// The failure if not all are good, with the first of the others, or if there are none: an
    /// empty list is an error. `list` is the list's file.
    [[nodiscard]] std::optional<Failure> failure(const std::string& list) const;

  private:
    std::string what_;
    std::array<std::size_t, 3> counts_{};
    std::string first_;  ///< that is not good, and the reason
};

}  // namespace girih::cli
