/// The NTT, its inverse and the products between them, against evaluation at the roots and against
/// multiplication by hand, at the extremes of the bounds that their types promise.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "support/bytes.hpp"
#include "support/textbook.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;
using textbook::Integer;
using textbook::mod;

/// Polynomials that go to the ends of a bound, then some inside it.
std::vector<Coefficients> samples(Bound bound)
{
    const auto low = static_cast<std::int32_t>(bound.low);
    const auto high = static_cast<std::int32_t>(bound.high);
    test::Numbers numbers{4};
    Coefficients alternating;
    Coefficients halves;
    Coefficients ends;
    Coefficients anything;
    Coefficients unit{};
    Coefficients all_low;
    Coefficients all_high;
    unit[1] = high;
    for (std::size_t i = 0; i < n; ++i) {
        all_low[i] = low;
        all_high[i] = high;
        alternating[i] = i % 2 == 0 ? low : high;
        halves[i] = i < n / 2 ? low : high;
        ends[i] = numbers.between(0, 1) == 0 ? low : high;
        anything[i] = static_cast<std::int32_t>(numbers.between(low, high));
    }
    return {all_low, all_high, alternating, halves, ends, anything, unit};
}

textbook::Polynomial integers(const Coefficients& c) { return {c.begin(), c.end()}; }

/// The residues in [0, q).
textbook::Polynomial residues(const Coefficients& c)
{
    textbook::Polynomial out = integers(c);
    for (Integer& r : out) r = mod(r, q);
    return out;
}

template <Bound bound>
using Plain = Poly<Form::coefficients, bound>;

template <class P>
P poly_of(const Coefficients& c)
{
    P poly;
    poly.c = c;
    EXPECT_TRUE(keeps_bound(poly));
    return poly;
}

// The bounds that the scheme transforms: c; s1 and s2; t0; y and z; t1 2^d; and any residue.
constexpr Bound challenge_bound = Bound::symmetric(1);
constexpr Bound short_bound = Bound::symmetric(4);
constexpr Bound t0_bound{1 - (1 << (d - 1)), 1 << (d - 1)};
constexpr Bound mask_bound{1 - (1 << 19), 1 << 19};
constexpr Bound t1_bound{0, ((1 << Params::t1_bits) - 1) << d};

TEST(Ntt, ZetasBeginAsInAppendixB)
{
    // FIPS 204, Appendix B, entries 1 to 8; entry 0 is never used by the transforms.
    constexpr std::array<Integer, 8> appendix{4808194, 3765607, 3761513, 5178923,
                                              5496691, 5234739, 5178987, 7778734};
    for (std::size_t m = 1; m <= appendix.size(); ++m)
        EXPECT_EQ(mod(montgomery_reduce<Portable>(tables::zetas.factors[m]), q), appendix[m - 1]) << m;
}

TEST(Ntt, ZetasArePowersOfZetaInBitReversedOrder)
{
    for (std::size_t m = 0; m < n; ++m) {
        const Integer expected = textbook::power(zeta, textbook::bit_rev8(static_cast<Integer>(m)));
        EXPECT_EQ(mod(montgomery_reduce<Portable>(tables::zetas.factors[m]), q), expected) << m;
        EXPECT_LE(std::abs(tables::zetas.factors[m]), q / 2) << m;
    }
}

TEST(Ntt, RootsAreAllTheRootsOfXTo256Plus1)
{
    std::vector<bool> seen(q);
    for (std::size_t i = 0; i < n; ++i) {
        const Integer x = textbook::root(i);
        EXPECT_EQ(textbook::power(x, n), q - 1) << i;
        EXPECT_FALSE(seen[static_cast<std::size_t>(x)]) << i;
        seen[static_cast<std::size_t>(x)] = true;
    }
}

template <Bound bound>
void expect_values_at_roots()
{
    for (const Coefficients& c : samples(bound)) {
        const auto w_hat = ntt<Portable>(poly_of<Plain<bound>>(c));
        EXPECT_EQ(residues(w_hat.c), textbook::values_at_roots(integers(c)));
        EXPECT_TRUE(keeps_bound(w_hat));
    }
}

TEST(Ntt, GivesTheValuesAtTheRootsInTheOrderOfTheStandard)
{
    expect_values_at_roots<challenge_bound>();
    expect_values_at_roots<short_bound>();
    expect_values_at_roots<t0_bound>();
    expect_values_at_roots<mask_bound>();
    expect_values_at_roots<t1_bound>();
    expect_values_at_roots<Bound::canonical(q)>();
}

template <Bound a_bound, Bound b_bound>
void expect_products()
{
    for (const Coefficients& a : samples(a_bound)) {
        for (const Coefficients& b : samples(b_bound)) {
            const auto a_hat = ntt<Portable>(poly_of<Plain<a_bound>>(a));
            const auto b_hat = ntt<Portable>(poly_of<Plain<b_bound>>(b));
            const auto w = inverse_ntt<Portable>(multiply<Portable>(a_hat, b_hat));
            ASSERT_EQ(residues(w.c), textbook::product(integers(a), integers(b)));
            ASSERT_TRUE(keeps_bound(w));
        }
    }
}

TEST(Ntt, InverseOfProductsIsMultiplicationModuloXTo256Plus1)
{
    expect_products<challenge_bound, short_bound>();
    expect_products<challenge_bound, t0_bound>();
    expect_products<challenge_bound, t1_bound>();
    expect_products<Bound::canonical(q), mask_bound>();
    expect_products<Bound::canonical(q), Bound::canonical(q)>();
}

TEST(Ntt, InverseUndoesTheTransformAtTheEndsOfItsRange)
{
    // All sums double the bound in each layer: the coefficients that come nearest to overflow.
    const Integer radix = mod(montgomery_radix, q);
    for (const Coefficients& w_hat : samples(Bound::symmetric(q - 1))) {
        Coefficients w = w_hat;
        kernels::inverse_ntt<Portable>(w, w);
        for (const std::int32_t c : w) ASSERT_LT(std::abs(c), q);
        const textbook::Polynomial values = textbook::values_at_roots(integers(w));
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(values[i], mod(w_hat[i] * radix, q)) << i;
    }
}

/// Vectors of as many polynomials as ML-DSA-87 has columns, each a different sample.
template <Bound bound>
auto vector_of_samples(std::size_t first)
{
    PolyVector<ml_dsa_87.l, Poly<Form::ntt, bound>> vector;
    const auto all = samples(bound);
    for (std::size_t i = 0; i < vector.size; ++i) vector[i].c = all[(first + i) % all.size()];
    return vector;
}

/// The same extreme in every polynomial, where sums of products are largest.
template <Bound bound>
auto vector_of_one(std::size_t sample)
{
    PolyVector<ml_dsa_87.l, Poly<Form::ntt, bound>> vector;
    for (auto& poly : vector.p) poly.c = samples(bound)[sample];
    return vector;
}

template <class A, class B>
Integer exact_dot(const A& a, const B& b, std::size_t i)
{
    Integer sum = 0;
    for (std::size_t j = 0; j < A::size; ++j) sum += Integer{a[j].c[i]} * b[j].c[i];
    return sum;
}

constexpr Bound y_hat_bound = ntt_bound(mask_bound);
constexpr Bound c_hat_bound = ntt_bound(challenge_bound);
constexpr Bound t1_hat_bound = ntt_bound(t1_bound);

template <class A, class B>
void expect_dot(const A& a, const B& b)
{
    const auto sum = dot<Portable>(a, b);
    EXPECT_TRUE(keeps_bound(sum));
    for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(mod(sum.c[i] * montgomery_radix - exact_dot(a, b, i), q), 0) << i;
}

TEST(Ntt, RowsOfTheMatrixAreSumsOfProducts)
{
    constexpr std::size_t count = 7;
    for (std::size_t s = 0; s < count; ++s) {
        for (std::size_t t = 0; t < count; ++t) {
            expect_dot(vector_of_one<Bound::canonical(q)>(s), vector_of_one<y_hat_bound>(t));
            expect_dot(vector_of_samples<Bound::canonical(q)>(s), vector_of_samples<y_hat_bound>(t));
        }
    }
}

TEST(Ntt, RowsLessTheProductOfTheChallengeAreSubtractedExactly)
{
    constexpr std::size_t count = 7;
    for (std::size_t s = 0; s < count; ++s) {
        for (std::size_t t = 0; t < count; ++t) {
            const auto a = vector_of_one<Bound::canonical(q)>(s);
            const auto z = vector_of_one<y_hat_bound>(t);
            const auto c = poly_of<Poly<Form::ntt, c_hat_bound>>(samples(c_hat_bound)[t]);
            const auto t1 = poly_of<Poly<Form::ntt, t1_hat_bound>>(samples(t1_hat_bound)[s]);
            const auto difference = dot_less_product<Portable>(a, z, c, t1);
            EXPECT_TRUE(keeps_bound(difference));
            for (std::size_t i = 0; i < n; ++i) {
                const Integer exact = exact_dot(a, z, i) - Integer{c.c[i]} * t1.c[i];
                ASSERT_EQ(mod(difference.c[i] * montgomery_radix - exact, q), 0) << i;
            }
        }
    }
}

}  // namespace
