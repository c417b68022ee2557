/// Arithmetic modulo q: the textbook residues that make the tables, and the fast code's reduction,
/// on every residue; and sums of products in the transformed domain, at the extremes of the bounds
/// that their types promise. (Products and transforms are tested as kernels of every engine.)
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "isa/portable/engine.hpp"
#include "ml_dsa/kernels/montgomery.hpp"
#include "ml_dsa/kernels/products.hpp"
#include "ml_dsa/kernels/residue.hpp"
#include "support/bytes.hpp"
#include "support/textbook.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using module_lattice::keeps_bound;
using textbook::Integer;
using textbook::mod;
using Portable = isa::portable::Isa;

/// Montgomery's reduction of a gives a / R modulo q, below q in magnitude.
void expect_reduces(Integer a)
{
    const Integer result = montgomery_reduce<Portable>(a);
    ASSERT_TRUE(result > -q && result < q) << a;
    ASSERT_EQ((result * montgomery_radix - a) % q, 0) << a;
}

TEST(PrimeField, MontgomeryReduceDividesEveryResidueByR)
{
    for (Integer r = 0; r < q; ++r)
        for (const Integer a : {r, -r}) {
            expect_reduces(a);
            const std::int32_t form = to_montgomery(Residue{a});
            ASSERT_EQ(form, textbook::mod_centred(a * montgomery_radix, q)) << a;
        }
}

TEST(PrimeField, MontgomeryReduceHoldsAtTheEndsOfItsRangeAndWhereItsSignsChange)
{
    // Where the low half is 0 or -2^31, the sign of m and the borrow of the high halves change.
    constexpr Integer half = montgomery_radix / 2;
    for (Integer r = 0; r < q; ++r)
        for (const Integer a : {montgomery_limit - 1 - r, r * half, r * half + 1, r * half - 1}) {
            expect_reduces(a);
            expect_reduces(-a);
        }
}

TEST(PrimeField, ResiduesOfAnyIntegerAreThoseOfTheTextbook)
{
    test::Numbers numbers{1};
    for (const Integer a :
         {Integer{0}, Integer{q}, Integer{-q}, Integer{q} - 1, Integer{1} - q, Integer{INT64_MAX} - q})
        EXPECT_EQ(Residue{a}.value(), mod(a, q)) << a;
    for (int i = 0; i < 100'000; ++i) {
        const Integer a = numbers.between(-(Integer{1} << 62), Integer{1} << 62);
        ASSERT_EQ(Residue{a}.value(), mod(a, q)) << a;
    }
}

TEST(PrimeField, SumsDifferencesAndProductsAreThoseOfTheTextbook)
{
    constexpr std::array<Integer, 7> partners{0, 1, 2, q / 2, q / 2 + 1, q - 2, q - 1};
    for (std::int32_t r = 0; r < q; ++r) {
        const Residue a{r};
        ASSERT_EQ((-a).value(), mod(-r, q)) << r;
        ASSERT_EQ(a.centred(), textbook::mod_centred(r, q)) << r;
        for (const Integer s : partners) {
            const Residue b{s};
            ASSERT_EQ((a + b).value(), mod(r + s, q)) << r << ", " << s;
            ASSERT_EQ((a - b).value(), mod(r - s, q)) << r << ", " << s;
            ASSERT_EQ((a * b).value(), mod(r * s, q)) << r << ", " << s;
        }
    }
}

TEST(PrimeField, EveryResidueButZeroHasAnInverse)
{
    EXPECT_EQ(inverse(Residue{0}), Residue{0});
    constexpr std::int32_t stride = 13;  // and its multiples' inverses, which are not multiples
    for (std::int32_t r = 1; r < q; r += stride) {
        const Residue a{r};
        ASSERT_EQ(a * inverse(a), Residue{1}) << r;
        ASSERT_EQ(inverse(a) / inverse(a), Residue{1}) << r;
    }
}

TEST(PrimeField, PowersAreRepeatedProducts)
{
    test::Numbers numbers{2};
    for (int i = 0; i < 100; ++i) {
        const Residue base{numbers.between(0, q - 1)};
        Residue expected{1};
        for (std::uint64_t exponent = 0; exponent < 100; ++exponent, expected = expected * base)
            ASSERT_EQ(power(base, exponent), expected) << base.value() << "^" << exponent;
    }
}

// ---- Sums of products

/// Polynomials that go to the ends of a bound, then some inside it.
std::vector<Coefficients> samples(Bound bound)
{
    const auto low = static_cast<std::int32_t>(bound.low);
    const auto high = static_cast<std::int32_t>(bound.high);
    test::Numbers numbers{4};
    std::vector<Coefficients> all(7, Coefficients{});
    all[6][1] = high;
    for (std::size_t i = 0; i < n; ++i) {
        all[0][i] = low;
        all[1][i] = high;
        all[2][i] = i % 2 == 0 ? low : high;
        all[3][i] = i < n / 2 ? low : high;
        all[4][i] = numbers.between(0, 1) == 0 ? low : high;
        all[5][i] = static_cast<std::int32_t>(numbers.between(low, high));
    }
    return all;
}

// The matrix; and y or z, c and t1 2^d, transformed.
constexpr Bound any_bound = Bound::canonical(q);
constexpr Bound y_hat_bound = ntt_bound(Bound{1 - (1 << 19), 1 << 19});
constexpr Bound c_hat_bound = ntt_bound(Bound::symmetric(1));
constexpr Bound t1_hat_bound = ntt_bound(Bound{0, ((1 << Params::t1_bits) - 1) << d});

/// A vector of ML-DSA-87's l polynomials: samples from one on, or the same one in every
/// place, where sums of products are largest.
template <Bound bound>
auto vector_of(std::size_t first, std::size_t step)
{
    PolyVector<ml_dsa_87.l, Poly<Form::ntt, bound>> vector;
    const auto all = samples(bound);
    for (std::size_t i = 0; i < vector.size; ++i) vector[i].c = all[(first + i * step) % all.size()];
    return vector;
}

TEST(Ntt, SumsOfProductsAreExactWithAndWithoutTheChallenge)
{
    constexpr std::size_t count = 7;
    for (std::size_t i = 0; i < 2 * count * count; ++i) {
        const std::size_t s = i % count;
        const std::size_t t = i / count % count;
        const auto a = vector_of<any_bound>(s, i % 2);
        const auto z = vector_of<y_hat_bound>(t, i % 2);
        const auto c = vector_of<c_hat_bound>(t, 0)[0];
        const auto t1 = vector_of<t1_hat_bound>(s, 0)[0];
        const auto sum = dot<Portable>(a, z);
        const auto difference = dot_less_product<Portable>(a, z, c, t1);
        EXPECT_TRUE(keeps_bound(sum));
        EXPECT_TRUE(keeps_bound(difference));
        for (std::size_t j = 0; j < n; ++j) {
            Integer exact = 0;
            for (std::size_t k = 0; k < a.size; ++k) exact += Integer{a[k].c[j]} * z[k].c[j];
            ASSERT_EQ(mod(sum.c[j] * montgomery_radix - exact, q), 0) << j;
            exact -= Integer{c.c[j]} * t1.c[j];
            ASSERT_EQ(mod(difference.c[j] * montgomery_radix - exact, q), 0) << j;
        }
    }
}

}  // namespace
