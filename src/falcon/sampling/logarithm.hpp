/// Logarithms in the lanes of vectors, for the attempts of the speculative sampler.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "falcon/sampling/candidate_lanes.hpp"

namespace girih::falcon {

/// Natural logarithms of positive numbers, in lanes. The error is below 2^-45 from 1 to 256; 0
/// counts as 2^-1023.
template <class Isa>
struct Logarithm {
    using Words = AttemptWords<Isa>;
    using Doubles = typename Isa::WideFpr::Doubles::Vector;

    // Declared before its use for clang++ 14.
    [[nodiscard]] static consteval std::uint64_t bits_of(double a) { return std::bit_cast<std::uint64_t>(a); }
    [[nodiscard, gnu::always_inline]] static Doubles of(Doubles a) noexcept
    {
        // a = 2^e m, 1 <= m < 2. Between 2^52 and 2^53 the low bits are the integer, and between 2
        // and 4 the number is 2 m.
        const auto bits = reinterpret_cast<Words>(a);
        const Doubles e = reinterpret_cast<Doubles>(bits >> 52 | bits_of(0x1p52)) - (0x1p52 + 1023);
        const Doubles y = reinterpret_cast<Doubles>((bits & (bits_of(0x1p-1022) - 1)) | bits_of(2)) - 3.0;
        const Doubles y2 = y * y;
        const Doubles y4 = y2 * y2;
        const Doubles y8 = y4 * y4;
        const Doubles low = multiply_add(y4, four<4>(y, y2), four<0>(y, y2));
        const Doubles high = multiply_add(y4, four<12>(y, y2), four<8>(y, y2));
        const Doubles all =
            multiply_add(y8 * y8, Doubles{} + coefficients[degree], multiply_add(y8, high, low));
        return multiply_add(e, Doubles{} + ln_2, all);
    }

  private:
    static constexpr double ln_2 = 0.69314718055994530941723212146;
    static constexpr std::size_t degree = 16;

    /// Coefficients of ln((3 + y) / 2) for |y| <= 1, lowest first. With t = 3 - 2 sqrt(2) it is
    /// -ln(4 t) + 2 (t T_1(y) - t^2 T_2(y) / 2 + t^3 T_3(y) / 3 - ...), in Chebyshev's polynomials,
    /// T_k+1 = 2 y T_k - T_k-1. The omitted terms are below 2 t^17 / 17 / (1 - t) < 2^-46.
    static constexpr std::array<double, degree + 1> coefficients = [] {
        constexpr double t = 0.17157287525380990239662255158;
        constexpr double minus_ln_4t = 0.37645281291919554363371979029;
        std::array<double, degree + 1> sum{minus_ln_4t};
        std::array<double, degree + 1> before{1};
        std::array<double, degree + 1> chebyshev{0, 1};
        double power = 2 * t;
        for (std::size_t k = 1; k <= degree; ++k, power *= -t) {
            std::array<double, degree + 1> next{};
            for (std::size_t i = 0; i <= degree; ++i) {
                sum[i] += power / static_cast<double>(k) * chebyshev[i];
                next[i] = (i == 0 ? 0 : 2 * chebyshev[i - 1]) - before[i];
            }
            before = chebyshev;
            chebyshev = next;
        }
        return sum;
    }();
    /// ln(m), 1 <= m <= 2, at compile time.
    [[nodiscard]] static consteval double ln(double m)
    {
        double sum = 0;
        for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * (2 * m - 3) + coefficients[i];
        return sum;
    }
    [[nodiscard]] static consteval bool is_nothing(double a) { return -0x1p-45 < a && a < 0x1p-45; }
    static_assert(is_nothing(ln(1)) && is_nothing(ln(2) - ln_2) &&
                  is_nothing(2 * ln(1.5) - ln(1.125) - ln_2) && is_nothing(2 * ln(1.25) - ln(1.5625)) &&
                  is_nothing(2 * ln(1.75) - ln(1.53125) - ln_2));

    [[nodiscard, gnu::always_inline]] static Doubles multiply_add(Doubles a, Doubles b, Doubles c) noexcept
    {
        return Isa::multiply_add(a, b, c);
    }
    /// Four terms from y^i on, divided by y^i.
    template <std::size_t i>
    [[nodiscard, gnu::always_inline]] static Doubles four(Doubles y, Doubles y2) noexcept
    {
        return multiply_add(y2, two<i + 2>(y), two<i>(y));
    }
    template <std::size_t i>
    [[nodiscard, gnu::always_inline]] static Doubles two(Doubles y) noexcept
    {
        return multiply_add(y, Doubles{} + coefficients[i + 1], Doubles{} + coefficients[i]);
    }
};

}  // namespace girih::falcon
