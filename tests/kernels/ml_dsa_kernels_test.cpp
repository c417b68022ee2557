/// ML-DSA's arithmetic on every engine, the portable one among them, against FIPS 204 word for
/// word: on every residue, at the ends of its contracts, and in every lane.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernels/ml_dsa_kernel_tests.hpp"
#include "ml_dsa/kernels/montgomery.hpp"
#include "ml_dsa/kernels/ntt.hpp"
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
        Coefficients negative;
        for (std::size_t i = 0; i < n; ++i) negative[i] = -r[i];
        const auto [high, low] = engine.power2round(r);
        const Coefficients canonical = engine.canonical(negative);
        for (std::size_t i = 0; i < n; ++i) {
            const auto expected = textbook::power2round(r[i]);
            ASSERT_EQ(high[i], expected.high) << r[i];
            ASSERT_EQ(low[i], expected.low) << r[i];
            ASSERT_EQ(canonical[i], mod(-r[i], q)) << r[i];
        }
        ASSERT_EQ(engine.canonical(r), r);
    });
}

TEST_P(EngineKernels, DecomposeEveryResidueAndUseEitherHint)
{
    for (std::size_t g = 0; g < gammas.size(); ++g) {
        const RoundingKernels& kernels = engine.rounding[g];
        ASSERT_EQ(kernels.gamma2, gammas[g]);
        for_all(0, q - 1, [&](const Coefficients& r) {
            const auto [high, low] = kernels.decompose(r);
            const Coefficients high_of_0 = kernels.use_hint(filled(0), r);
            const Coefficients high_of_1 = kernels.use_hint(filled(1), r);
            for (std::size_t i = 0; i < n; ++i) {
                const auto expected = textbook::decompose(r[i], gammas[g]);
                ASSERT_EQ(high[i], expected.high) << r[i];
                ASSERT_EQ(low[i], expected.low) << r[i];
                ASSERT_EQ(high_of_0[i], expected.high) << r[i];
                ASSERT_EQ(high_of_1[i], textbook::use_hint(true, r[i], gammas[g])) << r[i];
            }
        });
    }
}

/// The high bits of every residue.
class HighBits {
  public:
    explicit HighBits(std::int32_t gamma2)
    {
        for (std::int32_t r = 0; r < q; ++r)
            table_.push_back(static_cast<std::uint8_t>(textbook::high_bits(r, gamma2)));
    }
    /// The high bits of a number that is less than q away from a residue.
    [[nodiscard]] std::int32_t of(std::int32_t r) const
    {
        return table_[static_cast<std::size_t>(r < 0 ? r + q : r >= q ? r - q : r)];
    }

  private:
    std::vector<std::uint8_t> table_;
};

TEST_P(EngineKernels, MakeTheHintsThatChangeTheHighBitsOfAnyResidue)
{
    for (const RoundingKernels& kernels : engine.rounding) {
        const std::int32_t gamma2 = kernels.gamma2;
        const HighBits high_bits{gamma2};
        std::vector<std::int32_t> differences{0};
        for (const std::int32_t edge : {1, gamma2 - 1, gamma2, gamma2 + 1, 2 * gamma2, q - 1})
            for (const std::int32_t difference : {edge, -edge}) differences.push_back(difference);
        for (int i = 0; i < 4; ++i)
            differences.push_back(static_cast<std::int32_t>(numbers.between(1 - q, q - 1)));
        for (const std::int32_t z : differences)
            for_all(0, q - 1, [&](const Coefficients& r) {
                const Coefficients hint = kernels.make_hint(filled(z), r);
                for (std::size_t i = 0; i < n; ++i)
                    ASSERT_EQ(hint[i], high_bits.of(r[i] + z) != high_bits.of(r[i]))
                        << "z = " << z << ", r = " << r[i];
            });
    }
}

TEST_P(EngineKernels, MakeTheHintsOfSigningFromTheLowBits)
{
    // low_after = r0 + c t0, |r0| < gamma2, |c t0| < gamma2, and w - c s2 = high 2 gamma2 + r0.
    for (const RoundingKernels& kernels : engine.rounding) {
        const std::int32_t gamma2 = kernels.gamma2;
        const HighBits high_bits{gamma2};
        for (std::int32_t high = 0; high < (q - 1) / (2 * gamma2); ++high)
            for_all(2 - 2 * gamma2, 2 * gamma2 - 2, [&](const Coefficients& low_after) {
                const Coefficients hint = kernels.make_hint_from_low(low_after, filled(high));
                for (std::size_t i = 0; i < n; ++i)
                    ASSERT_EQ(hint[i], high_bits.of(high * 2 * gamma2 + low_after[i]) != high)
                        << high << ", " << low_after[i];
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
        expect_products(engine.montgomery_multiply(a, b), a, b);
    }
}

TEST_P(EngineKernels, MultiplyAnyIntegerByAFixedFactor)
{
    constexpr std::int32_t min = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t max = std::numeric_limits<std::int32_t>::max();
    for (int repeat = 0; repeat < 20'000 && !HasFatalFailure(); ++repeat) {
        Coefficients a = between(min, max);
        a[0] = min;
        a[1] = max;
        const auto z = static_cast<std::int32_t>(numbers.between(-q / 2, q / 2));
        const Coefficients product = engine.multiply_fixed(a, z);
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_LE(std::abs(product[i]), q) << a[i] << " * " << z;
            ASSERT_EQ((Integer{product[i]} - Integer{a[i]} * z) % q, 0) << a[i] << " * " << z;
        }
    }
}

/// Coefficients, each of which must be at most `limit` in magnitude.
textbook::Polynomial within(const Coefficients& c, std::int64_t limit)
{
    for (const std::int32_t x : c) EXPECT_LE(std::abs(Integer{x}), limit);
    return {c.begin(), c.end()};
}

/// The inverse of |w_hat| < q has the values w_hat R at the roots.
void expect_inverse(const MlDsaKernels& engine, const Coefficients& w_hat)
{
    const auto values = textbook::values_at_roots(within(engine.inverse_ntt(w_hat), q - 1));
    for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(values[i], mod(w_hat[i] * mod(ml_dsa::montgomery_radix, q), q)) << i;
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
            const auto values = textbook::values_at_roots({w.begin(), w.end()});
            const auto found = within(engine.ntt(w), ml_dsa::ntt_bound(bound).magnitude());
            for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(mod(found[i], q), values[i]) << i;
            if (!bound.within(ml_dsa::reduced_bound)) continue;
            ASSERT_NO_FATAL_FAILURE(expect_inverse(engine, w));
        }
}

TEST_P(EngineKernels, InvertWhereTheSumIsNearTheEndOfItsRange)
{
    // Unreduced, the first layers add up all coefficients to -2,141,441,839.
    Coefficients w_hat = filled(1 - q);
    w_hat[n - 1] = -4'435'759;
    expect_inverse(engine, w_hat);
    for (std::int32_t& x : w_hat) x = -x;
    expect_inverse(engine, w_hat);
}

/// A row of A^ whose products with v^ are all at least 0, or all at most 0 (`sign` -1): as large as
/// they can be, or as large as Montgomery's reduction can make them, out of some.
enum class Largest { products, reduced_products };
std::vector<Coefficients> matrix_row(Largest what, Integer sign, const Coefficients& v_hat, std::size_t l,
                                     Numbers& numbers)
{
    const auto reduced = [](Integer product) {
        const auto m = static_cast<std::int32_t>(static_cast<std::uint32_t>(product) *
                                                 static_cast<std::uint32_t>(ml_dsa::q_inverse));
        return (product - Integer{m} * q) / ml_dsa::montgomery_radix;
    };
    std::vector<Coefficients> row(l, filled(0));
    Integer sum = 0;
    for (Coefficients& a : row)
        for (std::size_t i = 0; i < n; ++i) {
            const int candidates = what == Largest::products ? 1 : 16;
            Integer largest = 0;
            for (int repeat = 0; repeat < candidates; ++repeat) {
                const Integer candidate = what == Largest::products ? q - 1 : numbers.between(0, q - 1);
                const Integer product = candidate * v_hat[i];
                const Integer size = sign * (what == Largest::products ? product : reduced(product));
                if (size <= largest) continue;
                largest = size;
                a[i] = static_cast<std::int32_t>(candidate);
            }
            sum += largest;
        }
    if (what == Largest::reduced_products) {
        EXPECT_GT(sum, std::numeric_limits<std::int32_t>::max());
    }
    return row;
}

TEST_P(EngineKernels, ReduceRowsOfProductsOfOneSignBeforeTheyInvertThem)
{
    for (std::size_t set = 0; set < sets.size(); ++set) {
        const ml_dsa::Params& p = sets[set];
        Coefficients c{};
        for (std::size_t i = 0; i < static_cast<std::size_t>(p.tau); ++i) c[i] = i % 3 == 0 ? -1 : 1;
        const Coefficients c_hat = engine.ntt(c);
        // s1, y and z
        for (const std::int32_t v : {p.eta, p.gamma1 - 1, p.gamma1 - p.beta() - 1})
            for (const std::int32_t coefficient : {v, -v})
                for (const Largest what : {Largest::products, Largest::reduced_products})
                    for (const Integer sign : {1, -1}) {
                        const std::vector<Coefficients> v_hat(p.l, engine.ntt(filled(coefficient)));
                        const auto a = matrix_row(what, sign, v_hat[0], p.l, numbers);
                        const auto expect_row = [&](const Coefficients& row, const Coefficients& t_hat) {
                            (void)within(row, q - 1);
                            for (std::size_t i = 0; i < n; ++i) {
                                Integer exact = -Integer{c_hat[i]} * t_hat[i];
                                for (std::size_t j = 0; j < p.l; ++j) exact += Integer{a[j][i]} * v_hat[j][i];
                                ASSERT_EQ((row[i] * ml_dsa::montgomery_radix - exact) % q, 0) << i;
                            }
                            ASSERT_NO_FATAL_FAILURE(expect_inverse(engine, row));
                        };
                        const SetKernels& kernels = engine.sets[set];
                        ASSERT_NO_FATAL_FAILURE(expect_row(kernels.dot(a.data(), v_hat.data()), filled(0)));
                        for (const std::int32_t t1 : {0, (1 << ml_dsa::Params::t1_bits) - 1}) {
                            const Coefficients t_hat = engine.ntt(filled(t1 << ml_dsa::d));
                            ASSERT_NO_FATAL_FAILURE(expect_row(
                                kernels.dot_less_product(a.data(), v_hat.data(), c_hat, t_hat), t_hat));
                        }
                    }
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
