/// x u - y v = 1 for two large odd numbers: Bernstein and Yang's division steps (2019/266), with
/// delta starting at 1/2 (Wuille).
///
/// Constant time, except in the lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/secret.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/limb_products.hpp"

namespace girih::falcon {

/// The number of division steps that suffices for numbers of `bits` bits (Pieter Wuille, "Bounds on
/// divsteps iterations in safegcd", for 46 bits and more): (45907 bits + 26313) / 19929.
constexpr std::size_t division_steps(std::size_t bits)
{
    // Without a division, which compilers would emit to save bytes: both quotients in units of
    // 2^-16, rounded up.
    constexpr std::size_t a_bit = 150964;
    constexpr std::size_t more = 86530;
    static_assert(std::uint64_t{a_bit} * 19929 >= std::uint64_t{45907} << 16 &&
                  std::uint64_t{more} * 19929 >= std::uint64_t{26313} << 16);
    return (a_bit * bits + more) >> 16;
}

/// The effect of limb_bits division steps: (f, g) becomes (u f + v g, q f + r g) / 2^limb_bits. u
/// and v are 2^halved times the members.
///
/// |u| + |v| and |q| + |r| are at most 2^limb_bits, and r is odd: so q and r fit into a one-word
/// limb, but u or v may be 2^31. These are even, and their halves fit.
struct StepMatrix {
    static constexpr int halved = limb_words == 1 ? 1 : 0;

    Limb u = 1;
    Limb v = 0;
    Limb q = 0;
    Limb r = 1;
};

/// Division steps on the lowest limbs of an odd f and any g. zeta is -(delta + 1/2).
template <class Isa>
constexpr StepMatrix divide_steps(Limb& zeta, std::make_unsigned_t<Limb> f, std::make_unsigned_t<Limb> g)
{
    using Unsigned = std::make_unsigned_t<Limb>;
    StepMatrix m;
    for (int left = limb_bits; left > 0; --left) {
        // If g is odd, f is added to it, or, if delta > 0, subtracted and then replaced by the old
        // g.
        const Limb delta_positive = negative_mask(zeta);
        const Limb odd = static_cast<Limb>(odd_mask(g));
        const Limb swap = delta_positive & odd;
        const auto sign = static_cast<Unsigned>(delta_positive);
        g += ((f ^ sign) - sign) & static_cast<Unsigned>(odd);
        m.q += ((m.u ^ delta_positive) - delta_positive) & odd;
        m.r += ((m.v ^ delta_positive) - delta_positive) & odd;
        zeta = (zeta ^ swap) - 1;
        f += g & static_cast<Unsigned>(swap);
        m.u += m.q & swap;
        m.v += m.r & swap;
        g >>= 1;
        if (left > StepMatrix::halved) {
            m.u *= 2;
            m.v *= 2;
        }
    }
    return m;
}

/// Bezout's equation for numbers of `words` words, in memory provided by the caller. Its integers
/// have one more limb, for a sign and for the growth of coefficients.
template <class Isa>
class Bezout {
  public:
    static constexpr std::size_t memory_limbs(std::size_t words) { return 5 * (limbs_of(words) + 1); }

    constexpr Bezout(std::size_t words, std::span<Limb> memory)
        : words_(words),
          length_(limbs_of(words) + 1),
          f_(memory.first(length_)),
          g_(memory.subspan(length_, length_)),
          a_(memory.subspan(2 * length_, length_)),
          b_(memory.subspan(3 * length_, length_)),
          y_(memory.subspan(4 * length_, length_))
    {
    }

    /// Finds u and v with 0 <= u < y and 0 <= v < x for positive x and y, the first coefficients of
    /// polynomials. Returns nonzero if x and y have a common divisor, or one is even.
    [[nodiscard]] constexpr Secret<Word> solve(const BigPoly& x, const BigPoly& y)
    {
        load_limbs<Isa>(x, 0, f_);
        load_limbs<Isa>(y, 0, g_);
        load_limbs<Isa>(y, 0, y_);
        for (std::size_t i = 0; i < length_; ++i) a_[i] = b_[i] = 0;
        a_[0] = 1;  // f = a x modulo y, g = b x modulo y
        const Limb y_inverse = inverse_of_limb(y_[0]);
        Limb zeta = -1;
        const std::size_t steps = division_steps(word_bits * words_);
        for (std::size_t done = 0; done < steps; done += limb_bits) {
            const StepMatrix m =
                divide_steps<Isa>(zeta, static_cast<Unsigned>(f_[0]), static_cast<Unsigned>(g_[0]));
            apply(m);
            apply_modulo(m, y_inverse);
        }
        // Now g = 0, and f is 1 or -1 if x and y have no common divisor.
        const Limb is_minus_one = negative_mask(f_[length_ - 1]);
        std::uint64_t wrong = (x.at(0, 0) & y.at(0, 0) & 1) ^ 1;
        for (std::size_t i = 0; i < length_; ++i) {
            const Limb wanted = i == 0 ? 1 | (is_minus_one & limb_mask)
                                       : is_minus_one & (i + 1 == length_ ? Limb{-1} : limb_mask);
            wrong |= static_cast<std::uint64_t>(g_[i] | (f_[i] ^ wanted));
        }
        negate_if(is_minus_one, a_);
        settle(a_);
        divide_exactly(x);
        return Secret{static_cast<Word>(wrong | (wrong >> 32))};
    }

    /// The solution.
    [[nodiscard]] constexpr std::span<const Limb> u() const { return a_; }
    [[nodiscard]] constexpr std::span<const Limb> v() const { return b_; }

  private:
    using Wide = std::span<Limb>;
    using Unsigned = std::make_unsigned_t<Limb>;
    static constexpr int limb_size = 8 * sizeof(Limb);

    /// 1 / a modulo 2^limb_bits for an odd a.
    static constexpr Limb inverse_of_limb(Limb a)
    {
        Unsigned inverse = 1;
        for (int i = 0; i < 6; ++i) inverse *= 2 - static_cast<Unsigned>(a) * inverse;
        return static_cast<Limb>(inverse & limb_mask);
    }
    /// a b modulo 2^limb_bits, between minus half of that and half.
    static constexpr Limb low_product(Unsigned a, Limb b)
    {
        constexpr int unused = limb_size - limb_bits;
        return static_cast<Limb>((a * static_cast<Unsigned>(b)) << unused) >> unused;
    }

    static constexpr LimbProduct two = LimbProduct{1} << StepMatrix::halved;

    /// The sums are below 2^(2 limb_bits), and the carries below 2^(limb_bits + 1).
    constexpr void apply(const StepMatrix& m)
    {
        LimbProduct carry_f = 0;
        LimbProduct carry_g = 0;
        for (std::size_t i = 0; i < length_; ++i) {
            const LimbProduct f = f_[i];
            const LimbProduct g = g_[i];
            carry_f += two * (m.u * f + m.v * g);
            carry_g += m.q * f + m.r * g;
            if (i > 0) {
                f_[i - 1] = static_cast<Limb>(carry_f) & limb_mask;
                g_[i - 1] = static_cast<Limb>(carry_g) & limb_mask;
            }
            carry_f >>= limb_bits;
            carry_g >>= limb_bits;
        }
        f_[length_ - 1] = static_cast<Limb>(carry_f);
        g_[length_ - 1] = static_cast<Limb>(carry_g);
    }

    /// apply for coefficients modulo y: adds a multiple of y, by a factor of at most 2^limb_bits /
    /// 2 in magnitude, so that 2^limb_bits divides the sum. Coefficients grow by half of y in each
    /// batch; their extra limb holds 2^(limb_bits - 1) times y.
    constexpr void apply_modulo(const StepMatrix& m, Limb y_inverse)
    {
        const auto low = [](Limb c, Limb a, Limb d, Limb b) {
            return static_cast<Unsigned>(c) * static_cast<Unsigned>(a) +
                   static_cast<Unsigned>(d) * static_cast<Unsigned>(b);
        };
        const Limb ma = low_product(0 - (low(m.u, a_[0], m.v, b_[0]) << StepMatrix::halved), y_inverse);
        const Limb mb = low_product(0 - low(m.q, a_[0], m.r, b_[0]), y_inverse);
        LimbProduct carry_a = 0;
        LimbProduct carry_b = 0;
        for (std::size_t i = 0; i < length_; ++i) {
            const LimbProduct a = a_[i];
            const LimbProduct b = b_[i];
            const LimbProduct y = y_[i];
            carry_a += two * (m.u * a + m.v * b) + ma * y;
            carry_b += m.q * a + m.r * b + mb * y;
            if (i > 0) {
                a_[i - 1] = static_cast<Limb>(carry_a) & limb_mask;
                b_[i - 1] = static_cast<Limb>(carry_b) & limb_mask;
            }
            carry_a >>= limb_bits;
            carry_b >>= limb_bits;
        }
        a_[length_ - 1] = static_cast<Limb>(carry_a);
        b_[length_ - 1] = static_cast<Limb>(carry_b);
    }

    constexpr void negate_if(Limb mask, Wide a)
    {
        Limb carry = mask & 1;
        for (std::size_t i = 0; i < length_; ++i) {
            carry += (a[i] ^ mask) & (i + 1 == length_ ? Limb{-1} : limb_mask);
            a[i] = i + 1 == length_ ? carry : carry & limb_mask;
            carry >>= limb_bits;
        }
    }

    /// Reduces into [0, y) from less than 2^10 y in magnitude.
    constexpr void settle(Wide a)
    {
        for (int bits = 10; bits >= 0; --bits) {
            // Moves towards 0 by 2^bits y: up if negative, else down.
            const Limb negative = negative_mask(a[length_ - 1]);
            add_multiple(a, (-2 * negative - 1) * (Limb{1} << bits));
        }
        add_multiple(a, -negative_mask(a[length_ - 1]));
    }

    constexpr void add_multiple(Wide a, Limb factor)
    {
        LimbProduct carry = 0;
        for (std::size_t i = 0; i < length_; ++i) {
            carry += LimbProduct{factor} * y_[i] + a[i];
            a[i] = i + 1 == length_ ? static_cast<Limb>(carry) : static_cast<Limb>(carry) & limb_mask;
            carry >>= limb_bits;
        }
    }

    /// b = (x a - 1) / y, limb after limb from the lowest.
    constexpr void divide_exactly(const BigPoly& x)
    {
        load_limbs<Isa>(x, 0, f_);
        const Limb y_inverse = inverse_of_limb(y_[0]);
        const Limb one = 1;
        LimbColumn<Isa> column;
        column.template add<true>({&one, 1}, {&one, 1}, 0);
        for (std::size_t j = 0; j < length_; ++j) {
            column.template add<false>(f_, a_, j);
            column.template add<true>(b_.first(j), y_, j);
            b_[j] = low_product(static_cast<Unsigned>(column.limb()), y_inverse) & limb_mask;
            column.template add<true>({&b_[j], 1}, y_, 0);
            (void)column.next();
        }
    }

    std::size_t words_;
    std::size_t length_;
    Wide f_, g_, a_, b_, y_;
};

}  // namespace girih::falcon
