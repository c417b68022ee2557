/// Residues modulo a small prime in the 16-bit lanes of vectors.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "isa/options.hpp"

namespace girih::transform {

/// Montgomery's radix.
inline constexpr std::int32_t short_radix = 1 << 16;

/// The signed 16-bit integer with the low 16 bits of a.
constexpr std::int32_t as_short(std::int32_t a) { return static_cast<std::int16_t>(a); }

/// A fixed factor modulo a prime r. For Montgomery's products: its number times the radix, and the
/// quotient of that by r modulo the radix. For rounded quotients (isa::MultipliesModulo): its
/// number, and the rounded quotient of 2^15 times that by r.
struct ShortFactor {
    std::int16_t value;
    std::int16_t quotient;
};

/// An odd modulus between 2048 and 2^14, and the constants for computing with it.
struct ShortModulus {
    std::int32_t r;
    std::int32_t inverse;     ///< 1 / r modulo the radix
    std::int32_t reciprocal;  ///< 2^15 / r

    static constexpr ShortModulus of(std::int32_t r)
    {
        std::int32_t x = 1;  // each step doubles the number of correct bits
        for (int i = 0; i < 4; ++i) x = as_short(x * (2 - as_short(r * x)));
        return {r, x, ((1 << 15) + r / 2) / r};
    }
    [[nodiscard]] constexpr std::int32_t centered(std::int64_t a) const
    {
        const auto c = static_cast<std::int32_t>(a % r);
        return c > r / 2 ? c - r : c < -(r / 2) ? c + r : c;
    }
    /// For multiplication by `number`: compensates for Montgomery's division by the radix.
    [[nodiscard]] constexpr ShortFactor factor(std::int64_t number) const
    {
        const std::int32_t value = centered(centered(number) * std::int64_t{short_radix});
        return {static_cast<std::int16_t>(value), static_cast<std::int16_t>(as_short(value * inverse))};
    }

    /// For multiplication by `number` with rounded quotients.
    [[nodiscard]] constexpr ShortFactor rounded_factor(std::int64_t number) const
    {
        const std::int32_t value = centered(number);
        const std::int32_t quotient = isa::rounded_quotient<16>(value, r);
        return {static_cast<std::int16_t>(value), static_cast<std::int16_t>(quotient)};
    }

    /// The bound of a sum divided by the radix, from the bound of the sum.
    [[nodiscard]] constexpr std::int32_t reduced_sum_bound(std::int64_t sum) const
    {
        return static_cast<std::int32_t>(sum >> 16) + 1 + r / 2 + 1;
    }
    /// The bound of reduce, from that of its argument.
    [[nodiscard]] constexpr std::int32_t reduced_bound_of(std::int32_t largest_a) const
    {
        std::int32_t bound = 0;
        for (std::int32_t quotient = -16; quotient <= 16; ++quotient) {
            const std::int32_t smallest = std::max(-largest_a, smallest_with_quotient(quotient));
            const std::int32_t largest = std::min(largest_a, smallest_with_quotient(quotient + 1) - 1);
            if (smallest > largest) continue;
            bound = std::max({bound, largest - quotient * r, quotient * r - smallest});
        }
        return bound;
    }

  private:
    /// The smallest a with a given quotient: reciprocal a / 2^15, with halves rounded up.
    [[nodiscard]] constexpr std::int32_t smallest_with_quotient(std::int32_t quotient) const
    {
        const std::int32_t numerator = quotient * (1 << 15) - (1 << 14);
        return numerator > 0 ? (numerator + reciprocal - 1) / reciprocal : -(-numerator / reciprocal);
    }
};

/// The halves of 32-bit sums of products of pairs of lanes: sums of `even` go to even lanes, sums
/// of `odd` to odd lanes. A sum's low half is the first of its two lanes, or the second on a
/// big-endian processor.
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
        const auto a = __builtin_bit_cast(Vector, even);
        const auto b = __builtin_bit_cast(Vector, odd);
        if constexpr (first)
            return Lanes::template even_blocks<1>(a, b);
        else
            return Lanes::template odd_blocks<1>(a, b);
    }
};

/// (a b - c d) / 2^16, where a b = c d modulo 2^16: the low halves are equal, so the high halves'
/// difference is exact. b is not -2^15 and d is a modulus, so neither product is 2^30.
template <class Isa, class Vector>
[[nodiscard, gnu::always_inline]] inline Vector divide_difference(Vector a, Vector b, Vector c,
                                                                  Vector d) noexcept
{
    if constexpr (isa::DividesDifferences<Isa>)
        return Isa::divide_difference(a, b, c, d);
    else
        return Isa::multiply_high(a, b) - Isa::multiply_high(c, d);
}

/// A ShortFactor in each lane.
template <class Isa>
struct ShortFactors {
    typename Isa::ShortLanes::Vector value;
    typename Isa::ShortLanes::Vector quotient;

    [[nodiscard, gnu::always_inline]] static ShortFactors of(ShortFactor f) noexcept
    {
        return {Isa::ShortLanes::broadcast(f.value), Isa::ShortLanes::broadcast(f.quotient)};
    }
};

/// Arithmetic modulo a ShortModulus that is known at run time. Constant time.
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

    using Factors = ShortFactors<Isa>;
    /// A factor from its ShortFactor::value.
    [[nodiscard, gnu::always_inline]] Factors prepare(Vector value) const noexcept
    {
        return {value, Lanes::multiply_low(value, inverse)};
    }
    [[nodiscard, gnu::always_inline]] Vector multiply(Vector a, const Factors& f) const noexcept
    {
        const Vector m = Lanes::multiply_low(a, f.quotient);
        return divide_difference<Isa>(a, f.value, m, modulus);
    }
    /// Divides sums of products of pairs of lanes, below 2^31, by the radix.
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

    static constexpr ShortModulus constants = ShortModulus::of(r);
    static_assert(as_short(r * constants.inverse) == 1);
    /// Whether products with fixed factors have rounded quotients, and no division by a radix.
    static constexpr bool has_rounded_quotients = isa::MultipliesModulo<Isa, Vector>;
    /// For multiplication by `number`.
    [[nodiscard]] static constexpr ShortFactor factor(std::int64_t number)
    {
        return has_rounded_quotients ? constants.rounded_factor(number) : constants.factor(number);
    }

    using Factors = ShortFactors<Isa>;
    /// Factor `index` of a vector of ShortFactors, for all lanes.
    template <std::size_t index>
    struct IndexedFactor {
        Vector row;
    };
    /// A factor that is not known beforehand, and its quotient by r modulo the radix.
    struct Prepared {
        Vector value;
        Vector quotient;
    };
    /// r in every lane.
    [[nodiscard, gnu::always_inline]] static Vector modulus() noexcept
    {
        return Isa::opaque(Lanes::broadcast(r));
    }

    /// a times the factor's number, modulo r: at most product_bound.
    [[nodiscard, gnu::always_inline]] static Vector multiply(Vector a, Factors f) noexcept
    {
        // The factor is hidden: a compiler would make other instructions of a power of two, and the
        // proofs of the machine code would have to follow it.
        if constexpr (has_rounded_quotients)
            return Isa::multiply_modulo(a, Isa::opaque(f.value), f.quotient, modulus());
        else
            return multiply(a, Prepared{f.value, f.quotient});
    }
    template <std::size_t index>
    [[nodiscard, gnu::always_inline]] static Vector multiply(Vector a, IndexedFactor<index> f) noexcept
    {
        return Isa::template multiply_modulo<index>(a, f.row, modulus());
    }
    /// a times a prepared factor b, divided by the radix: at most |a b| / 2^16 + r / 2, rounded up.
    [[nodiscard, gnu::always_inline]] static Vector multiply(Vector a, Prepared f) noexcept
    {
        const Vector m = Lanes::multiply_low(a, f.quotient);
        return divide_difference<Isa>(a, f.value, m, modulus());
    }

    /// b as a factor of many products.
    [[nodiscard, gnu::always_inline]] static Prepared prepare(Vector b) noexcept
    {
        return {b, Lanes::multiply_low(b, Isa::opaque(Lanes::broadcast(constants.inverse)))};
    }

    /// Sums of products of pairs of lanes, at most 2^15 r, each divided by the radix: those in
    /// `even` go to the even lanes, those in `odd` to the odd.
    template <class Sums>
    [[nodiscard, gnu::always_inline]] static Vector reduce_sums(Sums even, Sums odd) noexcept
    {
        using Halves = HalvesOfSums<Isa>;
        const Vector m =
            Lanes::multiply_low(Halves::low(even, odd), Isa::opaque(Lanes::broadcast(constants.inverse)));
        return Halves::high(even, odd) - Isa::multiply_high(m, modulus());
    }
    /// Divides the sums of each lane by the radix, within the same bounds (isa::SumsEachLane).
    template <class WideSums>
    [[nodiscard, gnu::always_inline]] static Vector reduce_wide(const WideSums& sums) noexcept
    {
        const Vector m =
            Lanes::multiply_low(Lanes::low_wide(sums), Isa::opaque(Lanes::broadcast(constants.inverse)));
        return Lanes::high_wide(Lanes::subtract_wide(sums, m, modulus()));
    }
    /// The bound of reduced sums, from the bound of the sums.
    [[nodiscard]] static constexpr std::int32_t reduced_sum_bound(std::int64_t sum)
    {
        return constants.reduced_sum_bound(sum);
    }

    /// The bound of multiply by a fixed factor, from that of a.
    [[nodiscard]] static constexpr std::int32_t product_bound(std::int32_t a)
    {
        if (has_rounded_quotients) return static_cast<std::int32_t>(((1 << 15) + std::int64_t{a}) * r >> 16);
        return reduced_sum_bound(std::int64_t{a} * (r / 2));
    }

    /// A residue of any a, at most reduced_bound in magnitude.
    [[nodiscard, gnu::always_inline]] static Vector reduce(Vector a) noexcept
    {
        return Lanes::subtract_product(a, Isa::multiply_rounded(a, Lanes::broadcast(constants.reciprocal)),
                                       modulus());
    }

    /// The residue in [-(r - 1) / 2, (r - 1) / 2] of any a.
    [[nodiscard, gnu::always_inline]] static Vector canonical(Vector a) noexcept
    {
        Vector c = reduce(a);
        c -= (c > Lanes::broadcast(r / 2)) & Lanes::broadcast(r);
        return c + ((c < Lanes::broadcast(-(r / 2))) & Lanes::broadcast(r));
    }

    /// The bound of reduce, from that of its argument.
    static constexpr std::int32_t reduced_bound_of(std::int32_t largest_a)
    {
        return constants.reduced_bound_of(largest_a);
    }
    static constexpr std::int32_t reduced_bound = reduced_bound_of(32768);
    static_assert(r > 2048 && reduced_bound < r);
};

}  // namespace girih::transform
