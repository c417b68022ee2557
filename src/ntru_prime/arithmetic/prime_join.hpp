/// Coefficients of products modulo q, of their residues modulo the primes that these are computed
/// by.
#pragma once

#include <cstdint>

#include "ntru_prime/arithmetic/good_transforms.hpp"
#include "ntru_prime/ring.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

/// Constant time.
template <class Isa>
class PrimeJoin {
    using Vector = typename Isa::ShortLanes::Vector;
    using ModQ = transform::AnyShortResidue<Isa>;
    using First = transform::ShortResidue<Isa, first_prime>;
    using Second = transform::ShortResidue<Isa, second_prime>;
    using Third = transform::ShortResidue<Isa, third_prime>;

  public:
    template <class R>
    [[gnu::always_inline]] explicit PrimeJoin(const R& ring)
        : modulo_q_(ring.short_q),
          times_first_(ModQ::broadcast(ring.times_first)),
          times_second_(ModQ::broadcast(ring.times_second))
    {
    }

    /// A coefficient modulo q, at most ShortResidue::reduced_bound, of what an inverse transform
    /// gives modulo both primes.
    [[nodiscard, gnu::always_inline]] Vector operator()(Vector first, Vector second) const noexcept
    {
        static_assert(difference_bound<second_prime> <= 32767);
        // x = u + 3329 d with u = x modulo 3329 and d = (x - u) / 3329, which is small: its residue
        // modulo 7937 is itself.
        const Vector u = First::reduce(first);
        const Vector d = Second::reduce(Second::multiply(second - u, over<second_prime, first_prime>()));
        return modulo_q_.reduce(u + modulo_q_.multiply(d, times_first_));
    }

    /// The same modulo three primes: x = u + 3329 (d + 7937 e), with a small e.
    [[nodiscard, gnu::always_inline]] Vector operator()(Vector first, Vector second,
                                                        Vector third) const noexcept
    {
        static_assert(difference_bound<third_prime> <= 32767 &&
                      Third::product_bound(difference_bound<third_prime>) + Second::reduced_bound <= 32767);
        const Vector u = First::reduce(first);
        const Vector d = Second::reduce(Second::multiply(second - u, over<second_prime, first_prime>()));
        const Vector de = Third::multiply(third - u, over<third_prime, first_prime>());
        const Vector e = Third::reduce(Third::multiply(de - d, over<third_prime, second_prime>()));
        return modulo_q_.reduce(u + modulo_q_.multiply(d, times_first_) +
                                modulo_q_.multiply(e, times_second_));
    }

  private:
    template <std::int32_t r>
    static constexpr std::int32_t difference_bound =
        Transform<Isa, r>::cyclic_inverse_bound() + First::reduced_bound;

    /// 1 / divisor modulo a prime.
    template <std::int32_t prime, std::int32_t divisor>
    [[nodiscard, gnu::always_inline]] static auto over() noexcept
    {
        constexpr ShortFactor reciprocal =
            ShortResidue<Isa, prime>::factor(Roots<prime>::power(divisor, prime - 2));
        return ShortResidue<Isa, prime>::broadcast(reciprocal);
    }

    ModQ modulo_q_;
    typename ModQ::Factors times_first_;
    typename ModQ::Factors times_second_;
};

}  // namespace girih::ntru_prime
