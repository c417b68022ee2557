/// Polynomials that have no reciprocal modulo 3 for the most frequent reason.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/secret.hpp"
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/arithmetic/residue.hpp"

namespace girih::ntru_prime {

/// Of a factor: coefficient j of x^i modulo it, at powers[j * p + i].
struct SmallFactorTable {
    std::size_t degree;
    const std::int8_t* powers;

    /// All ones if the small polynomial is a multiple of the factor, else 0. Constant time.
    template <class Isa>
    [[nodiscard]] std::int32_t divides(const std::int8_t* g, std::size_t p) const noexcept
    {
        std::int32_t residues = 0;
        for (std::size_t j = 0; j < degree; ++j) {
            std::int32_t sum = 0;
            for (std::size_t i = 0; i < p; ++i) sum += g[i] * powers[j * p + i];
            residues |= Modulo<Isa, 3>::centered(sum) & 3;
        }
        return negative_mask(residues - 1) & (degree == 0 ? 0 : -1);
    }
};

/// A factor of x^p - x - 1 modulo 3, of least degree, from the constant coefficient on; degree 0 if
/// none has a degree up to 5.
///
/// Of the polynomials modulo 3, one in 3^degree is a multiple of it: with p = 653 and 1277
/// (degree 3), one in 27.
template <Ring R>
class SmallFactor {
  private:
    static constexpr std::size_t largest_degree = 5;
    using Residue = std::array<std::int8_t, largest_degree>;  ///< modulo a candidate

    struct Factor {
        std::size_t degree;
        Residue c;  ///< below its leading 1
    };

    static constexpr std::int8_t modulo_3(int a) { return static_cast<std::int8_t>((a % 3 + 4) % 3 - 1); }

    static constexpr Residue times_x(const Residue& a, const Factor& f)
    {
        const int top = a[f.degree - 1];
        Residue product{};
        for (std::size_t i = 0; i < f.degree; ++i)
            product[i] = modulo_3((i == 0 ? 0 : a[i - 1]) - top * f.c[i]);
        return product;
    }
    static constexpr Residue times(const Residue& a, const Residue& b, const Factor& f)
    {
        Residue product{};
        for (std::size_t i = f.degree; i-- > 0;) {
            product = times_x(product, f);
            for (std::size_t j = 0; j < f.degree; ++j) product[j] = modulo_3(product[j] + a[i] * b[j]);
        }
        return product;
    }
    /// x^p = x + 1 modulo f.
    static constexpr bool is_factor(const Factor& f)
    {
        const Residue one{1};
        Residue power = one;
        for (int bit = 31; bit >= 0; --bit) {
            power = times(power, power, f);
            if ((R.p >> bit & 1) != 0) power = times_x(power, f);
        }
        Residue expected = times_x(one, f);
        expected[0] = modulo_3(expected[0] + 1);
        return power == expected;
    }

    static constexpr Factor factor = [] {
        switch (R.p) {
            case 653:
            case 1277:
                return Factor{3, {-1, -1, 0}};
            case 953:
                return Factor{5, {1, 0, -1, 1, 0}};
            case 1013:
                return Factor{4, {-1, 1, 0, 0}};
            default:
                return Factor{};
        }
    }();
    static_assert(factor.degree == 0 || is_factor(factor));

    /// Coefficient j of x^i modulo the factor, at [j][i].
    static constexpr auto powers = [] {
        std::array<std::int8_t, R.p * factor.degree + 1> table{};
        Residue power{1};
        for (std::size_t i = 0; i < R.p && factor.degree > 0; ++i) {
            for (std::size_t j = 0; j < factor.degree; ++j) table[j * R.p + i] = power[j];
            power = times_x(power, factor);
        }
        return table;
    }();

  public:
    static constexpr SmallFactorTable table{factor.degree, powers.data()};
};

}  // namespace girih::ntru_prime
