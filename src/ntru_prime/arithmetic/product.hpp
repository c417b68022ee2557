/// Products in Z[x]/(x^p - x - 1) by Good's transforms.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ntru_prime/arithmetic/fold.hpp"
#include "ntru_prime/arithmetic/good_transforms.hpp"
#include "ntru_prime/arithmetic/low_product.hpp"
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/arithmetic/prime_join.hpp"
#include "ntru_prime/arithmetic/short_three.hpp"
#include "ntru_prime/ring.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

/// Products in a ring of type R. What is left on the stack is wiped at the end of each operation,
/// as a whole (OperationsOf).
///
/// A product of two polynomials has 2p - 1 coefficients. The ring's parts have as many; but where
/// three parts, 1536, lack a few only, these few are added to the first, which are computed once
/// more by themselves.
template <class Isa, class R>
class TransformProduct {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;
    using Sums = typename Lanes::Sums;
    using ModQ = transform::AnyShortResidue<Isa>;

    static constexpr std::size_t room = R::room;
    using Good = GoodTransforms<Isa, R::parts>;
    static constexpr std::size_t chunks = (room + points - 1) / points;

    /// For products whose last coefficients are added to their first.
    using Overlapping = GoodTransforms<Isa, 3>;
    static constexpr std::size_t overlapping_points = 3 * points;
    [[nodiscard, gnu::always_inline]] static constexpr bool overlaps(std::size_t p)
    {
        return R::parts > 3 && 2 * p - 1 <= overlapping_points + LowProduct<Isa>::most;
    }
    /// The first layer of a transform adds coefficients x^256 apart modulo 512 and 0 modulo m: some
    /// of a polynomial are, if it has more than 256 m.
    static_assert(std::ranges::all_of(parameter_sets, [](const Params& set) {
        const std::size_t p = set.ring.p;
        const std::size_t parts = overlaps(p) ? 3 : R::parts;
        const bool is_of_room = room_of_p(p) == room;
        return !is_of_room || set.ring.q12() * (p > points / 2 * parts ? 2 : 1) <=
                                  Transform<Isa, first_prime>::first_layer_bound;
    }));

  public:
    /// As Rq_mult_small (NTRU Prime, Section 3.5), by transforms. Constant time.
    static void multiply(const R& ring, const Rq<room>& a, const Small<room>& b, Rq<room>& product)
    {
        multiply_by_small(ring, a, b, product);
    }
    /// As R3_mult (NTRU Prime, Section 3.5), by transforms. Constant time.
    static void multiply(const R& ring, const Small<room>& a, const Small<room>& b, Small<room>& product)
    {
        multiply_by_small(ring, a, b, product);
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

    // ---- The same in parts, for polynomials that are multiplied more than once. `scratch` may be
    // one of the factors.

    /// The values of a polynomial modulo some of the primes.
    template <std::size_t primes>
    using Values = typename Good::template Values<primes>;

    template <class Poly, std::size_t primes>
    static void transform(const R& ring, const Poly& a, Values<primes>& values)
    {
        if (chunks > 2 && ring.p <= 2 * points)
            Good::template transform<2>(ring.p, a.c.data(), values);
        else
            Good::template transform<chunks>(ring.p, a.c.data(), values);
    }

    /// The end of multiply: modulo as many primes as the scratch has room for, which are three for
    /// any two polynomials modulo q, two if one of them is small, and one if both are.
    template <std::size_t a_primes, std::size_t b_primes, std::size_t primes, class Product>
    [[gnu::noinline]] static void multiply(const R& ring, const Values<a_primes>& a,
                                           const Values<b_primes>& b, Values<primes>& scratch,
                                           Product& product)
    {
        multiply_values<Good>(ring, a, b, scratch);
        Whole whole;
        Good::gather(2 * ring.p - 1, scratch[0], whole.data());
        fold(ring, whole, product);
    }

  private:
    /// The coefficients of a product, and zeros behind them.
    using Whole = std::array<std::int16_t, points * R::parts + Lanes::lanes>;

    template <class A>
    static constexpr bool is_small = std::is_same_v<A, Small<room>>;
    /// Those that a product of an A and a small polynomial is known by.
    template <class A>
    static constexpr std::size_t primes_of = is_small<A> ? 1 : 2;

    /// The product of values, as parts in scratch[0]: modulo q, or, by one prime, as integers.
    template <class Transforms, class A, class B, std::size_t primes>
    [[gnu::always_inline]] static void multiply_values(
        const R& ring, const A& a, const B& b, std::array<typename Transforms::Parts, primes>& scratch)
    {
        Transforms::template multiply_modulo<first_prime>(a[0], b[0], scratch[0]);
        if constexpr (primes > 1) Transforms::template multiply_modulo<second_prime>(a[1], b[1], scratch[1]);
        if constexpr (primes > 2) Transforms::template multiply_modulo<third_prime>(a[2], b[2], scratch[2]);
        const PrimeJoin<Isa> join{ring};
        for (std::size_t part = 0; part < scratch[0].size(); ++part)
            for (std::size_t i = 0; i < points; i += Lanes::lanes) {
                const auto at = [&](std::size_t prime)
                                    __attribute__((always_inline)) { return &scratch[prime][part].c[i]; };
                const Vector first = Lanes::load(at(0));
                if constexpr (primes == 1)
                    Lanes::store(at(0), ShortResidue<Isa, first_prime>::reduce(first));
                else if constexpr (primes == 2)
                    Lanes::store(at(0), join(first, Lanes::load(at(1))));
                else
                    Lanes::store(at(0), join(first, Lanes::load(at(1)), Lanes::load(at(2))));
            }
    }

    // Whole products and overlapping ones are functions of their own, so that neither has room for
    // the other's values.

    template <class A>
    [[gnu::always_inline]] static void multiply_by_small(const R& ring, const A& a, const Small<room>& b,
                                                         A& product)
    {
        if (overlaps(ring.p))
            multiply_overlapping(ring, a, b, product);
        else
            multiply_whole(ring, a, b, product);
    }
    template <class A>
    [[gnu::noinline]] static void multiply_whole(const R& ring, const A& a, const Small<room>& b, A& product)
    {
        Values<primes_of<A>> a_values;
        Values<primes_of<A>> b_values;
        transform(ring, a, a_values);
        transform(ring, b, b_values);
        multiply(ring, a_values, b_values, a_values, product);
    }
    template <class A>
    [[gnu::noinline]] static void multiply_overlapping(const R& ring, const A& a, const Small<room>& b,
                                                       A& product)
    {
        typename Overlapping::template Values<primes_of<A>> a_values;
        typename Overlapping::template Values<primes_of<A>> b_values;
        Overlapping::template transform<2>(ring.p, a.c.data(), a_values);
        Overlapping::template transform<2>(ring.p, b.c.data(), b_values);
        multiply_values<Overlapping>(ring, a_values, b_values, a_values);
        Whole whole;
        Overlapping::gather(overlapping_points, a_values[0], whole.data());
        unfold_overlap(ring.p, LowProduct<Isa>{a.c.data(), b.c.data()}, CoefficientsOf<A>{ring}, whole);
        fold(ring, whole, product);
    }

    /// Coefficients modulo q of sums of products.
    class ModuloQ {
      public:
        [[gnu::always_inline]] explicit ModuloQ(const R& ring)
            : modulo_q_(ring.short_q), radix_(ModQ::broadcast(ring.times_radix))
        {
        }
        [[nodiscard, gnu::always_inline]] Vector operator()(Sums even, Sums odd) const noexcept
        {
            return modulo_q_.multiply(modulo_q_.reduce_sums(even, odd), radix_);
        }

      private:
        ModQ modulo_q_;
        typename ModQ::Factors radix_;
    };
    /// Sums that 16 bits hold.
    struct Integers {
        explicit Integers(const R&) {}
        [[nodiscard, gnu::always_inline]] Vector operator()(Sums even, Sums odd) const noexcept
        {
            return transform::HalvesOfSums<Isa>::low(even, odd);
        }
    };
    template <class A>
    using CoefficientsOf = std::conditional_t<is_small<A>, Integers, ModuloQ>;

    /// The coefficients of a product of which those from x^1536 on were added to the first, which
    /// `low` has as sums, and `of` makes coefficients of these.
    template <class Of>
    [[gnu::always_inline]] static void unfold_overlap(std::size_t p, const LowProduct<Isa>& low, Of of,
                                                      Whole& whole)
    {
        std::int16_t* const x = whole.data();
        std::size_t end = overlapping_points;
        low.each(2 * p - 1 - overlapping_points,
                 [&](std::size_t n, auto even, auto odd) __attribute__((always_inline)) {
                     const Vector first = of(even, odd);
                     end = overlapping_points + n;
                     Lanes::store(x + end, Lanes::load(x + n) - first);
                     Lanes::store(x + n, first);
                 });
        Lanes::store(x + end + Lanes::lanes, Vector{});
    }

    // The product modulo x^p - x - 1, modulo q or 3.
    static void fold(const R& ring, Whole& whole, Rq<room>& product)
    {
        ntru_prime::fold<Isa>(ring.p, ModQ{ring.short_q}, whole.data(), product.c.data());
    }
    static void fold(const R& ring, Whole& whole, Small<room>& product)
    {
        Rq<room> wide;
        ntru_prime::fold<Isa>(ring.p, ShortThree<Isa>{}, whole.data(), wide.c.data());
        const std::size_t p = ring.p;
        for (std::size_t i = 0; i < p; ++i) product.c[i] = static_cast<std::int8_t>(wide.c[i]);
    }
};

}  // namespace girih::ntru_prime
