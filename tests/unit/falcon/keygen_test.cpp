/// Falcon's key generator without floating point: its parts against the naive definitions, and
/// the keys it makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "falcon/encoding/secret_key.hpp"
#include "falcon/keygen/keygen.hpp"
#include "falcon/keygen/limb.hpp"
#include "falcon/reference_keygen/keygen.hpp"
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

template <Params P>
void expect_chances_of_the_formula()
{
    const double twice_variance = 1.17 * 1.17 * q / static_cast<double>(P.n());
    std::vector<double> chances;
    double sum = 0;
    for (int k = 0; k <= static_cast<int>(FgDistribution<P>::largest); ++k) {
        chances.push_back((k == 0 ? 1 : 2) * std::exp(-k * k / twice_variance));
        sum += chances.back();
    }
    double tail = 0;
    for (std::size_t k = chances.size() - 1; k > 0; --k) {
        tail += chances[k] / sum;
        EXPECT_NEAR(FgDistribution<P>::at_least[k - 1], std::ldexp(tail, 31), 0.51) << k;
    }
}

TEST(FalconFastKeygen, DrawsFAndGWithTheChancesOfTheFormula)
{
    expect_chances_of_the_formula<falcon_512>();
    expect_chances_of_the_formula<falcon_1024>();
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
    Poly<test::NativeFpr, n> expected;
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<Long>(numbers.word()) >> 9;  // of 54 bits and a sign
        expected[i] = test::NativeFpr::of(values[i]);
    }
    long_fft<Portable>(values);
    fft<test::NativeFpr>(expected);
    for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(static_cast<double>(values[i]), expected[i].value(), 0x1p10) << i;
}

TEST(FalconFastKeygen, ShiftsByASecretNumberOfBits)
{
    test::Numbers numbers{73};
    constexpr std::size_t length = 5;
    for (int round = 0; round < 200; ++round) {
        // A number of 40 bits that stands somewhere in 155.
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
template <Params P>
std::string digest_of_good_keys(const girih_alg* alg, Byte count)
{
    std::string all;
    for (Byte i = 0; i < count; ++i) {
        test::ByteString seed(seed_bytes);
        seed[0] = i;
        const auto [pk, sk] = test::key_pair(alg, seed);
        all.append(pk.begin(), pk.end());
        all.append(sk.begin(), sk.end());
        Basis<P.n()> basis;
        EXPECT_TRUE((decode_secret_key<P, Portable>(BytesIn<P.secret_key_bytes()>{sk}, basis)));
        const std::array<std::int32_t, P.n()> wanted{q};
        EXPECT_EQ(determinant(basis), wanted);
        EXPECT_TRUE((are_short<P, NativeIsa>(basis.f, basis.g)));
        test::ByteString again(pk.size());
        EXPECT_EQ(test::call(girih_public_key, alg, sk, again), GIRIH_OK);
        EXPECT_EQ(again, pk);
    }
    return test::sha256_of(all);
}

/// Whoever keeps a seed has to get its key from every later version.
TEST(FalconFastKeygen, KeysSolveTheEquationAreShortAndStayAsTheyAre)
{
    EXPECT_EQ(digest_of_good_keys<falcon_512>(girih_falcon_512(), 20),
              "6298E019B2ABF746BD37950A9E58B56AD9CF19FF8F682FD0D684A276AF4C1069");
    EXPECT_EQ(digest_of_good_keys<falcon_1024>(girih_falcon_1024(), 10),
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

static_assert(sizeof(FastNtruSolver<Portable, 9>) + 2 * sizeof(SmallPoly<512>) <= 13500U);
static_assert(sizeof(FastNtruSolver<Portable, 10>) + 2 * sizeof(SmallPoly<1024>) <= 27000U);

}  // namespace
