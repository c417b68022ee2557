/// Claims about transforms that may choose the order of their values: these are the polynomial's
/// values at different roots of unity, and the inverse is the interpolation at these roots.
///
/// A polynomial of `count` coefficients is one polynomial in z, or two in z^2, of its even and of
/// its odd coefficients, whose values take turns.
#pragma once

#include <set>

#include "claims.hpp"

namespace girih::proofs {

/// The root of each value of the polynomial in the variables 1, ..., count: root^order = power.
template <class Points>
std::vector<std::uint64_t> expect_values(const Points& values, std::size_t degree, std::uint64_t order,
                                         std::uint64_t power_of_order)
{
    const std::uint64_t r = prime();
    const std::size_t count = values.size();
    std::vector<std::uint64_t> roots;
    std::set<std::pair<std::size_t, std::uint64_t>> different;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t first = i % degree;
        const Polynomial& form = form_of(load_number(&values[i]));
        // The root is the factor of the second coefficient.
        std::uint64_t root = 0;
        for (const auto& term : form.terms)
            if (term.monomial == 1 + first + degree) root = term.factor;
        if (power(root, order, r) != power_of_order) fail("a value is at no root of unity");
        if (!different.emplace(first, root).second) fail("two values are at one root");
        roots.push_back(root);
    }
    expect_forms(values, [&](std::size_t i) {
        Polynomial value;
        std::uint64_t factor = 1;
        for (std::size_t j = i % degree; j < count; j += degree, factor = factor * roots[i] % r)
            value.terms.push_back({1 + j, factor});
        return value;
    });
    return roots;
}

/// Coefficient j of a polynomial is `scale` times the sum of root^-j times values, which are the
/// variables 1, ..., count.
template <class Points>
void expect_inverse(const Points& coefficients, std::size_t degree, const std::vector<std::uint64_t>& roots,
                    std::uint64_t scale)
{
    const std::uint64_t r = prime();
    std::vector<std::uint64_t> inverses, factors(roots.size(), scale % r);
    for (const std::uint64_t root : roots) inverses.push_back(reciprocal(root, r));
    expect_forms(coefficients, [&](std::size_t j) {
        Polynomial sum;
        for (std::size_t i = j % degree; i < roots.size(); i += degree) {
            sum.terms.push_back({1 + i, factors[i]});
            factors[i] = factors[i] * inverses[i] % r;
        }
        return sum;
    });
}

}  // namespace girih::proofs
