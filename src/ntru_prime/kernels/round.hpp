/// Rounding, and coefficients modulo 3 ("NTRU Prime: round 3", Sections 3.2 and 3.5).
#pragma once

#include <cstddef>
#include <cstdint>

#include "ntru_prime/kernels/residue.hpp"
#include "ntru_prime/types.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

/// Round (NTRU Prime, Section 3.2): each coefficient to the nearest multiple of 3. In place.
/// Constant time.
template <class Isa, class R>
constexpr void round(const R& ring, Rounded<R::capacity>& a)
{
    if constexpr (Isa::follows_specification) {
        for (std::size_t i = 0; i < ring.p; ++i)
            a.c[i] = static_cast<std::int16_t>(a.c[i] - Modulo3<Isa>::centered(a.c[i]));
    } else {
        using Lanes = typename Isa::ShortLanes;
        for (std::size_t i = 0; i < ring.p; i += Lanes::lanes) {
            const auto c = Lanes::load(&a.c[i]);
            Lanes::store(&a.c[i], c - VectorModulo3<Isa>::canonical(c));
        }
    }
}

/// Rq_mult3 (NTRU Prime, Section 3.5), 3a modulo q, and then
/// R3_fromRq (NTRU Prime, Section 3.5), modulo 3. `a` is overwritten. Constant time.
template <class Isa, class R>
constexpr void r3_from_rq_mult3(const R& ring, Rq<R::capacity>& a, Small<R::capacity>& residues)
{
    const std::size_t p = ring.p;  // a copy: bytes that are written may alias ring.p
    if constexpr (Isa::follows_specification) {
        const AnyModulo<Isa> modulo_q{ring.modulo_q};
        for (std::size_t i = 0; i < p; ++i)
            residues.c[i] = static_cast<std::int8_t>(Modulo3<Isa>::centered(modulo_q.centered(3 * a.c[i])));
    } else {
        using Lanes = typename Isa::ShortLanes;
        const transform::AnyShortResidue<Isa> modulo_q{ring.short_q};
        for (std::size_t i = 0; i < p; i += Lanes::lanes) {
            const auto c = Lanes::load(&a.c[i]);
            const auto thrice = modulo_q.canonical(c + c + c);
            Lanes::store(&a.c[i], VectorModulo3<Isa>::canonical(thrice));
        }
        for (std::size_t i = 0; i < p; ++i) residues.c[i] = static_cast<std::int8_t>(a.c[i]);
    }
}

}  // namespace girih::ntru_prime
