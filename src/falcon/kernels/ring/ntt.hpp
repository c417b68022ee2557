/// The number-theoretic transform of polynomials modulo q and x^n + 1.
///
/// Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/wipe.hpp"
#include "falcon/kernels/ring/packed_ntt.hpp"
#include "falcon/kernels/ring/residue.hpp"
#include "falcon/params.hpp"
#include "isa/isa.hpp"

namespace girih::falcon {

/// NTT: values at the n roots of x^n + 1, splitting x^n - (-1) as in fft.
template <class Isa, std::size_t n>
[[gnu::noinline]] constexpr void ntt(ResiduePoly<n>& f)
{
    using namespace modulo_q;
    if constexpr (isa::Halfwords16<Isa> && !isa::SavesFlash<Isa>) {
        if (!std::is_constant_evaluated()) return PackedNtt<Isa, n>::forward(f);
    }
    std::size_t half_part = n / 2;
    for (std::size_t parts = 1; half_part > 0; parts *= 2, half_part /= 2) {
        for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
            const std::uint32_t zeta = zetas<n>[parts + part];
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
[[gnu::noinline]] constexpr void inverse_ntt(ResiduePoly<n>& f)
{
    using namespace modulo_q;
    if constexpr (isa::Halfwords16<Isa> && !isa::SavesFlash<Isa>) {
        if (!std::is_constant_evaluated()) return PackedNtt<Isa, n>::inverse(f);
    }
    std::size_t half_part = 1;
    for (std::size_t parts = n / 2; parts > 0; parts /= 2, half_part *= 2) {
        for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
            const std::uint32_t zeta = zetas<n>[2 * parts - 1 - part];  // minus the reciprocal
            for (std::size_t j = first; j < first + half_part; ++j) {
                const std::uint32_t a = f[j];
                const std::uint32_t b = f[j + half_part];
                f[j] = static_cast<Residue>(add(a, b));
                f[j + half_part] = static_cast<Residue>(multiply(subtract(b, a), zeta));
            }
        }
    }
    // 1 / n is q - (q - 1) / n; here times 2^16.
    constexpr std::uint32_t scale = multiply(q - (q - 1) / n, montgomery_squared);
    for (Residue& a : f) a = static_cast<Residue>(multiply(a, scale));
}

/// Products of values.
template <class Isa, std::size_t n>
constexpr void multiply_values(ResiduePoly<n>& f, const ResiduePoly<n>& g)
{
    using namespace modulo_q;
    for (std::size_t i = 0; i < n; ++i) f[i] = static_cast<Residue>(multiply_plainly(f[i], g[i]));
}

/// Quotients of values, f / g, from a single reciprocal: p^(q - 2) of the product p of all g, from
/// which each is split off by the product of those before it. A zero of g counts as 1; returns 1 if
/// there is one, else 0.
template <class Isa, std::size_t n>
constexpr std::uint32_t divide_values(ResiduePoly<n>& f, const ResiduePoly<n>& g)
{
    using namespace modulo_q;
    // In Montgomery form: a' = a 2^16 represents a, and the product of a' and b' is (a b)'.
    const auto divisor = [&g](std::size_t i) { return g[i] + ((std::uint32_t{g[i]} - 1) >> 31); };
    Wiped<ResiduePoly<n>> before;
    std::uint32_t some_zero = 0;
    std::uint32_t product = montgomery;
    for (std::size_t i = 0; i < n; ++i) {
        some_zero |= (std::uint32_t{g[i]} - 1) >> 31;
        (*before)[i] = static_cast<Residue>(product);
        product = multiply(product, multiply(divisor(i), montgomery_squared));
    }
    std::uint32_t reciprocal = power(product, q - 2);
    for (std::size_t i = n; i-- > 0;) {
        f[i] = static_cast<Residue>(multiply(f[i], multiply(reciprocal, (*before)[i])));
        reciprocal = multiply(reciprocal, multiply(divisor(i), montgomery_squared));
    }
    return some_zero;
}

/// A polynomial with small signed coefficients, modulo q.
template <class Isa, std::size_t n, class Small>
constexpr void reduce(const Poly<Small, n>& small, ResiduePoly<n>& f)
{
    for (std::size_t i = 0; i < n; ++i) f[i] = modulo_q::residue(small[i]);
}

}  // namespace girih::falcon
