/// The discrete Gaussian distribution of f and g, for the key generator without floating point,
/// computed at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "falcon/kernels/fft/fixed.hpp"
#include "falcon/params.hpp"

namespace girih::falcon {

/// a / b to 120 bits, rounded down; a < b.
constexpr Fixed ratio(std::uint64_t a, std::uint64_t b)
{
    Fixed quotient;
    for (int i = 0; i < Fixed::point; ++i) {
        a *= 2;
        quotient = quotient + quotient;
        if (a >= b) {
            a -= b;
            quotient.low |= 1;
        }
    }
    return quotient;
}

/// exp(-a) for a < 1/8: the omitted terms are below 2^-120.
constexpr Fixed exp_of_negative(Fixed a)
{
    Fixed sum;
    for (std::uint64_t k = 28; k > 0; --k) {
        // 1 - a / k (1 - a / (k + 1) (...))
        sum = Fixed::one() - ratio(1, k + 1) * a * (k == 28 ? Fixed::one() : sum);
    }
    return Fixed::one() - a * sum;
}

/// A magnitude is at least k if a number of 31 bits is below entry k - 1. Magnitudes that do not
/// fit a secret key have no entry and are never drawn.
template <Shape S>
struct FgDistribution {
    static constexpr std::size_t largest = (std::size_t{1} << (S.fg_bits() - 1)) - 1;

    /// The probability of k is proportional to exp(-k^2 / (2 sigma^2)) with sigma = 1.17 sqrt(q /
    /// 2n).
    static constexpr std::array<std::uint32_t, largest> at_least = [] {
        constexpr std::uint64_t twice_variance = 13689 * q;  // in units of 1 / 10^4 n
        const Fixed ratio_at_1 = exp_of_negative(ratio(10000 * S.n(), twice_variance));
        std::array<Fixed, largest + 1> weights{};
        weights[0] = Fixed::one().halved();  // half, for both signs
        Fixed step = ratio_at_1;
        weights[1] = ratio_at_1;
        for (std::size_t k = 2; k <= largest; ++k) {
            step = step * ratio_at_1 * ratio_at_1;
            weights[k] = weights[k - 1] * step;
        }
        Fixed sum;
        for (const Fixed& a : weights) sum = sum + a;
        std::array<std::uint32_t, largest> all{};
        Fixed tail;
        for (std::size_t k = largest; k > 0; --k) {
            tail = tail + weights[k];
            Fixed rest = tail;
            std::uint32_t entry = 0;
            for (int bit = 0; bit < 31; ++bit) {
                rest = rest + rest;
                entry *= 2;
                if (!(rest < sum)) {
                    rest = rest - sum;
                    ++entry;
                }
            }
            all[k - 1] = entry + (rest + rest < sum ? 0 : 1);
        }
        return all;
    }();
};

}  // namespace girih::falcon
