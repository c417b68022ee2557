/// The memory of the solver of the NTRU equation, and a map of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "core/bytes.hpp"
#include "falcon/keygen/numbers/bezout.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/limb_products.hpp"
#include "falcon/keygen/reduction_plan.hpp"

namespace girih::falcon {

/// Memory for one solution, from a caller who wipes it. Offsets and sizes are in words.
///
/// While a depth d > 0 is lifted and reduced, it holds, from the front:
///
///     level(2) ... level(d)   f and g of depths 2 to d, the lowest first (depth 1: none)
///     upper(d + 1)            F and G of depth d + 1, reduced, in limbs, where its f and g were
///     from free_offset(d)     scratch, which overlaps upper(d + 1) once F and G of d are lifted
///     level(1)                for d = 1: f and g, made again, 16 bits a coefficient
///     large(d)                F and G of depth d, at the end
///
/// At depth logn, the deepest, Bezout's integers follow level(logn).
template <class Isa>
class Arena {
  public:
    constexpr Arena(unsigned its_logn, std::size_t words, Byte* bytes)
        : logn(its_logn), n(std::size_t{1} << its_logn), memory_words_(words), memory_(bytes)
    {
    }

    unsigned logn;
    std::size_t n;

    /// The smallest degree at which polynomials are multiplied modulo as many primes as the product
    /// has words. Below it, they are multiplied coefficient by coefficient.
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
        // Depth logn: f and g, then F and G in their place; and Bezout's integers.
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

    /// The scratch of a depth.
    [[nodiscard]] constexpr std::size_t free_offset(std::size_t depth) const
    {
        return depth == 1 ? 0 : level_offset(depth) + plan(depth).level_words();
    }
    /// F and G of a depth, reduced.
    [[nodiscard]] constexpr std::size_t upper_offset(std::size_t depth) const
    {
        return depth == 1 ? 0 : level_offset(depth);
    }

    /// The integers of Bezout's equation, after f and g of depth logn.
    [[nodiscard]] constexpr std::size_t bezout_offset() const
    {
        return level_offset(logn) + std::max(plan(logn).level_words(), upper_words(logn));
    }

    /// `count` objects from word `offset` on, aligned.
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
    /// F, then G, of a depth, reduced; the limbs of a coefficient are adjacent.
    [[nodiscard]] std::span<Limb> upper(std::size_t depth)
    {
        return at<Limb>(upper_offset(depth), upper_words(depth) / limb_words);
    }

    /// f and g of depth 1, which make_depth_1 has put there.
    [[nodiscard]] std::span<std::int16_t> packed_level()
    {
        return {std::launder(reinterpret_cast<std::int16_t*>(&memory_[level_offset(1) * sizeof(Word)])), n};
    }
    /// f and g of a depth; those of depth 1 as words, in 2 m words from `offset` on.
    [[nodiscard]] BigPoly level(std::size_t depth, std::size_t offset)
    {
        if (depth != 1) return level(depth);
        const std::span<Word> row = words(offset, n);
        const std::span<const std::int16_t> packed = packed_level();
        for (std::size_t i = 0; i < n; ++i) row[i] = static_cast<Word>(std::int32_t{packed[i]});
        return {row, n, 1};
    }

  private:
    std::size_t memory_words_;
    Byte* memory_;
};

}  // namespace girih::falcon
