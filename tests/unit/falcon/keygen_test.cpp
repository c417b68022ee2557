/// Falcon's tables against their formulas, its residues modulo q, the parts of the key generator
/// without floating point against the naive definitions, and the keys that it makes. (Known answers
/// show that the transforms are right.)
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "falcon/encoding/secret_key.hpp"
#include "falcon/kernels/fft/fft.hpp"
#include "falcon/kernels/ring/ntt.hpp"
#include "falcon/keygen/keygen.hpp"
#include "falcon/keygen/numbers/bezout.hpp"
#include "falcon/keygen/numbers/limb.hpp"
#include "falcon/sampling/sampler.hpp"
#include "falcon/standard/keygen/keygen.hpp"
#include "support/bytes.hpp"
#include "support/c_call.hpp"
#include "support/falcon.hpp"
#include "support/known_answers.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using Portable = isa::portable::Isa;
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
    Poly<Fpr, n / 2> f0, f1;
    split_fft<Fpr, n>(f, f0, f1);
    for (std::size_t i = 0; i < n / 4; ++i) {
        const auto parts = split_real_fft<OneByOne<Fpr>>(real, i);
        EXPECT_EQ(parts.f0.bits(), f0[i].bits());
        EXPECT_EQ(parts.f1.re.value(), at(f1, i).re.value());
        EXPECT_EQ(parts.f1.im.value(), at(f1, i).im.value());
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

/// The sum of exp(-i^2 / (2 variance)) over all i above k, the least first.
long double tail(int k, long double variance)
{
    long double sum = 0;
    for (int i = 100; i > k; --i) sum += std::exp(-static_cast<long double>(i * i) / (2 * variance));
    return sum;
}

TEST(FalconTables, KeygenGaussianIsTheFormulas)
{
    const long double variance = 1.17L * 1.17L * q / 2048;
    const long double positive = tail(0, variance);
    EXPECT_NEAR(static_cast<double>(static_cast<long double>(fg_distribution[0]) * 0x1p-63L),
                static_cast<double>(1 / (2 * positive + 1)), 1e-17);
    for (std::size_t k = 1; k < fg_distribution.size(); ++k)
        EXPECT_NEAR(static_cast<double>(std::ldexp(tail(static_cast<int>(k), variance) / positive, 63)),
                    static_cast<double>(fg_distribution[k]), 1 + 1e-15 * 0x1p63)
            << k;
}

TEST(FalconTables, BaseSamplersIsTheFormulas)
{
    const long double variance = static_cast<long double>(sigma_max) * sigma_max;
    const long double all = 1 + tail(0, variance);
    // The chances of single values were rounded before they were added up.
    for (std::size_t i = 0; i < rcdt.size(); ++i) {
        const long double expected = std::ldexp(tail(static_cast<int>(i), variance) / all, 72);
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

// ---- The key generator without floating point

template <Shape S>
void expect_chances_of_the_formula()
{
    const double twice_variance = 1.17 * 1.17 * q / static_cast<double>(S.n());
    std::vector<double> chances;
    double sum = 0;
    for (int k = 0; k <= static_cast<int>(FgDistribution<S>::largest); ++k) {
        chances.push_back((k == 0 ? 1 : 2) * std::exp(-k * k / twice_variance));
        sum += chances.back();
    }
    double above = 0;
    for (std::size_t k = chances.size() - 1; k > 0; --k) {
        above += chances[k] / sum;
        EXPECT_NEAR(FgDistribution<S>::at_least[k - 1], std::ldexp(above, 31), 0.51) << k;
    }
}

TEST(FalconFastKeygen, DrawsFAndGWithTheChancesOfTheFormula)
{
    expect_chances_of_the_formula<falcon_512.shape()>();
    expect_chances_of_the_formula<falcon_1024.shape()>();
}

TEST(FalconFastKeygen, ReciprocalsAreRightToThirtyBits)
{
    test::Numbers numbers{61};
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t a = (numbers.word() | 1) >> (i % 64) | 1;
        const Reciprocal r = reciprocal<Portable>(a);
        EXPECT_EQ(r.shift, std::countl_zero(a));
        EXPECT_GE(r.mantissa, 0x7FFFFFFFU);
        const long double product = std::ldexp(static_cast<long double>(r.mantissa) * a, r.shift - 95);
        EXPECT_NEAR(static_cast<double>(product), 1.0, 0x1p-29) << a;
    }
}

TEST(FalconFastKeygen, TransformKeepsFiftyBits)
{
    constexpr std::size_t n = 64;
    test::Numbers numbers{67};
    std::array<Long, n> values;
    Poly<Fpr, n> expected;
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<Long>(numbers.word()) >> 9;  // of 54 bits and a sign
        expected[i] = Fpr::of(values[i]);
    }
    long_fft<Portable>(values);
    fft<Fpr>(expected);
    for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(static_cast<double>(values[i]), expected[i].value(), 0x1p10) << i;
}

TEST(FalconFastKeygen, ShiftsByASecretNumberOfBits)
{
    test::Numbers numbers{73};
    constexpr std::size_t length = 5;
    for (int round = 0; round < 200; ++round) {
        // A number of 40 bits somewhere in 155.
        const Long value = static_cast<Long>(numbers.word()) >> 23;
        const int up = round % 100;
        std::vector<Word> words(length);
        falcon::LimbProduct rest = value;
        rest <<= up % 31;
        for (std::size_t j = static_cast<std::size_t>(up) / 31; j < length; ++j) {
            words[j] = static_cast<Word>(rest) & word_mask;
            rest >>= word_bits;
        }
        std::array<Long, 1> out{};
        for (const int left : {-20, 0, 3}) {
            const SecretShift shift{up + left, up + left - 40, up + left + 40};
            falcon::shift_right<Portable>({words, 1, length}, 0, shift, out);
            EXPECT_EQ(out[0], left < 0 ? value << -left : value >> left) << up << ' ' << left;
        }
    }
}

TEST(FalconFastKeygen, ColumnsAddUpToProducts)
{
    test::Numbers numbers{79};
    constexpr std::size_t length = 7;
    std::array<Limb, length> a{};
    std::array<Limb, length> b{};
    for (Limb& limb : a) limb = static_cast<Limb>(numbers.word()) & limb_mask;
    b[0] = 1;
    // a (1 + 2^limb_bits) - a = a 2^limb_bits
    b[1] = 1;
    const Limb one = 1;
    LimbColumn<Portable> column;
    for (std::size_t j = 0; j <= length; ++j) {
        column.add<false>(a, b, j);
        column.add<true>(a, {&one, 1}, j);
        EXPECT_EQ(column.next(), j == 0 ? 0 : a[j - 1]);
    }
}

/// f G - g F as integers.
template <std::size_t n>
std::array<std::int32_t, n> determinant(const Basis<n>& basis)
{
    std::array<std::int32_t, n> sum{};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const std::int32_t product = basis.f[i] * basis.big_g[j] - basis.g[i] * basis.big_f[j];
            sum[(i + j) % n] += i + j < n ? product : -product;
        }
    }
    return sum;
}

/// SHA-256 of so many key pairs, public keys before secret ones, each of which is good.
template <Shape S>
std::string digest_of_good_keys(const girih_alg* alg, Byte count)
{
    std::string all;
    for (Byte i = 0; i < count; ++i) {
        test::ByteString seed(seed_bytes);
        seed[0] = i;
        const auto [pk, sk] = test::key_pair(alg, seed);
        all.append(pk.begin(), pk.end());
        all.append(sk.begin(), sk.end());
        Basis<S.n()> basis;
        EXPECT_TRUE((decode_secret_key<S, Portable>(BytesIn<S.secret_key_bytes()>{sk}, basis)));
        const std::array<std::int32_t, S.n()> wanted{q};
        EXPECT_EQ(determinant(basis), wanted);
        EXPECT_TRUE((are_short<S, NativeIsa>(basis.f, basis.g)));
        test::ByteString again(pk.size());
        EXPECT_EQ(test::call(girih_public_key, alg, sk, again), GIRIH_OK);
        EXPECT_EQ(again, pk);
    }
    return test::sha256_of(all);
}

/// Every later version has to make the same key from a kept seed.
TEST(FalconFastKeygen, KeysSolveTheEquationAreShortAndStayAsTheyAre)
{
    EXPECT_EQ(digest_of_good_keys<falcon_512.shape()>(girih_falcon_512(), 20),
              "6298E019B2ABF746BD37950A9E58B56AD9CF19FF8F682FD0D684A276AF4C1069");
    EXPECT_EQ(digest_of_good_keys<falcon_1024.shape()>(girih_falcon_1024(), 10),
              "3A28B662E7B9216DAA76D67C91021F6C17048641B71664BED7CAC4811EA8A691");
}

/// A candidate of this seed has values so small at some roots that quotients are shifted by more
/// bits than a number has.
TEST(FalconFastKeygen, GetsOverACandidateWithHardlyAnyValueAtARoot)
{
    const test::ByteString seed = test::from_hex(
        "422C2D2D022D2D2D2D2D420A4547494E202D2D2D0A4D44514341514A59FF495A49415755444D420000505249562D2D0A");
    for (const girih_alg* alg : {girih_falcon_1024(), girih_falcon_padded_1024()}) {
        const test::ByteString pk = test::key_pair(alg, seed).public_key;
        EXPECT_EQ(test::sha256_of(std::string{pk.begin(), pk.end()}),
                  "72154585A319FBF07C2B8937CBF843D3DC9759B4F6044544CDD523E8311F2A78");
    }
}

static_assert(sizeof(NtruSolver<Portable, 9>) + 2 * sizeof(SmallPoly<512>) <= 13500U);
static_assert(sizeof(NtruSolver<Portable, 10>) + 2 * sizeof(SmallPoly<1024>) <= 27000U);

}  // namespace
