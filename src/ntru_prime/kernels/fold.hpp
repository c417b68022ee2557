/// The residue of a product modulo x^p - x - 1: x^p = x + 1.
#pragma once

#include <cstddef>
#include <cstdint>

namespace girih::ntru_prime {

/// x has 2p - 1 coefficients, followed by as many zeros as a vector has lanes, and one more. (A
/// zero may be a multiple of the modulus.) The result is reduced. Constant time.
template <class Isa, class Modulus>
[[gnu::always_inline]] inline void fold(std::size_t p, const Modulus& modulus, std::int16_t* x,
                                        std::int16_t* product)
{
    using Lanes = typename Isa::ShortLanes;
    const std::int16_t kept = x[p - 1];
    for (std::size_t i = 0; i < p; i += Lanes::lanes) {
        // Coefficient i is the sum of x[i], x[i + p] and, unless i is 0, x[i + p - 1].
        if (i == 0) x[p - 1] = 0;
        const auto sum = Lanes::load(x + i) + Lanes::load(x + i + p) + Lanes::load(x + i + p - 1);
        if (i == 0) x[p - 1] = kept;
        Lanes::store(product + i, modulus.canonical(sum));
    }
}

}  // namespace girih::ntru_prime
