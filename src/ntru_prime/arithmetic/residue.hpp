/// The representative of least magnitude of a residue.
#pragma once

#include <bit>
#include <cstdint>

namespace girih::ntru_prime {

/// Modulo an odd m below 2^14. `Isa` only names a type of an engine's own.
template <class Isa, std::int32_t m>
struct Modulo {
    static_assert(m % 2 == 1 && m > 1 && m < 1 << 14);

    /// The residue in [-(m - 1) / 2, (m - 1) / 2] of |a| < 2^30. Constant time.
    [[nodiscard]] static constexpr std::int32_t centered(std::int32_t a) noexcept
    {
        // a / m is at least 1 / 2m > 2^-(bits + 1) away from where rounding changes, and a *
        // inverse / 2^shift is at most 2^30 / 2^(shift + 1) = 2^-(bits + 2) away from a / m.
        return a - m * static_cast<std::int32_t>((a * inverse + half) >> shift);
    }

    /// a 2^16 / m of a centered residue, rounded: 16 bits with a sign. Constant time.
    [[nodiscard]] static constexpr std::int32_t rounded_share(std::int32_t a) noexcept
    {
        return static_cast<std::int32_t>(((std::int64_t{a} * inverse >> (shift - 17)) + 1) >> 1);
    }

    /// 1 / a modulo m, of a residue; 0 of 0. m is a prime. Constant time: a^(m - 2).
    [[nodiscard]] static constexpr std::int32_t reciprocal(std::int32_t a) noexcept
    {
        std::int32_t power = 1;
        for (int bit = bits - 1; bit >= 0; --bit) {
            power = centered(power * power);
            if (((m - 2) >> bit & 1) != 0) power = centered(power * a);
        }
        return power;
    }

  private:
    static constexpr int bits = std::bit_width(static_cast<std::uint32_t>(m));
    static constexpr int shift = 31 + bits;
    static constexpr std::int64_t half = std::int64_t{1} << (shift - 1);
    static constexpr std::int64_t inverse = ((std::int64_t{1} << shift) + m / 2) / m;
};

/// The residue modulo 3 of |a| < 2^14, in {-1, 0, 1}. Constant time.
template <class Isa>
[[nodiscard, gnu::always_inline]] constexpr std::int32_t short_modulo_3(std::int32_t a) noexcept
{
    // a / 3 is at least 1/6 away from where rounding changes, and 10923 / 2^15 exceeds 1/3 by
    // 1 / (3 * 2^15).
    return a - 3 * ((a * 10923 + (1 << 14)) >> 15);
}

/// An odd number of 13 bits, and what its reductions need.
struct Modulus {
    static constexpr int bits = 13;
    std::int32_t m;
    std::int32_t inverse;

    static constexpr Modulus of(std::int32_t m)
    {
        return {m, static_cast<std::int32_t>(((std::int64_t{1} << (30 + bits)) + m / 2) / m)};
    }
};

/// Modulo such a number, known when the program runs: Modulo's functions, for |a| < 2^29.
template <class Isa>
class AnyModulo {
  public:
    constexpr explicit AnyModulo(const Modulus& modulus) noexcept : m_(modulus.m), inverse_(modulus.inverse)
    {
    }

    [[nodiscard]] constexpr std::int32_t m() const noexcept { return m_; }
    [[nodiscard]] constexpr std::int32_t centered(std::int32_t a) const noexcept
    {
        constexpr std::int64_t half = std::int64_t{1} << (shift - 1);
        return a - m_ * static_cast<std::int32_t>((std::int64_t{a} * inverse_ + half) >> shift);
    }
    [[nodiscard]] constexpr std::int32_t rounded_share(std::int32_t a) const noexcept
    {
        return static_cast<std::int32_t>(((std::int64_t{a} * inverse_ >> (shift - 17)) + 1) >> 1);
    }
    [[nodiscard]] constexpr std::int32_t reciprocal(std::int32_t a) const noexcept
    {
        std::int32_t power = 1;
        for (int bit = Modulus::bits - 1; bit >= 0; --bit) {
            power = centered(power * power);
            if (((m_ - 2) >> bit & 1) != 0) power = centered(power * a);
        }
        return power;
    }

  private:
    static constexpr int shift = 30 + Modulus::bits;
    std::int32_t m_;
    std::int32_t inverse_;
};

}  // namespace girih::ntru_prime
