/// Residues modulo q and modulo 3, of least magnitude: in [-(m - 1) / 2, (m - 1) / 2]. All of this
/// is constant time. `Isa` only keeps the types of engines apart.
#pragma once

#include <cstdint>

#include "isa/products.hpp"

namespace girih::ntru_prime {

template <class Isa>
struct Modulo3 {
    /// The residue of |a| < 2^14.
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t centered(std::int32_t a) noexcept
    {
        // a / 3 is at least 1/6 away from where rounding changes, and 10923 / 2^15 exceeds 1/3 by
        // 1 / (3 * 2^15).
        return a - 3 * ((a * 10923 + (1 << 14)) >> 15);
    }
    /// 1 / a modulo 3, of a residue; 0 of 0.
    [[nodiscard]] static constexpr std::int32_t reciprocal(std::int32_t a) noexcept { return a; }
};

/// Residues modulo 3 in the 16-bit lanes of vectors.
template <class Isa>
struct VectorModulo3 {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;

    static constexpr std::int32_t bound = 3 * 4096 - 1;

    /// The residue of |a| <= bound.
    [[nodiscard, gnu::always_inline]] static Vector canonical(Vector a) noexcept
    {
        // 0 <= s < 2^15, and s 21846 / 2^16 = s / 3 + s / 98304, which is less than 1 / 3 too much:
        // its floor is that of s / 3.
        const Vector s = a + Lanes::broadcast(3 * 4096 + 1);
        const Vector third = Isa::multiply_high(s, Lanes::broadcast(21846)) - Lanes::broadcast(4096);
        return a - third * Lanes::broadcast(3);
    }
};

/// An odd number of 13 bits, and what its reductions need.
struct Modulus {
    static constexpr int bits = 13;
    std::int32_t m;
    std::int32_t inverse;  ///< 2^(30 + bits) / m, rounded

    static constexpr Modulus of(std::int32_t m)
    {
        return {m, static_cast<std::int32_t>(((std::int64_t{1} << (30 + bits)) + m / 2) / m)};
    }
};

/// Residues modulo a number that is known at run time.
template <class Isa>
class AnyModulo {
  public:
    constexpr explicit AnyModulo(const Modulus& modulus) noexcept : m_(modulus.m), inverse_(modulus.inverse)
    {
    }

    /// The residue of |a| < 2^29.
    [[nodiscard]] constexpr std::int32_t centered(std::int32_t a) const noexcept
    {
        // a / m is at least 1 / 2m > 2^-(bits + 1) away from where rounding changes, and
        // a * inverse / 2^shift is at most 2^29 / 2^(shift + 1) = 2^-(bits + 2) away from a / m.
        constexpr std::int64_t half = std::int64_t{1} << (shift - 1);
        return a - m_ * static_cast<std::int32_t>((isa::long_product(a, inverse_) + half) >> shift);
    }
    /// a 2^16 / m of a residue, rounded: 16 bits with a sign.
    [[nodiscard]] constexpr std::int32_t rounded_share(std::int32_t a) const noexcept
    {
        return static_cast<std::int32_t>(((isa::long_product(a, inverse_) >> (shift - 17)) + 1) >> 1);
    }
    /// 1 / a modulo a prime m, of a residue; 0 of 0. It is a^(m - 2).
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
