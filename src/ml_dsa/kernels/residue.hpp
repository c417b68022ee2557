/// Z_q as a textbook has it: canonical residues and the field's operations. It makes the tables of
/// the fast code at compile time and is what the tests compare that code with. Variable time: for
/// public values only.
#pragma once

#include <compare>
#include <cstdint>

#include "ml_dsa/params.hpp"

namespace girih::ml_dsa {

/// A residue modulo q, 0 <= value < q.
class Residue {
  public:
    constexpr Residue() = default;
    /// The residue of any integer.
    constexpr explicit Residue(std::int64_t integer) noexcept
        : value_(static_cast<std::uint32_t>((integer % q + q) % q))
    {
    }

    [[nodiscard]] constexpr std::uint32_t value() const noexcept { return value_; }

    /// The representative in (-q/2, q/2]: a mod+- q of FIPS 204, Section 2.3.
    [[nodiscard]] constexpr std::int32_t centred() const noexcept
    {
        const auto a = static_cast<std::int32_t>(value_);
        return a > q / 2 ? a - q : a;
    }

    [[nodiscard]] friend constexpr Residue operator+(Residue a, Residue b) noexcept
    {
        const std::uint32_t sum = a.value_ + b.value_;
        return canonical(sum >= modulus ? sum - modulus : sum);
    }
    [[nodiscard]] friend constexpr Residue operator-(Residue a) noexcept
    {
        return canonical(a.value_ == 0 ? 0 : modulus - a.value_);
    }
    [[nodiscard]] friend constexpr Residue operator-(Residue a, Residue b) noexcept { return a + -b; }
    [[nodiscard]] friend constexpr Residue operator*(Residue a, Residue b) noexcept
    {
        return canonical(static_cast<std::uint32_t>(std::uint64_t{a.value_} * b.value_ % modulus));
    }
    [[nodiscard]] friend constexpr Residue operator/(Residue a, Residue b) noexcept { return a * inverse(b); }
    [[nodiscard]] friend constexpr bool operator==(Residue, Residue) noexcept = default;

    [[nodiscard]] friend constexpr Residue power(Residue base, std::uint64_t exponent) noexcept
    {
        Residue result{1};
        for (; exponent != 0; exponent >>= 1) {
            if (exponent & 1) result = result * base;
            base = base * base;
        }
        return result;
    }

    /// 1 / a by Fermat's little theorem; 0 for 0.
    [[nodiscard]] friend constexpr Residue inverse(Residue a) noexcept { return power(a, modulus - 2); }

  private:
    static constexpr std::uint32_t modulus = q;

    static constexpr Residue canonical(std::uint32_t value) noexcept
    {
        Residue residue;
        residue.value_ = value;
        return residue;
    }

    std::uint32_t value_ = 0;
};

}  // namespace girih::ml_dsa
