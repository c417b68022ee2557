/// NTRU Prime's arithmetic for processors that multiply words, against the specification's text.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "isa/cortex_m/engine.hpp"
#include "ntru_prime/kernels/words/reciprocal_modulo_3.hpp"
#include "ntru_prime/kernels/words/reciprocal_modulo_q.hpp"
#include "ntru_prime/ring.hpp"
#include "ntru_prime/standard/arithmetic.hpp"
#include "support/bytes.hpp"

namespace girih::ntru_prime {
namespace {

using isa::cortex_m::Isa;
using test::Numbers;

template <class R>
using SmallOf = Small<R::capacity>;

/// Polynomials whose division steps go every way: those that begin with many zeros make delta
/// large, beyond the usual widths.
template <class R>
std::vector<SmallOf<R>> small_ones(Numbers& numbers)
{
    const auto random_from = [&](std::size_t first, std::size_t end) {
        SmallOf<R> f{};
        for (std::size_t i = first; i < end; ++i) f.c[i] = static_cast<std::int8_t>(numbers.between(-1, 1));
        return f;
    };
    std::vector<SmallOf<R>> all(5, SmallOf<R>{});
    std::fill_n(all[0].c.begin(), R::p, std::int8_t{1});
    std::fill_n(all[1].c.begin(), R::p, std::int8_t{-1});
    all[2].c[0] = -1;
    all[3].c[R::p - 1] = 1;
    all[4].c[R::p / 2] = 1;
    all.push_back(random_from(0, R::p / 2));
    all.push_back(random_from(R::p - 20, R::p));
    all.push_back(random_from(0, 300));
    for (int i = 0; i < 6; ++i) all.push_back(random_from(0, R::p));
    return all;
}

template <class R>
class WordReciprocals : public testing::Test {
  protected:
    static constexpr R ring{};
    Numbers numbers{31};
};
// The smallest, that of the images, and the largest.
using Rings = testing::Types<OnlyRing<sntrup653.ring>, OnlyRing<sntrup761.ring>, OnlyRing<sntrup1277.ring>>;
TYPED_TEST_SUITE(WordReciprocals, Rings);

TYPED_TEST(WordReciprocals, AreThoseOfTheSpecificationModuloQ)
{
    using R = TypeParam;
    for (const auto& f : small_ones<R>(this->numbers)) {
        Rq<R::capacity> ours{};
        Rq<R::capacity> theirs{};
        WordReciprocalModuloQ<Isa, R>::of_3f(f, ours);
        Reference<Isa, R>::rq_recip3(this->ring, f, theirs);
        ASSERT_EQ(ours.c, theirs.c);
    }
}

TYPED_TEST(WordReciprocals, AreThoseOfTheSpecificationModulo3)
{
    using R = TypeParam;
    for (const auto& g : small_ones<R>(this->numbers)) {
        SmallOf<R> ours{};
        SmallOf<R> theirs{};
        const std::int32_t has_none = Reference<Isa, R>::r3_recip(this->ring, g, theirs);
        ASSERT_EQ((WordReciprocalModulo3<Isa, R>::of(g, ours)), has_none);
        if (has_none == 0) {
            ASSERT_EQ(ours.c, theirs.c);
        }
    }
}

/// Multiples of a factor of x^p - x - 1 modulo 3 have no reciprocal.
template <class R>
void expect_multiples_have_none(std::initializer_list<std::int8_t> factor_coefficients)
{
    constexpr R ring{};
    Numbers numbers{37};
    SmallOf<R> factor{};
    std::copy(factor_coefficients.begin(), factor_coefficients.end(), factor.c.begin());
    SmallOf<R> none{};
    EXPECT_EQ((WordReciprocalModulo3<Isa, R>::of(SmallOf<R>{}, none)), -1);
    for (const auto& g : small_ones<R>(numbers)) {
        SmallOf<R> multiple{};
        Reference<Isa, R>::r3_mult(ring, factor, g, multiple);
        EXPECT_EQ((WordReciprocalModulo3<Isa, R>::of(multiple, none)), -1);
    }
}

TEST(WordReciprocalsModulo3, AreNotThereForMultiplesOfAFactor)
{
    expect_multiples_have_none<OnlyRing<sntrup653.ring>>({-1, -1, 0, 1});
    expect_multiples_have_none<OnlyRing<sntrup761.ring>>(
        {1, 1, 0, 1, 1, 1, -1, 1, -1, 1, 0, 1, -1, -1, -1, -1, 1, 0, -1, -1});
    expect_multiples_have_none<OnlyRing<sntrup1277.ring>>({-1, -1, 0, 1});
}

}  // namespace
}  // namespace girih::ntru_prime
