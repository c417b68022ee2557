/// Falcon's key generator without floating point: its parts against the naive definitions, and
/// the keys it makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "engines/list.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/keygen/keygen.hpp"
#include "falcon/keygen/limb.hpp"
#include "falcon/reference_keygen/keygen.hpp"
#include "support/bytes.hpp"
#include "support/falcon.hpp"
#include "support/known_answers.hpp"
#include "support/operations.hpp"
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
        const std::uint64_t a = (load_le64(numbers.bytes(8).data()) | 1) >> (i % 64) | 1;
        const Reciprocal r = reciprocal<Portable>(a);
        EXPECT_EQ(r.shift, std::countl_zero(a));
        EXPECT_GE(r.mantissa, 0x7FFFFFFFU);
        const long double product = std::ldexp(static_cast<long double>(r.mantissa) * a, r.shift - 95);
        EXPECT_NEAR(static_cast<double>(product), 1.0, 0x1p-29) << a;
    }
}

template <std::size_t n>
std::array<Long, n> random_longs(test::Numbers& numbers, int bits)
{
    std::array<Long, n> f;
    for (Long& a : f) a = static_cast<Long>(load_le64(numbers.bytes(8).data())) >> (64 - bits - 1);
    return f;
}

TEST(FalconFastKeygen, TransformKeepsFiftyBits)
{
    constexpr std::size_t n = 64;
    test::Numbers numbers{67};
    const auto f = random_longs<n>(numbers, 54);
    auto values = f;
    long_fft<Portable>(values);
    Poly<test::NativeFpr, n> expected;
    for (std::size_t i = 0; i < n; ++i) expected[i] = test::NativeFpr::of(f[i]);
    fft<test::NativeFpr>(expected);
    for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(static_cast<double>(values[i]), expected[i].value(), 0x1p10) << i;
}

template <std::size_t n>
void expect_undone()
{
    test::Numbers numbers{71};
    const auto f = random_longs<n>(numbers, 60 - std::bit_width(n - 1));
    auto g = f;
    long_fft<Portable>(g);
    inverse_long_fft<Portable>(g);
    for (std::size_t i = 0; i < n; ++i) EXPECT_LE(std::abs(f[i] - g[i]), 64) << n << ' ' << i;
}

TEST(FalconFastKeygen, TransformIsUndoneByItsInverse)
{
    expect_undone<2>();
    expect_undone<64>();
    expect_undone<1024>();
}

TEST(FalconFastKeygen, ShiftsByASecretNumberOfBits)
{
    test::Numbers numbers{73};
    constexpr std::size_t length = 5;
    for (int round = 0; round < 200; ++round) {
        // A number of 40 bits that stands somewhere in 155.
        const Long value = static_cast<Long>(load_le64(numbers.bytes(8).data())) >> 23;
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
    for (Limb& limb : a) limb = static_cast<Limb>(load_le64(numbers.bytes(8).data())) & limb_mask;
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

const Operations& portable(const Params& set)
{
    const auto engines = engines::candidates();
    const auto found = std::ranges::find(engines, "portable", [](const auto& c) { return c.engine->name; });
    return test::falcon_on(*found->engine, set == falcon_512 ? 0 : 1);
}

struct MadeKey {
    test::ByteString pk;
    test::ByteString sk;

    MadeKey(const Params& set, BytesIn<> seed) : pk(set.public_key_bytes()), sk(set.secret_key_bytes())
    {
        portable(set).keygen(seed.data(), pk.data(), sk.data());
    }
};

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
std::string digest_of_good_keys(int count)
{
    std::string all;
    for (int i = 0; i < count; ++i) {
        test::ByteString seed(seed_bytes);
        seed[0] = static_cast<Byte>(i);
        const MadeKey key{P, seed};
        all.append(key.pk.begin(), key.pk.end());
        all.append(key.sk.begin(), key.sk.end());
        Basis<P.n()> basis;
        EXPECT_TRUE((decode_secret_key<P, Portable>(BytesIn<P.secret_key_bytes()>{key.sk}, basis)));
        const std::array<std::int32_t, P.n()> wanted{q};
        EXPECT_EQ(determinant(basis), wanted);
        EXPECT_TRUE((are_short<P, NativeIsa>(basis.f, basis.g)));
        test::ByteString again(P.public_key_bytes());
        EXPECT_EQ((portable(P).public_key(key.sk.data(), again.data())), KeyCheck::good);
        EXPECT_EQ(again, key.pk);
    }
    return test::sha256_of(all);
}

/// Whoever keeps a seed has to get its key from every later version.
TEST(FalconFastKeygen, KeysSolveTheEquationAreShortAndStayAsTheyAre)
{
    EXPECT_EQ(digest_of_good_keys<falcon_512>(20),
              "6298E019B2ABF746BD37950A9E58B56AD9CF19FF8F682FD0D684A276AF4C1069");
    EXPECT_EQ(digest_of_good_keys<falcon_1024>(10),
              "3A28B662E7B9216DAA76D67C91021F6C17048641B71664BED7CAC4811EA8A691");
}

/// A candidate of this seed has values so small at some roots that quotients are shifted by more
/// bits than a number has.
TEST(FalconFastKeygen, GetsOverACandidateWithHardlyAnyValueAtARoot)
{
    const test::ByteString seed = test::from_hex(
        "422C2D2D022D2D2D2D2D420A4547494E202D2D2D0A4D44514341514A59FF495A49415755444D420000505249562D2D0A");
    const MadeKey key{falcon_1024, seed};
    EXPECT_EQ(test::sha256_of(std::string{key.pk.begin(), key.pk.end()}),
              "72154585A319FBF07C2B8937CBF843D3DC9759B4F6044544CDD523E8311F2A78");
    for (const char* name : {"Falcon-1024", "Falcon-padded-1024"})
        EXPECT_EQ(test::key_pair(girih_algorithm(name), seed).secret_key, key.sk);
}

static_assert(sizeof(FastNtruSolver<Portable, 9>) + 2 * sizeof(SmallPoly<512>) <= 13500U);
static_assert(sizeof(FastNtruSolver<Portable, 10>) + 2 * sizeof(SmallPoly<1024>) <= 27000U);

}  // namespace
