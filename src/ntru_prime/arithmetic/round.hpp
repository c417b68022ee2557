/// Rounding, and coefficients modulo 3 ("NTRU Prime: round 3", Sections 3.2 and 3.5).
#pragma once

#include <cstddef>
#include <cstdint>

#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/arithmetic/residue.hpp"
#include "ntru_prime/arithmetic/short_three.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

/// Round: each coefficient to the next multiple of 3. In place. Constant time.
template <Ring R, class Isa>
constexpr void round(Rounded<R>& a)
{
    if constexpr (Isa::follows_specification) {
        for (std::size_t i = 0; i < R.p; ++i)
            a.c[i] = static_cast<std::int16_t>(a.c[i] - Modulo<Isa, 3>::centered(a.c[i]));
    } else {
        using Lanes = typename Isa::ShortLanes;
        static_assert(R.q12() <= ShortThree<Isa>::bound);
        for (std::size_t i = 0; i < R.p; i += Lanes::lanes) {
            const auto c = Lanes::load(&a.c[i]);
            Lanes::store(&a.c[i], c - ShortThree<Isa>::canonical(c));
        }
    }
}

/// R3_fromRq(Rq_mult3): 3a modulo q, and that modulo 3. `a` is overwritten. Constant time.
template <Ring R, class Isa>
constexpr void residues_of_thrice(Rq<R>& a, Small<R>& residues)
{
    if constexpr (Isa::follows_specification) {
        for (std::size_t i = 0; i < R.p; ++i)
            residues.c[i] =
                static_cast<std::int8_t>(Modulo<Isa, 3>::centered(Modulo<Isa, R.q>::centered(3 * a.c[i])));
    } else {
        using Lanes = typename Isa::ShortLanes;
        static_assert(3 * R.q12() <= 32767);
        for (std::size_t i = 0; i < R.p; i += Lanes::lanes) {
            const auto c = Lanes::load(&a.c[i]);
            const auto thrice = transform::ShortResidue<Isa, R.q>::canonical(c + c + c);
            Lanes::store(&a.c[i], ShortThree<Isa>::canonical(thrice));
        }
        for (std::size_t i = 0; i < R.p; ++i) residues.c[i] = static_cast<std::int8_t>(a.c[i]);
    }
}

}  // namespace girih::ntru_prime
