/// ML-DSA's polynomials, and vectors of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ml_dsa/params.hpp"
#include "module_lattice/poly.hpp"

namespace girih::ml_dsa {

using module_lattice::Bound;
using module_lattice::Form;
using module_lattice::Poly;
using module_lattice::PolyIn;
using module_lattice::Secrecy;
static_assert(n == module_lattice::n);

using Coefficients = module_lattice::Coefficients<std::int32_t>;

/// 0, 1, ..., n - 1: for picking the places of some coefficients out of all.
inline constexpr Coefficients all_positions = [] {
    Coefficients positions{};
    for (std::size_t i = 0; i < n; ++i) positions[i] = static_cast<std::int32_t>(i);
    return positions;
}();

/// A column vector of polynomials of one kind.
template <std::size_t size_, class S>
struct PolyVector {
    using Element = S;
    static constexpr std::size_t size = size_;

    std::array<S, size_> p;

    [[nodiscard]] constexpr S& operator[](std::size_t i) noexcept { return p[i]; }
    [[nodiscard]] constexpr const S& operator[](std::size_t i) const noexcept { return p[i]; }
};

}  // namespace girih::ml_dsa
