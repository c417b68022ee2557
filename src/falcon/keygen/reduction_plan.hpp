/// The lengths of numbers in the key generator without floating point: their words at each depth of
/// the tower, and the bits that each pass of Babai's reduction removes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/tower.hpp"

namespace girih::falcon {

constexpr std::size_t words_of_bits(int bits)
{
    // (bits + 30) / 31 without a division, which compilers would emit to save bytes: 33826 / 2^20
    // exceeds 1 / 31 by less than 1 / 31 / 2^15.
    static_assert(word_bits == 31);
    return (static_cast<std::size_t>(bits) + 30) * 33826 >> 20;
}

/// Depth `depth` of the tower over polynomials of 2^logn coefficients. Lengths are those of the
/// largest coefficient, without its sign. Lengths of F and G are relative to those of f and g,
/// which are secret within their bounds.
struct DepthPlan {
    unsigned logn;
    std::size_t depth;

    [[nodiscard]] constexpr unsigned logm() const { return logn - static_cast<unsigned>(depth); }
    [[nodiscard]] constexpr std::size_t m() const { return std::size_t{1} << logm(); }
    [[nodiscard]] constexpr int min_bits() const { return std::max(tower::depths[depth].min_bits(), 1); }
    [[nodiscard]] constexpr int max_bits() const { return tower::depths[depth].max_bits(); }
    /// The words of f and g.
    [[nodiscard]] constexpr std::size_t fg_words() const { return words_of_bits(max_bits() + 1); }
    /// The bits by which F and G exceed 2^scale times f and g after a pass: the remainder is at
    /// most half of sum |f_i|, and about the square root of the number of terms. (A third of logm,
    /// which is up to ten.)
    [[nodiscard]] constexpr int slack() const { return 2 + (static_cast<int>(logm()) * 11 >> 5); }
    /// The words of reduced F and G.
    [[nodiscard]] constexpr std::size_t reduced_words() const { return words_for(slack()); }
    /// The excess of F and G as lifted from the next depth: sums of m / 2 products of numbers of
    /// both depths.
    [[nodiscard]] constexpr int first_excess() const
    {
        const DepthPlan above{logn, depth + 1};
        return above.max_bits() + above.slack() + static_cast<int>(logm()) / 2 + 2;
    }
    [[nodiscard]] constexpr std::size_t large_words() const { return words_for(first_excess()); }
    /// The words of F and G that are `excess` bits longer than f and g, with a sign and a spare
    /// bit.
    [[nodiscard]] constexpr std::size_t words_for(int excess) const
    {
        return words_of_bits(max_bits() + excess + 2);
    }
    /// The bits that a pass removes, without the slack. k has about as many, and sums of m products
    /// of k and words stay below 2^63. At depth 1, where f and g are short, as many as fit in k.
    [[nodiscard]] constexpr int bits_at_once() const
    {
        return logm() <= 3 || depth == 1 ? 28 : 29 - static_cast<int>(logm()) / 2;
    }
    /// The bits by which the first quotients may exceed their bounds: where f and g have small
    /// values, F and G may not.
    [[nodiscard]] constexpr int headroom() const { return 16 - static_cast<int>(logm()); }
    /// The bits of the Fourier transform's input that keep values below 2^60.
    [[nodiscard]] constexpr int fixed_bits() const { return 60 - static_cast<int>(logm()); }
    /// The words of f and g of this depth together.
    [[nodiscard]] constexpr std::size_t level_words() const { return 2 * m() * fg_words(); }
};

}  // namespace girih::falcon
