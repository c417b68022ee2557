/// Products in R/q on 32-bit words, for p = 761 and q = 4591, on processors without vectors that
/// add both 16-bit halves of a word at once and multiply them one by one.
///
/// R/q is (Z/q)[x]/(x^p - x - 1). The method is that of kernels/product_modulo_q.hpp, with other
/// numbers:
///
/// 1. Rows. With y = x^18 a polynomial is rows of 18 coefficients, two in a word. A product has
///    2p - 1 = 1521 coefficients, which fit in 90 rows: it is exact modulo y^90 - 1.
///
/// 2. Halves. y^90 - 1 = (y^45 - 1) (y^45 + 1). A factor has fewer than 45 rows, which are its
///    residue modulo both. In the second, y = -u makes -(u^45 - 1) of y^45 + 1, and rows of odd
///    number are negated. So each half is a transform of 45 rows.
///
/// 3. Values. 45 divides q - 1, so Z/q has an element w of order 45, and the values of a polynomial
///    at y = w^k are sums of w^(j k) times its row j. As 45 = 9 * 5, and 9 and 5 have no common
///    factor, j is known by j mod 9 and j mod 5, and so is k. So the transform consists of
///    transforms of nine rows and transforms of five (Good, Thomas), without multiplications
///    between them.
///
/// 4. The product's values are products of polynomials of 18 coefficients modulo x^18 - y, with
///    y = w^k or -w^k.
///
/// 5. Back. The transform of values is 45 times the rows, row -j in the place of j. The sums and
///    the differences of both halves are 90 times the rows of the product.
///
/// 6. x^p = x + 1. A last multiplication undoes the 90.
///
/// Bounds are in units of (q - 1) / 2, of which 14.27 fit in 16 bits. A reduced residue is at most
/// 1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wipe.hpp"
#include "isa/isa.hpp"
#include "ntru_prime/types.hpp"
#include "transform/roots.hpp"

namespace girih::ntru_prime {

namespace row_field {

inline constexpr std::int32_t q = 4591;

constexpr std::int32_t power(std::int32_t base, std::int32_t exponent)
{
    return transform::Roots<q, 90>::power(base, exponent);
}

/// w, of order 45: its 15th and its 9th power are not 1.
inline constexpr std::int32_t root = [] {
    for (std::int32_t a = 2;; ++a) {
        const std::int32_t g = power(a, (q - 1) / 45);
        if (power(g, 15) != 1 && power(g, 9) != 1) return g;
    }
}();

/// Exponents of w: 1 modulo 9 and 0 modulo 5, and the other way round.
inline constexpr std::int32_t of_nine = 10;
inline constexpr std::int32_t of_five = 36;

/// The place of row j of a transform, and of the value at w^j.
constexpr std::size_t place(std::size_t j) { return 9 * (j % 5) + j % 9; }

}  // namespace row_field

/// Constant time.
template <class Isa>
class RowTransform {
    static constexpr std::int32_t q = row_field::q;
    using Pairs = typename Isa::template HalfwordsOf<q>;
    using Pair = typename Pairs::Pair;

  public:
    static constexpr std::size_t columns = 18;
    static constexpr std::size_t words = columns / 2;
    static constexpr std::size_t half = 45;  ///< of the rows
    using Row = std::array<Pair, words>;
    using Values = std::array<Pair, 2 * half * words>;  ///< rows, one after the other

    /// The values of `count` coefficients: at most 3.
    template <std::size_t count, class Coefficients>
    [[gnu::noinline]] static void forward(const Coefficients& coefficients, Values& v) noexcept
    {
        static_assert(count <= half * columns);
        std::size_t j = 0;
        if constexpr (isa::RowAssembly<Isa>) {
            j = count / columns / 2 * 2;
            Isa::place_rows(v.data(), coefficients.data(), places.data(), &places[j]);
        }
        for (; j < half; ++j) {
            Pair* const row = &v[places[j] / sizeof(Pair)];
            for (std::size_t word = 0, i = j * columns; word < words; ++word, i += 2) {
                row[word] =
                    Pairs::pair(i < count ? coefficients[i] : 0, i + 1 < count ? coefficients[i + 1] : 0);
                row[half * words + word] = j % 2 == 0 ? row[word] : Pairs::subtract(0, row[word]);
            }
        }
        transform(v);
    }

    /// The products of values modulo each x^18 - y, times Pairs::reduction: at most 1.
    [[gnu::noinline]] static void multiply_values(Values& a, const Values& b) noexcept
    {
        if constexpr (isa::RowAssembly<Isa>)
            return Isa::multiply_rows(a.data(), b.data(), roots.data(), roots.data() + roots.size(), inverse);
        for (std::size_t i = 0; i < roots.size(); ++i) multiply_row(&a[words * i], &b[words * i], roots[i]);
    }

    /// The product, times 90 and what multiply_values multiplies by: at most 6.
    [[gnu::noinline]] static void backward(Values& v, Values& product) noexcept
    {
        transform(v);
        if constexpr (isa::RowAssembly<Isa>)
            return Isa::join_rows(product.data(), v.data(), &places[1], places.data() + places.size());
        for (std::size_t j = 0; j < half; ++j) {
            // Row -j, because the transform of a transform is in reverse.
            const Pair* const row = &v[places[half - j] / sizeof(Pair)];
            Pair* const sums = &product[(j % 2 == 0 ? j : half + j) * words];
            Pair* const differences = &product[(j % 2 == 0 ? half + j : j) * words];
            for (std::size_t i = 0; i < words; ++i) {
                sums[i] = Pairs::add(row[i], row[half * words + i]);
                differences[i] = Pairs::subtract(row[i], row[half * words + i]);
            }
        }
    }

    /// The factor that undoes what products are multiplied by.
    static constexpr std::uint32_t last_factor =
        Pairs::factor(std::int64_t{row_field::power(90, q - 2)} * Pairs::undo_reduction);

    /// a times the number that a factor represents, in [-(q - 1) / 2, (q - 1) / 2], for |a| < 2^18.
    ///
    /// The factor of z is c / q modulo 2^32, where |c| <= (q - 1) / 2 is -2^32 z modulo q. With
    /// p = a factor modulo 2^32, p q is a c + t 2^32, for t = a z modulo q: |a c| < 2^30, so |t| is
    /// below q / 2 + 1 / 4. The sum that is cut off at 16 bits, twice, is t plus (a c + 2^31 - (p
    /// mod 2^16) q) / 2^32, which is above 0 and less than 1. It still is if p is a sum of two
    /// numbers that are each cut off at 16 bits. Where the factor is 1 / q itself, c is 1.
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t multiply(std::int32_t a,
                                                                             std::uint32_t factor) noexcept
    {
        return rounded(static_cast<std::uint32_t>(a) * factor);
    }

  private:
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t rounded(std::uint32_t p) noexcept
    {
        return ((static_cast<std::int32_t>(p) >> 16) * q + (1 << 15)) >> 16;
    }
    [[nodiscard, gnu::always_inline]] static constexpr Pair multiply(Pair a, std::uint32_t factor) noexcept
    {
        return Pairs::pair(multiply(Pairs::low(a), factor), multiply(Pairs::high(a), factor));
    }
    /// a f + b g.
    [[nodiscard, gnu::always_inline]] static constexpr Pair multiply(Pair a, std::uint32_t f, Pair b,
                                                                     std::uint32_t g) noexcept
    {
        const auto sum = [f, g](std::int32_t x, std::int32_t y) {
            return rounded(static_cast<std::uint32_t>(x) * f + static_cast<std::uint32_t>(y) * g);
        };
        return Pairs::pair(sum(Pairs::low(a), Pairs::low(b)), sum(Pairs::high(a), Pairs::high(b)));
    }

    static constexpr std::uint32_t factor_of(std::int32_t exponent)
    {
        return Pairs::factor(row_field::power(row_field::root, exponent));
    }
    static constexpr std::uint32_t one = Pairs::factor(1);
    static constexpr std::uint32_t omega = factor_of(3 * row_field::of_nine);
    static constexpr std::array of_nine{factor_of(row_field::of_nine), factor_of(2 * row_field::of_nine),
                                        factor_of(4 * row_field::of_nine)};
    /// (w + 1/w) / 2 and (w - 1/w) / 2 of w = root^exponent.
    static constexpr std::uint32_t cosine(std::int32_t exponent)
    {
        using row_field::power, row_field::root;
        return Pairs::factor(std::int64_t{power(root, exponent) + power(root, 45 - exponent)} *
                             ((q + 1) / 2));
    }
    static constexpr std::uint32_t sine(std::int32_t exponent)
    {
        using row_field::power, row_field::root;
        return Pairs::factor(std::int64_t{power(root, exponent) - power(root, 45 - exponent)} *
                             ((q + 1) / 2));
    }
    static constexpr std::array cosines{cosine(row_field::of_five), cosine(2 * row_field::of_five % 45)};
    static constexpr std::array sines{sine(row_field::of_five), sine(2 * row_field::of_five % 45),
                                      0 - sine(row_field::of_five)};

    /// y of each row.
    static constexpr std::array<std::uint32_t, 2 * half> roots = [] {
        std::array<std::uint32_t, 2 * half> all{};
        for (std::size_t j = 0; j < half; ++j) {
            const std::int64_t y = row_field::power(row_field::root, static_cast<std::int32_t>(j));
            all[row_field::place(j)] = Pairs::factor(y);
            all[half + row_field::place(j)] = Pairs::factor(-y);
        }
        return all;
    }();

    /// The place of row j in bytes, for each j from 0 to 45.
    static constexpr std::array<std::uint16_t, half + 1> places = [] {
        std::array<std::uint16_t, half + 1> all{};
        for (std::size_t j = 0; j < all.size(); ++j)
            all[j] = static_cast<std::uint16_t>(row_field::place(j % half) * sizeof(Row));
        return all;
    }();

    /// Takes values of at most 1 to values of at most 3.
    static void transform(Values& v) noexcept
    {
        if constexpr (isa::RowAssembly<Isa>) {
            static constexpr std::array nines{omega, of_nine[0], of_nine[1], of_nine[2], one};
            static constexpr std::array fives{one, cosines[0], cosines[1], sines[0], sines[1]};
            Isa::transform_nines(v.data(), nines.data(), v.data() + v.size());
            Isa::transform_fives(v.data(), fives.data(), &v[9 * words]);
            return Isa::transform_fives(&v[half * words], fives.data(), &v[(half + 9) * words]);
        }
        for (std::size_t i = 0; i < v.size(); i += 9 * words)
            for (std::size_t word = 0; word < words; ++word) nine(&v[i + word]);
        for (std::size_t i = 0; i < v.size(); i += half * words)
            for (std::size_t word = 0; word < 9 * words; ++word) five(&v[i + word]);
    }

    /// Inputs of at most b0, b1, b2 give b0 + b1 + b2 and, twice, b0 + b1 + 1. omega^2 = -1 -
    /// omega.
    static void three(Pair& a0, Pair& a1, Pair& a2) noexcept
    {
        const Pair rotated = multiply(Pairs::subtract(a1, a2), omega);
        const Pair sum = Pairs::add(Pairs::add(a0, a1), a2);
        const Pair first = Pairs::add(Pairs::subtract(a0, a2), rotated);
        a2 = Pairs::subtract(Pairs::subtract(a0, a1), rotated);
        a1 = first;
        a0 = sum;
    }
    /// Takes values of at most 1 to at most 7: the 9 of a0 is reduced.
    static void nine(Pair* v) noexcept
    {
        std::array<Pair, 9> a;
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = v[i * words];
        for (std::size_t i = 0; i < 3; ++i) three(a[i], a[i + 3], a[i + 6]);  // at most 3
        a[4] = multiply(a[4], of_nine[0]);
        a[5] = multiply(a[5], of_nine[1]);
        a[7] = multiply(a[7], of_nine[1]);
        a[8] = multiply(a[8], of_nine[2]);
        for (std::size_t i = 0; i < 9; i += 3) three(a[i], a[i + 1], a[i + 2]);  // 9, 7, 7; 5
        a[0] = multiply(a[0], one);
        // The result of number 3 k1 + k2 is that of k1 + 3 k2.
        for (std::size_t k1 = 0; k1 < 3; ++k1)
            for (std::size_t k2 = 0; k2 < 3; ++k2) v[(k1 + 3 * k2) * words] = a[3 * k1 + k2];
    }
    /// Takes values of at most 7 to at most 3.
    static void five(Pair* v) noexcept
    {
        const auto row = [v](std::size_t i) -> Pair& { return v[9 * words * i]; };
        const Pair a0 = multiply(row(0), one);
        const Pair s1 = Pairs::add(row(1), row(4));
        const Pair d1 = Pairs::subtract(row(1), row(4));
        const Pair s2 = Pairs::add(row(2), row(3));
        const Pair d2 = Pairs::subtract(row(2), row(3));
        row(0) = Pairs::add(a0, multiply(s1, one, s2, one));
        const Pair p1 = Pairs::add(a0, multiply(s1, cosines[0], s2, cosines[1]));
        const Pair p2 = Pairs::add(a0, multiply(s1, cosines[1], s2, cosines[0]));
        const Pair q1 = multiply(d1, sines[0], d2, sines[1]);
        const Pair q2 = multiply(d1, sines[1], d2, sines[2]);
        row(1) = Pairs::add(p1, q1);
        row(4) = Pairs::subtract(p1, q1);
        row(2) = Pairs::add(p2, q2);
        row(3) = Pairs::subtract(p2, q2);
    }

    /// a b modulo x^18 - y. With b_(i - 18) = y b_i and a_(-1) = y a_17, coefficient k is the sum
    /// of a_i b_(k - i) over 18 neighbouring i: from 0 on for odd k, and from -1 on for even k. So
    /// both use the pairs (b_2e, b_(2e + 1)).
    static void multiply_row(Pair* a, const Pair* b, std::uint32_t y) noexcept
    {
        std::array<Pair, 2 * words> pairs;
        Row even;  // a_2j and a_(2j + 1)
        Row odd;   // a_(2j - 1) and a_2j
        for (std::size_t i = 0; i < words; ++i) {
            pairs[i] = multiply(b[i], y);
            pairs[words + i] = b[i];
            even[i] = a[i];
        }
        odd[0] = Pairs::pair(multiply(Pairs::high(a[words - 1]), y), Pairs::low(a[0]));
        for (std::size_t i = 1; i < words; ++i) odd[i] = Pairs::pair(Pairs::high(a[i - 1]), Pairs::low(a[i]));
        // 18 products of at most 9 units^2: less than 2^30.
        const auto sum = [&pairs](const Row& x, std::size_t k) {
            std::int32_t s = 0;
            for (std::size_t j = 0; j < words; ++j) {
                const Pair factors = pairs[words + k - j];
                s += Pairs::low(x[j]) * Pairs::high(factors) + Pairs::high(x[j]) * Pairs::low(factors);
            }
            return multiply(s, inverse);
        };
        static_assert(std::int64_t{18} * (3 * (q / 2)) * (3 * (q / 2)) < std::int64_t{1} << 30);
        for (std::size_t k = 0; k < words; ++k) a[k] = Pairs::pair(sum(odd, k), sum(even, k));
    }
    /// 1 / q modulo 2^32: as a factor, -2^-32.
    static constexpr std::uint32_t inverse = Pairs::factor(Pairs::reduction);
};

/// In the only ring of a program. Constant time.
template <class Isa, class R>
class WordProductModuloQ {
    using Transform = RowTransform<Isa>;
    static constexpr std::size_t capacity = R::capacity;
    static constexpr std::size_t p = R::p;
    static_assert(R::q == row_field::q && p <= 761, "for the rings of sntrup761 and ntrulpr761");

  public:
    /// A small polynomial, transformed.
    class Factor {
      public:
        explicit Factor(const Small<capacity>& b) { Transform::template forward<p>(b.c, *values_); }

      private:
        friend WordProductModuloQ;
        Wiped<typename Transform::Values> values_{uninitialized};
    };

    /// Rq_mult_small (NTRU Prime, Section 3.5), on words.
    [[gnu::noinline]] static void multiply(const Rq<capacity>& a, const Factor& b, Rq<capacity>& product)
    {
        Wiped<std::array<typename Transform::Values, 2>> wiped{uninitialized};
        auto& [values, whole] = *wiped;
        Transform::template forward<p>(a.c, values);
        Transform::multiply_values(values, b.values_.value);
        Transform::backward(values, whole);
        // x^p = x + 1: number p + i goes to i and to i + 1.
        const auto at = [&all = whole](std::size_t i) {
            const std::uint32_t pair = all[i / 2];
            return static_cast<std::int32_t>(i % 2 == 0 ? pair << 16 : pair) >> 16;
        };
        std::size_t i = 0;
        if constexpr (isa::RowAssembly<Isa>) {
            i = p / 4 * 4;
            Isa::fold_rows(product.c.data(), whole.data(), i, p - 1, Transform::last_factor);
        }
        for (; i < p; ++i)
            product.c[i] = static_cast<std::int16_t>(Transform::multiply(
                at(i) + at(p + i) + (i == 0 ? 0 : at(p + i - 1)), Transform::last_factor));
    }
};

}  // namespace girih::ntru_prime
