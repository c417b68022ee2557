/// Where everything is in the memory of the key generator that has no floating point.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>

#include "core/bytes.hpp"
#include "falcon/keygen/bezout.hpp"
#include "falcon/keygen/big_poly.hpp"
#include "falcon/keygen/limb_products.hpp"
#include "falcon/keygen/reduction_plan.hpp"

namespace girih::falcon {

/// Levels 2 and on of f and g stand at the front, the lowest first. Where the level that has
/// just been reduced was, its F and G follow, in limbs; F and G of the level at hand stand at
/// the end, and what is short-lived between. Level 1 is made again when its turn comes, and
/// stands before its F and G.
template <class Isa>
class FastNtruMemory {
  public:
    constexpr FastNtruMemory(unsigned its_logn, std::size_t words, Byte* bytes)
        : logn(its_logn), n(std::size_t{1} << its_logn), memory_words_(words), memory_(bytes)
    {
    }

    unsigned logn;
    std::size_t n;

    /// Degrees from which polynomials are multiplied modulo as many primes as the product has
    /// words; below, coefficient by coefficient.
    static constexpr std::size_t least_transform = 64;

    [[nodiscard]] constexpr DepthPlan plan(std::size_t depth) const { return {logn, depth}; }

    /// Coefficients of level 1 have 16 bits.
    [[nodiscard]] constexpr std::size_t level_words(std::size_t depth) const
    {
        return depth == 1 ? plan(1).m() : plan(depth).level_words();
    }
    [[nodiscard]] constexpr std::size_t level_offset(std::size_t depth) const
    {
        if (depth == 1) return memory_words_ - large_words(1) - level_words(1);
        std::size_t words = 0;
        for (std::size_t d = 2; d < depth; ++d) words += plan(d).level_words();
        return words;
    }
    /// Limbs of each integer of reduced F and G.
    [[nodiscard]] constexpr std::size_t upper_limbs(std::size_t depth) const
    {
        return limbs_of(depth == logn ? plan(depth).fg_words() + 1 : plan(depth).reduced_words());
    }
    [[nodiscard]] constexpr std::size_t upper_words(std::size_t depth) const
    {
        return limb_memory(2 * plan(depth).m() * upper_limbs(depth));
    }
    [[nodiscard]] constexpr std::size_t large_words(std::size_t depth) const
    {
        return 2 * plan(depth).m() * plan(depth).large_words();
    }
    static constexpr std::size_t adjoints_words(std::size_t m) { return 2 * m + m / 8 + 1; }
    [[nodiscard]] constexpr std::size_t memory_words() const
    {
        // At the top: f and g, then F and G in their place; and Bezout's own.
        std::size_t most =
            bezout_offset() + limb_memory(Bezout<Isa>::memory_limbs(plan(logn).fg_words())) + limb_words - 1;
        most = std::max(most, 5 * n + n / 2 + n / 8);  // depth 0
        for (std::size_t d = 1; d < logn; ++d) {
            const std::size_t m = plan(d).m();
            const std::size_t levels = d == 1 ? level_words(1) : free_offset(d);
            const std::size_t lifting =
                levels + upper_words(d + 1) +
                (m >= least_transform ? 2 * m + m / 2 : limb_memory(m * limbs_of(plan(d).fg_words()))) +
                large_words(d);
            const std::size_t reducing = levels + adjoints_words(m) + 4 * m + large_words(d) + 4;
            most = std::max({most, lifting + 4, reducing});
        }
        return most;
    }

    /// Where a depth's short-lived things begin.
    [[nodiscard]] constexpr std::size_t free_offset(std::size_t depth) const
    {
        return depth == 1 ? 0 : level_offset(depth) + plan(depth).level_words();
    }
    /// Where F and G of a depth above are.
    [[nodiscard]] constexpr std::size_t upper_offset(std::size_t depth) const
    {
        return depth == 1 ? 0 : level_offset(depth);
    }

    /// Where the integers of Bezout's equation are, behind what the top of the tower holds.
    [[nodiscard]] constexpr std::size_t bezout_offset() const
    {
        return level_offset(logn) + std::max(plan(logn).level_words(), upper_words(logn));
    }

    /// So many objects from a place on, which is counted in words.
    template <class T>
    [[nodiscard]] std::span<T> at(std::size_t offset, std::size_t count)
    {
        const std::size_t place = (offset * sizeof(Word) + alignof(T) - 1) / alignof(T) * alignof(T);
        return {::new (static_cast<void*>(&memory_[place])) T[count], count};
    }
    [[nodiscard]] std::span<Word> words(std::size_t offset, std::size_t count)
    {
        return at<Word>(offset, count);
    }
    [[nodiscard]] BigPoly level(std::size_t depth)
    {
        const DepthPlan p = plan(depth);
        return {words(level_offset(depth), level_words(depth)), 2 * p.m(), p.fg_words()};
    }
    [[nodiscard]] std::size_t large_offset(std::size_t depth) const
    {
        return memory_words_ - large_words(depth);
    }
    /// F and G side by side, as f and g are.
    [[nodiscard]] BigPoly large(std::size_t depth, std::size_t length)
    {
        const std::size_t columns = 2 * plan(depth).m();
        return {words(large_offset(depth), columns * length), columns, length};
    }
    /// F, or G, of a depth above, a coefficient's limbs together.
    [[nodiscard]] std::span<Limb> upper(std::size_t depth)
    {
        return at<Limb>(upper_offset(depth), upper_words(depth) / limb_words);
    }

  protected:
    std::size_t memory_words_;
    Byte* memory_;
};

}  // namespace girih::falcon
