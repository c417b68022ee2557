/// How many coefficients a division step has to work on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace girih::ntru_prime {

/// For the steps of DivisionSteps (standard/arithmetic.hpp). By induction over them, before step n
///
///     2 deg f <= 2p - 1 - n + delta,  2 deg g <= 2p - 1 - n - delta,
///     2 deg v <= n - 1 + delta,       2 deg r <= n + 1 - delta
///
/// (for f and g see Bernstein and Yang, 2019, Theorem A.1). delta is secret, but hardly ever large:
/// it grows by one where g(0) is 0, and the first g(0) that is not 0 makes it negative. So the
/// widths are those of a public bound on |delta|. A delta beyond it has to be noticed, and the
/// reciprocal computed again at the widths of any delta.
struct DivisionWidths {
    std::size_t p;
    std::size_t first_steps;   ///< this many steps at first have their own bound
    std::int32_t first_bound;  ///< on |delta|
    std::int32_t bound;

    static constexpr DivisionWidths of_any_delta(std::size_t p)
    {
        return {p, 0, 0, 2 * static_cast<std::int32_t>(p)};
    }

    /// For dividing by a short polynomial modulo q. It begins with a run of zeros, of a length that
    /// has a probability below (5 / 8)^length; later, every residue is equally likely. 128 zeros at
    /// first, or 30 later, never happen in practice: their probabilities are below 2^-86 and
    /// 2^-350.
    static constexpr DivisionWidths of_short_modulo_q(std::size_t p)
    {
        return {.p = p, .first_steps = 256, .first_bound = 128, .bound = 32};
    }
    /// For dividing by a random polynomial modulo 3. Every residue is equally likely: 78 zeros in a
    /// row have a probability of 2^-123.
    static constexpr DivisionWidths of_random_modulo_3(std::size_t p)
    {
        return {.p = p, .first_steps = 0, .first_bound = 0, .bound = 80};
    }

    [[nodiscard]] constexpr std::size_t step_count() const { return 2 * p - 1; }

    /// Coefficients of f and g before a step, as far as later steps see them.
    [[nodiscard]] constexpr std::size_t operands(std::size_t step) const
    {
        const std::size_t seen = step_count() - step;
        return std::min({p + 1, seen, (seen + bound_at(step)) / 2 + 1});
    }
    /// Coefficients of v and r after a step.
    [[nodiscard]] constexpr std::size_t cofactors(std::size_t step) const
    {
        const std::size_t after = step + 1;
        return std::min({p + 1, after + 1, (after + 1 + bound_at(step)) / 2 + 1});
    }
    /// Negative if a step's delta is beyond its bound, before or after it. Constant time in delta.
    [[nodiscard]] constexpr std::int32_t excess(std::int32_t delta, std::size_t step) const
    {
        const auto b = static_cast<std::int32_t>(bound_at(step)) - 1;
        return (b - delta) | (b + delta);
    }

  private:
    [[nodiscard]] constexpr std::size_t bound_at(std::size_t step) const
    {
        return static_cast<std::size_t>(step < first_steps ? first_bound : bound);
    }
};

}  // namespace girih::ntru_prime
