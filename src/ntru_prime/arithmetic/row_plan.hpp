/// How a ring's polynomials are transformed modulo q itself, as rows of coefficients: the numbers
/// that RowProduct multiplies by.
///
/// With x^columns = y a polynomial is rows of coefficients. A product's are no more than
/// dense * parts, of which q - 1 is a multiple: so there is a w of that order, and the product,
/// modulo y^(dense parts) - 1, is known by its values at each y = w^k, polynomials modulo
/// x^columns - w^k. With row i = r + parts s and k = d + dense e,
///
///     w^(i k) = w^(i d) (w^dense)^(r e),
///
/// so a transform is sums over s for each r and d, which are taken as they stand (the dense layer),
/// and then transforms of `parts` values each.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ntru_prime/params.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

inline constexpr std::size_t most_dense = 16;  ///< as many d, or s, as lanes have room for
inline constexpr std::size_t most_parts = 9;
inline constexpr std::size_t most_lanes = 32;                  ///< of 16 bits
inline constexpr std::size_t most_streams = 8;                 ///< s of rows that a polynomial has, at most
inline constexpr std::size_t full_streams = most_streams - 2;  ///< before the two where it may end

/// Factors of a pair of neighbours, for each d, or each s; nothing from `dense` on.
using FactorPairs = std::array<std::array<std::int16_t, 2>, most_dense>;

/// What belongs to one of the parts.
struct alignas(64) RowFactors {
    /// w^(i d), times the radix, of each d, two s at a time.
    std::array<FactorPairs, most_streams / 2> forward;
    /// w^(-i d) / (dense parts), times the radix twice, of each s, two d at a time. A transform of
    /// `parts` values is its own inverse but for the order, and that of row r comes from place -r.
    std::array<FactorPairs, most_dense / 2> backward;
    /// w^k, times the radix, of each d, twice.
    FactorPairs turn;
};

/// Of one ring.
struct RowPlan {
    std::size_t p = 0;
    std::size_t parts = 0;
    std::size_t dense = 0;
    std::size_t columns = 0;  ///< even
    /// A third root of 1; and of nine parts, the powers 1, 2, 4 of a ninth one, whose third it is.
    transform::ShortFactor third_root{};
    std::array<transform::ShortFactor, 3> ninth_roots{};
    std::size_t first = 0;  ///< of its factors, among those of RowPlans

    /// Pairs of columns in all rows of the same s.
    [[nodiscard, gnu::always_inline]] constexpr std::size_t words() const { return parts * columns / 2; }
};

/// Computes a plan, and checks it.
class RowPlanner {
  public:
    explicit constexpr RowPlanner(const Ring& ring) : ring_(ring)
    {
        const auto order = static_cast<std::size_t>(ring.q - 1);
        for (const std::size_t parts : std::array<std::size_t, 3>{6, 9, 3})
            for (std::size_t dense = most_dense; dense-- > 12 && plan_.dense == 0;)
                if (order % (parts * dense) == 0) {
                    plan_.parts = parts;
                    plan_.dense = dense;
                }
        plan_.p = ring.p;
        plan_.columns = (2 * ring.p - 1 + 2 * rows() - 1) / (2 * rows()) * 2;
        // w is the first power of a number that has the order.
        for (std::int32_t base = 2; power_[0] != 1; ++base) {
            std::int64_t w = 1;
            for (std::size_t i = 0; i < order / rows(); ++i) w = modulo(w * base);
            power_[1] = modulo(w);
            std::size_t i = 1;
            for (; i < rows() && power_[i] != 1; ++i) power_[i + 1] = modulo(w * power_[i]);
            if (i == rows()) power_[0] = 1;
        }
        // Of six parts, the one with which even and odd ones are three each.
        plan_.third_root = factor(plan_.dense * (plan_.parts == 6 ? 4 : plan_.parts / 3));
        for (std::size_t i = 0; i < plan_.ninth_roots.size(); ++i)
            plan_.ninth_roots[i] = factor(plan_.dense << i);
        for (std::size_t part = 0; part < plan_.parts; ++part) {
            factors_[part] = factors_of(part);
            largest_forward_ = std::max(largest_forward_, largest_sum(factors_[part].forward));
            largest_backward_ = std::max(largest_backward_, largest_sum(factors_[part].backward));
        }
    }

    [[nodiscard]] constexpr const RowPlan& plan() const { return plan_; }
    [[nodiscard]] constexpr const RowFactors& factors(std::size_t part) const { return factors_[part]; }

    /// Whether products modulo x^columns - w^k have to be reduced before they are transformed.
    [[nodiscard]] constexpr bool reduces_products() const { return mixed(product()) > 32767; }

    /// Whether a polynomial ends in its last two streams, what is read before them is inside its
    /// `room` and a product has its own, no number of RowProduct leaves 16 bits, and no sum of
    /// products 32: for coefficients of at most q12.
    [[nodiscard]] constexpr bool is_sound(std::size_t room) const
    {
        const std::size_t stream = 2 * plan_.words();
        const std::int32_t out_of =
            mixed(reduces_products() ? modulus_.reduced_bound_of(product()) : product());
        const std::int64_t out = largest_backward_ * modulus_.reduced_bound_of(out_of);
        return full_streams * stream <= plan_.p && plan_.p <= most_streams * stream &&
               full_streams * stream + most_lanes - 1 <= room && 2 * plan_.p - 1 <= plan_.dense * stream &&
               std::max({value_sum(), product_sum(), out}) < std::int64_t{1} << 31 &&
               // Three coefficients are added where x^p = x + 1.
               std::max({value(), product(), out_of, 3 * modulus_.reduced_sum_bound(out)}) <= 32767;
    }

  private:
    [[nodiscard]] constexpr std::size_t rows() const { return plan_.parts * plan_.dense; }
    [[nodiscard]] constexpr std::int32_t modulo(std::int64_t a) const
    {
        return static_cast<std::int32_t>(a % ring_.q);
    }
    /// A power of w, times a number.
    [[nodiscard]] constexpr transform::ShortFactor factor(std::size_t exponent, std::int64_t times = 1) const
    {
        return modulus_.factor(power_[exponent % rows()] * times);
    }

    [[nodiscard]] constexpr RowFactors factors_of(std::size_t part) const
    {
        RowFactors of{};
        const std::int64_t over_rows = ring_.q - (ring_.q - 1) / static_cast<std::int32_t>(rows());
        const std::size_t row = (plan_.parts - part) % plan_.parts;
        for (std::size_t d = 0; d < plan_.dense; ++d) {
            for (std::size_t s = 0; s < plan_.dense; ++s) {
                if (s < most_streams)
                    of.forward[s / 2][d][s % 2] = factor((part + plan_.parts * s) * d).value;
                const std::size_t exponent = (row + plan_.parts * s) * d % rows();
                of.backward[d / 2][s][d % 2] =
                    factor(rows() - exponent, modulo(over_rows * transform::short_radix)).value;
            }
            const std::int16_t turn = factor(d + plan_.dense * part).value;
            of.turn[d] = {turn, turn};
        }
        return of;
    }

    /// The largest sum of the factors of one result.
    static constexpr std::int64_t largest_sum(const auto& factors)
    {
        std::int64_t largest = 0;
        for (std::size_t i = 0; i < most_dense; ++i) {
            std::int64_t sum = 0;
            for (const FactorPairs& pairs : factors)
                for (const std::int16_t a : pairs[i]) sum += a < 0 ? -a : a;
            largest = std::max(largest, sum);
        }
        return largest;
    }
    /// The largest that a transform of `parts` values, of at most so much, gives.
    [[nodiscard]] constexpr std::int32_t mixed(std::int32_t bound) const
    {
        const auto three = [this](std::int32_t b) {
            return std::max(3 * b, 2 * b + modulus_.reduced_sum_bound(std::int64_t{2} * b * ring_.q12()));
        };
        return plan_.parts == 6 ? three(2 * bound) : plan_.parts == 9 ? three(three(bound)) : three(bound);
    }
    // Of a value before it is reduced, and of a product.
    [[nodiscard]] constexpr std::int64_t value_sum() const { return largest_forward_ * ring_.q12(); }
    [[nodiscard]] constexpr std::int32_t value() const
    {
        return mixed(modulus_.reduced_sum_bound(value_sum()));
    }
    [[nodiscard]] constexpr std::int64_t product_sum() const
    {
        const std::int64_t reduced = modulus_.reduced_bound_of(value());
        const std::int64_t turned = modulus_.reduced_sum_bound(reduced * ring_.q12());
        return static_cast<std::int64_t>(plan_.columns) * reduced * std::max(reduced, turned);
    }
    [[nodiscard]] constexpr std::int32_t product() const { return modulus_.reduced_sum_bound(product_sum()); }

    Ring ring_;
    transform::ShortModulus modulus_ = transform::ShortModulus::of(ring_.q);
    RowPlan plan_;
    std::array<std::int32_t, most_parts * most_dense + 1> power_{};  // of w
    std::array<RowFactors, most_parts> factors_{};
    std::int64_t largest_forward_ = 0;  // sum of the factors of one result
    std::int64_t largest_backward_ = 0;
};

/// The plans of all rings that have the same room.
template <std::size_t room>
class RowPlans {
    static constexpr bool has(const Params& set)
    {
        return set.is_streamlined() && (set.ring.p <= 768 ? 768 : 1280) == room;
    }
    static constexpr auto rings = [] {
        std::array<Ring, static_cast<std::size_t>(std::ranges::count_if(parameter_sets, has))> found;
        std::size_t i = 0;
        for (const Params& set : parameter_sets)
            if (has(set)) found[i++] = set.ring;
        return found;
    }();
    template <std::size_t... i>
    static constexpr auto planned(std::index_sequence<i...>)
    {
        return std::array{RowPlanner{rings[i]}...};
    }
    static constexpr auto planners = planned(std::make_index_sequence<rings.size()>{});
    static_assert(std::ranges::all_of(planners,
                                      [](const RowPlanner& planner) { return planner.is_sound(room); }));

    static constexpr std::size_t largest(auto of) { return of(*std::ranges::max_element(planners, {}, of)); }

  public:
    static constexpr auto all = [] {
        std::array<RowPlan, planners.size()> plans;
        std::size_t first = 0;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            plans[i] = planners[i].plan();
            plans[i].first = first;
            first += plans[i].parts;
        }
        return plans;
    }();
    static constexpr auto factors = [] {
        std::array<RowFactors, all.back().first + all.back().parts> factors;
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t part = 0; part < all[i].parts; ++part)
                factors[all[i].first + part] = planners[i].factors(part);
        return factors;
    }();

    static constexpr bool reduces_products =
        std::ranges::any_of(planners, [](const RowPlanner& planner) { return planner.reduces_products(); });
    static constexpr std::size_t words =
        largest([](const RowPlanner& planner) { return planner.plan().words(); });
    static constexpr std::size_t columns =
        largest([](const RowPlanner& planner) { return planner.plan().columns; });
    template <std::size_t parts>
    static constexpr bool has_parts =
        std::ranges::any_of(all, [](const RowPlan& plan) { return plan.parts == parts; });
};

}  // namespace girih::ntru_prime
