/// Arithmetic modulo q: the textbook residues that make the tables, and the fast code's reduction,
/// on every residue.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "isa/portable/lanes.hpp"
#include "ml_dsa/lattice/montgomery.hpp"
#include "ml_dsa/lattice/residue.hpp"
#include "support/bytes.hpp"
#include "support/textbook.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using textbook::Integer;
using textbook::mod;

/// Montgomery's reduction of a gives a / R modulo q, below q in magnitude.
void expect_reduces(Integer a)
{
    const Integer result = montgomery_reduce<isa::portable::Isa>(a);
    ASSERT_TRUE(result > -q && result < q) << a;
    ASSERT_EQ((result * montgomery_radix - a) % q, 0) << a;
}

TEST(PrimeField, MontgomeryReduceDividesEveryResidueByR)
{
    for (Integer r = 0; r < q; ++r)
        for (const Integer a : {r, -r}) {
            expect_reduces(a);
            const std::int32_t form = to_montgomery(Residue{a});
            ASSERT_EQ(form, textbook::mod_centred(a * montgomery_radix, q)) << a;
        }
}

TEST(PrimeField, MontgomeryReduceHoldsAtTheEndsOfItsRangeAndWhereItsSignsChange)
{
    // Where the low half is 0 or -2^31, the sign of m and the borrow of the high halves change.
    constexpr Integer half = montgomery_radix / 2;
    for (Integer r = 0; r < q; ++r)
        for (const Integer a : {montgomery_limit - 1 - r, r * half, r * half + 1, r * half - 1}) {
            expect_reduces(a);
            expect_reduces(-a);
        }
}

TEST(PrimeField, ResiduesOfAnyIntegerAreThoseOfTheTextbook)
{
    test::Numbers numbers{1};
    for (const Integer a :
         {Integer{0}, Integer{q}, Integer{-q}, Integer{q} - 1, Integer{1} - q, Integer{INT64_MAX} - q})
        EXPECT_EQ(Residue{a}.value(), mod(a, q)) << a;
    for (int i = 0; i < 100'000; ++i) {
        const Integer a = numbers.between(-(Integer{1} << 62), Integer{1} << 62);
        ASSERT_EQ(Residue{a}.value(), mod(a, q)) << a;
    }
}

TEST(PrimeField, SumsDifferencesAndProductsAreThoseOfTheTextbook)
{
    constexpr std::array<Integer, 7> partners{0, 1, 2, q / 2, q / 2 + 1, q - 2, q - 1};
    for (std::int32_t r = 0; r < q; ++r) {
        const Residue a{r};
        ASSERT_EQ((-a).value(), mod(-r, q)) << r;
        ASSERT_EQ(a.centred(), textbook::mod_centred(r, q)) << r;
        for (const Integer s : partners) {
            const Residue b{s};
            ASSERT_EQ((a + b).value(), mod(r + s, q)) << r << ", " << s;
            ASSERT_EQ((a - b).value(), mod(r - s, q)) << r << ", " << s;
            ASSERT_EQ((a * b).value(), mod(r * s, q)) << r << ", " << s;
        }
    }
}

TEST(PrimeField, EveryResidueButZeroHasAnInverse)
{
    EXPECT_EQ(inverse(Residue{0}), Residue{0});
    constexpr std::int32_t stride = 13;  // and its multiples' inverses, which are not multiples
    for (std::int32_t r = 1; r < q; r += stride) {
        const Residue a{r};
        ASSERT_EQ(a * inverse(a), Residue{1}) << r;
        ASSERT_EQ(inverse(a) / inverse(a), Residue{1}) << r;
    }
}

TEST(PrimeField, PowersAreRepeatedProducts)
{
    test::Numbers numbers{2};
    for (int i = 0; i < 100; ++i) {
        const Residue base{numbers.between(0, q - 1)};
        Residue expected{1};
        for (std::uint64_t exponent = 0; exponent < 100; ++exponent) {
            ASSERT_EQ(power(base, exponent), expected) << base.value() << "^" << exponent;
            expected = expected * base;
        }
    }
}

}  // namespace
