/// Medians and quantiles, and how far a median can be trusted.
#pragma once

#include <optional>
#include <vector>

namespace girih::lab {

[[nodiscard]] std::vector<double> sorted(std::vector<double> numbers);

/// A quantile of sorted numbers, of which there is at least one: between the two nearest ones.
[[nodiscard]] double quantile(const std::vector<double>& sorted, double q);

/// The median of numbers in any order, of which there is at least one; if their count is even, the
/// lower of the two in the middle, which an interruption (it makes a number larger) moves least.
[[nodiscard]] double median(std::vector<double> numbers);

/// A median with its interval.
struct Estimate {
    double low;
    double median;
    double high;

    /// The interval goes from the k-th least to the k-th greatest of n numbers. The true median is
    /// below the k-th least only if fewer than k numbers are below it, each with probability 1/2.
    /// It is outside with probability 5 % at most, whatever the distribution. Fewer than six
    /// numbers give the interval from the least to the greatest; none give no estimate.
    [[nodiscard]] static std::optional<Estimate> of(std::vector<double> numbers);

    /// Whether the estimate of a ratio leaves open which of the two is faster.
    [[nodiscard]] bool crosses_1() const { return low <= 1 && high >= 1; }
};

}  // namespace girih::lab
