/// Products in Z[x]/(x^p - x - 1) by transforms.
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
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/arithmetic/residue.hpp"
#include "ntru_prime/arithmetic/short_three.hpp"
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

/// Products in a ring of type R. What is left on the stack is wiped at the end of each operation,
/// as a whole (OperationsOf).
template <class Isa, class R>
class TransformProduct {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;

    static constexpr std::size_t room = R::room;
    using ModQ = transform::AnyShortResidue<Isa>;
    static constexpr std::size_t parts = R::parts;
    static constexpr std::size_t chunks = (room + points - 1) / points;

  public:
    /// As Rq_mult_small (NTRU Prime, Section 3.5), by transforms. Constant time.
    [[gnu::noinline]] static void multiply(const R& ring, const Rq<room>& a, const Small<room>& b,
                                           Rq<room>& product)
    {
        Values<2> a_values;
        Values<2> b_values;
        transform(ring, a, a_values);
        transform(ring, b, b_values);
        multiply_small(ring, a_values, b_values, a_values, product);
    }

    /// The product of any two polynomials modulo q. Constant time.
    static void multiply(const R& ring, const Rq<room>& a, const Rq<room>& b, Rq<room>& product)
    {
        Values<3> a_values;
        Values<3> b_values;
        transform(ring, a, a_values);
        transform(ring, b, b_values);
        multiply(ring, a_values, b_values, a_values, product);
    }

    /// As R3_mult (NTRU Prime, Section 3.5), by transforms. Constant time.
    [[gnu::noinline]] static void multiply(const R& ring, const Small<room>& a, const Small<room>& b,
                                           Small<room>& product)
    {
        Values<1> a_values;
        Values<1> b_values;
        transform(ring, a, a_values);
        transform(ring, b, b_values);
        multiply(ring, a_values, b_values, a_values, product);
    }

    // ---- The same in parts, for polynomials that are multiplied more than once. `scratch` may be
    // one of the factors.

    /// A polynomial in z for each power of y: coefficients, or values.
    using Parts = std::array<Points, parts>;

    /// The values of a polynomial modulo some of the primes.
    template <std::size_t primes>
    using Values = std::array<Parts, primes>;

    template <class Poly, std::size_t primes>
    [[gnu::noinline]] static void transform(const R& ring, const Poly& a, Values<primes>& values)
    {
        Parts coefficients;
        if (chunks > 2 && ring.p <= 2 * points)
            split<2>(ring.p, a.c, coefficients);
        else
            split<chunks>(ring.p, a.c, coefficients);
        transform_modulo<first_prime>(coefficients, values[0]);
        if constexpr (primes > 1) transform_modulo<second_prime>(coefficients, values[1]);
        if constexpr (primes > 2) transform_modulo<third_prime>(coefficients, values[2]);
    }

    /// The end of Rq_mult_small (NTRU Prime, Section 3.5): one of the factors is a small
    /// polynomial.
    template <std::size_t a_primes, std::size_t b_primes>
    [[gnu::noinline]] static void multiply_small(const R& ring, const Values<a_primes>& a,
                                                 const Values<b_primes>& b, Values<2>& scratch,
                                                 Rq<room>& product)
    {
        multiply_modulo<first_prime>(a[0], b[0], scratch[0]);
        multiply_modulo<second_prime>(a[1], b[1], scratch[1]);
        const Join join{ring};
        for (std::size_t part = 0; part < parts; ++part)
            for (std::size_t i = 0; i < points; i += Lanes::lanes) {
                std::int16_t* const c = &scratch[0][part].c[i];
                Lanes::store(c, join_primes(join, Lanes::load(c), Lanes::load(&scratch[1][part].c[i])));
            }
        fold(ring.p, ModQ{ring.short_q}, scratch[0], product.c.data());
    }

    [[gnu::noinline]] static void multiply(const R& ring, const Values<3>& a, const Values<3>& b,
                                           Values<3>& scratch, Rq<room>& product)
    {
        multiply_modulo<first_prime>(a[0], b[0], scratch[0]);
        multiply_modulo<second_prime>(a[1], b[1], scratch[1]);
        multiply_modulo<third_prime>(a[2], b[2], scratch[2]);
        const Join join{ring};
        for (std::size_t part = 0; part < parts; ++part)
            for (std::size_t i = 0; i < points; i += Lanes::lanes) {
                std::int16_t* const c = &scratch[0][part].c[i];
                Lanes::store(c, join_primes(join, Lanes::load(c), Lanes::load(&scratch[1][part].c[i]),
                                            Lanes::load(&scratch[2][part].c[i])));
            }
        fold(ring.p, ModQ{ring.short_q}, scratch[0], product.c.data());
    }

    [[gnu::noinline]] static void multiply(const R& ring, const Values<1>& a, const Values<1>& b,
                                           Values<1>& scratch, Small<room>& product)
    {
        multiply_modulo<first_prime>(a[0], b[0], scratch[0]);
        for (std::size_t part = 0; part < parts; ++part)
            for (std::size_t i = 0; i < points; i += Lanes::lanes) {
                std::int16_t* const c = &scratch[0][part].c[i];
                Lanes::store(c, ShortResidue<Isa, first_prime>::reduce(Lanes::load(c)));
            }
        Rq<room> wide;
        fold(ring.p, ShortThree<Isa>{}, scratch[0], wide.c.data());
        const std::size_t p = ring.p;
        for (std::size_t i = 0; i < p; ++i) product.c[i] = static_cast<std::int8_t>(wide.c[i]);
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
    static void split(std::size_t p, const std::array<T, room>& c, Parts& a)
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

    /// The coefficients of a product modulo a prime r: at most the transform's
    /// cyclic_inverse_bound.
    template <std::int32_t r>
    [[gnu::noinline]] static void multiply_modulo(const Parts& a, const Parts& b, Parts& product)
    {
        for (std::size_t i = 0; i < points; i += Lanes::lanes) multiply_values<r>(a, b, product, i);
        for (std::size_t part = 0; part < parts; ++part) Transform<Isa, r>::inverse(product[part]);
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
        constexpr std::int32_t other_bound = Residue::reduced_bound_of(value_bound);
        constexpr std::int64_t sum_bound =
            std::int64_t{2 * parts} * Residue::product_bound(value_bound) * other_bound;
        static_assert(Residue::product_bound(other_bound) <= other_bound &&
                      sum_bound <= std::int64_t{r} << 15 &&
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

    /// What joining residues modulo primes multiplies by, modulo q.
    struct Join {
        ModQ modulo_q;
        typename ModQ::Factors times_first;
        typename ModQ::Factors times_second;

        [[gnu::always_inline]] explicit Join(const R& ring)
            : modulo_q(ring.short_q),
              times_first(ModQ::broadcast(ring.times_first)),
              times_second(ModQ::broadcast(ring.times_second))
        {
        }
    };

    /// A coefficient modulo q, at most ShortResidue::reduced_bound, of its residues
    /// modulo both primes.
    [[nodiscard, gnu::always_inline]] static Vector join_primes(const Join& join, Vector first,
                                                                Vector second) noexcept
    {
        using First = ShortResidue<Isa, first_prime>;
        using Second = ShortResidue<Isa, second_prime>;
        static_assert(Transform<Isa, second_prime>::cyclic_inverse_bound() + First::reduced_bound <= 32767);
        // x = u + 3329 d with u = x modulo 3329 and d = (x - u) / 3329, which is small: its residue
        // modulo 7937 is itself.
        const Vector u = First::reduce(first);
        const Vector d = Second::reduce(Second::multiply(second - u, over<second_prime, first_prime>()));
        return join.modulo_q.reduce(u + join.modulo_q.multiply(d, join.times_first));
    }

    /// The same of residues modulo three primes: x = u + 3329 (d + 7937 e), with a small e.
    [[nodiscard, gnu::always_inline]] static Vector join_primes(const Join& join, Vector first, Vector second,
                                                                Vector third) noexcept
    {
        using First = ShortResidue<Isa, first_prime>;
        using Second = ShortResidue<Isa, second_prime>;
        using Third = ShortResidue<Isa, third_prime>;
        const Vector u = First::reduce(first);
        const Vector d = Second::reduce(Second::multiply(second - u, over<second_prime, first_prime>()));
        const Vector de = Third::multiply(third - u, over<third_prime, first_prime>());
        constexpr std::int32_t difference =
            Transform<Isa, third_prime>::cyclic_inverse_bound() + First::reduced_bound;
        static_assert(difference <= 32767 &&
                      Third::product_bound(difference) + Second::reduced_bound <= 32767);
        const Vector e = Third::reduce(Third::multiply(de - d, over<third_prime, second_prime>()));
        return join.modulo_q.reduce(u + join.modulo_q.multiply(d, join.times_first) +
                                    join.modulo_q.multiply(e, join.times_second));
    }

    /// 1 / divisor modulo a prime.
    template <std::int32_t prime, std::int32_t divisor>
    [[nodiscard, gnu::always_inline]] static auto over() noexcept
    {
        constexpr ShortFactor reciprocal =
            ShortResidue<Isa, prime>::factor(Roots<prime>::power(divisor, prime - 2));
        return ShortResidue<Isa, prime>::broadcast(reciprocal);
    }
    /// The product modulo x^p - x - 1: x^p = x + 1. Its coefficients are brought
    /// back to their modulus.
    template <class Modulus>
    static void fold(const std::size_t p, const Modulus modulus, const Parts& c, std::int16_t* product)
    {
        alignas(64) std::array<std::int16_t, points * parts + Lanes::lanes> whole;
        std::int16_t* const x = whole.data();
        Powers powers;
        std::size_t i = 0;
        for (; i < 2 * p - 1; i += Lanes::lanes, powers.advance()) {  // from there on all are 0
            Vector sum{};
            unroll<parts>([&](auto power) __attribute__((always_inline)) {
                sum |= Lanes::load(&c[power].c[i % points]) & powers.template has<power>();
            });
            Lanes::store(x + i, sum);
        }
        Lanes::store(x + i, Vector{});
        const std::int16_t kept = x[p - 1];
        for (i = 0; i < p; i += Lanes::lanes) {
            // The coefficient of x^(p - 1) is not folded onto that of 1.
            if (i == 0) x[p - 1] = 0;
            const Vector sum = Lanes::load(x + i) + Lanes::load(x + i + p) + Lanes::load(x + i + p - 1);
            if (i == 0) x[p - 1] = kept;
            Lanes::store(product + i, modulus.canonical(sum));
        }
    }
};

}  // namespace girih::ntru_prime
