/// Products on processors that have no vectors, but multiply words of 32 bits: exact over the
/// integers, by transforms modulo a prime of 23 bits.
///
/// A product of two polynomials of degree below p has a degree below 1536 = 3 * 512, so it is the
/// product modulo x^1536 - 1. With g of order 1536 that ring is three, modulo x^512 - g^(512 k);
/// and x^m - g^e is x^(m/2) - g^(e/2) times x^(m/2) + g^(e/2), down to m = 4.
///
/// Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wipe.hpp"
#include "ntru_prime/arithmetic/packed_product_modulo_3.hpp"
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/arithmetic/residue.hpp"
#include "ntru_prime/arithmetic/word_reciprocal_modulo_3.hpp"
#include "ntru_prime/arithmetic/word_reciprocal_modulo_q.hpp"
#include "transform/word_layers.hpp"

namespace girih::ntru_prime {

/// Arithmetic modulo the transforms' prime. A factor stands as factor 2^32, so that a product by it
/// is one of residues.
namespace word_field {

inline constexpr std::uint32_t size = 1536;

constexpr bool is_prime(std::uint32_t a)
{
    for (std::uint32_t divisor = 2; divisor * divisor <= a; ++divisor)
        if (a % divisor == 0) return false;
    return true;
}

/// The first prime above 2^22 that has roots of unity of order 1536.
inline constexpr std::int32_t prime = [] {
    std::uint32_t candidate = ((1U << 22) / size + 1) * size + 1;
    while (!is_prime(candidate)) candidate += size;
    return static_cast<std::int32_t>(candidate);
}();
// Sums in the transforms: see there.
static_assert(prime < 5'000'000);

constexpr std::uint32_t power(std::uint64_t base, std::uint32_t exponent)
{
    std::uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = result * base % prime;
        base = base * base % prime;
    }
    return static_cast<std::uint32_t>(result);
}

/// An element of order 1536: its 768th and its 512th power are not 1.
inline constexpr std::uint32_t root = [] {
    for (std::uint32_t a = 2;; ++a) {
        const std::uint32_t g = power(a, (prime - 1) / size);
        if (power(g, size / 2) != 1 && power(g, size / 3) != 1) return g;
    }
}();

/// 1 / prime modulo 2^32, each step of Newton's with twice as many bits.
inline constexpr std::uint32_t inverse = [] {
    std::uint32_t a = prime;
    for (int step = 0; step < 4; ++step) a *= 2 - prime * a;
    return a;
}();
static_assert(prime * inverse == 1);

constexpr std::int32_t factor(std::uint32_t a)
{
    const auto residue = static_cast<std::int32_t>((std::uint64_t{a} << 32) % prime);
    return residue > prime / 2 ? residue - prime : residue;
}

inline constexpr std::size_t layers = 7;
/// Parts of the layers before this one, which begins with three.
constexpr std::size_t first_of(std::size_t layer) { return 3 * ((std::size_t{1} << layer) - 1); }

/// The exponents e of x^m - g^e, m = 512, 256, ..., 4: those of a layer one behind the other.
struct Exponents {
    std::array<std::uint32_t, first_of(layers + 1)> of{};

    /// e / 2, of a part that is parted in this layer.
    [[nodiscard]] constexpr std::uint32_t half(std::size_t layer, std::size_t part) const
    {
        return of[first_of(layer) + part] / 2;
    }
};
inline constexpr Exponents exponents = [] {
    Exponents e;
    for (std::uint32_t k = 0; k < 3; ++k) e.of[k] = size / 3 * k;
    for (std::size_t layer = 0; layer < layers; ++layer)
        for (std::size_t part = 0; part < std::size_t{3} << layer; ++part) {
            // x^(m/2) - g^(e/2) and x^(m/2) - g^(e/2 + 768)
            const std::size_t next = first_of(layer + 1) + 2 * part;
            e.of[next] = e.half(layer, part);
            e.of[next + 1] = e.half(layer, part) + size / 2;
        }
    return e;
}();

/// A residue and its share of the prime.
template <class Twiddle>
constexpr Twiddle twiddle(std::uint32_t residue)
{
    const std::int64_t least = residue > prime / 2 ? std::int64_t{residue} - prime : residue;
    const std::int64_t twice = (least << 33) / prime;  // towards 0
    return {static_cast<std::int32_t>(least), static_cast<std::int32_t>((twice + (least < 0 ? -1 : 1)) / 2)};
}

/// For three layers at once from this one on; or to undo them.
template <class Sevens, std::size_t layer, bool is_forward>
inline constexpr auto twiddles_from = [] {
    std::array<Sevens, std::size_t{3} << layer> all{};
    for (std::size_t part = 0; part < all.size(); ++part)
        for (std::size_t below = 0, i = 0; below < 3; ++below)
            for (std::size_t j = 0; j < std::size_t{1} << below; ++j) {
                const std::uint32_t e = exponents.half(layer + below, (part << below) + j);
                all[part][i++] =
                    twiddle<typename Sevens::value_type>(power(root, is_forward ? e : (size - e) % size));
            }
    return all;
}();

/// As factors, of each two x^4 - g^e and x^4 + g^e.
inline constexpr auto last_factors = [] {
    std::array<std::int32_t, size / 8> all{};
    for (std::size_t part = 0; part < all.size(); ++part)
        all[part] = factor(power(root, exponents.half(layers - 1, part)));
    return all;
}();

}  // namespace word_field

template <class Isa>
class WordTransform {
    using Layers = transform::WordLayers<Isa, word_field::size, word_field::prime, 0 - word_field::inverse>;
    using Sevens = typename Isa::SevenTwiddles;
    using Twiddle = typename Sevens::value_type;
    static constexpr std::size_t size = word_field::size;
    static constexpr std::size_t third = size / 3;
    static constexpr std::size_t half_third = third / 2;

  public:
    using Values = typename Layers::Values;

    /// Values of `count` coefficients below 2^20 in magnitude, of which there are more than 512 and
    /// at most 768: below 5.25 times the prime in magnitude. The first layer's are below 2, of the
    /// coefficients and two products; each layer adds less than 0.54.
    template <std::size_t count, class Coefficients>
    [[gnu::noinline]] static void forward(const Coefficients& coefficients, Values& v) noexcept
    {
        static_assert(count > third && count <= 3 * half_third);
        // Three parts, and each in two: z is g^256 and g^512.
        std::size_t i = 0;
        if constexpr (requires(const Twiddle* w) {
                          Isa::part_six(v.data(), coefficients.data(), w, nullptr, 0);
                      }) {
            i = count - third;  // powers of x of which there are three
            static constexpr std::array three{of_power<third>(), of_power<half_third>(),
                                              of_power<2 * half_third>()};
            Isa::part_six(v.data(), coefficients.data(), three.data(), coefficients.data() + i,
                          word_field::prime);
        }
        for (; i < half_third; ++i) {
            const std::int32_t a0 = coefficients[i];
            const std::int32_t a1 = coefficients[i + half_third];
            const std::int32_t a2 = i + third < count ? coefficients[i + third] : 0;
            const std::int32_t turned = turn<third>(a2);
            const std::int32_t first = turn<half_third>(a1);
            const std::int32_t second = turn<2 * half_third>(a1);
            v[i] = a0 + a2 + a1;
            v[i + half_third] = a0 + a2 - a1;
            v[i + 2 * half_third] = a0 + turned + first;
            v[i + 3 * half_third] = a0 + turned - first;
            v[i + 4 * half_third] = a0 - a2 - turned + second;  // omega^2 = -1 - omega
            v[i + 5 * half_third] = a0 - a2 - turned - second;
        }
        Isa::ThreeLayers::template part<32>(v.data(), word_field::twiddles_from<Sevens, 1, true>,
                                            word_field::prime);
        Isa::ThreeLayers::template part<4>(&v[0], word_field::twiddles_from<Sevens, 4, true>,
                                           word_field::prime);
    }

    /// The products of values, modulo each x^4 - c, divided by 2^32: below the prime in magnitude.
    [[gnu::noinline]] static void multiply_values(Values& a, const Values& b) noexcept
    {
        // Sums of four products below (5.25 prime)^2, or of three and one below prime^2 / 2: below
        // 111 prime^2 < 2^31 prime.
        static_assert(std::int64_t{111} * word_field::prime < std::int64_t{1} << 31);
        const std::int32_t* twiddle = word_field::last_factors.data();
        if constexpr (requires { &Isa::multiply_blocks; })
            return Isa::multiply_blocks(a.data(), b.data(), twiddle,
                                        twiddle + word_field::last_factors.size(), word_field::prime,
                                        0 - word_field::inverse);
        for (std::size_t at = 0; at < a.size(); at += 8, ++twiddle) {
            multiply_block(&a[at], &b[at], *twiddle);
            multiply_block(&a[at + 4], &b[at + 4], -*twiddle);
        }
    }

    /// The inverse of forward, with what multiply_values divided by made up for: from below the
    /// prime, those coefficients that are below 5/12 of it in magnitude.
    [[gnu::noinline]] static void backward(Values& v) noexcept
    {
        // A sum of two doubles the bound in each layer.
        static_assert(std::int64_t{2 * 128} * word_field::prime < std::int64_t{1} << 31);
        Isa::ThreeLayers::template join<4>(v.data(), word_field::twiddles_from<Sevens, 4, false>,
                                           word_field::prime);
        Isa::ThreeLayers::template join<32>(v.data(), word_field::twiddles_from<Sevens, 1, false>,
                                            word_field::prime);
        static constexpr std::array four{scale<0>(), scale<size - half_third>(),
                                         scale<size - 2 * half_third>(), of_power<third>()};
        if constexpr (requires { &Isa::join_six; })
            return Isa::join_six(v.data(), four.data(), &v[half_third], word_field::prime);
        const auto times = [](std::int32_t a, Twiddle w) __attribute__((always_inline)) {
            return Isa::ThreeLayers::multiply(a, w, word_field::prime);
        };
        for (std::size_t i = 0; i < half_third; ++i) {
            const std::array a{v[i], v[i + 2 * half_third], v[i + 4 * half_third]};
            const std::array b{v[i + half_third], v[i + 3 * half_third], v[i + 5 * half_third]};
            join_thirds(&v[i], times(a[0] + b[0], four[0]), times(a[1] + b[1], four[0]),
                        times(a[2] + b[2], four[0]));
            join_thirds(&v[i + half_third], times(a[0] - b[0], four[0]), times(a[1] - b[1], four[1]),
                        times(a[2] - b[2], four[2]));
        }
    }

  private:
    [[nodiscard, gnu::always_inline]] static constexpr std::int64_t product(std::int32_t a,
                                                                            std::int32_t b) noexcept
    {
        return std::int64_t{a} * b;
    }
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t reduce(std::int64_t a) noexcept
    {
        return Layers::reduce(a);
    }
    /// The thirds of a polynomial, of its residues at most 3/4 of the prime.
    [[gnu::always_inline]] static void join_thirds(std::int32_t* v, std::int32_t b0, std::int32_t b1,
                                                   std::int32_t b2) noexcept
    {
        const std::int32_t turned = turn<third>(b2 - b1);  // omega^2 = -1 - omega
        v[0] = least(b0 + b1 + b2);
        v[third] = least(b0 - b1 + turned);
        v[2 * third] = least(b0 - b2 - turned);
    }

    /// g^exponent / (3 * 2^7), and 2^32.
    template <std::size_t exponent>
    static consteval auto scale()
    {
        const std::uint64_t inverse = word_field::power(3 << word_field::layers, word_field::prime - 2);
        const std::uint64_t scaled = (inverse << 32) % word_field::prime;
        return word_field::twiddle<Twiddle>(static_cast<std::uint32_t>(
            scaled * word_field::power(word_field::root, exponent) % word_field::prime));
    }
    /// g^exponent.
    template <std::size_t exponent>
    static consteval auto of_power()
    {
        return word_field::twiddle<Twiddle>(word_field::power(word_field::root, exponent));
    }
    /// a g^exponent.
    template <std::size_t exponent>
    [[nodiscard, gnu::always_inline]] static std::int32_t turn(std::int32_t a) noexcept
    {
        return Isa::ThreeLayers::multiply(a, of_power<exponent>(), word_field::prime);
    }

    [[gnu::always_inline]] static constexpr void multiply_block(std::int32_t* a, const std::int32_t* b,
                                                                std::int32_t c) noexcept
    {
        const std::array x{a[0], a[1], a[2], a[3]};
        const std::array y{b[0], b[1], b[2], b[3]};
        const auto xy = [&x, &y](std::size_t i, std::size_t j) { return product(x[i], y[j]); };
        const std::int32_t high0 = reduce(xy(1, 3) + xy(2, 2) + xy(3, 1));
        const std::int32_t high1 = reduce(xy(2, 3) + xy(3, 2));
        const std::int32_t high2 = reduce(xy(3, 3));
        a[0] = reduce(xy(0, 0) + product(high0, c));
        a[1] = reduce(xy(0, 1) + xy(1, 0) + product(high1, c));
        a[2] = reduce(xy(0, 2) + xy(1, 1) + xy(2, 0) + product(high2, c));
        a[3] = reduce(xy(0, 3) + xy(1, 2) + xy(2, 1) + xy(3, 0));
    }

    /// The representative of least magnitude of |a| < 3 prime, where that is below 5/12 prime: a /
    /// prime is then at least 1/12 away from where rounding changes, and a / 2^22 is as good.
    [[nodiscard, gnu::always_inline]] static std::int32_t least(std::int32_t a) noexcept
    {
        static_assert(word_field::prime > 1 << 22 && word_field::prime < (1 << 22) / 100 * 101);
        return a - Isa::ThreeLayers::multiply_high(a, 1 << 10) * word_field::prime;
    }
};

/// These products, and reciprocals in words. The ring is the only one of the program.
template <class Isa, class R>
struct WordArithmetic {
    static constexpr std::size_t room = R::room;
    // Every coefficient of a product is an integer below 5/12 of the prime in magnitude.
    static_assert(2 * R::p - 1 <= word_field::size);
    static_assert(static_cast<std::int32_t>(R::p) * R::q12 < word_field::prime / 12 * 5);

    /// A small polynomial, transformed.
    class Factor {
      public:
        explicit Factor(const Small<room>& b) { Transform::template forward<R::p>(b.c, *values_); }

      private:
        friend WordArithmetic;
        Wiped<typename WordTransform<Isa>::Values> values_{unset};
    };

    /// As Rq_mult_small (NTRU Prime, Section 3.5), by transforms of words.
    static void multiply(const R& ring, const Rq<room>& a, const Small<room>& b, Rq<room>& product)
    {
        const Factor factor{b};
        multiply(ring, a, factor, product);
    }
    [[gnu::noinline]] static void multiply(const R&, const Rq<room>& a, const Factor& b, Rq<room>& product)
    {
        constexpr std::size_t p = R::p;
        Wiped<typename Transform::Values> wiped{unset};
        auto& x = *wiped;
        Transform::template forward<p>(a.c, x);
        Transform::multiply_values(x, *b.values_);
        Transform::backward(x);
        // x^p = x + 1: number p + i goes to i and to i + 1.
        constexpr AnyModulo<Isa> modulo_q{R::modulo_q};
        std::int32_t below = 0;
        std::size_t i = 0;
        if constexpr (requires { &Isa::fold_product; }) {
            constexpr std::int32_t q = R::modulo_q.m;
            constexpr auto share = static_cast<std::int32_t>(((std::int64_t{1} << 32) + q / 2) / q);
            // The sum of at most 2p products, over q, is at least 1 / 2q away from where rounding
            // changes, and share / 2^32 is as good.
            constexpr std::int64_t off = std::int64_t{share} * q - (std::int64_t{1} << 32);
            static_assert(2 * p * R::q12 * (off < 0 ? -off : off) < std::int64_t{1} << 31);
            i = (p - 1) / 4 * 4;
            Isa::fold_product(product.c.data(), x.data(), &x[p], &x[i], q, share);
            below = x[p + i - 1];
        }
        for (; i < p - 1; ++i) {
            product.c[i] = static_cast<std::int16_t>(modulo_q.centered(x[i] + x[p + i] + below));
            below = x[p + i];
        }
        product.c[p - 1] = static_cast<std::int16_t>(modulo_q.centered(x[p - 1] + below));
    }
    /// R3_mult (NTRU Prime, Section 3.5).
    static void multiply(const R&, const Small<room>& a, const Small<room>& b, Small<room>& product)
    {
        PackedProductModulo3<Isa, R>::multiply(a, b, product);
    }
    /// Rq_recip3 (NTRU Prime, Section 3.5).
    static void reciprocal_of_thrice(const R&, const Small<room>& f, Rq<room>& result)
    {
        WordReciprocalModuloQ<Isa, R>::of_thrice(f, result);
    }
    /// R3_recip (NTRU Prime, Section 3.5).
    [[nodiscard]] static std::int32_t reciprocal(const R&, const Small<room>& g, Small<room>& result)
    {
        return WordReciprocalModulo3<Isa, R>::of(g, result);
    }

  private:
    using Transform = WordTransform<Isa>;
};

}  // namespace girih::ntru_prime
