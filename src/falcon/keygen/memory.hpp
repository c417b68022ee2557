/// The memory layout of the key generator without floating point.
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

/// Levels of f and g from 2 on are at the front, lowest first. The level reduced last is replaced
/// by its F and G, in limbs. F and G of the current level are at the end, with temporary values
/// between. Level 1 is computed again when needed, in front of its F and G.
template <class Isa>
class FastNtruMemory {
  public:
    constexpr FastNtruMemory(unsigned log_degree, std::size_t words, Byte* bytes)
        : logn(log_degree), n(std::size_t{1} << log_degree), memory_words_(words), memory_(bytes)
    {
    }

    unsigned logn;
    std::size_t n;

    /// Polynomials of at least this degree are multiplied modulo as many primes as the product has
    /// words, smaller ones coefficient by coefficient.
    static constexpr std::size_t min_transform_degree = 64;

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
    /// Limbs of each coefficient of reduced F and G.
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
        // At the top: f and g, then F and G in their place; and Bezout's memory.
        std::size_t max_words =
            bezout_offset() + limb_memory(Bezout<Isa>::memory_limbs(plan(logn).fg_words())) + limb_words - 1;
        max_words = std::max(max_words, 5 * n + n / 2 + n / 8);  // depth 0
        for (std::size_t d = 1; d < logn; ++d) {
            const std::size_t m = plan(d).m();
            const std::size_t levels = d == 1 ? level_words(1) : free_offset(d);
            const std::size_t lifting =
                levels + upper_words(d + 1) +
                (m >= min_transform_degree ? 2 * m + m / 2 : limb_memory(m * limbs_of(plan(d).fg_words()))) +
                large_words(d);
            const std::size_t reducing = levels + adjoints_words(m) + 4 * m + large_words(d) + 4;
            max_words = std::max({max_words, lifting + 4, reducing});
        }
        return max_words;
    }

    /// The start of a depth's temporary values.
    [[nodiscard]] constexpr std::size_t free_offset(std::size_t depth) const
    {
        return depth == 1 ? 0 : level_offset(depth) + plan(depth).level_words();
    }
    /// The place of F and G of the depth above.
    [[nodiscard]] constexpr std::size_t upper_offset(std::size_t depth) const
    {
        return depth == 1 ? 0 : level_offset(depth);
    }

    /// The place of the integers of Bezout's equation, after the top of the tower.
    [[nodiscard]] constexpr std::size_t bezout_offset() const
    {
        return level_offset(logn) + std::max(plan(logn).level_words(), upper_words(logn));
    }

    /// `count` objects from word `place` on.
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
    /// F or G of the depth above, with contiguous limbs of each coefficient.
    [[nodiscard]] std::span<Limb> upper(std::size_t depth)
    {
        return at<Limb>(upper_offset(depth), upper_words(depth) / limb_words);
    }

  protected:
    std::size_t memory_words_;
    Byte* memory_;
};

}  // namespace girih::falcon
