/// Power2Round on every residue, against FIPS 204's words.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "ml_dsa/lattice/rounding.hpp"
#include "support/textbook.hpp"

namespace {

using namespace girih::ml_dsa;
namespace textbook = girih::textbook;

TEST(Power2Round, SplitsEveryResidueAsTheStandardDefinesIt)
{
    for (std::int32_t r = 0; r < q; ++r) {
        const auto [high, low] = power2round(r);
        const auto expected = textbook::power2round(r);
        ASSERT_EQ(high, expected.high) << r;
        ASSERT_EQ(low, expected.low) << r;
    }
}

TEST(Power2Round, GivesHighBitsThatFitAPublicKeyAndLowBitsThatFitASecretKey)
{
    std::int32_t lowest = 0;
    std::int32_t highest = 0;
    std::int32_t largest = 0;
    for (std::int32_t r = 0; r < q; ++r) {
        const auto [high, low] = power2round(r);
        ASSERT_EQ((high << d) + low, r);
        lowest = std::min(lowest, low);
        highest = std::max(highest, low);
        largest = std::max(largest, high);
    }
    EXPECT_EQ(lowest, 1 - (1 << (d - 1)));
    EXPECT_EQ(highest, 1 << (d - 1));
    EXPECT_EQ(largest, (1 << Params::t1_bits) - 1);
}

}  // namespace
