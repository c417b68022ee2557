/// Residues modulo a small prime in the 16-bit lanes of vectors.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace girih::transform {

/// Montgomery's radix.
inline constexpr std::int32_t short_radix = 1 << 16;

/// Of the integers that have the low 16 bits of a, the one that 16 bits with a sign hold.
constexpr std::int32_t as_short(std::int32_t a) { return static_cast<std::int16_t>(a); }

/// A number modulo a prime r that many are multiplied by, times Montgomery's radix; and that,
/// divided by r modulo the radix.
struct ShortFactor {
    std::int16_t value;
    std::int16_t quotient;
};

/// An odd modulus between 4096 and 2^14 that is known at run time, and what
/// ShortResidue knows of one.
struct ShortModulus {
    std::int32_t r;
    std::int32_t inverse;     ///< 1 / r modulo the radix
    std::int32_t reciprocal;  ///< 2^15 / r

    static constexpr ShortModulus of(std::int32_t r)
    {
        std::int32_t x = 1;
        for (int i = 0; i < 4; ++i) x = as_short(x * (2 - as_short(r * x)));
        return {r, x, ((1 << 15) + r / 2) / r};
    }
    [[nodiscard]] constexpr std::int32_t centered(std::int64_t a) const
    {
        const auto c = static_cast<std::int32_t>(a % r);
        return c > r / 2 ? c - r : c < -(r / 2) ? c + r : c;
    }
    [[nodiscard]] constexpr ShortFactor factor(std::int64_t number) const
    {
        const std::int32_t value = centered(centered(number) * std::int64_t{short_radix});
        return {static_cast<std::int16_t>(value), static_cast<std::int16_t>(as_short(value * inverse))};
    }

    /// The largest that comes of sums of at most so much, divided by the radix.
    [[nodiscard]] constexpr std::int32_t reduced_sum_bound(std::int64_t sum) const
    {
        return static_cast<std::int32_t>(sum >> 16) + 1 + r / 2 + 1;
    }
    /// The largest that reduce gives of at most so much.
    [[nodiscard]] constexpr std::int32_t reduced_bound_of(std::int32_t largest_a) const
    {
        std::int32_t bound = 0;
        for (std::int32_t quotient = -16; quotient <= 16; ++quotient) {
            const std::int32_t least = std::max(-largest_a, least_with_quotient(quotient));
            const std::int32_t largest = std::min(largest_a, least_with_quotient(quotient + 1) - 1);
            if (least > largest) continue;
            bound = std::max({bound, largest - quotient * r, quotient * r - least});
        }
        return bound;
    }

  private:
    /// The least a with a quotient: reciprocal a / 2^15 is rounded, halves up.
    [[nodiscard]] constexpr std::int32_t least_with_quotient(std::int32_t quotient) const
    {
        const std::int32_t numerator = quotient * (1 << 15) - (1 << 14);
        return numerator > 0 ? (numerator + reciprocal - 1) / reciprocal : -(-numerator / reciprocal);
    }
};

/// Sums of products of pairs of lanes, in 32 bits: their halves, those of `even` in the even lanes
/// and those of `odd` in the odd. A low half is the first of a sum's two lanes, or, where the
/// processor is big-endian, the second.
template <class Isa>
struct HalvesOfSums {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;
    using Sums = typename Lanes::Sums;

    [[nodiscard, gnu::always_inline]] static Vector low(Sums even, Sums odd) noexcept
    {
        return pick<is_little>(even, odd);
    }
    [[nodiscard, gnu::always_inline]] static Vector high(Sums even, Sums odd) noexcept
    {
        return pick<!is_little>(even, odd);
    }

  private:
    static constexpr bool is_little = std::endian::native == std::endian::little;

    template <bool first>
    [[nodiscard, gnu::always_inline]] static Vector pick(Sums even, Sums odd) noexcept
    {
        const auto a = reinterpret_cast<Vector>(even);
        const auto b = reinterpret_cast<Vector>(odd);
        if constexpr (first)
            return Lanes::template even_blocks<1>(a, b);
        else
            return Lanes::template odd_blocks<1>(a, b);
    }
};

/// Arithmetic modulo such a number. Constant time.
template <class Isa>
struct AnyShortResidue {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;

    Vector modulus;
    Vector reciprocal;
    Vector half;
    Vector inverse;

    [[gnu::always_inline]] explicit AnyShortResidue(const ShortModulus& m)
        : modulus(Isa::opaque(Lanes::broadcast(m.r))),
          reciprocal(Lanes::broadcast(m.reciprocal)),
          half(Lanes::broadcast(m.r / 2)),
          inverse(Lanes::broadcast(m.inverse))
    {
    }

    struct Factors {
        Vector value;
        Vector quotient;
    };
    [[nodiscard, gnu::always_inline]] static Factors broadcast(ShortFactor f) noexcept
    {
        return {Lanes::broadcast(f.value), Lanes::broadcast(f.quotient)};
    }
    /// A factor's values, as ShortFactor has them.
    [[nodiscard, gnu::always_inline]] Factors prepare(Vector value) const noexcept
    {
        return {value, Lanes::multiply_low(value, inverse)};
    }
    [[nodiscard, gnu::always_inline]] Vector multiply(Vector a, const Factors& f) const noexcept
    {
        const Vector m = Lanes::multiply_low(a, f.quotient);
        return Isa::multiply_high(a, f.value) - Isa::multiply_high(m, modulus);
    }
    /// Sums of products of pairs of lanes, of less than 2^31, divided by the radix.
    template <class Sums>
    [[nodiscard, gnu::always_inline]] Vector reduce_sums(Sums even, Sums odd) const noexcept
    {
        using Halves = HalvesOfSums<Isa>;
        const Vector m = Lanes::multiply_low(Halves::low(even, odd), inverse);
        return Halves::high(even, odd) - Isa::multiply_high(m, modulus);
    }
    [[nodiscard, gnu::always_inline]] Vector reduce(Vector a) const noexcept
    {
        return Lanes::subtract_product(a, Isa::multiply_rounded(a, reciprocal), modulus);
    }
    [[nodiscard, gnu::always_inline]] Vector canonical(Vector a) const noexcept
    {
        Vector c = reduce(a);
        c -= (c > half) & modulus;
        return c + ((c < -half) & modulus);
    }
};

/// Arithmetic modulo an odd r below 2^14. Constant time.
template <class Isa, std::int32_t r>
struct ShortResidue {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;

    static_assert(r % 2 == 1 && r > 2 && r < 1 << 14);

    /// 1 / r modulo the radix: each step doubles the bits that are right.
    static constexpr std::int32_t inverse = [] {
        std::int32_t x = 1;
        for (int i = 0; i < 4; ++i) x = as_short(x * (2 - as_short(r * x)));
        return x;
    }();
    static_assert(as_short(r * inverse) == 1);

    [[nodiscard]] static constexpr std::int32_t centered(std::int64_t a)
    {
        const auto c = static_cast<std::int32_t>(a % r);
        return c > r / 2 ? c - r : c < -(r / 2) ? c + r : c;
    }

    /// For multiplication by a number: Montgomery's division by the radix is made up for.
    [[nodiscard]] static constexpr ShortFactor factor(std::int64_t number)
    {
        const std::int32_t value = centered(centered(number) * std::int64_t{short_radix});
        return {static_cast<std::int16_t>(value), static_cast<std::int16_t>(as_short(value * inverse))};
    }

    /// The same in every lane, or one in each.
    struct Factors {
        Vector value;
        Vector quotient;
    };
    [[nodiscard]] static Factors broadcast(ShortFactor f) noexcept
    {
        return {Lanes::broadcast(f.value), Lanes::broadcast(f.quotient)};
    }

    /// r in every lane.
    [[nodiscard, gnu::always_inline]] static Vector modulus() noexcept
    {
        return Isa::opaque(Lanes::broadcast(r));
    }

    /// a times the factor's number, modulo r: at most |a| r / 2^17 + r / 2.
    [[nodiscard, gnu::always_inline]] static Vector multiply(Vector a, Factors f) noexcept
    {
        // a * value - m r is a multiple of the radix, so the low halves are equal and the high
        // halves' difference is exact.
        const Vector m = Lanes::multiply_low(a, f.quotient);
        return Isa::multiply_high(a, f.value) - Isa::multiply_high(m, modulus());
    }

    /// b, prepared for many products with it.
    [[nodiscard, gnu::always_inline]] static Factors prepare(Vector b) noexcept
    {
        return {b, Lanes::multiply_low(b, Isa::opaque(Lanes::broadcast(inverse)))};
    }

    /// Sums of products of pairs of lanes, at most 2^15 r, each divided by the radix: those in
    /// `even` go to the even lanes, those in `odd` to the odd.
    template <class Sums>
    [[nodiscard, gnu::always_inline]] static Vector reduce_sums(Sums even, Sums odd) noexcept
    {
        using Halves = HalvesOfSums<Isa>;
        const Vector m = Lanes::multiply_low(Halves::low(even, odd), Isa::opaque(Lanes::broadcast(inverse)));
        return Halves::high(even, odd) - Isa::multiply_high(m, modulus());
    }
    /// The largest that comes of sums of at most so much.
    [[nodiscard]] static constexpr std::int32_t reduced_sum_bound(std::int64_t sum)
    {
        return ShortModulus::of(r).reduced_sum_bound(sum);
    }

    /// The largest that multiply gives.
    [[nodiscard]] static constexpr std::int32_t product_bound(std::int32_t a, std::int32_t b = r / 2)
    {
        return reduced_sum_bound(std::int64_t{a} * b);
    }

    /// A residue of any a, at most reduced_bound.
    [[nodiscard, gnu::always_inline]] static Vector reduce(Vector a) noexcept
    {
        return Lanes::subtract_product(a, Isa::multiply_rounded(a, Lanes::broadcast(reciprocal)), modulus());
    }

    /// The residue in [-(r - 1) / 2, (r - 1) / 2] of any a.
    [[nodiscard, gnu::always_inline]] static Vector canonical(Vector a) noexcept
    {
        Vector c = reduce(a);
        c -= (c > Lanes::broadcast(r / 2)) & Lanes::broadcast(r);
        return c + ((c < Lanes::broadcast(-(r / 2))) & Lanes::broadcast(r));
    }

  private:
    /// Of 2^15.
    static constexpr std::int32_t reciprocal = ((1 << 15) + r / 2) / r;

  public:
    /// The largest that reduce gives of at most so much.
    static constexpr std::int32_t reduced_bound_of(std::int32_t largest_a)
    {
        return ShortModulus::of(r).reduced_bound_of(largest_a);
    }
    static constexpr std::int32_t reduced_bound = reduced_bound_of(32768);
    static_assert(r > 2048 && reduced_bound < r);
};

}  // namespace girih::transform
