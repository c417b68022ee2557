/// NTRU Prime's parts: residues, division, sorting, small factors.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "isa/portable/engine.hpp"
#include "ntru_prime/encoding/encode.hpp"
#include "ntru_prime/kernels/reciprocal_modulo_3.hpp"
#include "ntru_prime/kernels/residue.hpp"
#include "ntru_prime/kernels/small_factor.hpp"
#include "ntru_prime/ring.hpp"
#include "ntru_prime/sampling/short_random.hpp"
#include "support/bytes.hpp"
#include "transform/short_residue.hpp"

namespace {

using namespace girih;
using namespace girih::ntru_prime;
using Isa = isa::portable::Isa;
using Lanes = Isa::ShortLanes;
using test::Numbers;

/// The representative of least magnitude, by division.
std::int64_t least(std::int64_t a, std::int64_t m)
{
    const std::int64_t r = (a % m + m) % m;
    return r > m / 2 ? r - m : r;
}

/// The representatives of any numbers up to the limit.
template <class Reduced>
void expect_centered(std::int32_t m, std::int32_t limit, const Reduced& modulo)
{
    Numbers numbers{static_cast<std::uint64_t>(m)};
    for (std::int32_t a = -3 * m - 7; a <= 3 * m + 7; ++a) ASSERT_EQ(modulo.centered(a), least(a, m)) << a;
    for (int i = 0; i < 100000; ++i) {
        const auto a = static_cast<std::int32_t>(numbers.between(-limit, limit));
        ASSERT_EQ(modulo.centered(a), least(a, m)) << a;
    }
    // Where rounding changes, and at the ends.
    for (std::int32_t k = -limit / m; k < limit / m; k += limit / m / 1000 + 1)
        for (std::int32_t d = -1; d <= 1; ++d)
            ASSERT_EQ(modulo.centered(k * m + m / 2 + d), least(std::int64_t{k} * m + m / 2 + d, m));
    ASSERT_EQ(modulo.centered(limit), least(limit, m));
    ASSERT_EQ(modulo.centered(-limit), least(-limit, m));
}

TEST(NtruPrimeResidues, AreCenteredForEveryModulus)
{
    for (const Params& set : parameter_sets)
        expect_centered(set.ring.q, (1 << 29) - 1, AnyModulo<Isa>{Modulus::of(set.ring.q)});
}

TEST(NtruPrimeResidues, OfShortNumbersModulo3)
{
    for (std::int32_t a = 1 - (1 << 14); a < 1 << 14; ++a)
        ASSERT_EQ(Modulo3<Isa>::centered(a), least(a, 3)) << a;
}

TEST(NtruPrimeResidues, HaveReciprocals)
{
    const AnyModulo<Isa> modulo_q{Modulus::of(4591)};
    for (std::int32_t a = -2295; a <= 2295; ++a)
        ASSERT_EQ(modulo_q.centered(modulo_q.reciprocal(a) * a), a == 0 ? 0 : 1) << a;
    for (std::int32_t a = -1; a <= 1; ++a)
        ASSERT_EQ(Modulo3<Isa>::centered(Modulo3<Isa>::reciprocal(a) * a), a == 0 ? 0 : 1) << a;
}

template <std::int32_t r>
void expect_short_residues()
{
    using Residue = transform::ShortResidue<Isa, r>;
    Numbers numbers{r};
    for (std::int32_t a = -32768; a <= 32767; ++a) {
        const std::int32_t reduced = Residue::reduce(Lanes::broadcast(a))[0];
        ASSERT_EQ(least(reduced, r), least(a, r)) << a;
        ASSERT_LE(std::abs(reduced), Residue::reduced_bound) << a;
        ASSERT_EQ(Residue::canonical(Lanes::broadcast(a))[0], least(a, r)) << a;
        const auto number = numbers.between(-r / 2, r / 2);
        const std::int32_t product =
            Residue::multiply(Lanes::broadcast(a), Residue::Factors::of(Residue::factor(number)))[0];
        ASSERT_EQ(least(product, r), least(a * number, r)) << a << " times " << number;
        ASSERT_LE(std::abs(product), Residue::product_bound(std::abs(a))) << a << " times " << number;
    }
}

TEST(NtruPrimeResidues, KeepTheirBoundsIn16Bits)
{
    expect_short_residues<7681>();
    expect_short_residues<10753>();
    expect_short_residues<4591>();
    expect_short_residues<7879>();
}

TEST(NtruPrimeResidues, AreCenteredModulo3In16Bits)
{
    using Three = VectorModulo3<Isa>;
    for (std::int32_t a = -Three::bound; a <= Three::bound; ++a)
        ASSERT_EQ(Three::canonical(Lanes::broadcast(a))[0], least(a, 3)) << a;
}

TEST(NtruPrimeEncoding, DividesWithoutADivision)
{
    constexpr std::uint32_t end = 1U << 28;
    for (const std::uint32_t d : {2U, 3U, 322U, 1531U, 4591U, 7879U, 9157U, 16383U}) {
        const auto check = [&, divisor = Divisor::of(d)](std::uint32_t r) {
            ASSERT_EQ(divisor.quotient<Isa>(r), r / d) << r;
            ASSERT_EQ(divisor.remainder<Isa>(r), r % d) << r;
        };
        for (std::uint32_t k = 1; k < end / d; k += end / d / 5000 + 1)
            for (std::uint32_t r = k * d - 1; r <= k * d + 1; ++r) check(r);
        Numbers numbers{d};
        for (int i = 0; i < 10000; ++i) check(static_cast<std::uint32_t>(numbers.between(0, end - 1)));
        check(end - 1);
    }
}

TEST(NtruPrimeSorting, SortsEveryListOfZerosAndOnesUpToTwelve)
{
    // A network that sorts these sorts everything (Knuth, Section 5.3.4, Theorem Z).
    for (std::size_t n = 0; n <= 12; ++n)
        for (std::uint32_t bits = 0; bits < 1U << n; ++bits) {
            std::vector<std::uint32_t> words(n);
            for (std::size_t i = 0; i < n; ++i) words[i] = (bits >> i & 1) != 0 ? 0xFFFFFFFF : 0;
            std::vector<std::uint32_t> same = words;
            ntru_prime::sort<Isa>(std::span{words});
            ASSERT_TRUE(std::is_sorted(words.begin(), words.end()));
            WordSort<Isa, std::uint32_t>::sort(std::span{same});
            ASSERT_EQ(same, words);
        }
}

/// One in 3^degree of so many random polynomials, give or take four standard deviations.
template <Ring R>
void expect_multiples_of_a_factor(int polynomials, int expected, int deviation)
{
    constexpr const auto& ring = ring_of<R>;
    Numbers numbers{ring.p};
    int multiples = 0;
    for (int i = 0; i < polynomials; ++i) {
        Small<ring.capacity> g{}, none;
        for (std::size_t j = 0; j < ring.p; ++j) g.c[j] = static_cast<std::int8_t>(numbers.between(-1, 1));
        if (ring.small_factor.template divides<Isa>(g.c.data(), ring.p) == 0) continue;
        ++multiples;
        EXPECT_EQ((ReciprocalModulo3<Isa, ring.capacity>::of(ring.p, g, none)), -1) << ring.p;
    }
    EXPECT_NEAR(multiples, expected, deviation) << ring.p;
}

TEST(NtruPrimeReciprocals, AreNotSoughtOfMultiplesOfASmallFactor)
{
    expect_multiples_of_a_factor<sntrup653.ring>(2700, 100, 40);
    expect_multiples_of_a_factor<sntrup761.ring>(100, 0, 0);
    expect_multiples_of_a_factor<sntrup857.ring>(100, 0, 0);
    expect_multiples_of_a_factor<sntrup953.ring>(12150, 50, 29);
    expect_multiples_of_a_factor<sntrup1013.ring>(8100, 100, 40);
    expect_multiples_of_a_factor<sntrup1277.ring>(2700, 100, 40);
}

}  // namespace
