#include "lab/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace girih::lab {

std::vector<double> sorted(std::vector<double> numbers)
{
    std::ranges::sort(numbers);
    return numbers;
}

double quantile(const std::vector<double>& sorted, double q)
{
    const double place = q * static_cast<double>(sorted.size() - 1);
    const double low = sorted[static_cast<std::size_t>(std::floor(place))];
    const double high = sorted[static_cast<std::size_t>(std::ceil(place))];
    return low + (high - low) * (place - std::floor(place));
}

double median(std::vector<double> numbers)
{
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>((numbers.size() - 1) / 2);
    std::ranges::nth_element(numbers, middle);
    return *middle;
}

std::optional<Estimate> Estimate::of(std::vector<double> numbers)
{
    if (numbers.empty()) return std::nullopt;
    constexpr double doubt = 0.05;
    const std::vector<double> all = sorted(std::move(numbers));
    const std::size_t last = all.size() - 1;
    double chance =
        -std::log(2.0) * static_cast<double>(all.size());  // of exactly `rank` numbers, its logarithm
    double below = 0;
    std::size_t rank = 0;
    for (; rank <= last / 2; ++rank) {
        below += std::exp(chance);
        if (2 * below > doubt) break;
        chance += std::log(static_cast<double>(all.size() - rank) / static_cast<double>(rank + 1));
    }
    rank -= rank > 0 ? 1 : 0;
    return Estimate{all[rank], quantile(all, 0.5), all[last - rank]};
}

}  // namespace girih::lab
