/// Fixed-point numbers from 0 to 2 with 120 fractional bits, for tables that are computed at
/// compile time.
#pragma once

#include <bit>
#include <cstdint>

#include "core/wide.hpp"

namespace girih::falcon {

struct Fixed {
    std::uint64_t high = 0;  ///< units of 2^-56
    std::uint64_t low = 0;   ///< units of 2^-120

    static constexpr int point = 120;
    [[nodiscard]] static constexpr Fixed one() { return {std::uint64_t{1} << (point - 64), 0}; }

    [[nodiscard]] friend constexpr Fixed operator+(Fixed a, Fixed b)
    {
        const std::uint64_t sum = a.low + b.low;
        return {a.high + b.high + static_cast<std::uint64_t>(sum < a.low), sum};
    }
    [[nodiscard]] friend constexpr Fixed operator-(Fixed a, Fixed b)
    {
        return {a.high - b.high - static_cast<std::uint64_t>(a.low < b.low), a.low - b.low};
    }
    [[nodiscard]] friend constexpr bool operator<(Fixed a, Fixed b)
    {
        return a.high != b.high ? a.high < b.high : a.low < b.low;
    }
    [[nodiscard]] constexpr Fixed halved() const { return {high >> 1, (low >> 1) | (high << 63)}; }

    /// Too small by up to three units in the last place.
    [[nodiscard]] friend constexpr Fixed operator*(Fixed a, Fixed b)
    {
        const Wide top = multiply_wide(a.high, b.high);
        const Wide first = multiply_wide(a.high, b.low);
        const Wide second = multiply_wide(a.low, b.high);
        // The product's unit is 2^-240 for low times low, 2^-176 for the mixed terms and 2^-112
        // for high times high.
        const Fixed mixed = Fixed{first.high, first.low} + Fixed{second.high, second.low};
        return Fixed{(top.high << 8) | (top.low >> 56), top.low << 8} +
               Fixed{mixed.high >> 56, (mixed.high << 8) | (mixed.low >> 56)};
    }

    /// The bits of the nearest double. Not for 0.
    [[nodiscard]] constexpr std::uint64_t to_double_bits() const
    {
        Fixed a = *this;
        std::uint64_t exponent = 1023 + 127 - point;
        for (; (a.high >> 63) == 0; --exponent) a = a + a;
        const std::uint64_t significand = a.high >> 11;
        const std::uint64_t rounding = (a.high >> 10) & 1;  // never a tie: these numbers are irrational
        return ((exponent - 1) << 52) + significand + rounding;
    }
};

/// Bit by bit, rounded down; a < 1.
[[nodiscard]] constexpr Fixed sqrt(Fixed a)
{
    Fixed root;
    Fixed rest = a + a;  // (a - root^2) / bit
    for (Fixed bit = Fixed::one().halved(); Fixed{} < bit; bit = bit.halved()) {
        const Fixed tried = root + root + bit;
        if (!(rest < tried)) {
            root = root + bit;
            rest = rest - tried;
        }
        rest = rest + rest;
    }
    return root;
}

}  // namespace girih::falcon
