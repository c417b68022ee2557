/// The sampler's attempts (specification, Section 3.9.3) in the lanes of vectors: what attempts of
/// several signatures and several attempts of one have in common.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/unroll.hpp"
#include "falcon/sampling/sampler.hpp"
#include "isa/table.hpp"

namespace girih::falcon {

/// One of the vectors that a WideFpr is a pair of, as integers without a sign.
template <class Isa>
using AttemptWords = typename Isa::WideWords::Words;

/// As BaseSampler (Falcon, Algorithm 12), in lanes, of 72 bits, the high 62 and the low 10 of them:
/// how many numbers of the table are above.
template <class Isa>
struct BaseSampler {
    using Words = AttemptWords<Isa>;

    [[nodiscard, gnu::always_inline]] static Words sample(Words high, Words low) noexcept
    {
        if constexpr (requires { Isa::look_up(highs, high); }) {
            // By the high bits first. If those of one more entry are equal, it is the next one.
            Words z0{};
            unroll<looked_up>([&](auto i) __attribute__((always_inline)) {
                z0 = Isa::count_less(z0, high, Words{} + highs.entries[i]);
            });
            const auto is_tied = reinterpret_cast<Words>(high == Isa::look_up(highs, z0));
            z0 = Isa::count_less(z0, low, Isa::look_up(lows, z0) & is_tied);
            const auto is_above_low_bits = reinterpret_cast<Words>(high != 0);
            unroll<table.size() - looked_up>([&](auto i) __attribute__((always_inline)) {
                constexpr Entry entry = table[looked_up + i];
                static_assert(entry.high == 0);
                z0 = Isa::count_less(z0, low | is_above_low_bits, Words{} + entry.low);
            });
            return z0;
        } else {
            // The low bits twice: compilers and processors compare 32 bits at least as well as 64.
            const auto both_low = reinterpret_cast<typename Isa::Integers>(low | low << 32);
            Words z0{};
            unroll<table.size()>([&](auto i) __attribute__((always_inline)) {
                constexpr Entry entry = table[i];
                const auto is_low_below =
                    reinterpret_cast<Words>(both_low < static_cast<std::int32_t>(entry.low));
                z0 += (high - entry.high + is_low_below) >> 63;
            });
            return z0;
        }
    }

  private:
    struct Entry {
        std::uint64_t high;
        std::uint64_t low;
    };
    static constexpr std::array<Entry, rcdt.size()> table = [] {
        std::array<Entry, rcdt.size()> split{};
        for (std::size_t i = 0; i < rcdt.size(); ++i) {
            const std::uint64_t v2 = rcdt[i][0], v1 = rcdt[i][1], v0 = rcdt[i][2];
            split[i] = {v2 << 38 | v1 << 14 | v0 >> 10, v0 & 1023};
        }
        return split;
    }();
    static constexpr std::size_t looked_up = 16;
    static constexpr auto highs = isa::make_table<std::uint64_t, looked_up>(
        [](int i) { return table[static_cast<std::size_t>(i)].high; });
    static constexpr auto lows = isa::make_table<std::uint64_t, looked_up>(
        [](int i) { return table[static_cast<std::size_t>(i)].low; });
};

/// Natural logarithms of positive numbers, in lanes. Right to 2^-45 for those from 1 to 256; 0 is
/// taken for 2^-1023.
template <class Isa>
struct Logarithm {
    using Words = AttemptWords<Isa>;
    using Doubles = typename Isa::WideFpr::Doubles::Vector;

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

    /// ln((3 + y) / 2) for |y| <= 1, the lowest first. With t = 3 - 2 sqrt(2) it is -ln(4 t) +
    /// 2 (t T_1(y) - t^2 T_2(y) / 2 + t^3 T_3(y) / 3 - ...), in Chebyshev's polynomials, T_k+1 =
    /// 2 y T_k - T_k-1. What is left out is below 2 t^17 / 17 / (1 - t) < 2^-46.
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

    [[nodiscard]] static consteval std::uint64_t bits_of(double a) { return std::bit_cast<std::uint64_t>(a); }
    [[nodiscard, gnu::always_inline]] static Doubles multiply_add(Doubles a, Doubles b, Doubles c) noexcept
    {
        return Isa::multiply_add(a, b, c);
    }
    /// Four terms from y^i on, divided by that.
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
