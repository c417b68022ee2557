/// Polynomials of degree below p, by what their coefficients are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ntru_prime/params.hpp"

namespace girih::ntru_prime {

/// Coefficients of a polynomial, with room behind them for the rest of a vector.
template <Ring R>
inline constexpr std::size_t padded = (R.p + 63) / 64 * 64;

/// Small: coefficients in {-1, 0, 1}, which is also R/3. Short, if w of them are not 0.
template <Ring R>
struct alignas(64) Small {
    std::array<std::int8_t, padded<R>> c;

    [[nodiscard]] constexpr auto coefficients() const { return std::span{c}.template first<R.p>(); }
};

/// R/q: coefficients in [-q12, q12].
template <Ring R>
struct alignas(64) Rq {
    std::array<std::int16_t, padded<R>> c;
};

/// Rounded: those of R/q whose coefficients are multiples of 3.
template <Ring R>
struct Rounded : Rq<R> {};

/// The words that a sampler makes a polynomial of.
template <Ring R>
using Words = std::array<std::uint32_t, R.p>;

}  // namespace girih::ntru_prime
