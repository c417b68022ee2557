/// ML-KEM's kernels of every engine, the portable one among them, against FIPS 203 word for word.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/portable/engine.hpp"
#include "kernels/kernel_tests.hpp"
#include "ml_kem/params.hpp"
#include "ml_kem/standard/plain_ring.hpp"
#include "support/bytes.hpp"
#include "support/rounds.hpp"

namespace girih::test {
namespace {

using ml_kem::Coefficients;
using ml_kem::n;
using ml_kem::PublicPoly;
constexpr std::int64_t q = ml_kem::q;

using ml_kem::modulo_q;

/// The standard's own words.
using Plain = ml_kem::PlainRing<isa::portable::Isa>;
Plain::Poly plain(const Coefficients& f)
{
    Plain::Poly reduced;
    for (std::size_t i = 0; i < n; ++i) reduced[i] = ml_kem::modulo_q(f[i]);
    return reduced;
}
Plain::Poly plain_ntt(const Coefficients& f)
{
    Plain::Poly values = plain(f);
    Plain::ntt(values);
    return values;
}

class MlKemKernelsOf : public KernelTest {
  public:
    const MlKemKernels& engine = GetParam()->ml_kem;
    Numbers numbers{17};

    Coefficients random(std::int64_t low, std::int64_t high)
    {
        Coefficients f;
        for (auto& c : f) c = static_cast<std::int16_t>(numbers.between(low, high));
        return f;
    }
    /// Polynomials of the extremes, and random ones.
    std::vector<Coefficients> polynomials(std::int64_t low, std::int64_t high)
    {
        std::vector<Coefficients> all(4);
        all[0].fill(static_cast<std::int16_t>(low));
        all[1].fill(static_cast<std::int16_t>(high));
        for (std::size_t i = 0; i < n; ++i) all[2][i] = static_cast<std::int16_t>(i % 2 == 0 ? low : high);
        for (std::size_t i = 0; i < n; ++i) all[3][i] = static_cast<std::int16_t>(i % 4 < 2 ? low : high);
        for (int i = 0; i < 8; ++i) all.push_back(random(low, high));
        return all;
    }
    static void expect_bound(const Coefficients& f, int bound)
    {
        for (const int c : f) ASSERT_LE(std::abs(c), bound);
    }
};

INSTANTIATE_TEST_SUITE_P(Of, MlKemKernelsOf, testing::ValuesIn(all_kernels), name_of);

TEST_P(MlKemKernelsOf, MakeEveryNumberOf16BitsCanonical)
{
    for (std::int32_t first = INT16_MIN; first <= INT16_MAX; first += std::int32_t{n}) {
        Coefficients a;
        for (std::size_t i = 0; i < n; ++i)
            a[i] = static_cast<std::int16_t>(first + static_cast<std::int32_t>(i));
        const Coefficients c = engine.canonical(a);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(c[i], modulo_q(a[i])) << a[i];
    }
}

TEST_P(MlKemKernelsOf, CompressEveryResidueAndDecompressEveryNumber)
{
    for (const CompressionKernels& kernels : engine.compression) {
        const int d = kernels.bits;
        SCOPED_TRACE(d);
        ByteString bytes(ml_kem::packed_bytes(d));
        for (std::int64_t first = 0; first < q; first += std::int64_t{n}) {
            Coefficients f;
            for (std::size_t i = 0; i < n; ++i)
                f[i] = static_cast<std::int16_t>((first + static_cast<std::int64_t>(i)) % q);
            kernels.compress(f, bytes.data());
            for (std::size_t i = 0; i < n; ++i) {
                const std::int64_t x = f[i];  // formula 4.7; no quotient lies halfway
                ASSERT_EQ(integer_at(bytes, i, d), ((x << (d + 1)) + q) / (2 * q) % (1 << d)) << x;
            }
        }
        for (std::size_t first = 0; first < std::size_t{1} << d; first += n) {
            const std::size_t last = (std::size_t{1} << d) - 1;
            for (std::size_t i = 0; i < n; ++i)
                put_integer(bytes, i, d, static_cast<std::uint32_t>((first + i) & last));
            const Coefficients f = kernels.decompress(bytes.data());
            for (std::size_t i = 0; i < n; ++i) {
                const auto y = static_cast<std::int64_t>((first + i) & last);
                ASSERT_EQ(f[i], (q * y + (std::int64_t{1} << (d - 1))) >> d) << y;
            }
        }
    }
}

TEST_P(MlKemKernelsOf, CompressWhatIsNotReduced)
{
    for (const CompressionKernels& kernels : engine.compression)
        for (const Coefficients& f : polynomials(-8192, 8191)) {
            ByteString bytes(ml_kem::packed_bytes(kernels.bits)), of_canonical(bytes.size());
            kernels.compress(f, bytes.data());
            kernels.compress(engine.canonical(f), of_canonical.data());
            ASSERT_EQ(bytes, of_canonical);
        }
}

TEST_P(MlKemKernelsOf, TransformAsTheStandardDoesAndBack)
{
    for (const Coefficients& f : polynomials(-8192, 8191)) {
        const Coefficients f_hat = engine.ntt(f);
        expect_bound(f_hat, ml_kem::reduced_bound);
        const auto expected = plain_ntt(f);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(modulo_q(f_hat[i]), expected[i]);
    }
    // The inverse takes anything that is reduced.
    for (const Coefficients& f_hat : polynomials(-ml_kem::reduced_bound, ml_kem::reduced_bound)) {
        const Coefficients f = engine.inverse_ntt(f_hat);
        expect_bound(f, ml_kem::inverse_bound);
        const auto again = plain_ntt(f);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(again[i], modulo_q(std::int64_t{f_hat[i]} << 16));
    }
}

TEST_P(MlKemKernelsOf, AddUpProductsAsTheStandardDoes)
{
    const auto as = polynomials(0, 4095);
    const auto bs = polynomials(-ml_kem::reduced_bound, 4095);  // reduced, or decoded
    for (std::size_t k = 2; k <= ml_kem::max_k; ++k)
        for (std::size_t first = 0; first < as.size(); ++first) {
            std::array<PublicPoly, ml_kem::max_k> a;
            std::array<Coefficients, ml_kem::max_k> b;
            std::array<std::int64_t, n> expected{};
            for (std::size_t j = 0; j < k; ++j) {
                a[j].c = as[(first + j) % as.size()];
                b[j] = bs[(first + 3 * j) % bs.size()];
                const auto product = Plain::multiply_ntts(plain(a[j].c), plain(b[j]));
                for (std::size_t i = 0; i < n; ++i) expected[i] += product[i];
            }
            const Coefficients sum = engine.dot(a.data(), b.data(), k);
            expect_bound(sum, ml_kem::reduced_bound);
            for (std::size_t i = 0; i < n; ++i)
                ASSERT_EQ(modulo_q(std::int64_t{sum[i]} << 16), modulo_q(expected[i])) << k << " products";
        }
}

TEST_P(MlKemKernelsOf, EncodeAndDecode12Bits)
{
    for (const Coefficients& f : polynomials(0, 4095)) {
        std::array<Byte, ml_kem::poly_bytes> bytes;
        engine.encode(f, bytes.data());
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(integer_at(bytes, i, 12), f[i]);
        ASSERT_EQ(engine.decode(bytes.data()), f);
    }
}

TEST_P(MlKemKernelsOf, SeeEveryCoefficientThatIsNotBelowQ)
{
    Coefficients f;
    f.fill(static_cast<std::int16_t>(q - 1));
    EXPECT_TRUE(engine.is_below_q(f));
    EXPECT_TRUE(engine.is_below_q(Coefficients{}));
    for (auto& c : f) {
        for (c = static_cast<std::int16_t>(q); c < 4096; ++c) ASSERT_FALSE(engine.is_below_q(f)) << c;
        c = static_cast<std::int16_t>(q - 1);
    }
}

TEST_P(MlKemKernelsOf, DrawTheNoiseOfTheStandard)
{
    for (const std::size_t eta : {2U, 3U})
        for (std::size_t round = 0; round < rounds(20, 1000); ++round) {
            const ByteString bytes = numbers.bytes(64 * eta);
            const Coefficients f = (eta == 2 ? engine.noise_of_2 : engine.noise_of_3)(bytes.data());
            const Plain::Poly expected = eta == 2 ? Plain::sample_poly_cbd<2>(BytesIn<>{bytes}.first<128>())
                                                  : Plain::sample_poly_cbd<3>(BytesIn<>{bytes}.first<192>());
            for (std::size_t i = 0; i < n; ++i) ASSERT_LE(std::abs(f[i]), static_cast<int>(eta));
            ASSERT_EQ(plain(f), expected) << "eta " << eta;
        }
}

TEST_P(MlKemKernelsOf, SampleTheResiduesOfTheStandard)
{
    for (std::size_t round = 0; round < rounds(50, 1000); ++round) {
        // Blocks from which all candidates, hardly any, or the usual number are kept.
        const std::uint64_t masks[]{~std::uint64_t{0}, 0x7777777777777777, 0};
        keccak::Row block;
        ByteString bytes(8 * block.size());
        for (std::size_t i = 0; i < block.size(); ++i) {
            block[i] = numbers.word() | (round % 3 == 1 ? 0xD00D00D00D00D00D : 0);
            if (i == 0) block[i] &= masks[round % 3];  // some are kept
            store_le64(&bytes[8 * i], block[i]);
        }
        std::vector<std::int64_t> kept;  // SampleNTT (Algorithm 7), lines 6 to 16
        for (std::size_t i = 0; i < keccak::shake128_function.rate * 8 / 12; ++i)
            if (integer_at(bytes, i, 12) < q) kept.push_back(integer_at(bytes, i, 12));
        ASSERT_FALSE(kept.empty());
        const Coefficients f = engine.sample(block);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(f[i], kept[i % kept.size()]) << i;
    }
}

}  // namespace
}  // namespace girih::test
