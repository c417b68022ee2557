/// The tables of Falcon's transforms, large integers and samplers against their formulas, and the
/// residues modulo q. (That the transforms are right, known answers tell.)
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "falcon/fft/fft.hpp"
#include "falcon/keygen/bezout.hpp"
#include "falcon/reference_keygen/big_integers.hpp"
#include "falcon/reference_keygen/keygen.hpp"
#include "falcon/ring/ntt.hpp"
#include "falcon/sampling/sampler.hpp"
#include "support/bytes.hpp"
#include "support/falcon.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using test::NativeIsa;
using Fpr = test::NativeFpr;  // emulated numbers have the same bits (fpr_test.cpp)

TEST(FalconRoots, AreRoundedCorrectly)
{
    for (unsigned layer = 0; layer < 9; ++layer) {
        for (std::size_t i = 0; i < std::size_t{1} << layer; ++i) {
            // a = 2^-(k + 2) + 2^-k reverse(i)
            const long double a =
                std::ldexp(1.0L, -static_cast<int>(layer) - 2) +
                std::ldexp(static_cast<long double>(reverse_bits(i, layer)), -static_cast<int>(layer));
            const long double angle = std::numbers::pi_v<long double> * a;
            const auto zeta = root<Fpr>(layer, i);
            EXPECT_NEAR(zeta.re.value(), static_cast<double>(std::cos(angle)), 0x1p-53) << layer << ' ' << i;
            EXPECT_NEAR(zeta.im.value(), static_cast<double>(std::sin(angle)), 0x1p-53) << layer << ' ' << i;
        }
    }
}

TEST(FalconFft, SplitsSelfAdjointPolynomialsTheSameWay)
{
    constexpr std::size_t n = 32;
    test::Numbers numbers{5};
    Poly<Fpr, n> f;
    for (Fpr& a : f) a = Fpr::of(numbers.between(-1000, 1000));
    fft<Fpr>(f);
    RealPoly<Fpr, n> real;
    for (std::size_t i = 0; i < n / 2; ++i) {
        real[i] = norm(at(f, i));
        put(f, i, Complex<Fpr>{real[i], Fpr::of(0)});
    }
    Poly<Fpr, n / 2> f0, f1, f1_real;
    RealPoly<Fpr, n / 2> f0_real;
    split_fft<Fpr, n>(f, f0, f1);
    split_real_fft<Fpr, n / 2>(real, f0_real, f1_real);
    for (std::size_t i = 0; i < n / 4; ++i) {
        EXPECT_EQ(f0_real[i].bits(), f0[i].bits());
        EXPECT_EQ(at(f1_real, i).re.value(), at(f1, i).re.value());
        EXPECT_EQ(at(f1_real, i).im.value(), at(f1, i).im.value());
    }
}

TEST(FalconNtt, SaysWhenThereIsNoReciprocal)
{
    ResiduePoly<512> f{}, g{};
    for (auto& a : g) a = 5;
    g[77] = 0;
    EXPECT_EQ((divide_values<NativeIsa, 512>(f, g)), 1u);
}

TEST(FalconModulus, ArithmeticIsRightForEveryResidue)
{
    for (std::uint32_t a = 0; a < q; ++a) {
        ASSERT_EQ(modulo_q::multiply(a, modulo_q::montgomery_squared), (std::uint64_t{a} << 16) % q);
        const std::int32_t centred = modulo_q::centred(a);
        ASSERT_LE(std::abs(centred), static_cast<std::int32_t>(q / 2));
        ASSERT_EQ(modulo_q::residue(centred), a);
        const bool is_at_the_edge = a < 16 || a > q - 32;
        for (std::uint32_t b = 0; b < q; b += is_at_the_edge ? 1 : 97)
            ASSERT_EQ(modulo_q::multiply_plainly(a, b), a * b % q) << a << ", " << b;
    }
}

TEST(FalconModulus, IntegersOf32BitsAreReduced)
{
    constexpr auto modulus = static_cast<std::int64_t>(q);
    for (const std::int64_t first :
         {std::int64_t{INT32_MIN}, std::int64_t{-100'000}, std::int64_t{INT32_MAX} - 200'000})
        for (std::int64_t a = first; a <= first + 200'000; ++a)
            ASSERT_EQ(modulo_q::of_integer(static_cast<std::int32_t>(a)), (a % modulus + modulus) % modulus)
                << a;
}

// ---- Large integers

TEST(FalconPrimes, ArePrimeAndFitTheirTables)
{
    std::uint32_t last = 0xFFFFFFFF;
    for (const rns::Prime& prime : rns::first_primes<rns::prime_count>) {
        ASSERT_LT(prime.p, last);
        last = prime.p;
        ASSERT_EQ(prime.p % 2048, 1u);
        for (std::uint32_t d = 3; std::uint64_t{d} * d <= prime.p; d += 2)
            ASSERT_NE(prime.p % d, 0u) << prime.p;
        ASSERT_EQ(prime.p * prime.negative_inverse, 0xFFFFFFFFu);
    }
}

TEST(FalconBezout, RefusesACommonDivisorAndEvenNumbers)
{
    std::array<Limb, Bezout<NativeIsa>::memory_limbs(3)> memory;
    Bezout<NativeIsa> bezout{3, memory};
    const auto refuses = [&](std::array<Word, 3> x, std::array<Word, 3> y) {
        return declassify(bezout.solve({x, 1, 3}, {y, 1, 3}), "a test") != 0;
    };
    EXPECT_TRUE(refuses({15}, {21}));
    EXPECT_TRUE(refuses({15, 7}, {30, 14}));
    EXPECT_TRUE(refuses({16}, {21}));
    EXPECT_FALSE(refuses({5}, {7}));
    EXPECT_EQ(bezout.u()[0], 3u);  // 5 * 3 - 7 * 2 = 1
    EXPECT_EQ(bezout.v()[0], 2u);
}

// ---- Tables of distributions

TEST(FalconTables, KeygenGaussianIsTheFormulas)
{
    const long double variance = 1.17L * 1.17L * q / 2048;
    const auto weight = [&](int k) {
        return std::exp(-static_cast<long double>(k) * static_cast<long double>(k) / (2 * variance));
    };
    long double positive = 0;
    for (int k = 100; k >= 1; --k) positive += weight(k);
    const long double all = 2 * positive + 1;
    EXPECT_NEAR(static_cast<double>(static_cast<long double>(fg_distribution[0]) * 0x1p-63L),
                static_cast<double>(1 / all), 1e-17);
    for (int k = 1; k < static_cast<int>(fg_distribution.size()); ++k) {
        long double above = 0;
        for (int i = 100; i > k; --i) above += weight(i);
        EXPECT_NEAR(static_cast<double>(std::ldexp(above / positive, 63)),
                    static_cast<double>(fg_distribution[static_cast<std::size_t>(k)]), 1 + 1e-15 * 0x1p63)
            << k;
    }
}

TEST(FalconTables, BaseSamplersIsTheFormulas)
{
    const long double variance = static_cast<long double>(sigma_max) * sigma_max;
    const auto weight = [&](std::size_t k) {
        return std::exp(-static_cast<long double>(k * k) / (2 * variance));
    };
    long double all = 0;
    for (std::size_t k = 60; k-- > 0;) all += weight(k);
    // The chances of single values were rounded before they were added up.
    for (std::size_t i = 0; i < rcdt.size(); ++i) {
        long double above = 0;
        for (std::size_t k = 60; --k > i;) above += weight(k);
        const long double expected = std::ldexp(above / all, 72);
        const long double entry = std::ldexp(static_cast<long double>(rcdt[i][0]), 48) +
                                  std::ldexp(static_cast<long double>(rcdt[i][1]), 24) + rcdt[i][2];
        EXPECT_NEAR(static_cast<double>(entry), static_cast<double>(expected),
                    8 + static_cast<double>(expected) * 1e-14)
            << i;
    }
}

/// sigma_min and 1 / sigma from their definition (specification, Section 2.6).
TEST(FalconTables, DeviationsAreTheFormulas)
{
    const auto check = [](const Params& p) {
        // 1 / epsilon = sqrt(2^64 lambda), where lambda is 128 and 256
        const double inverse_epsilon = std::exp2(p.logn == 9 ? 35.5 : 36.0);
        const auto n = static_cast<double>(p.n());
        const double sigma_min = std::sqrt(std::log(4 * n * (1 + inverse_epsilon)) / 2) / std::numbers::pi;
        EXPECT_NEAR(p.sigma_min(), sigma_min, 1e-14);
        const double sigma = 1.17 * std::sqrt(double{q}) * sigma_min;
        EXPECT_NEAR(p.inverse_sigma(), 1 / sigma, 1e-16);
        EXPECT_EQ(p.norm_bound(), static_cast<std::uint32_t>(1.21 * sigma * sigma * 2 * n));
    };
    check(falcon_512);
    check(falcon_1024);
}

}  // namespace
