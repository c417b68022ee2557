/// HashToPoint and SamplerZ against their definitions: known answers, the edges where one value
/// decides, and the distribution of what is drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "falcon/params.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "falcon/sampling/sampler.hpp"
#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/falcon.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using Portable = isa::portable::Isa;
using test::ByteString;
using test::EmulatedFpr;
using test::EmulatedIsa;
using test::NativeFpr;
using test::NativeIsa;

// ---- HashToPoint

template <std::size_t n>
void expect_points()
{
    // Among some million values there are several of each edge, 5q - 1 and 5q.
    constexpr std::size_t count = 5;
    const ByteString salt = test::counting(salt_bytes);
    std::array<std::size_t, 65536> seen{};
    for (std::uint32_t round = 0; round < 2000; round += count) {
        std::array<ByteString, count> messages;
        for (std::size_t i = 0; i < count; ++i) {
            messages[i] = test::counting(i == 4 ? 300 : 4);  // one is longer than a block
            store_le32(messages[i].data(), round + static_cast<std::uint32_t>(i));
        }
        std::array<ResiduePoly<n>, count> together;
        std::array<SaltedMessage, count> salted;
        for (std::size_t i = 0; i < count; ++i) salted[i] = {salt, messages[i]};
        hash_messages<Portable, n>(salted, together);
        for (std::size_t i = 0; i < count; ++i) {
            // HashToPoint (Falcon, Algorithm 3) with a division.
            ByteString stream(8 * n);
            keccak::Shake256<Portable>{}.absorb(salt).absorb(messages[i]).squeeze(stream);
            ResiduePoly<n> expected, alone;
            for (std::size_t made = 0, at = 0; made < n; at += 2) {
                const std::uint32_t t = 256U * stream.at(at) + stream[at + 1];
                ++seen[t];
                if (t < 61445) expected[made++] = static_cast<Residue>(t % 12289);
            }
            hash_message<Portable, n>(BytesIn<salt_bytes>{salt}, messages[i], alone);
            ASSERT_EQ(alone, expected) << round + i;
            ASSERT_EQ(together[i], expected) << round + i;
        }
    }
    EXPECT_GT(seen[61444], 0U);
    EXPECT_GT(seen[61445], 0U);
}
TEST(FalconHashToPoint, IsItsDefinitionForTwoThousandMessages)
{
    expect_points<512>();
    expect_points<1024>();
}

// ---- The parts of the sampler

/// Bytes in the order of Table 3.2: nine for BaseSampler as one number, the highest first; then one
/// by one.
class GivenBytes {
  public:
    explicit GivenBytes(BytesIn<>& rest) : rest_(&rest) {}
    std::uint64_t next_word()
    {
        kept_ = take();
        is_kept_ = true;
        std::uint64_t word = 0;
        for (int i = 0; i < 8; ++i) word = (word << 8) | take();
        return word;
    }
    Byte next_byte()
    {
        if (!is_kept_) return take();
        is_kept_ = false;
        return kept_;
    }

  private:
    Byte take()
    {
        if (rest_->empty()) {
            ADD_FAILURE() << "no byte is left";
            return 0;
        }
        const Byte byte = rest_->front();
        *rest_ = rest_->subspan(1);
        return byte;
    }

    BytesIn<>* rest_;
    Byte kept_ = 0;
    bool is_kept_ = false;
};

TEST(FalconBaseSampler, CountsTheEntriesAboveItsBits)
{
    using Number = std::array<std::uint32_t, 3>;  // of 24 bits each, the highest first
    constexpr std::uint32_t most = 0xFFFFFF;
    const auto expect = [](const Number& number) {
        ByteString bytes;
        for (const std::uint32_t part : number)
            for (const unsigned shift : {16U, 8U, 0U}) bytes.push_back(static_cast<Byte>(part >> shift));
        BytesIn<> rest = bytes;
        Sampler<EmulatedIsa, GivenBytes> sampler{1.3, rest};
        const auto above =
            std::ranges::count_if(rcdt, [&](const auto& e) { return number < Number{e[0], e[1], e[2]}; });
        ASSERT_EQ(sampler.base_sample(), above) << number[0] << ", " << number[1] << ", " << number[2];
    };
    const auto near = [](std::uint32_t a) { return std::array{0U, (a - 1) & most, a, (a + 1) & most, most}; };
    for (const auto& entry : rcdt)
        for (const std::uint32_t high : near(entry[0]))
            for (const std::uint32_t middle : near(entry[1]))
                for (const std::uint32_t low : near(entry[2])) expect({high, middle, low});
    test::Numbers numbers{1};
    const auto number = [&] { return static_cast<std::uint32_t>(numbers.between(0, most)); };
    for (int i = 0; i < 10000; ++i) expect({number() >> (i % 24), number(), number()});
}

TEST(FalconShift, IsThatOfTheProcessor)
{
    for (std::uint32_t bits = 0; bits < 64; ++bits)
        EXPECT_EQ(shift_right(0xFEDCBA9876543210, bits), 0xFEDCBA9876543210 >> bits) << bits;
}

TEST(FalconExponential, IsRightTo45BitsAndTheSameInIntegers)
{
    test::Numbers numbers{2};
    for (int i = 0; i < 50'000; ++i) {
        const double x = static_cast<double>(numbers.between(0, std::int64_t{1} << 53)) * 0x1p-53 * 0.6931471;
        const double ccs = static_cast<double>(numbers.between(0, (std::int64_t{1} << 53) - 1)) * 0x1p-53;
        const std::uint64_t found = approx_exp(NativeFpr{x}, NativeFpr{ccs});
        ASSERT_EQ(found, approx_exp(EmulatedFpr{x}, EmulatedFpr{ccs}));
        ASSERT_NEAR(static_cast<double>(found) * 0x1p-63, ccs * std::exp(-x), 0x1p-45) << x << ", " << ccs;
    }
}

template <class Fpr>
class FalconBernoulli : public testing::Test {};
using BothFprs = testing::Types<NativeFpr, EmulatedFpr>;
TYPED_TEST_SUITE(FalconBernoulli, BothFprs);

TYPED_TEST(FalconBernoulli, IsTrueBelowItsNumberAndNotAtIt)
{
    constexpr double ln_2 = 0.69314718055994530941723212146;
    const TypeParam ccs{0.8};
    for (const int s : {0, 1, 2, 7, 8, 30, 31, 32, 33, 40, 62, 63, 64, 65, 100}) {
        SCOPED_TRACE(s);
        const TypeParam x{s * ln_2 + 0.25};
        // The specification's words, with a shift of at most 63.
        const TypeParam r = x - TypeParam::of(s) * TypeParam{ln_2};
        const std::uint64_t z = ((approx_exp(r, ccs) << 1) - 1) >> std::min(s, 63);
        const auto is_true = [&](BytesIn<> drawn) {
            GivenBytes source{drawn};
            return bernoulli_exp(x, ccs, source);
        };
        const auto expect = [&](std::uint64_t number) {
            std::array<Byte, 8> big_endian;
            store_be64(big_endian.data(), number);
            EXPECT_EQ(is_true(big_endian), number < z) << number;
        };
        for (const std::uint64_t number :
             {z, z + 1, z - (z > 0), std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max()})
            expect(number);
        for (int i = 0; i < 64; i += 8) {  // the bytes after it are the same
            if ((z >> i & 0xFF) != 0xFF) expect(z + (std::uint64_t{1} << i));
            if ((z >> i & 0xFF) != 0) expect(z - (std::uint64_t{1} << i));
        }
        // A byte decides as soon as one differs, and no more are drawn.
        const std::array<Byte, 1> first{static_cast<Byte>((z >> 56) + 1)};
        EXPECT_FALSE(is_true(first));
    }
}

TYPED_TEST(FalconBernoulli, IsGivenOnlyLeavesInTheirRange)
{
    const double sigma_min = falcon_512.sigma_min();
    const auto outside = [&](double inverse_sigma) {
        LeafRange<TypeParam> range{sigma_min};
        const TypeParam given = range.admit(TypeParam{inverse_sigma});
        const bool is_outside = declassify(range.some_outside(), "a test") != 0;
        EXPECT_EQ(given.bits(), (is_outside ? TypeParam{1 / sigma_min} : TypeParam{inverse_sigma}).bits());
        return is_outside;
    };
    const double least = 1 / sigma_max;
    const double largest = 1 / sigma_min;
    for (const double inside : {0.6, std::nextafter(least, 1), std::nextafter(largest, 0)})
        EXPECT_FALSE(outside(inside)) << inside;
    for (const double beyond : {std::nextafter(least, 0), std::nextafter(largest, 1), 0.1, -0.6,
                                std::numeric_limits<double>::quiet_NaN()})
        EXPECT_TRUE(outside(beyond)) << beyond;
    // One that was outside is not forgotten.
    LeafRange<TypeParam> range{sigma_min};
    (void)range.admit(TypeParam{2.0});
    (void)range.admit(TypeParam{0.6});
    EXPECT_EQ(declassify(range.some_outside(), "a test"), 1U);
}

// ---- SamplerZ

struct Known {
    double mu;
    double sigma;
    const char* bytes;
    std::int64_t z;
};
/// Specification, Table 3.2, for the sigma_min of Falcon-512.
constexpr std::array<Known, 16> table_3_2{{
    {-91.90471153063714, 1.7037990414754918, "0fc5442ff043d66e91d1eacac64ea5450a22941edc6c", -92},
    {-8.322564895434937, 1.7037990414754918, "f4da0f8d8444d1a77265c2ef6f98bbbb4bee7db8d9b3", -8},
    {-19.096516109216804, 1.7035823083824078, "db47f6d7fb9b19f25c36d6b9334d477a8bc0be68145d", -20},
    {-11.335543982423326, 1.7035823083824078,
     "ae41b4f5209665c74d00dcc1a8168a7bb516b3190cb42c1ded26cd52aed770eca7dd334e0547bcc3c163ce0b", -12},
    {7.9386734193997555, 1.6984647769450156,
     "31054166c1012780c603ae9b833cec73f2f41ca5807cc89c92158834632f9b1555", 8},
    {-28.990850086867255, 1.6984647769450156, "737e9d68a50a06dbbc6477", -30},
    {-9.071257914091655, 1.6980782114808988, "a98ddd14bf0bf22061d632", -10},
    {-43.88754568839566, 1.6980782114808988, "3cbf6818a68f7ab9991514", -41},
    {-58.17435547946095, 1.7010983419195522, "6f8633f5bfa5d26848668e3d5ddd46958e97630410587c", -61},
    {-43.58664906684732, 1.7010983419195522, "272bc6c25f5c5ee53f83c43a361fbc7cc91dc783e20a", -46},
    {-34.70565203313315, 1.7009387219711465, "45443c59574c2c3b07e2e1d9071e6d133dbe32754b0a", -34},
    {-44.36009577368896, 1.7009387219711465,
     "6ac116ed60c258e2cbaeab728c4823e6da36e18d08da5d0cc104e21cc7fd1f5ca8d9dbb675266c928448059e", -44},
    {-21.783037079346236, 1.6958406126012802, "68163bc1e2cbf3e18e7426", -23},
    {-39.68827784633828, 1.6958406126012802, "d6a1b51d76222a705a0259", -40},
    {-18.488607061056847, 1.6955259305261838, "f0523bfaa8a394bf4ea5c10f842366fde286d6a30803", -22},
    {-48.39610939101591, 1.6955259305261838, "87bd87e63374cee62127fc6931104aab64f136a0485b", -50},
}};

template <class Isa>
void expect_known_answers()
{
    using Fpr = typename Isa::Fpr;
    for (const Known& known : table_3_2) {
        const ByteString bytes = test::from_hex(known.bytes);
        BytesIn<> rest = bytes;
        Sampler<Isa, GivenBytes> sampler{falcon_512.sigma_min(), rest};
        EXPECT_EQ(sampler.sample(Fpr{known.mu}, Fpr{1.0} / Fpr{known.sigma}), known.z) << known.mu;
        // One line of the table has a byte more than it needs.
        EXPECT_LE(rest.size(), 1u) << known.mu;
    }
}
TEST(FalconSampler, GivesTheKnownAnswers)
{
    expect_known_answers<NativeIsa>();
    expect_known_answers<EmulatedIsa>();
}

/// Pearson's statistic of the draws around mu, bins with fewer than 20 expected joined at both
/// ends; and how many bins.
std::pair<double, int> chi_squared(double mu, double sigma, double sigma_min, int count)
{
    keccak::Shake256<NativeIsa> source;
    source.absorb(Byte{1});
    Sampler<NativeIsa> sampler{sigma_min, source};
    std::map<std::int64_t, int> found;
    const NativeFpr centre{mu};
    const NativeFpr inverse_sigma = NativeFpr{1.0} / NativeFpr{sigma};
    for (int i = 0; i < count; ++i) ++found[sampler.sample(centre, inverse_sigma)];

    const auto middle = static_cast<std::int64_t>(std::floor(mu));
    double all = 0;
    const auto weight = [&](std::int64_t z) {
        const double distance = static_cast<double>(z) - mu;
        return std::exp(-distance * distance / (2 * sigma * sigma));
    };
    for (std::int64_t z = middle - 40; z <= middle + 40; ++z) all += weight(z);
    double statistic = 0;
    int bins = 0;
    double expected = 0;
    double seen = 0;
    double left = count;
    for (std::int64_t z = middle - 40; z <= middle + 40; ++z) {
        const double share = count * weight(z) / all;
        expected += share;
        left -= share;
        seen += found[z];
        if (expected < 20 || left < 20) continue;
        statistic += (seen - expected) * (seen - expected) / expected;
        ++bins;
        expected = seen = 0;
    }
    if (expected > 1) {
        statistic += (seen - expected) * (seen - expected) / expected;
        ++bins;
    }
    return {statistic, bins};
}

TEST(FalconSampler, HasAGaussianDistribution)
{
    const int draws = test::are_exhaustive() ? 10'000'000 : 100'000;
    for (const double sigma_min : {falcon_512.sigma_min(), falcon_1024.sigma_min()}) {
        for (const double sigma : {sigma_min * 1.0001, 1.45, 1.7, 1.82}) {
            for (const double mu : {0.0, 0.25, -0.5, 3.9, -71.3, 1000.999}) {
                const auto [statistic, bins] = chi_squared(mu, sigma, sigma_min, draws);
                const double degrees = bins - 1;
                // Five standard deviations above the mean.
                EXPECT_LT(statistic, degrees + 5 * std::sqrt(2 * degrees)) << mu << ' ' << sigma;
            }
        }
    }
}

}  // namespace
