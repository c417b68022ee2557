/// ML-DSA's arithmetic on every engine, the portable one among them, against FIPS 204 word for
/// word: on every residue, at the ends of its contracts, and in every lane.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernels/ml_dsa_kernel_tests.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "support/bytes.hpp"
#include "support/textbook.hpp"

namespace girih::test {
namespace {

using textbook::Integer;
using textbook::mod;

constexpr std::array gammas{ml_dsa::ml_dsa_44.gamma2, ml_dsa::ml_dsa_65.gamma2};
static_assert(sets[2].gamma2 == gammas[1]);

INSTANTIATE_TEST_SUITE_P(Of, EngineKernels, testing::ValuesIn(all_kernels), name_of);

// ---- Rounding

TEST_P(EngineKernels, SplitEveryResidueByPower2RoundAndMakeItCanonical)
{
    for_all(0, q - 1, [this](const Coefficients& r) {
        Coefficients negative, high, low, canonical;
        for (std::size_t i = 0; i < n; ++i) negative[i] = -r[i];
        engine.power2round(r, high, low);
        engine.canonical(negative, canonical);
        for (std::size_t i = 0; i < n; ++i) {
            const auto expected = textbook::power2round(r[i]);
            ASSERT_EQ(high[i], expected.high) << r[i];
            ASSERT_EQ(low[i], expected.low) << r[i];
            ASSERT_EQ(canonical[i], mod(-r[i], q)) << r[i];
        }
        engine.canonical(r, canonical);
        ASSERT_EQ(canonical, r);
    });
}

TEST_P(EngineKernels, DecomposeEveryResidueAndUseEitherHint)
{
    const auto expect = [this](auto g) {
        constexpr std::int32_t gamma2 = gammas[g];
        const RoundingKernels& kernels = engine.rounding[g];
        ASSERT_EQ(kernels.gamma2, gamma2);
        for_all(0, q - 1, [&](const Coefficients& r) {
            Coefficients high, low, high_of_0, high_of_1;
            kernels.decompose(r, high, low);
            kernels.use_hint(filled(0), r, high_of_0);
            kernels.use_hint(filled(1), r, high_of_1);
            for (std::size_t i = 0; i < n; ++i) {
                const auto expected = textbook::decompose(r[i], gamma2);
                ASSERT_EQ(high[i], expected.high) << r[i];
                ASSERT_EQ(low[i], expected.low) << r[i];
                ASSERT_EQ(high_of_0[i], expected.high) << r[i];
                ASSERT_EQ(high_of_1[i], textbook::use_hint(true, r[i], gamma2)) << r[i];
            }
        });
    };
    expect(std::integral_constant<std::size_t, 0>{});
    expect(std::integral_constant<std::size_t, 1>{});
}

/// The high bits of every residue.
template <std::int32_t gamma2>
std::vector<std::uint8_t> high_bits_of_all()
{
    std::vector<std::uint8_t> table;
    for (std::int32_t r = 0; r < q; ++r)
        table.push_back(static_cast<std::uint8_t>(textbook::high_bits(r, gamma2)));
    return table;
}
std::vector<std::uint8_t> high_bits_of_all(std::int32_t gamma2)
{
    return gamma2 == gammas[0] ? high_bits_of_all<gammas[0]>() : high_bits_of_all<gammas[1]>();
}

TEST_P(EngineKernels, MakeTheHintsThatChangeTheHighBitsOfAnyResidue)
{
    for (const RoundingKernels& kernels : engine.rounding) {
        const std::int32_t gamma2 = kernels.gamma2;
        const std::vector<std::uint8_t> high_bits = high_bits_of_all(gamma2);
        std::vector<std::int32_t> differences{0};
        for (const std::int32_t edge : {1, gamma2 - 1, gamma2, gamma2 + 1, 2 * gamma2, q - 1})
            for (const std::int32_t difference : {edge, -edge}) differences.push_back(difference);
        for (int i = 0; i < 4; ++i)
            differences.push_back(static_cast<std::int32_t>(numbers.between(1 - q, q - 1)));
        for (const std::int32_t z : differences)
            for_all(0, q - 1, [&](const Coefficients& r) {
                Coefficients hint;
                kernels.make_hint(filled(z), r, hint);
                for (std::size_t i = 0; i < n; ++i) {
                    const std::int32_t sum = r[i] + z;
                    const std::int32_t moved = sum < 0 ? sum + q : sum >= q ? sum - q : sum;
                    ASSERT_EQ(hint[i], high_bits[static_cast<std::size_t>(moved)] !=
                                           high_bits[static_cast<std::size_t>(r[i])])
                        << "z = " << z << ", r = " << r[i];
                }
            });
    }
}

TEST_P(EngineKernels, MakeTheHintsOfSigningFromTheLowBits)
{
    // low_after = r0 + c t0, |r0| < gamma2, |c t0| < gamma2, and w - c s2 = high 2 gamma2 + r0.
    for (const RoundingKernels& kernels : engine.rounding) {
        const std::int32_t gamma2 = kernels.gamma2;
        const std::vector<std::uint8_t> high_bits = high_bits_of_all(gamma2);
        for (std::int32_t high = 0; high < (q - 1) / (2 * gamma2); ++high)
            for_all(2 - 2 * gamma2, 2 * gamma2 - 2, [&](const Coefficients& low_after) {
                Coefficients hint;
                kernels.make_hint_from_low(low_after, filled(high), hint);
                for (std::size_t i = 0; i < n; ++i) {
                    const std::int32_t sum = high * 2 * gamma2 + low_after[i];
                    const std::int32_t moved = sum < 0 ? sum + q : sum >= q ? sum - q : sum;
                    ASSERT_EQ(hint[i], high_bits[static_cast<std::size_t>(moved)] != high)
                        << high << ", " << low_after[i];
                }
            });
    }
}

// ---- Products and transforms

void expect_products(const Coefficients& product, const Coefficients& a, const Coefficients& b)
{
    for (std::size_t i = 0; i < n; ++i) {
        ASSERT_LT(std::abs(product[i]), q) << a[i] << " * " << b[i];
        ASSERT_EQ((Integer{product[i]} * ml_dsa::montgomery_radix - Integer{a[i]} * b[i]) % q, 0)
            << a[i] << " * " << b[i];
    }
}

TEST_P(EngineKernels, ReduceProductsOfAnyIntegerAndAResidue)
{
    constexpr std::int32_t min = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t max = std::numeric_limits<std::int32_t>::max();
    for (int repeat = 0; repeat < 20'000 && !HasFatalFailure(); ++repeat) {
        const Coefficients a = between(min, max);
        const Coefficients b = between(1 - q, q - 1);
        const auto z = static_cast<std::int32_t>(numbers.between(-q / 2, q / 2));
        Coefficients product;
        engine.montgomery_multiply(a, b, product);
        expect_products(product, a, b);
        engine.montgomery_multiply_twiddle(a, z, product);
        expect_products(product, a, filled(z));
    }
}

/// Coefficients, each of which must be at most `limit` in magnitude.
textbook::Polynomial within(const Coefficients& c, std::int64_t limit)
{
    for (const std::int32_t x : c) EXPECT_LE(std::abs(Integer{x}), limit);
    return {c.begin(), c.end()};
}

TEST_P(EngineKernels, TransformToTheValuesAtTheRootsAndBack)
{
    using ml_dsa::Bound;
    // c; s1 and s2; t0; y and z; t1 2^d; and any residue.
    constexpr std::array bounds{Bound::symmetric(1),
                                Bound::symmetric(4),
                                Bound{1 - (1 << (ml_dsa::d - 1)), 1 << (ml_dsa::d - 1)},
                                Bound{1 - (1 << 19), 1 << 19},
                                Bound{0, ((1 << ml_dsa::Params::t1_bits) - 1) << ml_dsa::d},
                                Bound::symmetric(q - 1)};
    for (const Bound& bound : bounds)
        for (int repeat = 0; repeat < 100; ++repeat) {
            const Coefficients w = repeat == 0   ? filled(static_cast<std::int32_t>(bound.low))
                                   : repeat == 1 ? filled(static_cast<std::int32_t>(bound.high))
                                                 : between(bound.low, bound.high);
            Coefficients w_hat = w;
            engine.ntt(w_hat);
            auto values = textbook::values_at_roots({w.begin(), w.end()});
            const auto found = within(w_hat, ml_dsa::ntt_bound(bound).magnitude());
            for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(mod(found[i], q), values[i]) << i;
            if (!bound.within(ml_dsa::reduced_bound)) continue;
            Coefficients inverse = w;
            engine.inverse_ntt(inverse);
            values = textbook::values_at_roots(within(inverse, q - 1));
            for (std::size_t i = 0; i < n; ++i)
                ASSERT_EQ(values[i], mod(w[i] * mod(ml_dsa::montgomery_radix, q), q)) << i;
        }
}

TEST_P(EngineKernels, SeeALargeCoefficientInEveryLane)
{
    for (const std::int32_t limit : {1, gammas[0], (1 << 19) - 196, q / 2})
        for (std::size_t i = 0; i < n; ++i)
            for (const std::int32_t background : {0, limit - 1, 1 - limit}) {
                Coefficients c = filled(background);
                EXPECT_FALSE(engine.any_at_least(c, limit)) << limit << ", " << background;
                for (const std::int32_t large : {limit, -limit, q - 1, 1 - q}) {
                    c[i] = large;
                    EXPECT_TRUE(engine.any_at_least(c, limit)) << limit << ", " << i << ", " << large;
                }
            }
}

}  // namespace
}  // namespace girih::test
