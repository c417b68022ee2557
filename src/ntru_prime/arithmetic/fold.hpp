/// From a product of polynomials to its residue modulo x^p - x - 1.
#pragma once

#include <cstddef>
#include <cstdint>

namespace girih::ntru_prime {

/// The residue of x, which has zeros, or what a modulus takes for them, behind its 2p - 1
/// coefficients: as many as a vector has and one. Coefficients are brought back to their modulus.
/// Constant time.
template <class Isa, class Modulus>
[[gnu::always_inline]] inline void fold(std::size_t p, const Modulus& modulus, std::int16_t* x,
                                        std::int16_t* product)
{
    using Lanes = typename Isa::ShortLanes;
    // x^p = x + 1.
    const std::int16_t kept = x[p - 1];
    for (std::size_t i = 0; i < p; i += Lanes::lanes) {
        // The coefficient of x^(p - 1) is not folded onto that of 1.
        if (i == 0) x[p - 1] = 0;
        const auto sum = Lanes::load(x + i) + Lanes::load(x + i + p) + Lanes::load(x + i + p - 1);
        if (i == 0) x[p - 1] = kept;
        Lanes::store(product + i, modulus.canonical(sum));
    }
}

}  // namespace girih::ntru_prime
