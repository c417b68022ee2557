/// NTRU Prime's arithmetic of every engine, the portable one among them, against its
/// specification's text: at random, and on the polynomials whose products are largest.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <vector>

#include "kernels/kernel_tests.hpp"
#include "support/bytes.hpp"

namespace girih::test {
namespace {

class RingKernelsOf : public KernelTest {
  public:
    const Kernels& engine = *GetParam();
    Numbers numbers{13};

    template <class Poly>
    Poly any(std::size_t p, std::int32_t largest)
    {
        Poly f{};
        for (auto& c : std::span{f}.first(p))
            c = static_cast<typename Poly::value_type>(numbers.between(-largest, largest));
        return f;
    }
    /// Polynomials: all of one coefficient, of alternating ones, of one place, and at random.
    template <class Poly>
    std::vector<Poly> all_kinds(std::size_t p, std::int32_t largest)
    {
        const auto high = static_cast<typename Poly::value_type>(largest);
        const auto low = static_cast<typename Poly::value_type>(-largest);
        std::vector<Poly> all(6, Poly{});
        std::fill_n(all[1].begin(), p, high);
        std::fill_n(all[2].begin(), p, low);
        for (std::size_t i = 0; i < p; ++i) all[3][i] = i % 2 == 0 ? high : low;
        all[4][0] = high;
        all[5][p - 1] = low;
        for (int i = 0; i < 4; ++i) all.push_back(any<Poly>(p, largest));
        return all;
    }
    std::vector<Small> small_ones(const RingKernels& kernels) { return all_kinds<Small>(kernels.ring.p, 1); }
    std::vector<Large> large_ones(const RingKernels& kernels)
    {
        return all_kinds<Large>(kernels.ring.p, kernels.ring.q12());
    }
    /// claim(kernels, those of the specification) for every ring.
    template <class Claim>
    void for_each_ring(Claim claim)
    {
        for (std::size_t k = 0; k < engine.rings.size() && !HasFatalFailure(); ++k) {
            SCOPED_TRACE(engine.rings[k].ring.p);
            claim(engine.rings[k], reference_kernels.rings[k]);
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Of, RingKernelsOf, testing::ValuesIn(all_kernels), name_of);

TEST_P(RingKernelsOf, MakeTheKeystreamOfAes)
{
    for (const std::size_t bytes : {0U, 1U, 15U, 16U, 17U, 127U, 128U, 129U, 1000U, 6144U}) {
        ByteString key(32);
        for (Byte& byte : key) byte = static_cast<Byte>(numbers.between(0, 255));
        ByteString expected(bytes);
        ByteString made(bytes);
        ByteString bitsliced(bytes);
        const BytesIn<32> fixed{key.data(), 32};
        reference_kernels.bitsliced_keystream(fixed, expected);
        engine.keystream(fixed, made);
        engine.bitsliced_keystream(fixed, bitsliced);
        ASSERT_EQ(made, expected) << bytes << " bytes";
        ASSERT_EQ(bitsliced, expected) << bytes << " bytes, bitsliced";
    }
}

TEST_P(RingKernelsOf, MultiplyAsTheSpecificationDoes)
{
    for_each_ring([&](const RingKernels& ours, const RingKernels& specified) {
        for (const Small& b : small_ones(ours)) {
            for (const Large& a : large_ones(ours))
                ASSERT_EQ(ours.multiply_modulo_q(a, b), specified.multiply_modulo_q(a, b));
            for (const Small& a : small_ones(ours))
                ASSERT_EQ(ours.multiply_modulo_3(a, b), specified.multiply_modulo_3(a, b));
        }
    });
}

void expect_product_modulo_q(const RingKernels& kernels, const Large& a, const Large& b)
{
    const std::size_t p = kernels.ring.p;
    const std::int32_t q = kernels.ring.q;
    std::vector<std::int64_t> sums(2 * p - 1, 0);
    for (std::size_t i = 0; i < p; ++i) {
        if (a[i] == 0) continue;
        for (std::size_t j = 0; j < p; ++j) sums[i + j] += std::int64_t{a[i]} * b[j];
    }
    for (std::size_t i = p; i < sums.size(); ++i) {  // x^p = x + 1
        sums[i - p] += sums[i];
        sums[i - p + 1] += sums[i];
    }
    const Large product = kernels.multiply_any_modulo_q(a, b);
    for (std::size_t i = 0; i < p; ++i) {
        ASSERT_LE(std::abs(product[i]), kernels.ring.q12());
        ASSERT_EQ((sums[i] - product[i]) % q, 0) << "coefficient " << i;
    }
}

TEST_P(RingKernelsOf, MultiplyAnyTwoPolynomialsModuloQ)
{
    for_each_ring([&](const RingKernels& kernels, const RingKernels&) {
        for (const Large& a : large_ones(kernels))
            for (const Large& b : large_ones(kernels))
                ASSERT_NO_FATAL_FAILURE(expect_product_modulo_q(kernels, a, b));
    });
}

// Where a polynomial is one row of ProductModuloQ, all its values are that row, and its square has
// the largest possible values.
TEST_P(RingKernelsOf, SquareRunsOfLargeCoefficientsModuloQ)
{
    constexpr std::size_t longest = 48;
    for_each_ring([&](const RingKernels& kernels, const RingKernels&) {
        for (std::size_t length = 2; length <= longest; length += 2)
            for (int less = 0; less < 20; ++less) {
                Large run{};
                std::fill_n(run.begin(), length, static_cast<std::int16_t>(kernels.ring.q12() - less));
                ASSERT_NO_FATAL_FAILURE(expect_product_modulo_q(kernels, run, run)) << length;
            }
    });
}

/// Any bytes decode within the bounds.
TEST_P(RingKernelsOf, DecodeAnyBytesAndEncodeAsTheSpecificationDoes)
{
    for_each_ring([&](const RingKernels& ours, const RingKernels& specified) {
        const ntru_prime::Ring& ring = ours.ring;
        const std::size_t size = ring.rq_bytes + ring.rounded_bytes + ring.small_bytes();
        for (int round = 0; round < 200; ++round) {
            const ByteString bytes =
                round < 2 ? ByteString(size, static_cast<Byte>(-round)) : numbers.bytes(size);
            Decoded decoded = ours.decode(bytes.data());
            ASSERT_EQ(decoded, specified.decode(bytes.data()));
            for (std::size_t i = 0; i < ring.p; ++i) {
                ASSERT_LE(std::abs(decoded.a[i]), ring.q12());
                ASSERT_LE(std::abs(decoded.rounded[i]), ring.q12());
                ASSERT_EQ(decoded.rounded[i] % 3, 0);
            }
            decoded.f = any<Small>(ring.p, 1);
            ByteString encoded(size), expected(size);
            ours.encode(decoded, encoded.data());
            specified.encode(decoded, expected.data());
            ASSERT_EQ(encoded, expected);
        }
    });
}

TEST_P(RingKernelsOf, HashTwoMessagesAsTheSpecificationDoes)
{
    const std::size_t most = RingKernels::hashed_bytes;
    for (std::size_t size = 0; size <= most; size += 13) {
        const ByteString first = numbers.bytes(size);
        const ByteString second = numbers.bytes(most - size);
        std::array<Byte, 64> ours{};
        std::array<Byte, 64> theirs{};
        engine.rings[0].hash_two(first, second, ours);
        reference_kernels.rings[0].hash_two(first, second, theirs);
        ASSERT_EQ(ours, theirs) << size;
    }
}

TEST_P(RingKernelsOf, FindTheReciprocalsThatTheSpecificationFinds)
{
    for_each_ring([&](const RingKernels& ours, const RingKernels& specified) {
        for (const Small& f : small_ones(ours)) {
            Small found, expected;
            const std::int32_t has_none = specified.reciprocal(f, expected);
            ASSERT_EQ(ours.reciprocal(f, found), has_none);
            if (has_none == 0) {
                ASSERT_EQ(found, expected);
            }
            if (f == Small{}) {
                ASSERT_EQ(has_none, -1);
            } else {
                ASSERT_EQ(ours.reciprocal_of_3f(f), specified.reciprocal_of_3f(f));
            }
        }
    });
}

TEST_P(RingKernelsOf, SayWhichPolynomialsHaveNoReciprocalModulo3)
{
    // The factor of least degree of each x^p - x - 1 modulo 3, from the constant coefficient on.
    const std::array<Small, 6> factors{{
        {-1, -1, 0, 1},
        {1, 1, 0, 1, 1, 1, -1, 1, -1, 1, 0, 1, -1, -1, -1, -1, 1, 0, -1, -1},
        {1, 0, 0, 1, -1, 0, 0, 0, 1, 1, 1, -1, 0, -1, 1, -1, -1, 0, 0, 1, 1, 0, 1, -1, 0, 1},
        {1, 0, -1, 1, 0, 1},
        {-1, 1, 0, 0, 1},
        {-1, -1, 0, 1},
    }};
    std::size_t place = 0;
    for_each_ring([&](const RingKernels& ours, const RingKernels&) {
        const Small& factor = factors[place++];
        Small none;
        EXPECT_EQ(ours.reciprocal(factor, none), -1);
        for (int i = 0; i < 4; ++i) {
            const Small multiple = ours.multiply_modulo_3(factor, any<Small>(ours.ring.p, 1));
            EXPECT_EQ(ours.reciprocal(multiple, none), -1);
        }
    });
}

TEST_P(RingKernelsOf, SortEveryKindOfListAsTheSpecificationDoes)
{
    for_each_ring([&](const RingKernels& ours, const RingKernels& specified) {
        for (std::size_t kind = 0; kind < 8; ++kind) {
            std::vector<std::uint32_t> words(ours.ring.p);
            for (std::size_t i = 0; i < words.size(); ++i) {
                const auto random = static_cast<std::uint32_t>(numbers.word());
                const auto rising = static_cast<std::uint32_t>(i * 0x01000193);
                words[i] = std::array<std::uint32_t, 8>{
                    random,  0,          0xffffffff,          rising,
                    ~rising, random & 7, random & 0x80000000, random | 0x7fffff00}[kind];
            }
            ASSERT_EQ(ours.short_from_list(words.data()), specified.short_from_list(words.data()))
                << "kind " << kind;
        }
    });
}

}  // namespace
}  // namespace girih::test
