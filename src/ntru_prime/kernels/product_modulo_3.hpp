/// Products in R/3 on vectors.
///
/// R/3 is (Z/3)[x]/(x^p - x - 1). The product of two polynomials with coefficients in {-1, 0, 1}
/// has 2p - 1 integers of at most p. They are computed modulo the prime r = 3329, which is larger
/// than twice that, and so exactly:
///
/// 1. Length. The product is computed modulo x^n - 1 with n = 512 m >= 2p - 1, so that none of its
///    coefficients is added to another: m = 3 where p is at most 768, and else 5.
///
/// 2. Good's permutation. m and 512 have no common factor. So, with x = y z, the ring Z[x]/(x^n -
///    1) is Z[y, z]/(y^m - 1, z^512 - 1): x^i is y^(i mod m) z^(i mod 512). A polynomial becomes m
///    *parts*, one for each power of y, of 512 coefficients each, and none is multiplied. Any m
///    neighbouring coefficients go to m different parts: masks select them.
///
/// 3. Number-theoretic transforms. 256 divides r - 1, so z^512 - 1 is the product of all z^2 - w
///    with w^256 = 1. Each part is transformed to its residues modulo each z^2 - w, pairs (c0, c1)
///    for c0 + c1 z (transform/transform.hpp).
///
/// 4. For each w the products of m pairs by m pairs, modulo y^m - 1 and z^2 - w.
///
/// 5. Back by inverse transforms and the inverse permutation; then x^p = x + 1 (fold.hpp), and
///    residues modulo 3.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/unroll.hpp"
#include "ntru_prime/kernels/fold.hpp"
#include "ntru_prime/kernels/residue.hpp"
#include "ntru_prime/kernels/rings.hpp"
#include "ntru_prime/types.hpp"
#include "transform/short_residue.hpp"
#include "transform/transform.hpp"

namespace girih::ntru_prime {

/// Polynomials have room for `capacity` coefficients. Constant time. The caller wipes what is left
/// on the stack, at the end of each operation (OperationsOf).
template <class Isa, std::size_t capacity>
class ProductModulo3 {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;

    static constexpr std::int32_t r = 3329;
    static constexpr std::size_t points = 512;
    static constexpr std::size_t m = capacity <= 768 ? 3 : 5;
    static constexpr std::size_t chunks = (capacity + points - 1) / points;  // of a factor

    using Residue = transform::ShortResidue<Isa, r>;
    using Transform = transform::Transform<Isa, r, points / 2, transform::Leaves{2, 0, r}>;
    using Parts = std::array<transform::Points<points>, m>;

    // A coefficient is at most p in magnitude, so it is the only integer of its class that small.
    static constexpr std::int32_t reduced_bound =
        Residue::reduced_bound_of(Transform::cyclic_inverse_bound());
    static_assert(std::ranges::all_of(rings, [](const Ring& ring) {
        return static_cast<std::int32_t>(ring.p) + reduced_bound < r;
    }));
    static_assert(2 * capacity - 1 <= points * m && 2 <= Transform::first_layer_bound);

  public:
    /// The pairs of all parts.
    using Values = Parts;

    /// R3_mult (NTRU Prime, Section 3.5), by transforms.
    [[gnu::noinline]] static void multiply(std::size_t p, const Small<capacity>& a, const Small<capacity>& b,
                                           Small<capacity>& product)
    {
        Values a_values;
        Values b_values;
        transform(p, a, a_values);
        transform(p, b, b_values);
        multiply(p, a_values, b_values, a_values, product);
    }

    // ---- Products in two steps, for polynomials that are multiplied more than once.

    [[gnu::noinline]] static void transform(std::size_t p, const Small<capacity>& a, Values& values)
    {
        Parts parts;
        permute(p, a.c.data(), parts);
        for (std::size_t part = 0; part < m; ++part) Transform::forward(parts[part], values[part]);
    }

    /// `scratch` may be one of the factors.
    [[gnu::noinline]] static void multiply(std::size_t p, const Values& a, const Values& b, Values& scratch,
                                           Small<capacity>& product)
    {
        for (std::size_t i = 0; i < points; i += Lanes::lanes) multiply_values(a, b, scratch, i);
        for (auto& part : scratch) {
            Transform::inverse(part);
            for (std::size_t i = 0; i < points; i += Lanes::lanes)
                Lanes::store(&part.c[i], Residue::reduce(Lanes::load(&part.c[i])));
        }
        std::array<std::int16_t, points * m + Lanes::lanes> whole;
        permute_back(2 * p - 1, scratch, whole.data());
        std::array<std::int16_t, capacity> folded;
        fold<Isa>(p, VectorModulo3<Isa>{}, whole.data(), folded.data());
        for (std::size_t i = 0; i < p; ++i) product.c[i] = static_cast<std::int8_t>(folded[i]);
    }

  private:
    /// For each of m neighbouring vectors: all ones in the lanes with a given power of y.
    class PowerMasks {
      public:
        [[gnu::always_inline]] PowerMasks() noexcept
        {
            unroll<m>([&](auto k)
                          __attribute__((always_inline)) { masks_[k] = Lanes::load(table.of[k].data()); });
        }
        /// The mask for the coefficients from x^(i + further) on; `advance` moves i by a vector.
        template <std::size_t power, std::size_t further = 0>
        [[nodiscard, gnu::always_inline]] Vector has() const noexcept
        {
            return masks_[(further + m - power) % m];
        }
        [[gnu::always_inline]] void advance() noexcept
        {
            const std::array<Vector, m> old = masks_;
            unroll<m>([&](auto k)
                          __attribute__((always_inline)) { masks_[k] = old[(k + Lanes::lanes) % m]; });
        }

      private:
        struct alignas(64) Table {
            std::array<std::array<std::int16_t, Lanes::lanes>, m> of;
        };
        static constexpr Table table = [] {
            Table masks{};
            for (std::size_t offset = 0; offset < m; ++offset)
                for (std::size_t i = 0; i < Lanes::lanes; ++i)
                    masks.of[offset][i] = (i + offset) % m == 0 ? -1 : 0;
            return masks;
        }();

        std::array<Vector, m> masks_;
    };

    static void permute(std::size_t p, const std::int8_t* c, Parts& parts)
    {
        std::array<std::int16_t, chunks * points> padded;
        for (std::size_t i = 0; i < p; ++i) padded[i] = c[i];
        std::fill(padded.begin() + static_cast<std::ptrdiff_t>(p), padded.end(), std::int16_t{0});
        PowerMasks powers;
        for (std::size_t j = 0; j < points; j += Lanes::lanes, powers.advance()) {
            std::array<Vector, chunks> x;
            unroll<chunks>(
                [&](auto i) __attribute__((always_inline)) { x[i] = Lanes::load(&padded[i * points + j]); });
            unroll<m>([&](auto power) __attribute__((always_inline)) {
                Vector sum{};
                unroll<chunks>([&](auto i) __attribute__((always_inline)) {
                    sum |= x[i] & powers.template has<power, i * points>();
                });
                Lanes::store(&parts[power].c[j], sum);
            });
        }
    }

    /// The first `count` coefficients, and up to a vector more; then a vector of zeros.
    static void permute_back(std::size_t count, const Parts& parts, std::int16_t* x)
    {
        PowerMasks powers;
        std::size_t i = 0;
        for (; i < count; i += Lanes::lanes, powers.advance()) {
            Vector sum{};
            unroll<m>([&](auto power) __attribute__((always_inline)) {
                sum |= Lanes::load(&parts[power].c[i % points]) & powers.template has<power>();
            });
            Lanes::store(x + i, sum);
        }
        Lanes::store(x + i, Vector{});
    }

    /// The products of the pairs in one vector of each part: (a0 + a1 z) (b0 + b1 z) is
    /// a0 b0 + w a1 b1 and a0 b1 + a1 b0. They are divided by 256, by which the inverse transform
    /// multiplies.
    [[gnu::always_inline]] static void multiply_values(const Parts& a, const Parts& b, Parts& product,
                                                       std::size_t i)
    {
        constexpr std::int32_t value_bound = Transform::forward_value_bound();
        constexpr std::int32_t factor_bound = Residue::reduced_bound_of(value_bound);
        constexpr std::int32_t other_bound = std::max(factor_bound, Residue::product_bound(factor_bound));
        constexpr std::int64_t sum_bound =
            std::int64_t{2 * m} * Residue::product_bound(value_bound) * other_bound;
        static_assert(sum_bound <= std::int64_t{r} << 15 &&
                      Residue::reduced_sum_bound(sum_bound) <= Transform::inverse_value_bound);
        constexpr transform::ShortFactor scale = Residue::factor(
            std::int64_t{transform::short_radix} * transform::Roots<r, points / 2>::power(points / 2, r - 2));
        const auto scale_factors = Residue::Factors::of(scale);
        const auto leaf_factors = Transform::leaf_factors(i);  // 1 and w
        std::array<Vector, m> factor;
        std::array<Vector, m> straight;
        std::array<Vector, m> crossed;
        unroll<m>([&](auto k) __attribute__((always_inline)) {
            factor[k] = Residue::multiply(Lanes::load(&a[k].c[i]), scale_factors);
            const Vector other = Residue::reduce(Lanes::load(&b[k].c[i]));
            straight[k] = Residue::multiply(other, leaf_factors);
            crossed[k] = Lanes::cross_pairs(other);
        });
        unroll<m>([&](auto k) __attribute__((always_inline)) {
            auto even = Lanes::multiply_pairs(factor[0], straight[k]);
            auto odd = Lanes::multiply_pairs(factor[0], crossed[k]);
            unroll<m - 1>([&](auto j) __attribute__((always_inline)) {
                constexpr std::size_t other = (k + 2 * m - j - 1) % m;
                even = Lanes::add_pairs(even, factor[j + 1], straight[other]);
                odd = Lanes::add_pairs(odd, factor[j + 1], crossed[other]);
            });
            Lanes::store(&product[k].c[i], Residue::reduce_sums(even, odd));
        });
    }
};

}  // namespace girih::ntru_prime
