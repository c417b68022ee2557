/// How long everything is in the key generator that has no floating point: words of the numbers at
/// each depth of the tower, and how far each pass of Babai's reduction goes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "falcon/keygen/big_poly.hpp"
#include "falcon/keygen/tower.hpp"

namespace girih::falcon {

constexpr std::size_t words_of_bits(int bits)
{
    // (bits + 30) / 31, without a division, which compilers take to be smaller: 33826 / 2^20
    // exceeds 1 / 31 by less than 1 / 31 / 2^15.
    static_assert(word_bits == 31);
    return (static_cast<std::size_t>(bits) + 30) * 33826 >> 20;
}

/// Depth `depth` of the tower over polynomials of 2^logn coefficients. Lengths are those of the
/// largest coefficient, without its sign; of F and G they are relative to those of f and g, which
/// are secret within their bounds.
struct DepthPlan {
    unsigned logn;
    std::size_t depth;

    [[nodiscard]] constexpr unsigned logm() const { return logn - static_cast<unsigned>(depth); }
    [[nodiscard]] constexpr std::size_t m() const { return std::size_t{1} << logm(); }
    [[nodiscard]] constexpr int least_bits() const { return std::max(tower::depths[depth].least_bits(), 1); }
    [[nodiscard]] constexpr int most_bits() const { return tower::depths[depth].most_bits(); }
    /// f and g.
    [[nodiscard]] constexpr std::size_t fg_words() const { return words_of_bits(most_bits() + 1); }
    /// What a pass of the reduction leaves of F and G above 2^scale times f and g: half of
    /// sum |f_i| at most, and about the square root of that many. (A third of up to ten.)
    [[nodiscard]] constexpr int slack() const { return 2 + (static_cast<int>(logm()) * 11 >> 5); }
    /// Reduced F and G.
    [[nodiscard]] constexpr std::size_t reduced_words() const { return words_for(slack()); }
    /// F and G as they come from the depth above: products of numbers of that depth and this,
    /// sums of m / 2 of them.
    [[nodiscard]] constexpr int first_excess() const
    {
        const DepthPlan above{logn, depth + 1};
        return above.most_bits() + above.slack() + static_cast<int>(logm()) / 2 + 2;
    }
    [[nodiscard]] constexpr std::size_t large_words() const { return words_for(first_excess()); }
    /// F and G that are so many bits longer than f and g, with a sign and a bit to spare.
    [[nodiscard]] constexpr std::size_t words_for(int excess) const
    {
        return words_of_bits(most_bits() + excess + 2);
    }
    /// Bits that a pass takes off, but for the slack. k has about as many, and the sums of m
    /// products of k with words stay below 2^63; at depth 1, where f and g are short, all
    /// that k has room for.
    [[nodiscard]] constexpr int bits_at_once() const
    {
        return logm() <= 3 || depth == 1 ? 28 : 29 - static_cast<int>(logm()) / 2;
    }
    /// How much longer than their bounds say the first quotients may be: where f and g have small
    /// values, F and G need not.
    [[nodiscard]] constexpr int headroom() const { return 16 - static_cast<int>(logm()); }
    /// The bits of numbers that enter the Fourier transform, so that values stay below 2^60.
    [[nodiscard]] constexpr int fixed_bits() const { return 60 - static_cast<int>(logm()); }
    /// Words of f and g of this depth.
    [[nodiscard]] constexpr std::size_t level_words() const { return 2 * m() * fg_words(); }
};

}  // namespace girih::falcon
