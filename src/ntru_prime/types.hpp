/// Polynomials of degree below p, by the range of their coefficients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace girih::ntru_prime {

// Coefficients of a polynomial, with room after them for those of larger rings and the rest of a
// vector.

/// Small: coefficients in {-1, 0, 1}, which is also R/3. Short, if w of them are not 0.
template <std::size_t capacity>
struct alignas(64) Small {
    std::array<std::int8_t, capacity> c;
};

/// R/q: coefficients in [-q12, q12].
template <std::size_t capacity>
struct alignas(64) Rq {
    std::array<std::int16_t, capacity> c;
};

/// Rounded: those of R/q whose coefficients are multiples of 3.
template <std::size_t capacity>
struct Rounded : Rq<capacity> {};

/// The words from which a sampler makes a polynomial.
template <std::size_t capacity>
using Words = std::array<std::uint32_t, capacity>;

}  // namespace girih::ntru_prime
