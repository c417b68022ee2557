/// x u - y v = 1 for two large odd numbers: Bernstein and Yang's division steps (2019/266), with
/// delta starting at 1/2 (Wuille).
///
/// Constant time, but for the lengths.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/secret.hpp"
#include "falcon/keygen/big_poly.hpp"
#include "falcon/keygen/limb_products.hpp"

namespace girih::falcon {

/// Division steps that are enough for numbers of so many bits (Pieter Wuille, "Bounds on divsteps
/// iterations in safegcd", for 46 bits and more).
constexpr std::size_t division_steps(std::size_t bits) { return (45907 * bits + 26313) / 19929; }

/// The work of as many division steps as a limb has bits: (f, g) becomes (u f + v g,
/// q f + r g) / 2^limb_bits.
struct StepMatrix {
    std::int64_t u = 1;
    std::int64_t v = 0;
    std::int64_t q = 0;
    std::int64_t r = 1;
};

/// Steps on the lowest limb of an odd f and any g. zeta is -(delta + 1/2).
template <class Isa>
constexpr StepMatrix divide_steps(std::int64_t& zeta, std::uint64_t f, std::uint64_t g)
{
    StepMatrix m;
    for (int i = 0; i < limb_bits; ++i) {
        // If g is odd, f is added to it or, where delta > 0, subtracted; then the old
        // g takes f's place.
        const std::int64_t delta_positive = zeta >> 63;
        const std::int64_t odd = -static_cast<std::int64_t>(g & 1);
        const std::int64_t swap = delta_positive & odd;
        const auto sign = static_cast<std::uint64_t>(delta_positive);
        g += ((f ^ sign) - sign) & static_cast<std::uint64_t>(odd);
        m.q += ((m.u ^ delta_positive) - delta_positive) & odd;
        m.r += ((m.v ^ delta_positive) - delta_positive) & odd;
        zeta = (zeta ^ swap) - 1;
        f += g & static_cast<std::uint64_t>(swap);
        m.u += m.q & swap;
        m.v += m.r & swap;
        g >>= 1;
        m.u *= 2;
        m.v *= 2;
    }
    return m;
}

/// For numbers of so many words. Integers with one limb more than the numbers, for a sign and for
/// the growth of coefficients.
template <class Isa, std::size_t words>
class Bezout {
  public:
    /// u and v with 0 <= u < y and 0 <= v < x for positive x and y. False if x and y have a common
    /// divisor, or one is even.
    [[nodiscard]] constexpr Secret<Word> solve(std::span<const Word> x, std::span<const Word> y,
                                               std::span<Word> u, std::span<Word> v)
    {
        constexpr std::size_t length = limbs_of(words) + 1;
        load(x, f_);
        load(y, g_);
        load(y, y_);
        a_ = b_ = {};  // f = a x modulo y, g = b x modulo y
        a_[0] = 1;
        const Limb y_inverse = inverse_of_limb(y_[0]);
        std::int64_t zeta = -1;
        constexpr std::size_t batches = (division_steps(word_bits * words) + limb_bits - 1) / limb_bits;
        for (std::size_t i = 0; i < batches; ++i) {
            const StepMatrix m =
                divide_steps<Isa>(zeta, static_cast<std::uint64_t>(f_[0]), static_cast<std::uint64_t>(g_[0]));
            apply(m, length);
            apply_modulo(m, y_inverse, length);
        }
        // Now g = 0, and f is 1 or -1 if x and y have no common divisor.
        const Limb is_minus_one = f_[length - 1] >> (limb_size - 1);
        std::uint64_t wrong = (x[0] & y[0] & 1) ^ 1;
        for (std::size_t i = 0; i < length; ++i) {
            const Limb wanted = i == 0 ? 1 | (is_minus_one & limb_mask)
                                       : is_minus_one & (i + 1 == length ? Limb{-1} : limb_mask);
            wrong |= static_cast<std::uint64_t>(g_[i] | (f_[i] ^ wanted));
        }
        negate_if(is_minus_one, a_, length);
        settle(a_, length);
        divide_exactly(x, length);
        store(a_, u);
        store(b_, v);
        return Secret{static_cast<Word>(wrong | (wrong >> 32))};
    }

  private:
    using Wide = std::array<Limb, limbs_of(words) + 1>;
    static constexpr int limb_size = 8 * sizeof(Limb);

    static constexpr void load(std::span<const Word> from, Wide& to)
    {
        to = {};
        for (std::size_t i = 0; i < from.size(); ++i)
            to[i / limb_words] =
                static_cast<Limb>(to[i / limb_words] | static_cast<Limb>(from[i])
                                                           << (static_cast<int>(i % limb_words) * word_bits));
    }
    static constexpr void store(const Wide& from, std::span<Word> to)
    {
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] =
                static_cast<Word>(from[i / limb_words] >> (static_cast<int>(i % limb_words) * word_bits)) &
                word_mask;
    }

    using Unsigned = std::make_unsigned_t<Limb>;

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

    /// |u| + |v| and |q| + |r| are at most 2^limb_bits, so the sums are below 2^(2 limb_bits) and
    /// the carry's 2^(limb_bits + 1).
    constexpr void apply(const StepMatrix& m, std::size_t length)
    {
        LimbProduct carry_f = 0;
        LimbProduct carry_g = 0;
        for (std::size_t i = 0; i < length; ++i) {
            carry_f += LimbProduct{m.u} * f_[i] + LimbProduct{m.v} * g_[i];
            carry_g += LimbProduct{m.q} * f_[i] + LimbProduct{m.r} * g_[i];
            if (i > 0) {
                f_[i - 1] = static_cast<Limb>(carry_f) & limb_mask;
                g_[i - 1] = static_cast<Limb>(carry_g) & limb_mask;
            }
            carry_f >>= limb_bits;
            carry_g >>= limb_bits;
        }
        f_[length - 1] = static_cast<Limb>(carry_f);
        g_[length - 1] = static_cast<Limb>(carry_g);
    }

    /// The same with coefficients modulo y: a multiple of it, at most half of 2^limb_bits times in
    /// magnitude, is added so that 2^limb_bits divides the sum. So the coefficients grow by half of
    /// y in each batch; the limb more that they have holds 2^(limb_bits - 1) times y.
    constexpr void apply_modulo(const StepMatrix& m, Limb y_inverse, std::size_t length)
    {
        const auto low = [](std::int64_t a, Limb limb) {
            return static_cast<Unsigned>(a) * static_cast<Unsigned>(limb);
        };
        const Limb ma = low_product(0 - (low(m.u, a_[0]) + low(m.v, b_[0])), y_inverse);
        const Limb mb = low_product(0 - (low(m.q, a_[0]) + low(m.r, b_[0])), y_inverse);
        LimbProduct carry_a = 0;
        LimbProduct carry_b = 0;
        for (std::size_t i = 0; i < length; ++i) {
            carry_a += LimbProduct{m.u} * a_[i] + LimbProduct{m.v} * b_[i] + LimbProduct{ma} * y_[i];
            carry_b += LimbProduct{m.q} * a_[i] + LimbProduct{m.r} * b_[i] + LimbProduct{mb} * y_[i];
            if (i > 0) {
                a_[i - 1] = static_cast<Limb>(carry_a) & limb_mask;
                b_[i - 1] = static_cast<Limb>(carry_b) & limb_mask;
            }
            carry_a >>= limb_bits;
            carry_b >>= limb_bits;
        }
        a_[length - 1] = static_cast<Limb>(carry_a);
        b_[length - 1] = static_cast<Limb>(carry_b);
    }

    static constexpr void negate_if(Limb mask, Wide& a, std::size_t length)
    {
        Limb carry = mask & 1;
        for (std::size_t i = 0; i < length; ++i) {
            carry += (a[i] ^ mask) & (i + 1 == length ? Limb{-1} : limb_mask);
            a[i] = i + 1 == length ? carry : carry & limb_mask;
            carry >>= limb_bits;
        }
    }

    /// Into [0, y), from less than 2^10 times y away.
    constexpr void settle(Wide& a, std::size_t length)
    {
        for (int bits = 10; bits >= 0; --bits) {
            // Towards 0 by 2^bits y: what is negative rises, what is not falls.
            const Limb negative = a[length - 1] >> (limb_size - 1);
            add_multiple(a, (-2 * negative - 1) * (Limb{1} << bits), length);
        }
        add_multiple(a, -(a[length - 1] >> (limb_size - 1)), length);
    }

    constexpr void add_multiple(Wide& a, Limb factor, std::size_t length)
    {
        LimbProduct carry = 0;
        for (std::size_t i = 0; i < length; ++i) {
            carry += LimbProduct{factor} * y_[i] + a[i];
            a[i] = i + 1 == length ? static_cast<Limb>(carry) : static_cast<Limb>(carry) & limb_mask;
            carry >>= limb_bits;
        }
    }

    /// b = (x a - 1) / y, limb after limb from the lowest.
    constexpr void divide_exactly(std::span<const Word> x, std::size_t length)
    {
        load(x, f_);
        const Limb y_inverse = inverse_of_limb(y_[0]);
        const Limb one = 1;
        LimbColumn<Isa> column;
        column.template add<true>({&one, 1}, {&one, 1}, 0);
        const auto all = [length](const Wide& a) { return std::span<const Limb>{a}.first(length); };
        for (std::size_t j = 0; j < length; ++j) {
            column.template add<false>(all(f_), all(a_), j);
            column.template add<true>(all(b_).first(j), all(y_), j);
            b_[j] = low_product(static_cast<Unsigned>(column.limb()), y_inverse) & limb_mask;
            column.template add<true>({&b_[j], 1}, all(y_), 0);
            (void)column.next();
        }
    }

    Wide f_, g_, a_, b_, y_;
};

}  // namespace girih::falcon
