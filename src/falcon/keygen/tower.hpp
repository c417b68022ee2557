/// The tower of rings that the NTRU equation is solved in: at depth d polynomials have n / 2^d
/// coefficients, and f and g are norms of norms.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace girih::falcon::tower {

/// The words of a coefficient at each depth: `small_words` of f and g, and of reduced F and G;
/// `large_words` of F and G before reduction. With them the mean and deviation of the length in
/// bits of the largest coefficient of f and g, measured on many keys. The words hold at least six
/// deviations.
struct Depth {
    std::size_t small_words;
    std::size_t large_words;
    int mean_bits;
    int deviation_bits;

    [[nodiscard]] constexpr int min_bits() const { return mean_bits - 6 * deviation_bits; }
    [[nodiscard]] constexpr int max_bits() const { return mean_bits + 6 * deviation_bits; }
};
inline constexpr std::array<Depth, 11> depths{{{1, 1, 4, 0},
                                               {1, 2, 11, 1},
                                               {2, 5, 24, 1},
                                               {2, 7, 50, 1},
                                               {4, 12, 102, 1},
                                               {7, 21, 202, 2},
                                               {14, 40, 401, 4},
                                               {27, 78, 794, 5},
                                               {53, 157, 1577, 8},
                                               {106, 308, 3138, 13},
                                               {209, 0, 6308, 25}}};

constexpr std::size_t degree(unsigned logn, std::size_t depth) { return std::size_t{1} << (logn - depth); }

/// The place of a depth's polynomials if all depths are contiguous.
constexpr std::size_t offset(unsigned logn, std::size_t depth)
{
    std::size_t words = 0;
    for (std::size_t d = 0; d < depth; ++d) words += degree(logn, d) * depths[d].small_words;
    return words;
}
constexpr std::size_t all_words(unsigned logn) { return offset(logn, logn + std::size_t{1}); }
constexpr std::size_t largest(unsigned logn, std::size_t Depth::* words, std::size_t more = 0)
{
    std::size_t size = 0;
    for (std::size_t d = 0; d <= logn; ++d)
        size = std::max(size, degree(logn, d) * (depths[d].*words + more));
    return size;
}

}  // namespace girih::falcon::tower
