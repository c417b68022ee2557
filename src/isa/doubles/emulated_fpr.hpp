/// Floating point in integers: IEEE 754's binary64, rounded to nearest, ties to even, without
/// infinities and NaN, and with zero for subnormal numbers. Within these limits, every result has
/// the same bits as a processor's.
///
/// Constant time: no branch, no index, no shift by a secret amount beyond 31 (which compilers for
/// 32-bit processors may turn into branches), no division.
#pragma once

#include <cstdint>

#include "core/secret.hpp"
#include "core/wide.hpp"

namespace girih::isa {

/// `Isa` keeps the functions of engines apart, each compiled for its own processor.
template <class Isa>
class EmulatedFpr {
    using U64 = std::uint64_t;

  public:
    using Engine = Isa;
    static constexpr bool is_native = false;

    constexpr EmulatedFpr() = default;
    constexpr explicit EmulatedFpr(double value) noexcept : bits_(__builtin_bit_cast(U64, value)) {}
    /// An integer below 2^53 in magnitude.
    [[nodiscard]] static constexpr EmulatedFpr of(std::int64_t value) noexcept
    {
        const U64 sign = static_cast<U64>(value) >> 63;
        U64 magnitude = (static_cast<U64>(value) ^ odd_mask(sign)) + sign;
        int exponent = 9;
        normalize(magnitude, exponent);  // to 2^63 <= magnitude < 2^64
        return pack(sign & any(magnitude), exponent, fold<9>(magnitude));
    }
    [[nodiscard]] static constexpr EmulatedFpr of_bits(U64 bits) noexcept
    {
        EmulatedFpr a;
        a.bits_ = bits;
        return a;
    }
    [[nodiscard]] constexpr U64 bits() const noexcept { return bits_; }
    [[nodiscard]] constexpr double value() const noexcept { return __builtin_bit_cast(double, bits_); }

    [[nodiscard]] friend constexpr EmulatedFpr operator+(EmulatedFpr a, EmulatedFpr b) noexcept
    {
        return add(a.bits_, b.bits_);
    }
    [[nodiscard]] friend constexpr EmulatedFpr operator-(EmulatedFpr a, EmulatedFpr b) noexcept
    {
        return add(a.bits_, b.bits_ ^ sign_bit);
    }
    [[nodiscard]] friend constexpr EmulatedFpr operator*(EmulatedFpr a, EmulatedFpr b) noexcept
    {
        const U64 sign = (a.bits_ ^ b.bits_) >> 63;
        // Both significands are in [2^52, 2^53); with 5 zeros appended to each, the product is in
        // [2^114, 2^116), and its high half in [2^50, 2^52).
        const Wide product = multiply_wide(significand(a.bits_) << 5, significand(b.bits_) << 5);
        // The leading bit is at one of two places: a shift by 4 or by 3 gives [2^54, 2^55).
        const U64 is_large = product.high >> 51;
        const U64 four = (product.high << 4) | (product.low >> 60) | any(product.low << 4);
        const U64 three = (product.high << 3) | (product.low >> 61) | any(product.low << 3);
        const U64 m = four ^ ((four ^ three) & odd_mask(is_large));
        // a b = product 2^(ea + eb - 10), and m = product 2^(-64 + 4), or one less.
        const int exponent =
            exponent_of(a.bits_) + exponent_of(b.bits_) - 10 + 60 + static_cast<int>(is_large);
        return pack(sign, exponent, m & nonzero_mask(a.bits_) & nonzero_mask(b.bits_));
    }
    [[nodiscard]] friend constexpr EmulatedFpr operator/(EmulatedFpr a, EmulatedFpr b) noexcept
    {
        const U64 sign = (a.bits_ ^ b.bits_) >> 63;
        // Schoolbook division in binary: 55 bits of the quotient, which is in (2^53, 2^55), because
        // that of the significands is in (1/2, 2).
        U64 rest = significand(a.bits_);
        const U64 divisor = significand(b.bits_);
        U64 quotient = 0;
        for (int i = 0; i < 55; ++i) {
            const U64 fits = ((rest - divisor) >> 63) ^ 1;
            rest -= divisor & odd_mask(fits);
            quotient = (quotient << 1) | fits;
            rest <<= 1;
        }
        // If the quotient is below 2^54, one more bit is computed.
        const U64 is_small = (quotient >> 54) ^ 1;
        const U64 fits = ((rest - divisor) >> 63) ^ 1;
        const U64 longer = (quotient << 1) | fits;
        const U64 rest_of_longer = rest - (divisor & odd_mask(fits));
        const U64 m = quotient ^ ((quotient ^ longer) & odd_mask(is_small));
        const U64 left_over = rest ^ ((rest ^ rest_of_longer) & odd_mask(is_small));
        const int exponent = exponent_of(a.bits_) - exponent_of(b.bits_) - 54 - static_cast<int>(is_small);
        return pack(sign, exponent, (m | any(left_over)) & nonzero_mask(a.bits_));
    }
    [[nodiscard]] constexpr EmulatedFpr operator-() const noexcept { return of_bits(bits_ ^ sign_bit); }

    [[nodiscard]] friend constexpr EmulatedFpr half(EmulatedFpr a) noexcept
    {
        const U64 exponent = (a.bits_ >> 52) & 0x7FF;
        // Decrements the exponent; exponent 1 becomes a zero with the sign.
        const U64 halved = a.bits_ - (U64{1} << 52);
        const U64 stays = odd_mask((exponent + 0x7FE) >> 11);  // all ones for exponents from 2
        return of_bits((halved & stays) | (a.bits_ & sign_bit));
    }
    [[nodiscard]] friend constexpr EmulatedFpr twice(EmulatedFpr a) noexcept
    {
        return of_bits(a.bits_ + ((U64{1} << 52) & nonzero_mask(a.bits_)));
    }
    [[nodiscard]] friend constexpr EmulatedFpr square(EmulatedFpr a) noexcept { return a * a; }

    [[nodiscard]] friend constexpr EmulatedFpr sqrt(EmulatedFpr a) noexcept
    {
        // a = m 2^e with an even e and m in [2^52, 2^54); the root of m 2^56 is in [2^54, 2^55).
        const int e = exponent_of(a.bits_);
        const int odd = e & 1;
        const U64 m = significand(a.bits_) << odd;
        // Bit by bit from the top: `rest` is m 2^56 - root^2, divided by the current bit.
        U64 root = 0;
        U64 rest = m << 2;
        U64 bit = U64{1} << 54;
        for (int i = 0; i < 55; ++i) {
            const U64 tried = (root << 1) + bit;
            const U64 fits = ((rest - tried) >> 63) ^ 1;
            root += bit & odd_mask(fits);
            rest -= tried & odd_mask(fits);
            rest <<= 1;
            bit >>= 1;
        }
        return pack(0, (e - odd - 56) / 2, (root | any(rest)) & nonzero_mask(a.bits_));
    }

    /// 1 if a < b, else 0.
    [[nodiscard]] friend constexpr std::uint32_t less(EmulatedFpr a, EmulatedFpr b) noexcept
    {
        const U64 x = ordered(a.bits_);
        const U64 y = ordered(b.bits_);
        const U64 difference = x - y;  // its sign is the answer unless it overflows
        return static_cast<std::uint32_t>((difference ^ ((x ^ y) & (difference ^ x))) >> 63);
    }

    /// The nearest integer, ties to even; |a| < 2^51.
    [[nodiscard]] friend constexpr std::int64_t round(EmulatedFpr a) noexcept
    {
        // With two fractional bits, the last of them sticky, ties to even are as in pack.
        const U64 m = magnitude_below_point(a.bits_);
        return with_sign(a.bits_, (m >> 2) + round_up(m));
    }
    /// Rounds towards minus infinity; |a| < 2^63.
    [[nodiscard]] friend constexpr std::int64_t floor(EmulatedFpr a) noexcept
    {
        const Split parts = split(a.bits_);
        return with_sign(a.bits_, parts.whole + (parts.has_fraction & a.bits_ >> 63));
    }
    /// Rounds towards zero; |a| < 2^63.
    [[nodiscard]] friend constexpr std::int64_t trunc(EmulatedFpr a) noexcept
    {
        return with_sign(a.bits_, split(a.bits_).whole);
    }

  private:
    static constexpr U64 sign_bit = U64{1} << 63;

    /// 1 if a is not 0, else 0.
    [[nodiscard]] static constexpr U64 any(U64 a) noexcept { return girih::nonzero_mask(a) & 1; }
    /// All ones for every number but 0 and -0.
    [[nodiscard]] static constexpr U64 nonzero_mask(U64 bits) noexcept
    {
        return girih::nonzero_mask(bits << 1);
    }
    /// The significand with its implicit leading 1, also for 0.
    [[nodiscard]] static constexpr U64 significand(U64 bits) noexcept
    {
        return (bits & ((U64{1} << 52) - 1)) | (U64{1} << 52);
    }
    /// e in significand 2^e.
    [[nodiscard]] static constexpr int exponent_of(U64 bits) noexcept
    {
        return static_cast<int>((bits >> 52) & 0x7FF) - 1075;
    }

    /// a >> bits, for 0 <= bits < 64.
    [[nodiscard]] static constexpr U64 shift_right(U64 a, unsigned bits) noexcept
    {
        a ^= (a ^ (a >> 32)) & odd_mask(U64{bits} >> 5);
        return a >> (bits & 31);
    }
    [[nodiscard]] static constexpr U64 shift_left(U64 a, unsigned bits) noexcept
    {
        a ^= (a ^ (a << 32)) & odd_mask(U64{bits} >> 5);
        return a << (bits & 31);
    }
    /// a >> bits, with a sticky lowest bit: 1 if any bit shifted out was.
    template <int bits>
    [[nodiscard]] static constexpr U64 fold(U64 a) noexcept
    {
        return (a >> bits) | any(a << (64 - bits));
    }

    /// Shifts a nonzero number until its highest bit is bit 63, and adjusts the exponent.
    static constexpr void normalize(U64& a, int& exponent) noexcept
    {
        for (int bits = 32; bits > 0; bits >>= 1) {
            const U64 top_is_empty = any(a >> (64 - bits)) ^ 1;
            a ^= (a ^ (a << bits)) & odd_mask(top_is_empty);
            exponent -= bits & -static_cast<int>(top_is_empty);
        }
    }

    /// Whether to round up by the last two bits of m, whose lowest is sticky: more than a half, or
    /// a half after an odd number.
    [[nodiscard]] static constexpr U64 round_up(U64 m) noexcept
    {
        return ((m & 3) + ((m >> 2) & 1) + 1) >> 2;
    }

    /// m 2^exponent, rounded; m is 0, or 2^54 <= m < 2^55 with a sticky lowest bit.
    [[nodiscard]] static constexpr EmulatedFpr pack(U64 sign, int exponent, U64 m) noexcept
    {
        // The field is the exponent of the lowest bit plus 1075; the leading 1 of m >> 2 adds one
        // of these.
        const int field = exponent + 2 + 1074;
        const auto wide_field = static_cast<U64>(static_cast<std::int64_t>(field));
        const U64 is_there = ((wide_field >> 63) ^ 1) & (m >> 54);
        const U64 magnitude = (wide_field << 52) + (m >> 2) + round_up(m);
        return of_bits((sign << 63) | (magnitude & odd_mask(is_there)));
    }

    [[nodiscard]] static constexpr EmulatedFpr add(U64 a, U64 b) noexcept
    {
        // a becomes the one of larger magnitude; if magnitudes are equal, the positive one, so that
        // a difference of 0 is positive.
        const U64 difference = (a & ~sign_bit) - (b & ~sign_bit);
        const U64 swap = negative_mask(difference | (~girih::nonzero_mask(difference) & a));
        const U64 exchange = (a ^ b) & swap;
        a ^= exchange;
        b ^= exchange;

        // Three more bits for each; the lowest bit of b is sticky.
        const U64 larger = (significand(a) << 3) & nonzero_mask(a);
        U64 smaller = (significand(b) << 3) & nonzero_mask(b);
        int exponent = exponent_of(a) - 3;
        const int distance = static_cast<int>((a >> 52) & 0x7FF) - static_cast<int>((b >> 52) & 0x7FF);
        const int far = negative_mask(59 - distance);
        const auto shift = static_cast<unsigned>((distance & ~far) | (59 & far));
        const U64 kept = shift_right(smaller, shift);
        smaller = kept | any(smaller ^ shift_left(kept, shift));

        const U64 subtract = negative_mask(a ^ b);
        U64 sum = larger + ((smaller ^ subtract) - subtract);
        exponent += 9;
        normalize(sum, exponent);
        return pack(a >> 63, exponent, fold<9>(sum));
    }

    /// Maps numbers to integers in two's complement with the same order; 0 and -0 to the same
    /// integer.
    [[nodiscard]] static constexpr U64 ordered(U64 bits) noexcept
    {
        const U64 negative = negative_mask(bits);
        return ((bits & ~sign_bit) ^ negative) - negative;
    }

    [[nodiscard]] static constexpr std::int64_t with_sign(U64 bits, U64 magnitude) noexcept
    {
        const U64 negative = negative_mask(bits);
        return static_cast<std::int64_t>((magnitude ^ negative) - negative);
    }

    struct Split {
        U64 whole;
        U64 has_fraction;
    };
    /// The integer part of |a|, and whether there is a fraction; |a| < 2^63.
    [[nodiscard]] static constexpr Split split(U64 bits) noexcept
    {
        // The significand, with its leading 1 at bit 63, is shifted right by 1 to 64 or more.
        const U64 m = (significand(bits) << 11) & nonzero_mask(bits);
        const int wanted = 1023 + 63 - static_cast<int>((bits >> 52) & 0x7FF);
        const int far = negative_mask(63 - wanted);
        const auto shift = static_cast<unsigned>((wanted & ~far) | (63 & far)) & 63;
        const U64 whole = shift_right(m, shift) & ~static_cast<U64>(static_cast<std::int64_t>(far));
        return {whole, any(m ^ shift_left(whole, shift))};
    }

    /// 4 |a| with a sticky lowest bit; |a| < 2^51.
    [[nodiscard]] static constexpr U64 magnitude_below_point(U64 bits) noexcept
    {
        const Split parts = split((bits & ~sign_bit) + ((U64{2} << 52) & nonzero_mask(bits)));
        return parts.whole | parts.has_fraction;
    }

    U64 bits_;
};

}  // namespace girih::isa
