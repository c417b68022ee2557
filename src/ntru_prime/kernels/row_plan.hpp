/// The numbers that ProductModuloQ multiplies by, for each ring: a root of unity w modulo q, and
/// its powers in the order in which vectors take them. They are computed and checked at compile
/// time. The mathematics, and the letters, are those of product_modulo_q.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ntru_prime/kernels/rings.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

inline constexpr std::size_t max_dense = 16;        ///< 32-bit lanes that the dense layer fills
inline constexpr std::size_t max_parts = 6;         ///< values of a short transform
inline constexpr std::size_t max_short_lanes = 32;  ///< 16-bit lanes of an engine's vectors
inline constexpr std::size_t input_rows = 8;        ///< values of s at which a polynomial has rows
inline constexpr std::size_t whole_input_rows = 6;  ///< of them, those before the polynomial's end

/// How a ring's polynomials are cut into rows.
struct RowShape {
    std::size_t p;
    std::size_t parts;
    std::size_t dense;
    std::size_t columns;  ///< even
};
inline constexpr std::array row_shapes{RowShape{653, 6, 14, 16},  RowShape{761, 6, 15, 18},
                                       RowShape{857, 3, 14, 42},  RowShape{953, 3, 14, 46},
                                       RowShape{1013, 6, 13, 26}, RowShape{1277, 6, 13, 34}};

/// The most words and the most columns of a row plan, for polynomials of this capacity.
constexpr std::size_t max_row_words(std::size_t capacity) { return capacity <= 768 ? 54 : 102; }
constexpr std::size_t max_columns(std::size_t capacity) { return capacity <= 768 ? 18 : 46; }

/// Two neighbouring factors for each d, or each s; zeros from `dense` on.
using FactorPairs = std::array<std::array<std::int16_t, 2>, max_dense>;

/// The factors of the rows i = r + parts s with one r.
struct alignas(64) RowFactors {
    /// w^(i d), times the radix, of each d, for two s at a time.
    std::array<FactorPairs, input_rows / 2> forward;
    /// w^(-i d) / rows, times the radix twice, of each s, for two d at a time. A transform of
    /// `parts` values is its own inverse except for the order: the row r comes out at place -r.
    std::array<FactorPairs, max_dense / 2> backward;
    /// w^k for k = d + dense r, times the radix, of each d, twice.
    FactorPairs root;
};

struct RowPlan {
    RowShape shape;
    transform::ShortFactor third_root;  ///< a third root of 1
    std::array<RowFactors, max_parts> factors;

    /// Words, of two coefficients, in all rows of one s.
    [[nodiscard, gnu::always_inline]] constexpr std::size_t words() const
    {
        return shape.parts * shape.columns / 2;
    }
};

/// Computes a plan, and proves bounds.
class RowPlanner {
  public:
    explicit constexpr RowPlanner(const Ring& ring) : ring_(ring)
    {
        plan_.shape = *std::ranges::find(row_shapes, ring.p, &RowShape::p);
        find_root();
        // Six parts are transformed as two by three (Good): w^(4 dense) has the order 3.
        plan_.third_root = factor(dense() * (parts() == 6 ? 4 : 1));
        for (std::size_t r = 0; r < parts(); ++r) plan_.factors[r] = factors_of(r);
    }

    [[nodiscard]] constexpr const RowPlan& plan() const { return plan_; }

    /// Whether products modulo x^columns - w^k have to be reduced before they are transformed.
    [[nodiscard]] static constexpr bool reduces_products(std::size_t capacity) { return capacity > 768; }

    /// Whether the shape fits ProductModuloQ's assumptions, in arrays for `capacity` coefficients.
    [[nodiscard]] constexpr bool fits(std::size_t capacity) const
    {
        const std::size_t stream = 2 * plan_.words();  // coefficients of all rows of one s
        return (ring_.q - 1) % static_cast<std::int32_t>(rows()) == 0 && dense() < max_dense &&
               plan_.words() <= max_row_words(capacity) && plan_.shape.columns <= max_columns(capacity) &&
               whole_input_rows * stream <= ring_.p && ring_.p <= input_rows * stream &&
               whole_input_rows * stream + max_short_lanes - 1 <= capacity &&
               2 * ring_.p - 1 <= dense() * stream;
    }

    /// Whether no number of ProductModuloQ exceeds 16 bits, and no sum of products 32.
    [[nodiscard]] constexpr bool is_bounded(std::size_t capacity) const
    {
        const std::int64_t q12 = ring_.q12();
        std::int64_t largest_forward = 0;  // sum of the factors of one result
        std::int64_t largest_backward = 0;
        for (const RowFactors& factors : plan_.factors) {
            largest_forward = std::max(largest_forward, largest_sum(factors.forward));
            largest_backward = std::max(largest_backward, largest_sum(factors.backward));
        }
        const std::int64_t value_sum = largest_forward * q12;
        const std::int32_t value = transformed(modulus_.reduced_sum_bound(value_sum));

        const std::int64_t reduced = modulus_.reduced_bound_of(value);
        const std::int64_t other = std::max<std::int64_t>(reduced, modulus_.reduced_sum_bound(reduced * q12));
        const std::int64_t product_sum = static_cast<std::int64_t>(plan_.shape.columns) * reduced * other;
        const std::int32_t product = modulus_.reduced_sum_bound(product_sum);

        const std::int32_t back =
            transformed(reduces_products(capacity) ? modulus_.reduced_bound_of(product) : product);
        const std::int64_t out_sum = largest_backward * modulus_.reduced_bound_of(back);
        const std::int32_t folded = 3 * modulus_.reduced_sum_bound(out_sum);  // x^p = x + 1
        return std::max({value_sum, product_sum, out_sum}) < std::int64_t{1} << 31 &&
               std::max({value, product, back, folded}) <= 32767;
    }

  private:
    [[nodiscard]] constexpr std::size_t parts() const { return plan_.shape.parts; }
    [[nodiscard]] constexpr std::size_t dense() const { return plan_.shape.dense; }
    [[nodiscard]] constexpr std::size_t rows() const { return parts() * dense(); }
    [[nodiscard]] constexpr std::int32_t modulo(std::int64_t a) const
    {
        return static_cast<std::int32_t>(a % ring_.q);
    }

    /// The powers of w, the first element of order `rows` that is a power of 2, 3, ...
    constexpr void find_root()
    {
        for (std::int32_t base = 2;; ++base) {
            std::int64_t w = 1;
            for (std::size_t i = 0; i < static_cast<std::size_t>(ring_.q - 1) / rows(); ++i)
                w = modulo(w * base);
            power_[0] = 1;
            for (std::size_t i = 1; i <= rows(); ++i) power_[i] = modulo(w * power_[i - 1]);
            if (std::ranges::find(power_.begin() + 1, power_.end(), 1) - power_.begin() ==
                static_cast<std::ptrdiff_t>(rows()))
                return;
        }
    }
    /// A power of w, times a number.
    [[nodiscard]] constexpr transform::ShortFactor factor(std::size_t exponent, std::int64_t times = 1) const
    {
        return modulus_.factor(power_[exponent % rows()] * times);
    }

    [[nodiscard]] constexpr RowFactors factors_of(std::size_t r) const
    {
        RowFactors of{};
        const std::int64_t over_rows = ring_.q - (ring_.q - 1) / static_cast<std::int32_t>(rows());
        const std::size_t minus_r = (parts() - r) % parts();
        for (std::size_t d = 0; d < dense(); ++d) {
            for (std::size_t s = 0; s < dense(); ++s) {
                if (s < input_rows) of.forward[s / 2][d][s % 2] = factor((r + parts() * s) * d).value;
                const std::size_t exponent = (minus_r + parts() * s) * d % rows();
                of.backward[d / 2][s][d % 2] =
                    factor(rows() - exponent, modulo(over_rows * transform::short_radix)).value;
            }
            const std::int16_t root = factor(d + dense() * r).value;
            of.root[d] = {root, root};
        }
        return of;
    }

    static constexpr std::int64_t largest_sum(std::span<const FactorPairs> layer)
    {
        std::int64_t largest = 0;
        for (std::size_t i = 0; i < max_dense; ++i) {
            std::int64_t sum = 0;
            for (const FactorPairs& pairs : layer)
                for (const std::int16_t a : pairs[i]) sum += a < 0 ? -a : a;
            largest = std::max(largest, sum);
        }
        return largest;
    }
    /// The largest value that a short transform makes of values of at most `bound`.
    [[nodiscard]] constexpr std::int32_t transformed(std::int32_t bound) const
    {
        const std::int32_t b = parts() == 6 ? 2 * bound : bound;
        return std::max(3 * b, 2 * b + modulus_.reduced_sum_bound(std::int64_t{2} * b * ring_.q12()));
    }

    Ring ring_;
    transform::ShortModulus modulus_ = transform::ShortModulus::of(ring_.q);
    RowPlan plan_{};
    std::array<std::int32_t, max_parts * max_dense + 1> power_{};  // of w
};

template <Ring R, std::size_t capacity>
inline constexpr RowPlan row_plan_of = [] {
    constexpr RowPlanner planner{R};
    static_assert(planner.fits(capacity) && planner.is_bounded(capacity));
    return planner.plan();
}();

}  // namespace girih::ntru_prime
