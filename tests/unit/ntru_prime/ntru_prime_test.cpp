/// NTRU Prime's parts: residues, encodings, sorting, sampling.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "isa/reference/lanes.hpp"
#include "ntru_prime/arithmetic/reciprocal_modulo_3.hpp"
#include "ntru_prime/arithmetic/residue.hpp"
#include "ntru_prime/arithmetic/short_three.hpp"
#include "ntru_prime/arithmetic/small_factor.hpp"
#include "ntru_prime/encoding/encode.hpp"
#include "ntru_prime/sampling/sample.hpp"
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

/// Of any number up to the limit.
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
template <std::int32_t m>
void expect_centered()
{
    expect_centered(m, (1 << 30) - 1, Modulo<Isa, m>{});
    if constexpr (m > 1 << 12) expect_centered(m, (1 << 29) - 1, AnyModulo<Isa>{Modulus::of(m)});
}

TEST(NtruPrimeResidues, AreCenteredForEveryModulus)
{
    expect_centered<3>();
    expect_centered<4591>();
    expect_centered<4621>();
    expect_centered<5167>();
    expect_centered<6343>();
    expect_centered<7177>();
    expect_centered<7879>();
}

TEST(NtruPrimeResidues, OfShortNumbersModulo3)
{
    for (std::int32_t a = 1 - (1 << 14); a < 1 << 14; ++a)
        ASSERT_EQ(short_modulo_3<Isa>(a), least(a, 3)) << a;
}

TEST(NtruPrimeResidues, HaveReciprocals)
{
    using ModQ = Modulo<Isa, 4591>;
    for (std::int32_t a = -2295; a <= 2295; ++a)
        ASSERT_EQ(ModQ::centered(ModQ::reciprocal(a) * a), a == 0 ? 0 : 1) << a;
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
            Residue::multiply(Lanes::broadcast(a), Residue::broadcast(Residue::factor(number)))[0];
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
    using Three = ShortThree<Isa>;
    for (std::int32_t a = -Three::bound; a <= Three::bound; ++a)
        ASSERT_EQ(Three::canonical(Lanes::broadcast(a))[0], least(a, 3)) << a;
}

/// Calls claim(ring) with the ring of every p.
template <class Claim>
void for_each_ring(const Claim& claim)
{
    claim(ring_of<sntrup653.ring>);
    claim(ring_of<sntrup761.ring>);
    claim(ring_of<sntrup857.ring>);
    claim(ring_of<sntrup953.ring>);
    claim(ring_of<sntrup1013.ring>);
    claim(ring_of<sntrup1277.ring>);
}

TEST(NtruPrimeEncoding, GivesBackWhatItTook)
{
    for_each_ring([]<std::size_t room>(const AnyRing<room>& ring) {
        const auto expect_round_trip = [&](const auto& poly, std::size_t size, auto encode, auto decode) {
            test::ByteString bytes(size);
            auto again = poly;
            again.c.fill(0);
            encode(ring, poly, BytesOut<>{bytes});
            decode(ring, BytesIn<>{bytes}, again);
            ASSERT_TRUE(std::equal(poly.c.begin(), poly.c.begin() + ring.p, again.c.begin())) << ring.p;
        };
        Numbers numbers{ring.p};
        for (int round = 0; round < 50; ++round) {
            Rq<room> a{};
            Rounded<room> rounded{};
            Small<room> small{};
            for (std::size_t i = 0; i < ring.p; ++i) {
                const std::int64_t random = numbers.between(-ring.q12, ring.q12);
                a.c[i] = static_cast<std::int16_t>(round > 1 ? random : round == 0 ? ring.q12 : -ring.q12);
                rounded.c[i] = static_cast<std::int16_t>(a.c[i] - Modulo<Isa, 3>::centered(a.c[i]));
                small.c[i] = static_cast<std::int8_t>(round > 1 ? numbers.between(-1, 1) : 1 - 2 * round);
            }
            expect_round_trip(a, ring.rq_bytes(), rq_encode<Isa, AnyRing<room>>,
                              rq_decode<Isa, AnyRing<room>>);
            expect_round_trip(rounded, ring.rounded_bytes(), rounded_encode<Isa, AnyRing<room>>,
                              rounded_decode<Isa, AnyRing<room>>);
            expect_round_trip(small, ring.small_bytes(), small_encode<Isa, AnyRing<room>>,
                              small_decode<Isa, AnyRing<room>>);
        }
    });
}

TEST(NtruPrimeEncoding, DecodesAnyBytesWithinBounds)
{
    for_each_ring([]<std::size_t room>(const AnyRing<room>& ring) {
        Numbers numbers{ring.p + 1};
        for (int round = 0; round < 200; ++round) {
            const std::size_t size = ring.rq_bytes();
            const test::ByteString bytes = round == 0 ? test::ByteString(size, 0xFF) : numbers.bytes(size);
            Rq<room> a;
            Rounded<room> rounded;
            rq_decode<Isa>(ring, BytesIn<>{bytes}, a);
            rounded_decode<Isa>(ring, BytesIn<>{bytes}.first(ring.rounded_bytes()), rounded);
            for (std::size_t i = 0; i < ring.p; ++i) {
                ASSERT_LE(std::abs(a.c[i]), ring.q12);
                ASSERT_LE(std::abs(rounded.c[i]), ring.q12);
                ASSERT_EQ(rounded.c[i] % 3, 0);
            }
        }
    });
}

template <std::uint32_t divisor>
void expect_division()
{
    Numbers numbers{divisor};
    const auto check = [](std::uint32_t r) {
        ASSERT_EQ(Divisor::of(divisor).quotient<Isa>(r), r / divisor) << r;
        ASSERT_EQ(Divisor::of(divisor).remainder<Isa>(r), r % divisor) << r;
    };
    constexpr std::uint32_t end = 1U << 28;
    for (std::uint32_t k = 1; k < end / divisor; k += end / divisor / 5000 + 1)
        for (std::uint32_t r = k * divisor - 1; r <= k * divisor + 1; ++r) check(r);
    for (int i = 0; i < 10000; ++i) check(static_cast<std::uint32_t>(numbers.between(0, end - 1)));
    check(end - 1);
}

TEST(NtruPrimeEncoding, DividesWithoutADivision)
{
    expect_division<2>();
    expect_division<3>();
    expect_division<322>();
    expect_division<1531>();
    expect_division<4591>();
    expect_division<7879>();
    expect_division<9157>();
    expect_division<16383>();
}

TEST(NtruPrimeSorting, SortsEveryListOfZerosAndOnesUpToTwelve)
{
    // A network that sorts these sorts everything (Knuth, Section 5.3.4, Theorem Z).
    for (std::size_t n = 0; n <= 12; ++n)
        for (std::uint32_t bits = 0; bits < 1U << n; ++bits) {
            std::vector<std::uint32_t> words(n);
            for (std::size_t i = 0; i < n; ++i) words[i] = (bits >> i & 1) != 0 ? 0xFFFFFFFF : 0;
            ntru_prime::sort<Isa>(std::span{words});
            ASSERT_TRUE(std::is_sorted(words.begin(), words.end()));
        }
}

TEST(NtruPrimeSorting, SortsLongListsOfAnyWords)
{
    Numbers numbers{5};
    for (const std::size_t n : {653u, 761u, 857u, 953u, 1013u, 1277u}) {
        std::vector<std::uint32_t> words(n);
        for (auto& word : words) word = static_cast<std::uint32_t>(numbers.between(0, 0xFFFFFFFF));
        std::vector<std::uint32_t> expected = words;
        std::ranges::sort(expected);
        ntru_prime::sort<Isa>(std::span{words});
        ASSERT_EQ(words, expected);
    }
}

TEST(NtruPrimeSampling, GivesShortPolynomialsOfTheirWeight)
{
    const test::ByteString seed = test::counting(32);
    RandomStream<Isa> random{{seed.data()}};
    for (int i = 0; i < 100; ++i) {
        Small<room_of<sntrup761.ring>> f;
        short_random<Isa>(sntrup761.ring.p, sntrup761.w, random, f);
        const auto c = std::span{f.c}.first<761>();
        ASSERT_EQ(std::ranges::count_if(c, [](auto x) { return x != 0; }), 286);
        ASSERT_TRUE(std::ranges::all_of(c, [](auto x) { return x >= -1 && x <= 1; }));
    }
}

TEST(NtruPrimeSampling, GivesEachCoefficientOfAThirdOfTheWords)
{
    const test::ByteString seed = test::counting(32);
    RandomStream<Isa> random{{seed.data()}};
    std::array<int, 3> seen{};
    for (int i = 0; i < 400; ++i) {
        Small<room_of<sntrup761.ring>> g;
        small_random<Isa>(ring_of<sntrup761.ring>, random, g);
        for (const auto c : std::span{g.c}.first<761>()) ++seen[static_cast<std::size_t>(c + 1)];
    }
    // 304,400 coefficients: a third is 101,467, with a standard deviation of 260.
    for (const int count : seen) EXPECT_NEAR(count, 101467, 1300);
}

TEST(NtruPrimeSampling, MakesTheGeneratorOfWordsModuloQ)
{
    const test::ByteString seed = test::counting(32, 9);
    const BytesIn<32> key{seed};
    std::array<std::uint32_t, 761> words;
    Expansion<Isa>{key}.words(words);
    Rq<room_of<ntrulpr761.ring>> g;
    generator<Isa>(ring_of<ntrulpr761.ring>, key, g);
    for (std::size_t i = 0; i < words.size(); ++i)
        ASSERT_EQ(g.c[i], static_cast<std::int64_t>(words[i] % 4591) - 2295) << i;
}

TEST(NtruPrimeReciprocals, AreNotSoughtOfMultiplesOfASmallFactor)
{
    // Of so many random polynomials, one in 3^degree, give or take four standard deviations.
    struct Expected {
        int polynomials;
        int multiples;
        int deviation;
    };
    constexpr std::array<Expected, 6> expected{
        {{2700, 100, 40}, {100, 0, 0}, {100, 0, 0}, {12150, 50, 29}, {8100, 100, 40}, {2700, 100, 40}}};
    std::size_t place = 0;
    for_each_ring([&]<std::size_t room>(const AnyRing<room>& ring) {
        Numbers numbers{ring.p};
        int multiples = 0;
        for (int i = 0; i < expected[place].polynomials; ++i) {
            Small<room> g{};
            Small<room> none;
            for (std::size_t j = 0; j < ring.p; ++j)
                g.c[j] = static_cast<std::int8_t>(numbers.between(-1, 1));
            if (ring.small_factor.template divides<Isa>(g.c.data(), ring.p) == 0) continue;
            ++multiples;
            EXPECT_EQ((ReciprocalModulo3<Isa, room>::of(ring.p, g, none)), -1) << ring.p;
        }
        EXPECT_NEAR(multiples, expected[place].multiples, expected[place].deviation) << ring.p;
        ++place;
    });
}

}  // namespace
