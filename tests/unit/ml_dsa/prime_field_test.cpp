/// Arithmetic modulo q: the textbook residues that make the tables, and the fast code's
/// reductions, on every residue.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>

#include "isa/portable/lanes.hpp"
#include "ml_dsa/lattice/montgomery.hpp"
#include "ml_dsa/lattice/residue.hpp"
#include "ml_dsa/lattice/rounding.hpp"
#include "support/bytes.hpp"
#include "support/textbook.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;
using textbook::Integer;
using textbook::mod;

/// The first residue for which a claim fails, or q.
template <class Claim>
std::int32_t first_failure(Claim claim)
{
    for (std::int32_t r = 0; r < q; ++r)
        if (!claim(r)) return r;
    return q;
}

/// Whether montgomery_reduce(a) R = a modulo q, with a result below q in magnitude.
bool reduces(Integer a)
{
    const Integer result = montgomery_reduce<Portable>(a);
    return result > -q && result < q && mod(result * montgomery_radix - a, q) == 0;
}

TEST(PrimeField, QInverseIsTheInverseOfQModuloR)
{
    EXPECT_EQ(mod(Integer{q_inverse} * q, montgomery_radix), 1);
}

TEST(PrimeField, MontgomeryReduceDividesEveryResidueByR)
{
    EXPECT_EQ(first_failure([](std::int32_t r) { return reduces(r) && reduces(-r); }), q);
}

TEST(PrimeField, MontgomeryReduceHoldsAtBothEndsOfItsRange)
{
    EXPECT_EQ(first_failure([](std::int32_t r) {
                  return reduces(montgomery_limit - 1 - r) && reduces(1 + r - montgomery_limit);
              }),
              q);
}

TEST(PrimeField, MontgomeryReduceHoldsAroundEveryMultipleOfTheHalfRadix)
{
    // Where the low half is 0 or -2^31, the sign of m and the borrow of the high halves change.
    constexpr Integer half = montgomery_radix / 2;
    EXPECT_EQ(first_failure([](std::int32_t r) {
                  return reduces(r * half) && reduces(r * half + 1) && reduces(r * half - 1) &&
                         reduces(-r * half) && reduces(-r * half + 1) && reduces(-r * half - 1);
              }),
              q);
}

TEST(PrimeField, MontgomeryMultiplyTakesTheLargestFactorsOfItsContract)
{
    // Any 32-bit integer times one below q in magnitude: at most 2^31 (q - 1).
    for (const Integer a : {Integer{INT32_MAX}, Integer{-INT32_MAX}, Integer{INT32_MIN}}) {
        for (const Integer b : {q - 1, 1 - q, q / 2, -(q / 2), 1, -1, 0}) {
            const Integer result =
                montgomery_multiply<Portable>(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
            EXPECT_EQ(mod(result * montgomery_radix, q), mod(mod(a, q) * b, q)) << a << " * " << b;
            EXPECT_LT(std::abs(result), q) << a << " * " << b;
        }
    }
}

TEST(PrimeField, ToMontgomeryGivesTheCentredMultipleOfREveryTime)
{
    EXPECT_EQ(first_failure([](std::int32_t r) {
                  const std::int32_t form = to_montgomery(Residue{r});
                  return form == textbook::mod_centred(r * montgomery_radix, q) &&
                         mod(montgomery_reduce<Portable>(form), q) == r;
              }),
              q);
}

TEST(PrimeField, CanonicalMapsEveryIntegerBelowQToItsResidue)
{
    EXPECT_EQ(first_failure([](std::int32_t r) { return canonical(r) == r && canonical(-r) == mod(-r, q); }),
              q);
}

TEST(PrimeField, ResiduesOfAnyIntegerAreThoseOfTheTextbook)
{
    test::Numbers numbers{1};
    for (const Integer a :
         {Integer{0}, Integer{q}, Integer{-q}, Integer{q} - 1, Integer{1} - q, Integer{INT64_MAX} - q}) {
        EXPECT_EQ(Residue{a}.value(), mod(a, q)) << a;
    }
    for (int i = 0; i < 100'000; ++i) {
        const Integer a = numbers.between(-(Integer{1} << 62), Integer{1} << 62);
        ASSERT_EQ(Residue{a}.value(), mod(a, q)) << a;
    }
}

TEST(PrimeField, CentredResiduesLieAroundZero)
{
    EXPECT_EQ(
        first_failure([](std::int32_t r) { return Residue{r}.centred() == textbook::mod_centred(r, q); }), q);
}

TEST(PrimeField, SumsDifferencesAndProductsAreThoseOfTheTextbook)
{
    constexpr std::array<Integer, 7> partners{0, 1, 2, q / 2, q / 2 + 1, q - 2, q - 1};
    EXPECT_EQ(first_failure([&](std::int32_t r) {
                  const Residue a{r};
                  bool holds = (-a).value() == mod(-r, q);
                  for (const Integer s : partners) {
                      const Residue b{s};
                      holds = holds && (a + b).value() == mod(r + s, q) && (a - b).value() == mod(r - s, q) &&
                              (a * b).value() == mod(r * s, q);
                  }
                  return holds;
              }),
              q);
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
