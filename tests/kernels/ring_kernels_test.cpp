/// NTRU Prime's arithmetic of every engine, the portable one among them, against what its
/// specification writes: at random, and on the polynomials whose products are largest.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernels/kernel_tests.hpp"
#include "support/bytes.hpp"

namespace girih::test {
namespace {

using Large = std::vector<std::int16_t>;
using Small = std::vector<std::int8_t>;

const Kernels& specification = reference_kernels;

class RingKernelsOf : public KernelTest {
  public:
    const Kernels& engine = *GetParam();
    Numbers numbers{13};

    Small small(std::size_t p)
    {
        Small f(p);
        for (auto& c : f) c = static_cast<std::int8_t>(numbers.between(-1, 1));
        return f;
    }
    Large large(const ntru_prime::Ring& ring)
    {
        Large a(ring.p);
        for (auto& c : a) c = static_cast<std::int16_t>(numbers.between(-ring.q12(), ring.q12()));
        return a;
    }

    /// Small polynomials: all of one coefficient, of alternating ones, of one place, and at random.
    std::vector<Small> small_ones(std::size_t p)
    {
        std::vector<Small> all{Small(p, 0), Small(p, 1), Small(p, -1), Small(p), Small(p, 0), Small(p, 0)};
        for (std::size_t i = 0; i < p; ++i) all[3][i] = i % 2 == 0 ? 1 : -1;
        all[4][0] = 1;
        all[5][p - 1] = -1;
        for (int i = 0; i < 4; ++i) all.push_back(small(p));
        return all;
    }
    std::vector<Large> large_ones(const ntru_prime::Ring& ring)
    {
        const auto q12 = static_cast<std::int16_t>(ring.q12());
        const auto minus_q12 = static_cast<std::int16_t>(-ring.q12());
        std::vector<Large> all{Large(ring.p, q12), Large(ring.p, minus_q12), Large(ring.p), Large(ring.p, 0)};
        for (std::size_t i = 0; i < ring.p; ++i) all[2][i] = i % 2 == 0 ? q12 : minus_q12;
        all[3][ring.p - 1] = q12;
        for (int i = 0; i < 3; ++i) all.push_back(large(ring));
        return all;
    }
};

INSTANTIATE_TEST_SUITE_P(Of, RingKernelsOf, testing::ValuesIn(all_kernels), name_of);

TEST_P(RingKernelsOf, MultiplyModuloQAsTheSpecificationDoes)
{
    for (std::size_t k = 0; k < engine.rings.size(); ++k) {
        const ntru_prime::Ring& ring = engine.rings[k].ring;
        for (const Large& a : large_ones(ring))
            for (const Small& b : small_ones(ring.p)) {
                Large ours(ring.p);
                Large theirs(ring.p);
                engine.rings[k].multiply_modulo_q(a.data(), b.data(), ours.data());
                specification.rings[k].multiply_modulo_q(a.data(), b.data(), theirs.data());
                ASSERT_EQ(ours, theirs) << ring.p;
            }
    }
}

void expect_product_modulo_q(const RingKernels& kernels, const Large& a, const Large& b)
{
    const auto [p, q] = kernels.ring;
    std::vector<std::int64_t> sums(2 * p - 1, 0);
    for (std::size_t i = 0; i < p; ++i) {
        if (a[i] == 0) continue;
        for (std::size_t j = 0; j < p; ++j) sums[i + j] += std::int64_t{a[i]} * b[j];
    }
    for (std::size_t i = p; i < sums.size(); ++i) {  // x^p = x + 1
        sums[i - p] += sums[i];
        sums[i - p + 1] += sums[i];
    }
    Large ours(p);
    kernels.multiply_any_modulo_q(a.data(), b.data(), ours.data());
    for (std::size_t i = 0; i < p; ++i) {
        ASSERT_LE(std::abs(ours[i]), kernels.ring.q12()) << p;
        ASSERT_EQ((sums[i] - ours[i]) % q, 0) << p << ", coefficient " << i;
    }
}

TEST_P(RingKernelsOf, MultiplyAnyTwoPolynomialsModuloQ)
{
    for (const RingKernels& kernels : engine.rings)
        for (const Large& a : large_ones(kernels.ring))
            for (const Large& b : large_ones(kernels.ring))
                ASSERT_NO_FATAL_FAILURE(expect_product_modulo_q(kernels, a, b));
}

// Where a polynomial is one row of RowProduct, all its values are that row, and those of its square
// are the largest that there are.
TEST_P(RingKernelsOf, SquareRunsOfLargeCoefficientsModuloQ)
{
    constexpr std::size_t longest = 48;
    for (const RingKernels& kernels : engine.rings)
        for (std::size_t length = 2; length <= longest; length += 2)
            for (int less = 0; less < 20; ++less) {
                Large run(kernels.ring.p, 0);
                std::fill_n(run.begin(), length, static_cast<std::int16_t>(kernels.ring.q12() - less));
                ASSERT_NO_FATAL_FAILURE(expect_product_modulo_q(kernels, run, run)) << length;
            }
}

TEST_P(RingKernelsOf, MultiplyModulo3AsTheSpecificationDoes)
{
    for (std::size_t k = 0; k < engine.rings.size(); ++k) {
        const std::size_t p = engine.rings[k].ring.p;
        for (const Small& a : small_ones(p))
            for (const Small& b : small_ones(p)) {
                Small ours(p);
                Small theirs(p);
                engine.rings[k].multiply_modulo_3(a.data(), b.data(), ours.data());
                specification.rings[k].multiply_modulo_3(a.data(), b.data(), theirs.data());
                ASSERT_EQ(ours, theirs) << p;
            }
    }
}

TEST_P(RingKernelsOf, DecodeAnyBytesAndEncodeAsTheSpecificationDoes)
{
    for (std::size_t k = 0; k < engine.rings.size(); ++k) {
        const ntru_prime::Ring& ring = engine.rings[k].ring;
        const std::size_t size = ring.rq_bytes() + ring.rounded_bytes() + ring.small_bytes();
        for (int round = 0; round < 200; ++round) {
            const ByteString bytes =
                round < 2 ? ByteString(size, static_cast<Byte>(-round)) : numbers.bytes(size);
            Large ours(ring.p), our_rounded(ring.p), theirs(ring.p), their_rounded(ring.p);
            Small our_small(ring.p), their_small(ring.p);
            engine.rings[k].decode(bytes.data(), ours.data(), our_rounded.data(), our_small.data());
            specification.rings[k].decode(bytes.data(), theirs.data(), their_rounded.data(),
                                          their_small.data());
            ASSERT_EQ(ours, theirs) << ring.p;
            ASSERT_EQ(our_rounded, their_rounded) << ring.p;
            ASSERT_EQ(our_small, their_small) << ring.p;
            const Small f = small(ring.p);
            ByteString encoded(size);
            ByteString expected(size);
            engine.rings[k].encode(ours.data(), our_rounded.data(), f.data(), encoded.data());
            specification.rings[k].encode(ours.data(), our_rounded.data(), f.data(), expected.data());
            ASSERT_EQ(encoded, expected) << ring.p;
        }
    }
}

TEST_P(RingKernelsOf, HashTwoMessagesAsTheSpecificationDoes)
{
    const std::size_t most = RingKernels::hashed_bytes;
    for (std::size_t size = 0; size <= most; size += 13) {
        const ByteString first = numbers.bytes(size);
        const ByteString second = numbers.bytes(most - size);
        std::array<Byte, 64> ours{};
        std::array<Byte, 64> theirs{};
        engine.rings[0].hash_two(BytesIn<>{first}, BytesIn<>{second}, ours);
        specification.rings[0].hash_two(BytesIn<>{first}, BytesIn<>{second}, theirs);
        ASSERT_EQ(ours, theirs) << size;
    }
}

TEST_P(RingKernelsOf, FindTheReciprocalsThatTheSpecificationFinds)
{
    for (std::size_t k = 0; k < engine.rings.size(); ++k) {
        const ntru_prime::Ring& ring = engine.rings[k].ring;
        for (const Small& f : small_ones(ring.p)) {
            Small ours(ring.p);
            Small theirs(ring.p);
            const std::int32_t has_none = specification.rings[k].reciprocal(f.data(), theirs.data());
            ASSERT_EQ(engine.rings[k].reciprocal(f.data(), ours.data()), has_none);
            if (has_none == 0) {
                ASSERT_EQ(ours, theirs);
            }
            if (std::all_of(f.begin(), f.end(), [](auto c) { return c == 0; })) {
                ASSERT_EQ(has_none, -1);
                continue;
            }
            Large modulo_q(ring.p);
            Large expected(ring.p);
            engine.rings[k].reciprocal_of_thrice(f.data(), modulo_q.data());
            specification.rings[k].reciprocal_of_thrice(f.data(), expected.data());
            ASSERT_EQ(modulo_q, expected);
        }
    }
}

TEST_P(RingKernelsOf, SayWhichPolynomialsHaveNoReciprocalModulo3)
{
    // The factor of least degree of each x^p - x - 1 modulo 3, from the constant coefficient on.
    const std::array<Small, 6> factors{
        Small{-1, -1, 0, 1},
        Small{1, 1, 0, 1, 1, 1, -1, 1, -1, 1, 0, 1, -1, -1, -1, -1, 1, 0, -1, -1},
        Small{1, 0, 0, 1, -1, 0, 0, 0, 1, 1, 1, -1, 0, -1, 1, -1, -1, 0, 0, 1, 1, 0, 1, -1, 0, 1},
        Small{1, 0, -1, 1, 0, 1},
        Small{-1, 1, 0, 0, 1},
        Small{-1, -1, 0, 1},
    };
    for (std::size_t k = 0; k < engine.rings.size(); ++k) {
        const std::size_t p = engine.rings[k].ring.p;
        Small factor = factors[k];
        factor.resize(p);
        Small multiple(p);
        Small none(p);
        for (int i = 0; i < 4; ++i) {
            EXPECT_EQ(engine.rings[k].reciprocal(factor.data(), none.data()), -1);
            engine.rings[k].multiply_modulo_3(factor.data(), small(p).data(), multiple.data());
            EXPECT_EQ(engine.rings[k].reciprocal(multiple.data(), none.data()), -1);
        }
    }
}

TEST_P(RingKernelsOf, SortEveryKindOfListAsTheSpecificationDoes)
{
    for (std::size_t k = 0; k < engine.rings.size(); ++k) {
        const std::size_t p = engine.rings[k].ring.p;
        for (int kind = 0; kind < 8; ++kind) {
            std::vector<std::uint32_t> words(p);
            for (std::size_t i = 0; i < p; ++i) {
                const auto random = static_cast<std::uint32_t>(numbers.word());
                const auto rising = static_cast<std::uint32_t>(i * 0x01000193);
                const std::uint32_t of_kind[8] = {
                    random,  0,          0xffffffff,          rising,
                    ~rising, random & 7, random & 0x80000000, random | 0x7fffff00};
                words[i] = of_kind[kind];
            }
            Small ours(p);
            Small theirs(p);
            engine.rings[k].short_from_list(words.data(), ours.data());
            specification.rings[k].short_from_list(words.data(), theirs.data());
            ASSERT_EQ(ours, theirs) << "p = " << p << ", kind " << kind;
        }
    }
}

}  // namespace
}  // namespace girih::test
