/// Pseudo-random polynomials against FIPS 204's words, which read one long SHAKE
/// output byte by byte.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;

/// The bytes of a sponge, one after the other.
template <class Sponge>
class Stream {
  public:
    explicit Stream(BytesIn<> seed) { sponge_.absorb(seed); }
    Byte next()
    {
        Byte byte = 0;
        sponge_.squeeze(BytesOut<1>{&byte, 1});
        return byte;
    }

  private:
    Sponge sponge_;
};

/// seed | number mod 256 | number / 256
test::ByteString numbered(BytesIn<> seed, std::size_t number)
{
    test::ByteString bytes(seed.begin(), seed.end());
    bytes.push_back(static_cast<Byte>(number % 256));
    bytes.push_back(static_cast<Byte>(number / 256));
    return bytes;
}

template <Params P>
struct Set {
    static constexpr Params params = P;
};
class SetNames {
  public:
    template <class T>
    static std::string GetName(int)
    {
        return "Tau" + std::to_string(T::params.tau) + "From" + std::to_string(T::params.c_tilde_bytes) +
               "Bytes";
    }
};

template <class T>
class HashToBall : public testing::Test {
  public:
    static constexpr Params params = T::params;

    static std::array<Byte, params.c_tilde_bytes> c_tilde(unsigned number)
    {
        std::array<Byte, params.c_tilde_bytes> bytes;
        copy(test::Numbers{number}.bytes(bytes.size()), bytes);
        return bytes;
    }

    /// SampleInBall (FIPS 204, Algorithm 29), with its array of sign bits h.
    static Coefficients expected(BytesIn<> rho)
    {
        Coefficients c{};
        Stream<keccak::Shake256<Portable>> stream{rho};
        std::vector<int> h;
        for (int i = 0; i < 8; ++i) {
            const Byte s = stream.next();
            for (int j = 0; j < 8; ++j) h.push_back(s >> j & 1);
        }
        for (std::size_t i = 256 - params.tau; i <= 255; ++i) {
            std::size_t j = stream.next();
            while (j > i) j = stream.next();
            c[i] = c[j];
            c[j] = h[i + params.tau - 256] == 1 ? -1 : 1;
        }
        return c;
    }
};
using BallSets = testing::Types<Set<ml_dsa_44>, Set<ml_dsa_65>, Set<ml_dsa_87>, Set<dilithium3>>;
TYPED_TEST_SUITE(HashToBall, BallSets, SetNames);

TYPED_TEST(HashToBall, GivesThePolynomialOfTheStandard)
{
    for (unsigned number = 0; number < 1000; ++number) {
        const auto rho = this->c_tilde(number);
        ASSERT_EQ((sample_in_ball<TypeParam::params.shape(), Portable>(rho).c), this->expected(rho))
            << number;
    }
}

TYPED_TEST(HashToBall, GivesTauOnesOfEitherSignAndZerosElsewhere)
{
    int positive = 0;
    int negative = 0;
    std::set<std::size_t> positions;
    for (unsigned number = 0; number < 1000; ++number) {
        const auto c = sample_in_ball<TypeParam::params.shape(), Portable>(this->c_tilde(number)).c;
        std::size_t weight = 0;
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_LE(std::abs(c[i]), 1);
            weight += c[i] != 0;
            positive += c[i] == 1;
            negative += c[i] == -1;
            if (c[i] != 0) positions.insert(i);
        }
        ASSERT_EQ(weight, TypeParam::params.tau);
    }
    EXPECT_EQ(positions.size(), n);
    EXPECT_NEAR(positive, negative, 0.02 * (positive + negative));
}

TEST(ExpandA, GivesTheMatrixOfTheStandard)
{
    constexpr Shape p = ml_dsa_65.shape();
    test::Numbers numbers{7};
    for (int repeat = 0; repeat < 20; ++repeat) {
        const test::ByteString rho = numbers.bytes(rho_bytes);
        Matrix<p> a_hat;
        expand_a<p, Portable>(BytesIn<rho_bytes>{rho}, a_hat);
        for (std::size_t r = 0; r < p.k; ++r) {
            for (std::size_t s = 0; s < p.l; ++s) {
                // RejNTTPoly(rho | s | r) (Algorithm 30), with CoeffFromThreeBytes (Algorithm 14).
                Stream<keccak::Shake128<Portable>> stream{numbered(rho, 256 * r + s)};
                for (std::size_t j = 0; j < n;) {
                    const int b0 = stream.next();
                    const int b1 = stream.next();
                    const int b2 = stream.next() % 128;
                    const int z = 65536 * b2 + 256 * b1 + b0;
                    if (z >= q) continue;
                    ASSERT_EQ(a_hat[r][s].c[j], z) << r << ", " << s;
                    ++j;
                }
            }
        }
    }
}

/// RejBoundedPoly (Algorithm 31), with CoeffFromHalfByte (Algorithm 15).
void expect_bounded(const Coefficients& c, BytesIn<> seed, int eta)
{
    Stream<keccak::Shake256<Portable>> stream{seed};
    for (std::size_t j = 0; j < n;) {
        const int byte = stream.next();
        for (const int b : {byte % 16, byte / 16}) {
            if (j == n) break;
            if (eta == 2 && b < 15) {
                ASSERT_EQ(c[j++], 2 - b % 5);
            } else if (eta == 4 && b < 9) {
                ASSERT_EQ(c[j++], 4 - b);
            }
        }
    }
}

template <Shape p>
void expect_secret_vectors()
{
    test::Numbers numbers{8};
    for (int repeat = 0; repeat < 50; ++repeat) {
        const test::ByteString seed = numbers.bytes(rho_prime_bytes);
        SecretVectors<p> s;
        expand_s<p, Portable>(BytesIn<rho_prime_bytes>{seed}, s);
        for (std::size_t r = 0; r < p.l; ++r) expect_bounded(s.s1[r].c, numbered(seed, r), p.eta);
        for (std::size_t r = 0; r < p.k; ++r) expect_bounded(s.s2[r].c, numbered(seed, p.l + r), p.eta);
    }
}

TEST(ExpandS, GivesTheSecretVectorsOfTheStandard)
{
    expect_secret_vectors<ml_dsa_44.shape()>();
    expect_secret_vectors<ml_dsa_65.shape()>();
}

template <Shape p>
void expect_masks()
{
    test::Numbers numbers{9};
    // The largest counter is that of the last attempt: both of its bytes count.
    for (const std::size_t kappa : {std::size_t{0}, std::size_t{255}, (max_attempts - 1) * p.l}) {
        const test::ByteString seed = numbers.bytes(rho_prime_bytes);
        PolyVector<p.l, MaskPoly<p>> y;
        expand_mask<p, Portable>(BytesIn<rho_prime_bytes>{seed}, kappa, y);
        for (std::size_t r = 0; r < p.l; ++r) {
            // BitUnpack(v, gamma1 - 1, gamma1) of H(rho'' | kappa + r) (Algorithms 34
            // and 19), bit by bit.
            Stream<keccak::Shake256<Portable>> stream{numbered(seed, kappa + r)};
            int bits_left = 0;
            int byte = 0;
            for (const std::int32_t c : y[r].c) {
                std::int32_t integer = 0;
                for (int i = 0; i < p.z_bits(); ++i) {
                    if (bits_left == 0) {
                        byte = stream.next();
                        bits_left = 8;
                    }
                    integer += byte % 2 << i;
                    byte /= 2;
                    bits_left -= 1;
                }
                ASSERT_EQ(c, p.gamma1 - integer) << kappa << ", " << r;
            }
        }
    }
}

TEST(ExpandMask, GivesTheMasksOfTheStandard)
{
    expect_masks<ml_dsa_44.shape()>();
    expect_masks<ml_dsa_87.shape()>();
}

}  // namespace
