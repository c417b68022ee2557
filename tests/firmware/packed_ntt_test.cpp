/// Falcon's transforms on two residues a word against those on one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "falcon/ring/ntt.hpp"
#include "isa/cortex_m/halfwords.hpp"
#include "isa/cortex_m/lanes.hpp"
#include "isa/reference/lanes.hpp"
#include "support/bytes.hpp"

namespace girih::falcon {
namespace {

using Packed = isa::cortex_m::Isa;
using Plain = isa::reference::Isa;
static_assert(is_packed<Packed> && !is_packed<Plain>);

using Halves = isa::cortex_m::Halfwords<static_cast<std::int32_t>(q)>;

TEST(Halfwords, MultiplyEveryHalfword)
{
    for (const std::int32_t z : {1, 2, 777, 6144, 6145, 11111, 12287, 12288}) {
        SCOPED_TRACE(z);
        std::int32_t most = 0;
        for (std::int32_t a = INT16_MIN; a <= INT16_MAX; ++a) {
            const auto product = Halves::multiply(Halves::pair(a, ~a), Halves::factor(z), Halves::factor(-z));
            ASSERT_EQ((Halves::low(product) - std::int64_t{a} * z) % q, 0) << a;
            ASSERT_EQ((Halves::high(product) + std::int64_t{~a} * z) % q, 0) << ~a;
            most = std::max({most, std::abs(Halves::low(product)), std::abs(Halves::high(product))});
        }
        EXPECT_LE(most, Halves::product_bound);
    }
}

TEST(Halfwords, AddAndSubtractWithoutACarryBetweenThem)
{
    const auto a = Halves::pair(-20000, 12288);
    const auto b = Halves::pair(12767, -20479);
    EXPECT_EQ(Halves::add(a, b), Halves::pair(-7233, -8191));
    EXPECT_EQ(Halves::subtract(a, b), Halves::pair(-32767, 32767));
    EXPECT_EQ(Halves::canonical(Halves::pair(-1, 1)), Halves::pair(12288, 1));
    EXPECT_EQ(Halves::canonical(Halves::pair(0, -12288)), Halves::pair(0, 1));
    EXPECT_EQ(Halves::lows(0x11112222, 0x33334444), 0x44442222U);
    EXPECT_EQ(Halves::highs(0x11112222, 0x33334444), 0x33331111U);
}

template <std::size_t n>
void expect_same_transforms()
{
    test::Numbers numbers{19};
    for (int round = 0; round < 64; ++round) {
        SCOPED_TRACE(round);
        ResiduePoly<n> f;
        for (std::size_t i = 0; i < n; ++i) {
            const bool bit = (i >> (round % 16) & 1) != 0;  // the largest that there are, in every pattern
            f[i] = static_cast<Residue>(round < 16   ? (bit ? q - 1 : 0)
                                        : round < 32 ? (bit ? q / 2 : q / 2 + 1)
                                                     : numbers.between(0, q - 1));
        }
        ResiduePoly<n> packed = f;
        ResiduePoly<n> plain = f;
        ntt<Packed, n>(packed);
        ntt<Plain, n>(plain);
        ASSERT_EQ(packed, plain);
        packed = f;
        plain = f;
        inverse_ntt<Packed, n>(packed);
        inverse_ntt<Plain, n>(plain);
        ASSERT_EQ(packed, plain);
    }
}

TEST(PackedNtt, IsThePlainOneOf512Coefficients) { expect_same_transforms<512>(); }
TEST(PackedNtt, IsThePlainOneOf1024Coefficients) { expect_same_transforms<1024>(); }

}  // namespace
}  // namespace girih::falcon
