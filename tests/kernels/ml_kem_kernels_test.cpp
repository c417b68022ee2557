/// ML-KEM's kernels of every engine, the portable one among them, against FIPS 203 word for word.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernel_tests.hpp"
#include "ml_kem/params.hpp"
#include "support/bytes.hpp"
#include "support/rounds.hpp"

namespace girih::test {
namespace {

using ml_kem::Coefficients;
using ml_kem::n;
using ml_kem::PublicPoly;
constexpr std::int64_t q = ml_kem::q;

std::int64_t modulo_q(std::int64_t a) { return (a % q + q) % q; }
std::int64_t power(std::int64_t base, std::int64_t exponent)
{
    std::int64_t result = 1;
    for (std::int64_t i = 0; i < exponent; ++i) result = modulo_q(result * base);
    return result;
}
/// BitRev7 (Section 2.3)
std::int64_t bit_rev7(std::size_t i)
{
    std::int64_t r = 0;
    for (int bit = 0; bit < 7; ++bit) r += static_cast<std::int64_t>(i >> bit & 1) << (6 - bit);
    return r;
}

/// NTT (Algorithm 9)
std::array<std::int64_t, n> textbook_ntt(const Coefficients& f)
{
    std::array<std::int64_t, n> w;
    for (std::size_t i = 0; i < n; ++i) w[i] = modulo_q(f[i]);
    std::size_t k = 1;
    for (std::size_t length = 128; length >= 2; length /= 2)
        for (std::size_t start = 0; start < n; start += 2 * length) {
            const std::int64_t zeta = power(17, bit_rev7(k++));
            for (std::size_t j = start; j < start + length; ++j) {
                const std::int64_t t = zeta * w[j + length];
                w[j + length] = modulo_q(w[j] - t);
                w[j] = modulo_q(w[j] + t);
            }
        }
    return w;
}

/// MultiplyNTTs (Algorithm 11)
template <class A, class B>
std::array<std::int64_t, n> textbook_product(const A& f, const B& g)
{
    std::array<std::int64_t, n> h;
    for (std::size_t i = 0; i < n / 2; ++i) {
        const std::int64_t gamma = power(17, 2 * bit_rev7(i) + 1);
        const std::int64_t a0 = f[2 * i];
        const std::int64_t a1 = f[2 * i + 1];
        const std::int64_t b0 = g[2 * i];
        const std::int64_t b1 = g[2 * i + 1];
        h[2 * i] = modulo_q(a0 * b0 + modulo_q(a1 * b1) * gamma);
        h[2 * i + 1] = modulo_q(a0 * b1 + a1 * b0);
    }
    return h;
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
                // Formula 4.7: a half is rounded up, of which there is none.
                const std::int64_t x = f[i];
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
        const auto expected = textbook_ntt(f);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(modulo_q(f_hat[i]), expected[i]);
    }
    // The inverse takes anything that is reduced.
    for (const Coefficients& f_hat : polynomials(-ml_kem::reduced_bound, ml_kem::reduced_bound)) {
        const Coefficients f = engine.inverse_ntt(f_hat);
        expect_bound(f, ml_kem::inverse_bound);
        const auto again = textbook_ntt(f);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(again[i], modulo_q(std::int64_t{f_hat[i]} << 16));
    }
}

TEST_P(MlKemKernelsOf, AddUpProductsAsTheStandardDoes)
{
    const auto as = polynomials(0, 4095);
    const auto bs = polynomials(-ml_kem::reduced_bound, 4095);  // reduced, or decoded
    for (std::size_t k = 1; k <= ml_kem::max_k; ++k)
        for (std::size_t first = 0; first < as.size(); ++first) {
            std::array<PublicPoly, ml_kem::max_k> a;
            std::array<Coefficients, ml_kem::max_k> b;
            std::array<std::int64_t, n> expected{};
            for (std::size_t j = 0; j < k; ++j) {
                a[j].c = as[(first + j) % as.size()];
                b[j] = bs[(first + 3 * j) % bs.size()];
                const auto product = textbook_product(a[j].c, b[j]);
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
            for (std::size_t i = 0; i < n; ++i) {  // SamplePolyCBD (Algorithm 8)
                int x = 0;
                int y = 0;
                for (std::size_t j = 0; j < eta; ++j) {
                    x += static_cast<int>(integer_at(bytes, 2 * i * eta + j, 1));
                    y += static_cast<int>(integer_at(bytes, 2 * i * eta + eta + j, 1));
                }
                ASSERT_EQ(f[i], x - y) << "eta " << eta;
            }
        }
}

TEST_P(MlKemKernelsOf, SampleTheResiduesOfTheStandard)
{
    for (std::size_t round = 0; round < rounds(50, 1000); ++round) {
        // Blocks of which all, hardly any, or about as many as usual are kept.
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
