/// Decompose and the hints made with it, on every residue and for both gamma2,
/// against FIPS 204's words.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ml_dsa/lattice/rounding.hpp"
#include "support/bytes.hpp"
#include "support/textbook.hpp"

namespace {

using namespace girih::ml_dsa;
namespace textbook = girih::textbook;
using textbook::Integer;
using textbook::mod;

/// A value of gamma2 as a type, for gtest to run each claim with.
template <std::int32_t gamma2_>
struct Gamma2 {
    static constexpr std::int32_t gamma2 = gamma2_;
    static constexpr std::int32_t count = (q - 1) / (2 * gamma2);  ///< of values that high bits take

    /// The textbook's high bits of every residue.
    static const std::vector<std::int32_t>& high_bits_of_all()
    {
        // (Of an initializer, g++ would try to make a constant: three seconds of its time.)
        static std::vector<std::int32_t> table;
        for (auto r = static_cast<std::int32_t>(table.size()); r < q; ++r)
            table.push_back(static_cast<std::int32_t>(textbook::high_bits(r, gamma2)));
        return table;
    }
    static std::int32_t high_bits_of(Integer r)
    {
        return high_bits_of_all()[static_cast<std::size_t>(mod(r, q))];
    }
};

template <class T>
class HintBits : public testing::Test {};
using Gamma2s = testing::Types<Gamma2<ml_dsa_44.gamma2>, Gamma2<ml_dsa_65.gamma2>>;
class Gamma2Names {
  public:
    template <class T>
    static std::string GetName(int)
    {
        return "Gamma2Is" + std::to_string(T::gamma2);
    }
};
TYPED_TEST_SUITE(HintBits, Gamma2s, Gamma2Names);

static_assert(ml_dsa_87.gamma2 == ml_dsa_65.gamma2);

TYPED_TEST(HintBits, DecomposeSplitsEveryResidueAsTheStandardDefinesIt)
{
    for (std::int32_t r = 0; r < q; ++r) {
        const auto [high, low] = decompose<TypeParam::gamma2>(r);
        const auto expected = textbook::decompose(r, TypeParam::gamma2);
        ASSERT_EQ(high, expected.high) << r;
        ASSERT_EQ(low, expected.low) << r;
        ASSERT_EQ(high_bits<TypeParam::gamma2>(r), expected.high) << r;
        ASSERT_EQ(low_bits<TypeParam::gamma2>(r), expected.low) << r;
    }
}

/// Differences around every edge that MakeHint can see, then some at random.
std::vector<std::int32_t> differences(std::int32_t gamma2)
{
    std::vector<std::int32_t> z{0};
    for (const std::int32_t edge : {1, gamma2 - 1, gamma2, gamma2 + 1, 2 * gamma2, q - 1}) {
        z.push_back(edge);
        z.push_back(-edge);
    }
    girih::test::Numbers numbers{3};
    for (int i = 0; i < 4; ++i) z.push_back(static_cast<std::int32_t>(numbers.between(1 - q, q - 1)));
    return z;
}

TYPED_TEST(HintBits, MakeHintIsOneExactlyWhereTheHighBitsOfAnyResidueChange)
{
    for (const std::int32_t z : differences(TypeParam::gamma2)) {
        for (std::int32_t r = 0; r < q; ++r) {
            const bool expected = TypeParam::high_bits_of(r) != TypeParam::high_bits_of(Integer{r} + z);
            ASSERT_EQ(make_hint<TypeParam::gamma2>(z, r), expected) << "z = " << z << ", r = " << r;
        }
    }
}

TYPED_TEST(HintBits, UseHintMovesTheHighBitsOfEveryResidueAsTheStandardDefinesIt)
{
    for (std::int32_t r = 0; r < q; ++r) {
        ASSERT_EQ(use_hint<TypeParam::gamma2>(0, r), textbook::use_hint(false, r, TypeParam::gamma2)) << r;
        ASSERT_EQ(use_hint<TypeParam::gamma2>(1, r), textbook::use_hint(true, r, TypeParam::gamma2)) << r;
    }
}

TYPED_TEST(HintBits, UseHintRecoversTheHighBitsOfEveryResidueFromItsHint)
{
    // Lemma 1 of the Dilithium specification: for |z| <= gamma2.
    constexpr std::int32_t gamma2 = TypeParam::gamma2;
    for (const std::int32_t z : {gamma2, -gamma2, gamma2 - 1, 1 - gamma2, 1, -1, gamma2 / 2, 0}) {
        for (std::int32_t r = 0; r < q; ++r) {
            const std::int32_t hint = make_hint<gamma2>(z, r);
            ASSERT_EQ(use_hint<gamma2>(hint, r), TypeParam::high_bits_of(Integer{r} + z))
                << "z = " << z << ", r = " << r;
        }
    }
}

TYPED_TEST(HintBits, TheSignersHintIsMakeHintWhereverSigningCallsIt)
{
    // low_after = r0 + c t0 with |r0| < gamma2 and |c t0| < gamma2, for w - c
    // s2 = high 2 gamma2 + r0.
    constexpr std::int32_t gamma2 = TypeParam::gamma2;
    for (std::int32_t high = 0; high < TypeParam::count; ++high) {
        for (std::int32_t low_after = 2 - 2 * gamma2; low_after <= 2 * gamma2 - 2; ++low_after) {
            const std::int32_t ct0 = low_after / 2;
            const auto moved = static_cast<std::int32_t>(mod(Integer{high} * 2 * gamma2 + low_after, q));
            const std::int32_t hint = make_hint_from_low<gamma2>(low_after, high);
            ASSERT_EQ(hint, TypeParam::high_bits_of(moved) != high) << high << ", " << low_after;
            ASSERT_EQ(hint, make_hint<gamma2>(-ct0, moved)) << high << ", " << low_after;
        }
    }
}

}  // namespace
