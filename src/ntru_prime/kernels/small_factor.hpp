/// Polynomials g that have no reciprocal modulo 3 for the most frequent reason: x^p - x - 1 modulo
/// 3 has a factor of small degree, of which one in 3^degree polynomials is a multiple (p = 653 and
/// 1277: one in 27). A batch of keys tests for it, because one such g would spoil the batch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/secret.hpp"
#include "ntru_prime/kernels/residue.hpp"
#include "ntru_prime/kernels/rings.hpp"

namespace girih::ntru_prime {

/// Coefficient j of x^i modulo the factor is powers[j * p + i]. Degree 0: there is no such factor.
struct SmallFactorTable {
    std::size_t degree;
    const std::int8_t* powers;

    /// All ones if g is a multiple of the factor, else 0. Constant time.
    template <class Isa>
    [[nodiscard]] std::int32_t divides(const std::int8_t* g, std::size_t p) const noexcept
    {
        std::int32_t residues = 0;
        for (std::size_t j = 0; j < degree; ++j) {
            std::int32_t sum = 0;
            for (std::size_t i = 0; i < p; ++i) sum += g[i] * powers[j * p + i];
            residues |= Modulo3<Isa>::centered(sum) & 3;
        }
        return negative_mask(residues - 1) & (degree == 0 ? 0 : -1);
    }
};

template <Ring R>
class SmallFactor {
    using Residue = std::array<std::int8_t, 5>;
    struct Factor {
        std::size_t degree;
        Residue c;  ///< below its leading 1, from the constant coefficient on
    };
    /// The factor of least degree, if that is up to 5.
    static constexpr Factor factor = R.p == 653 || R.p == 1277 ? Factor{3, {-1, -1, 0}}
                                     : R.p == 1013             ? Factor{4, {-1, 1, 0, 0}}
                                     : R.p == 953              ? Factor{5, {1, 0, -1, 1, 0}}
                                                               : Factor{};

    static constexpr Residue times_x(const Residue& a)
    {
        const int top = a[factor.degree - 1];
        Residue product{};
        for (std::size_t i = 0; i < factor.degree; ++i)
            product[i] = static_cast<std::int8_t>(
                Modulo3<void>::centered((i == 0 ? 0 : a[i - 1]) - top * factor.c[i]));
        return product;
    }

    struct Powers {
        std::array<std::int8_t, R.p * factor.degree + 1> c{};
        bool is_of_factor = true;  ///< x^p = x + 1 modulo it
    };
    static constexpr Powers powers = [] {
        Powers table{};
        if (factor.degree == 0) return table;
        Residue power{1};
        for (std::size_t i = 0; i < R.p; ++i, power = times_x(power))
            for (std::size_t j = 0; j < factor.degree; ++j) table.c[j * R.p + i] = power[j];
        table.is_of_factor = power == Residue{1, 1};
        return table;
    }();
    static_assert(powers.is_of_factor);

  public:
    static constexpr SmallFactorTable table{factor.degree, powers.c.data()};
};

}  // namespace girih::ntru_prime
