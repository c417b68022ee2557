/// Arithmetic on two coefficients a word: Falcon's transforms, and ML-KEM's packed ring.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "falcon/kernels/ring/ntt.hpp"
#include "isa/cortex_m/engine.hpp"
#include "isa/cortex_m/halfwords.hpp"
#include "isa/reference/engine.hpp"
#include "ml_kem/small/poly.hpp"
#include "support/bytes.hpp"

namespace girih {
namespace {

constexpr std::int64_t modulo(std::int64_t a, std::int64_t q) { return (a % q + q) % q; }

/// Each halfword as the low and the high one, times each of these.
template <std::int64_t q, class Halves, class Multiply>
void expect_multiplies(std::initializer_list<std::int32_t> factors, std::int32_t high_sign, Multiply multiply)
{
    for (const std::int32_t z : factors) {
        SCOPED_TRACE(z);
        for (std::int32_t a = INT16_MIN; a <= INT16_MAX; ++a) {
            const auto product = multiply(Halves::pair(a, ~a), z);
            ASSERT_EQ(modulo(Halves::low(product) - std::int64_t{a} * z, q), 0) << a;
            ASSERT_EQ(modulo(Halves::high(product) - high_sign * std::int64_t{~a} * z, q), 0) << ~a;
            ASSERT_LE(std::abs(Halves::low(product)), Halves::product_bound);
            ASSERT_LE(std::abs(Halves::high(product)), Halves::product_bound);
        }
    }
}

}  // namespace
}  // namespace girih

namespace girih::falcon {
namespace {

using Packed = isa::cortex_m::Isa;
using Plain = isa::reference::Isa;
static_assert(isa::Halfwords16<Packed> && !isa::Halfwords16<Plain>);

using Halves = isa::cortex_m::Halfwords<static_cast<std::int32_t>(q)>;

TEST(Halfwords, MultiplyEveryHalfword)
{
    expect_multiplies<q, Halves>({1, 2, 777, 6144, 6145, 11111, 12287, 12288}, -1, [](auto pair, auto z) {
        return Halves::multiply(pair, Halves::factor(z), Halves::factor(-z));
    });
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
            const bool bit = (i >> (round % 16) & 1) != 0;  // the largest numbers, in every pattern
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

namespace girih::ml_kem::small {
namespace {

using A = Arithmetic<isa::cortex_m::Isa>;
using Halves = A::Halves;

constexpr std::int64_t modulo_q(std::int64_t a) { return modulo(a, q); }

template <int d>
void expect_compresses()
{
    SCOPED_TRACE(d);
    for (std::int32_t x = -2 * q; x <= 2 * q; ++x) {
        const auto residue = static_cast<std::uint32_t>(modulo_q(x));
        const std::uint32_t rounded = (2 * (residue << d) + q) / (2 * q) % (1U << d);
        ASSERT_EQ(compress<d>(x), rounded) << x;
    }
    for (std::int32_t y = 0; y < 1 << d; ++y)
        ASSERT_EQ(decompress<d>(y), (2 * q * y + (1 << d)) / (1 << (d + 1))) << y;
}

TEST(CompactMlKemParts, CompressEveryCoefficient)
{
    expect_compresses<1>();
    expect_compresses<4>();
    expect_compresses<5>();
    expect_compresses<10>();
    expect_compresses<11>();
}

TEST(CompactMlKemParts, MultiplyEveryHalfword)
{
    expect_multiplies<q, Halves>({1, 17, 1664, 1665, 2000, 3328}, 1,
                                 [](auto pair, auto z) { return Halves::multiply(pair, Halves::factor(z)); });
}

/// The largest factors on either side, and numbers between.
TEST(CompactMlKemParts, MultiplyResiduesOfFactors)
{
    test::Numbers numbers{31};
    static_assert(modulo_q(Halves::reduction * Halves::undo_reduction) == 1);
    for (int round = 0; round < 40'000; ++round) {
        const auto draw = [&](std::int64_t least, std::int64_t most, int bit) {
            if (round < 32) return static_cast<std::int32_t>((round >> bit & 1) != 0 ? most : least);
            return static_cast<std::int32_t>(numbers.between(least, most));
        };
        const std::int32_t a0 = draw(0, 4095, 0);
        const std::int32_t a1 = draw(0, 4095, 1);
        const std::int32_t b0 = draw(-A::transformed_bound, A::transformed_bound, 2);
        const std::int32_t b1 = draw(-A::transformed_bound, A::transformed_bound, 3);
        const std::int32_t gamma = draw(1, q - 1, 4);
        const auto c =
            Halves::multiply_linear(Halves::pair(a0, a1), Halves::pair(b0, b1), Halves::factor(gamma));
        const std::int64_t c0 = std::int64_t{a0} * b0 + std::int64_t{a1} * b1 % q * gamma;
        const std::int64_t c1 = std::int64_t{a0} * b1 + std::int64_t{a1} * b0;
        ASSERT_EQ(modulo_q(Halves::low(c) * Halves::undo_reduction - c0), 0) << round;
        ASSERT_EQ(modulo_q(Halves::high(c) * Halves::undo_reduction - c1), 0) << round;
        ASSERT_LE(std::abs(Halves::low(c)), Halves::product_bound);
        ASSERT_LE(std::abs(Halves::high(c)), Halves::product_bound);
    }
}

/// The extremes in every pattern, and random ones: modulo X^256 + 1, by the definition.
TEST(CompactMlKemParts, MultiplyPolynomials)
{
    test::Numbers numbers{37};
    for (int round = 0; round < 24; ++round) {
        SCOPED_TRACE(round);
        Poly a;
        Poly b;
        for (std::size_t i = 0; i < n; ++i) {
            const bool bit = (i >> (round % 8) & 1) != 0;
            a[i] = static_cast<Coefficient>(round < 8 ? (bit ? q - 1 : -q) : numbers.between(-q, q - 1));
            b[i] = static_cast<Coefficient>(round < 8 ? (bit ? -q : q - 1) : numbers.between(-q, q - 1));
        }
        std::array<std::int64_t, n> expected{};
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                expected[(i + j) % n] += (i + j < n ? 1 : -1) * std::int64_t{a[i]} * b[j];
        A::ntt(a);
        A::ntt(b);
        for (const Coefficient c : b.c) ASSERT_LE(std::abs(c), A::transformed_bound);
        A::make_canonical(a);
        for (const Coefficient c : a.c) ASSERT_TRUE(c >= 0 && c < q);
        // max_k times, as an operation sums up at most.
        Poly sum{};
        for (std::size_t k = 0; k < max_k; ++k)
            for (std::size_t i = 0; i < n / 2; ++i) A::add_product(sum, i, a.pair(i), b);
        A::inverse_ntt(sum);
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(modulo_q(sum[i] - std::int64_t{max_k} * expected[i]), 0) << i;
            ASSERT_LE(std::abs(sum[i]), Halves::product_bound);
        }
    }
}

}  // namespace
}  // namespace girih::ml_kem::small
