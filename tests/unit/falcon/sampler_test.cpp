/// SamplerZ: the specification's known answers, and the distribution of its output.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <string>

#include "falcon/params.hpp"
#include "falcon/sampling/sampler.hpp"
#include "support/bytes.hpp"
#include "support/falcon.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;

/// The bytes of Table 3.2: nine for BaseSampler as one number, the highest first; then one by one.
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

template <class T>
class FalconSampler : public testing::Test {};
using Isas = testing::Types<test::NativeIsa, test::EmulatedIsa>;
class IsaNames {
  public:
    template <class T>
    static std::string GetName(int)
    {
        return T::Fpr::is_native ? "Native" : "Emulated";
    }
};
TYPED_TEST_SUITE(FalconSampler, Isas, IsaNames);

TYPED_TEST(FalconSampler, GivesTheKnownAnswers)
{
    using Fpr = typename TypeParam::Fpr;
    for (const Known& known : table_3_2) {
        const test::ByteString bytes = test::from_hex(known.bytes);
        BytesIn<> rest = bytes;
        Sampler<TypeParam, GivenBytes> sampler{falcon_512.sigma_min(), rest};
        EXPECT_EQ(sampler.sample(Fpr{known.mu}, Fpr{1.0} / Fpr{known.sigma}), known.z) << known.mu;
        // One line of the table has a byte more than it needs.
        EXPECT_LE(rest.size(), 1u) << known.mu;
    }
}

/// Draws of each point of the grid: 10^7 with GIRIH_EXHAUSTIVE set.
template <class Isa>
int draws()
{
    if (test::are_exhaustive()) return 10'000'000;
    return Isa::Fpr::is_native ? 200'000 : 20'000;
}

/// Pearson's statistic of the draws around mu, bins with fewer than 20 expected joined at both
/// ends; and how many bins.
template <class Isa>
std::pair<double, int> chi_squared(double mu, double sigma, double sigma_min, int count)
{
    using Fpr = typename Isa::Fpr;
    keccak::Shake256<Isa> source;
    source.absorb(Byte{1});
    Sampler<Isa> sampler{sigma_min, source};
    std::map<std::int64_t, int> found;
    const Fpr centre{mu};
    const Fpr inverse_sigma = Fpr{1.0} / Fpr{sigma};
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

TYPED_TEST(FalconSampler, HasAGaussianDistribution)
{
    for (const double sigma_min : {falcon_512.sigma_min(), falcon_1024.sigma_min()}) {
        for (const double sigma : {sigma_min * 1.0001, 1.45, 1.7, 1.82}) {
            for (const double mu : {0.0, 0.25, -0.5, 3.9, -71.3, 1000.999}) {
                const auto [statistic, bins] =
                    chi_squared<TypeParam>(mu, sigma, sigma_min, draws<TypeParam>());
                const double degrees = bins - 1;
                // Five standard deviations above the mean.
                EXPECT_LT(statistic, degrees + 5 * std::sqrt(2 * degrees)) << mu << ' ' << sigma;
            }
        }
    }
}

TEST(FalconSamplers, DrawTheSameIntegers)
{
    keccak::Shake256<test::NativeIsa> source_1;
    keccak::Shake256<test::EmulatedIsa> source_2;
    source_1.absorb(Byte{2});
    source_2.absorb(Byte{2});
    Sampler<test::NativeIsa> native{falcon_1024.sigma_min(), source_1};
    Sampler<test::EmulatedIsa> emulated{falcon_1024.sigma_min(), source_2};
    test::Numbers numbers{3};
    for (int i = 0; i < 20000; ++i) {
        const double mu = static_cast<double>(numbers.between(-1'000'000'000, 1'000'000'000)) * 0x1p-20;
        const double inverse_sigma = 1 / (1.3 + 0.52 * static_cast<double>(numbers.between(0, 1000)) / 1000);
        ASSERT_EQ(native.sample(test::NativeFpr{mu}, test::NativeFpr{inverse_sigma}),
                  emulated.sample(test::EmulatedFpr{mu}, test::EmulatedFpr{inverse_sigma}));
    }
}

TYPED_TEST(FalconSampler, RefusesDeviationsOutOfRange)
{
    using Fpr = typename TypeParam::Fpr;
    const auto refused = [](double sigma) {
        LeafRange<Fpr> range{falcon_512.sigma_min()};
        (void)range(Fpr{1 / sigma});
        return declassify(range.some_outside(), "a test") != 0;
    };
    EXPECT_FALSE(refused(1.5));
    EXPECT_FALSE(refused(falcon_512.sigma_min() + 1e-9));
    EXPECT_FALSE(refused(sigma_max - 1e-9));
    EXPECT_TRUE(refused(falcon_512.sigma_min() - 1e-9));
    EXPECT_TRUE(refused(sigma_max + 1e-9));
    EXPECT_TRUE(refused(-1.5));
}

}  // namespace
