/// Good's transforms of polynomials modulo x^(512 m) - 1, and products of what they give.
///
/// Modulo x^(512 m) - 1 a product has more room than it needs, and is exact once its coefficients
/// are known modulo enough primes. With m = 3 or 5, which has no factor in common with 512, that
/// ring is Good's: x^i is y^(i mod m) z^(i mod 512), with y^m = 1 and z^512 = 1. So a polynomial is
/// m polynomials in z, of which each is transformed: not down to its values, but modulo z^2 - w
/// with w^256 = 1. There, products are of m polynomials of two coefficients modulo y^m - 1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/unroll.hpp"
#include "ntru_prime/ring.hpp"
#include "transform/short_residue.hpp"
#include "transform/transform.hpp"

namespace girih::ntru_prime {

using transform::short_radix;
using transform::ShortFactor;
using transform::ShortResidue;
inline constexpr std::size_t points = 512;
using Points = transform::Points<points>;
template <std::int32_t r>
using Roots = transform::Roots<r, points / 2>;
template <class Isa, std::int32_t r>
using Transform = transform::Transform<Isa, r, points / 2, transform::Leaves{2, 0, r}>;

/// With m parts. Constant time. What is left on the stack is wiped at the end of each operation,
/// as a whole (OperationsOf).
template <class Isa, std::size_t parts>
struct GoodTransforms {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;

    /// A polynomial in z for each power of y: coefficients, or values.
    using Parts = std::array<Points, parts>;

    /// The values of a polynomial modulo some of the primes.
    template <std::size_t primes>
    using Values = std::array<Parts, primes>;

    /// The values of a polynomial of p coefficients, for which 512 times `chunks` are enough.
    template <std::size_t chunks, class T, std::size_t primes>
    [[gnu::noinline]] static void transform(std::size_t p, const T* c, Values<primes>& values)
    {
        Parts coefficients;
        split<chunks>(p, c, coefficients);
        transform_modulo<first_prime>(coefficients, values[0]);
        if constexpr (primes > 1) transform_modulo<second_prime>(coefficients, values[1]);
        if constexpr (primes > 2) transform_modulo<third_prime>(coefficients, values[2]);
    }

    /// The coefficients of a product modulo a prime r: at most the transform's
    /// cyclic_inverse_bound.
    template <std::int32_t r>
    [[gnu::noinline]] static void multiply_modulo(const Parts& a, const Parts& b, Parts& product)
    {
        for (std::size_t i = 0; i < points; i += Lanes::lanes) multiply_values<r>(a, b, product, i);
        for (std::size_t part = 0; part < parts; ++part) Transform<Isa, r>::inverse(product[part]);
    }

    /// The first coefficients of the polynomial with these by powers of y and z: so many and up to
    /// a vector more, and a vector of zeros behind them.
    [[gnu::always_inline]] static void gather(std::size_t count, const Parts& c, std::int16_t* x)
    {
        Powers powers;
        std::size_t i = 0;
        for (; i < count; i += Lanes::lanes, powers.advance()) {
            Vector sum{};
            unroll<parts>([&](auto power) __attribute__((always_inline)) {
                sum |= Lanes::load(&c[power].c[i % points]) & powers.template has<power>();
            });
            Lanes::store(x + i, sum);
        }
        Lanes::store(x + i, Vector{});
    }

  private:
    /// Lane i is all ones if i + `offset` is a multiple of m.
    struct alignas(64) Masks {
        std::array<std::array<std::int16_t, Lanes::lanes>, parts> of;
    };
    static constexpr Masks masks = [] {
        Masks table{};
        for (std::size_t offset = 0; offset < parts; ++offset)
            for (std::size_t i = 0; i < Lanes::lanes; ++i)
                table.of[offset][i] = (i + offset) % parts == 0 ? -1 : 0;
        return table;
    }();
    /// For the coefficients from some x^i on, one vector after the other: in which lanes the power
    /// of y is this.
    class Powers {
      public:
        [[gnu::always_inline]] Powers() noexcept
        {
            unroll<parts>(
                [&](auto k) __attribute__((always_inline)) { masks_[k] = Lanes::load(masks.of[k].data()); });
        }
        /// Of x^(i + further).
        template <std::size_t power, std::size_t further = 0>
        [[nodiscard, gnu::always_inline]] Vector has() const noexcept
        {
            return masks_[(further + parts - power) % parts];
        }
        [[gnu::always_inline]] void advance() noexcept
        {
            const std::array<Vector, parts> old = masks_;
            unroll<parts>(
                [&](auto k) __attribute__((always_inline)) { masks_[k] = old[(k + Lanes::lanes) % parts]; });
        }

      private:
        std::array<Vector, parts> masks_;
    };

    /// Good's m polynomials of one that 512 times `chunks` coefficients are enough for.
    template <std::size_t chunks, class T>
    static void split(std::size_t p, const T* c, Parts& a)
    {
        std::array<std::int16_t, chunks * points> padded;
        for (std::size_t i = 0; i < p; ++i) padded[i] = c[i];
        std::fill(padded.begin() + static_cast<std::ptrdiff_t>(p), padded.end(), std::int16_t{0});
        Powers powers;
        for (std::size_t j = 0; j < points; j += Lanes::lanes, powers.advance()) {
            std::array<Vector, chunks> x;
            unroll<chunks>(
                [&](auto i) __attribute__((always_inline)) { x[i] = Lanes::load(&padded[i * points + j]); });
            unroll<parts>([&](auto power) __attribute__((always_inline)) {
                Vector sum{};
                unroll<chunks>([&](auto i) __attribute__((always_inline)) {
                    sum |= x[i] & powers.template has<power, i * points>();
                });
                Lanes::store(&a[power].c[j], sum);
            });
        }
    }

    template <std::int32_t r>
    static void transform_modulo(const Parts& coefficients, Parts& values)
    {
        for (std::size_t part = 0; part < parts; ++part)
            Transform<Isa, r>::forward(coefficients[part], values[part]);
    }

    /// The products in a vector, divided by what the inverse transform multiplies with: modulo y^m
    /// - 1 and, in each pair of lanes, z^2 - w.
    template <std::int32_t r>
    [[gnu::always_inline]] static void multiply_values(const Parts& a, const Parts& b, Parts& product,
                                                       std::size_t i)
    {
        using Residue = ShortResidue<Isa, r>;
        // (a0 + a1 z) (b0 + b1 z): a0 b0 + a1 w b1, and a0 b1 + a1 b0.
        constexpr std::int32_t value_bound = Transform<Isa, r>::forward_value_bound();
        constexpr std::int32_t reduced_bound = Residue::reduced_bound_of(value_bound);
        constexpr std::int32_t other_bound = std::max(reduced_bound, Residue::product_bound(reduced_bound));
        constexpr std::int64_t sum_bound =
            std::int64_t{2 * parts} * Residue::product_bound(value_bound) * other_bound;
        static_assert(sum_bound <= std::int64_t{r} << 15 &&
                      Residue::reduced_sum_bound(sum_bound) <= Transform<Isa, r>::inverse_value_bound);
        // The radix, which reduce_sums divides by, and the transform's 256.
        constexpr ShortFactor scale =
            Residue::factor(std::int64_t{short_radix} * Roots<r>::power(points / 2, r - 2));
        const auto scale_factors = Residue::broadcast(scale);
        const auto leaf_factors = Transform<Isa, r>::leaf_factors(i);
        std::array<Vector, parts> factor;
        std::array<Vector, parts> straight;
        std::array<Vector, parts> crossed;
        unroll<parts>([&](auto k) __attribute__((always_inline)) {
            factor[k] = Residue::multiply(Lanes::load(&a[k].c[i]), scale_factors);
            const Vector other = Residue::reduce(Lanes::load(&b[k].c[i]));
            straight[k] = Residue::multiply(other, leaf_factors);
            crossed[k] = Lanes::cross_pairs(other);
        });
        unroll<parts>([&](auto k) __attribute__((always_inline)) {
            auto even = Lanes::multiply_pairs(factor[0], straight[k]);
            auto odd = Lanes::multiply_pairs(factor[0], crossed[k]);
            unroll<parts - 1>([&](auto j) __attribute__((always_inline)) {
                constexpr std::size_t other = (k + 2 * parts - j - 1) % parts;
                even = Lanes::add_pairs(even, factor[j + 1], straight[other]);
                odd = Lanes::add_pairs(odd, factor[j + 1], crossed[other]);
            });
            Lanes::store(&product[k].c[i], Residue::reduce_sums(even, odd));
        });
    }
};

}  // namespace girih::ntru_prime
