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
    /// Of the extremes and at random.
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
        Coefficients c;
        engine.canonical(a, c);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(c[i], modulo_q(a[i])) << a[i];
    }
}

TEST_P(MlKemKernelsOf, CompressEveryResidueAndDecompressEveryNumber)
{
    for (const CompressionKernels& kernels : engine.compression) {
        const int d = kernels.bits;
        std::vector<Byte> bytes(ml_kem::packed_bytes(d));
        for (std::int64_t first = 0; first < q; first += std::int64_t{n}) {
            Coefficients f;
            for (std::size_t i = 0; i < n; ++i)
                f[i] = static_cast<std::int16_t>((first + static_cast<std::int64_t>(i)) % q);
            kernels.compress(f, bytes.data());
            for (std::size_t i = 0; i < n; ++i) {
                std::int64_t got = 0;
                for (int bit = 0; bit < d; ++bit) {
                    const std::size_t at = i * static_cast<std::size_t>(d) + static_cast<std::size_t>(bit);
                    got += std::int64_t{bytes[at / 8] >> at % 8 & 1} << bit;
                }
                // Formula 4.7: a half is rounded up, of which there is none.
                const std::int64_t x = f[i];
                ASSERT_EQ(got, ((x << (d + 1)) + q) / (2 * q) % (1 << d)) << x << " by " << d << " bits";
            }
        }
        for (std::size_t first = 0; first < std::size_t{1} << d; first += n) {
            std::fill(bytes.begin(), bytes.end(), Byte{0});
            for (std::size_t i = 0; i < n; ++i) {
                const std::size_t y = (first + i) % (std::size_t{1} << d);
                for (int bit = 0; bit < d; ++bit) {
                    const std::size_t at = i * static_cast<std::size_t>(d) + static_cast<std::size_t>(bit);
                    bytes[at / 8] = static_cast<Byte>(bytes[at / 8] | (y >> bit & 1) << at % 8);
                }
            }
            Coefficients f;
            kernels.decompress(bytes.data(), f);
            for (std::size_t i = 0; i < n; ++i) {
                const auto y = static_cast<std::int64_t>((first + i) % (std::size_t{1} << d));
                ASSERT_EQ(f[i], (q * y + (std::int64_t{1} << (d - 1))) >> d) << y << " of " << d << " bits";
            }
        }
    }
}

TEST_P(MlKemKernelsOf, CompressWhatIsNotReduced)
{
    for (const CompressionKernels& kernels : engine.compression)
        for (const Coefficients& f : polynomials(-8192, 8191)) {
            Coefficients canonical;
            engine.canonical(f, canonical);
            std::vector<Byte> bytes(ml_kem::packed_bytes(kernels.bits));
            std::vector<Byte> same(bytes.size());
            kernels.compress(f, bytes.data());
            kernels.compress(canonical, same.data());
            ASSERT_EQ(bytes, same);
        }
}

TEST_P(MlKemKernelsOf, TransformAsTheStandardDoesAndBack)
{
    for (const Coefficients& f : polynomials(-8192, 8191)) {
        Coefficients f_hat;
        engine.ntt(f, f_hat);
        expect_bound(f_hat, ml_kem::reduced_bound);
        const auto expected = textbook_ntt(f);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(modulo_q(f_hat[i]), expected[i]);
        Coefficients back;
        engine.inverse_ntt(f_hat, back);
        expect_bound(back, ml_kem::inverse_bound);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(modulo_q(back[i]), modulo_q(std::int64_t{f[i]} << 16));
    }
    // The inverse takes anything that is reduced.
    for (const Coefficients& f_hat : polynomials(-ml_kem::reduced_bound, ml_kem::reduced_bound)) {
        Coefficients f;
        engine.inverse_ntt(f_hat, f);
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
            Coefficients sum;
            engine.dot(a.data(), b.data(), k, sum);
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
        for (std::size_t i = 0; i < n; i += 2) {
            const std::size_t at = i / 2 * 3;
            ASSERT_EQ(bytes[at] | (bytes[at + 1] & 15) << 8, f[i]);
            ASSERT_EQ(bytes[at + 1] >> 4 | bytes[at + 2] << 4, f[i + 1]);
        }
        Coefficients back;
        engine.decode(bytes.data(), back);
        ASSERT_EQ(back, f);
    }
}

TEST_P(MlKemKernelsOf, SeeEveryCoefficientThatIsNotBelowQ)
{
    const Coefficients largest = [] {
        Coefficients f;
        f.fill(static_cast<std::int16_t>(q - 1));
        return f;
    }();
    EXPECT_TRUE(engine.is_below_q(largest));
    EXPECT_TRUE(engine.is_below_q(Coefficients{}));
    for (std::size_t i = 0; i < n; ++i)
        for (std::int64_t value = q; value < 4096; ++value) {
            Coefficients f = largest;
            f[i] = static_cast<std::int16_t>(value);
            ASSERT_FALSE(engine.is_below_q(f)) << value << " at " << i;
        }
}

TEST_P(MlKemKernelsOf, DrawTheNoiseOfTheStandard)
{
    for (const int eta : {2, 3})
        for (std::size_t round = 0; round < rounds(20, 1000); ++round) {
            const ByteString bytes = numbers.bytes(64 * static_cast<std::size_t>(eta));
            Coefficients f;
            (eta == 2 ? engine.noise_of_2 : engine.noise_of_3)(bytes.data(), f);
            const auto bit = [&](std::size_t at) { return bytes[at / 8] >> at % 8 & 1; };
            for (std::size_t i = 0; i < n; ++i) {  // SamplePolyCBD (Algorithm 8)
                int x = 0;
                int y = 0;
                const auto e = static_cast<std::size_t>(eta);
                for (std::size_t j = 0; j < e; ++j) {
                    x += bit(2 * i * e + j);
                    y += bit(2 * i * e + e + j);
                }
                ASSERT_EQ(f[i], x - y) << "eta " << eta;
            }
        }
}

TEST_P(MlKemKernelsOf, SampleTheResiduesOfTheStandard)
{
    for (std::size_t round = 0; round < rounds(50, 1000); ++round) {
        keccak::Row block{};
        // Blocks of which all, hardly any, or about as many as usual are kept.
        const std::uint64_t masks[]{~std::uint64_t{0}, 0x7777777777777777, 0};
        for (std::uint64_t& word : block)
            word = numbers.word() |
                   (round % 3 == 1 ? 0xD00D00D00D00D00D : 0);
        block[0] &= masks[round % 3];  // some are kept
        std::vector<int> kept;         // SampleNTT (Algorithm 7), lines 6 to 16
        const auto byte = [&](std::size_t i) { return static_cast<int>(block[i / 8] >> 8 * (i % 8) & 0xFF); };
        for (std::size_t i = 0; i < 168; i += 3) {
            const int d1 = byte(i) + 256 * (byte(i + 1) % 16);
            const int d2 = byte(i + 1) / 16 + 16 * byte(i + 2);
            if (d1 < q) kept.push_back(d1);
            if (d2 < q) kept.push_back(d2);
        }
        ASSERT_FALSE(kept.empty());
        Coefficients f;
        engine.sample(block, f);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(f[i], kept[i % kept.size()]) << i;
    }
}

}  // namespace
}  // namespace girih::test
