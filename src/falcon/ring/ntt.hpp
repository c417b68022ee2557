/// The number-theoretic transform of polynomials modulo q and x^n + 1.
///
/// Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wipe.hpp"
#include "falcon/params.hpp"
#include "falcon/ring/residue.hpp"

namespace girih::falcon {

/// NTT: values at the n roots of x^n + 1, from x^n - (-1) down as in fft.
template <class Isa, std::size_t n>
constexpr void ntt(ResiduePoly<n>& f)
{
    using namespace modulo_q;
    std::size_t half_part = n / 2;
    for (std::size_t parts = 1; half_part > 0; parts *= 2, half_part /= 2) {
        for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
            const std::uint32_t zeta = zetas<n>.forward[parts + part];
            for (std::size_t j = first; j < first + half_part; ++j) {
                const std::uint32_t a = f[j];
                const std::uint32_t b = multiply(f[j + half_part], zeta);
                f[j] = static_cast<Residue>(add(a, b));
                f[j + half_part] = static_cast<Residue>(subtract(a, b));
            }
        }
    }
}

template <class Isa, std::size_t n>
constexpr void inverse_ntt(ResiduePoly<n>& f)
{
    using namespace modulo_q;
    std::size_t half_part = 1;
    for (std::size_t parts = n / 2; parts > 0; parts /= 2, half_part *= 2) {
        for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
            const std::uint32_t zeta = zetas<n>.inverse[parts + part];
            for (std::size_t j = first; j < first + half_part; ++j) {
                const std::uint32_t a = f[j];
                const std::uint32_t b = f[j + half_part];
                f[j] = static_cast<Residue>(add(a, b));
                f[j + half_part] = static_cast<Residue>(multiply(subtract(a, b), zeta));
            }
        }
    }
    // 1 / n is (q - (q - 1) / n); times 2^16.
    constexpr std::uint32_t scale = multiply(q - (q - 1) / n, montgomery_squared);
    for (Residue& a : f) a = static_cast<Residue>(multiply(a, scale));
}

/// The products of values, with one factor of 2^-16 made up for.
template <class Isa, std::size_t n>
constexpr void multiply_values(ResiduePoly<n>& f, const ResiduePoly<n>& g)
{
    using namespace modulo_q;
    for (std::size_t i = 0; i < n; ++i)
        f[i] = static_cast<Residue>(multiply(multiply(f[i], g[i]), montgomery_squared));
}

/// The quotients of values: f / g by g^(q - 2), all values side by side. A zero of g gives 0;
/// returns 1 if there is one, else 0.
template <class Isa, std::size_t n>
constexpr std::uint32_t divide_values(ResiduePoly<n>& f, const ResiduePoly<n>& g)
{
    using namespace modulo_q;
    Wiped<ResiduePoly<n>> power;  // g^(2^k) 2^16
    std::uint32_t some_zero = 0;
    for (std::size_t i = 0; i < n; ++i) {
        some_zero |= (std::uint32_t{g[i]} - 1) >> 31;
        (*power)[i] = static_cast<Residue>(multiply(g[i], montgomery_squared));
    }
    for (std::uint32_t exponent = q - 2; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0)
            for (std::size_t i = 0; i < n; ++i) f[i] = static_cast<Residue>(multiply(f[i], (*power)[i]));
        for (Residue& a : *power) a = static_cast<Residue>(multiply(a, a));
    }
    return some_zero;
}

/// A polynomial of small coefficients with sign, modulo q.
template <class Isa, std::size_t n, class Small>
constexpr void reduce(const Poly<Small, n>& small, ResiduePoly<n>& f)
{
    for (std::size_t i = 0; i < n; ++i) f[i] = modulo_q::residue(small[i]);
}

}  // namespace girih::falcon
