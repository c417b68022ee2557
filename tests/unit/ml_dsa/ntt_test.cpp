/// Products in the transformed domain, at the extremes of the bounds that their types promise. (The
/// transforms themselves are tested as kernels of every engine.)
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "support/bytes.hpp"
#include "support/textbook.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;
using module_lattice::keeps_bound;
using textbook::Integer;
using textbook::mod;

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

template <Form form, Bound bound>
auto poly_of(const Coefficients& c)
{
    Poly<form, bound> poly;
    poly.c = c;
    EXPECT_TRUE(keeps_bound(poly));
    return poly;
}

// The bounds that the scheme multiplies: c; s1 and s2; t0; y and z; t1 2^d; and any residue.
constexpr Bound challenge_bound = Bound::symmetric(1);
constexpr Bound short_bound = Bound::symmetric(4);
constexpr Bound t0_bound{1 - (1 << (d - 1)), 1 << (d - 1)};
constexpr Bound mask_bound{1 - (1 << 19), 1 << 19};
constexpr Bound t1_bound{0, ((1 << Params::t1_bits) - 1) << d};
constexpr Bound any_bound = Bound::canonical(q);

template <Bound a_bound, Bound b_bound>
void expect_products()
{
    for (const Coefficients& a : samples(a_bound))
        for (const Coefficients& b : samples(b_bound)) {
            const auto a_hat = ntt<Portable>(poly_of<Form::coefficients, a_bound>(a));
            const auto b_hat = ntt<Portable>(poly_of<Form::coefficients, b_bound>(b));
            const auto w = inverse_ntt<Portable>(multiply<Portable>(a_hat, b_hat));
            const auto expected = textbook::product({a.begin(), a.end()}, {b.begin(), b.end()});
            for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(mod(w.c[i], q), expected[i]) << i;
            ASSERT_TRUE(keeps_bound(w));
        }
}

TEST(Ntt, InverseOfProductsIsMultiplicationModuloXTo256Plus1)
{
    expect_products<challenge_bound, short_bound>();
    expect_products<challenge_bound, t0_bound>();
    expect_products<challenge_bound, t1_bound>();
    expect_products<any_bound, mask_bound>();
    expect_products<any_bound, any_bound>();
}

constexpr Bound y_hat_bound = ntt_bound(mask_bound);
constexpr Bound c_hat_bound = ntt_bound(challenge_bound);
constexpr Bound t1_hat_bound = ntt_bound(t1_bound);

/// As many polynomials as ML-DSA-87 has columns: samples from one on, or the same one in every
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
        const auto c = poly_of<Form::ntt, c_hat_bound>(samples(c_hat_bound)[t]);
        const auto t1 = poly_of<Form::ntt, t1_hat_bound>(samples(t1_hat_bound)[s]);
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
