/// Medians and quantiles, and how far a median can be trusted.
#pragma once

#include <optional>
#include <vector>

namespace girih::lab {

[[nodiscard]] std::vector<double> sorted(std::vector<double> numbers);

/// A quantile of sorted numbers, of which there is at least one: between the two nearest ones.
[[nodiscard]] double quantile(const std::vector<double>& sorted, double q);

/// The median of numbers in any order, of which there is at least one; of an even count the lower
/// of the two in the middle: an interruption of one makes it longer, and does not move this.
[[nodiscard]] double median(std::vector<double> numbers);

/// A median with its interval.
struct Estimate {
    double low;
    double median;
    double high;

    /// The interval goes from the k-th least to the k-th greatest of n numbers: the true median is
    /// below the k-th least if fewer than k numbers are below it, each by chance a half. It is
    /// outside by 5 % at most, whatever the distribution. Of fewer than six numbers the interval is
    /// from the least to the greatest; of none there is no estimate.
    [[nodiscard]] static std::optional<Estimate> of(std::vector<double> numbers);

    /// Whether a ratio does not tell which of two is the faster.
    [[nodiscard]] bool crosses_1() const { return low <= 1 && high >= 1; }
};

}  // namespace girih::lab
