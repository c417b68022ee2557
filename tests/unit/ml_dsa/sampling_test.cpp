/// Challenges, secret vectors and masks against other words for FIPS 204's, which read one long
/// SHAKE output byte by byte. (The matrix: ml_dsa_coding_kernels_test.cpp, and known answers.)
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;
using test::ByteString;

using Bytes = std::function<Byte()>;  ///< one after the other

Bytes shake256(BytesIn<> seed)
{
    keccak::Shake256<Portable> sponge;
    sponge.absorb(seed);
    return [sponge]() mutable {
        Byte byte = 0;
        sponge.squeeze(BytesOut<1>{&byte, 1});
        return byte;
    };
}

// ---- Challenges

/// SampleInBall (Algorithm 29), with its array of sign bits h.
Coefficients sample_in_ball(const Bytes& next, std::size_t tau)
{
    Coefficients c{};
    std::vector<int> h;
    for (int i = 0; i < 8; ++i) {
        const Byte s = next();
        for (int j = 0; j < 8; ++j) h.push_back(s >> j & 1);
    }
    for (std::size_t i = 256 - tau; i <= 255; ++i) {
        std::size_t j = next();
        while (j > i) j = next();
        c[i] = c[j];
        c[j] = h[i + tau - 256] == 1 ? -1 : 1;
    }
    return c;
}

template <Params P>
struct Set {
    static constexpr Params params = P;
};
constexpr std::size_t rate = keccak::shake256_function.rate;

template <class T>
class HashToBall : public testing::Test {
  public:
    /// For hashes of more than one block, which no known one needs: the task takes the bytes block
    /// by block, and ends when it has what it needs.
    static void expect_of_blocks(const ByteString& bytes)
    {
        constexpr Params P = T::params;
        std::size_t used = 0;
        const auto expected = ::sample_in_ball([&] { return bytes.at(used++); }, P.tau);
        const std::array<Byte, P.c_tilde_bytes> c_tilde{};
        ChallengePoly c;
        BallTask<P.shape(), Portable> task{c_tilde, c};
        for (std::size_t end = rate; end <= bytes.size(); end += rate) {
            keccak::Row input{};
            keccak::Row output;
            output.fill(0x0101010101010101);  // behind the block, nothing that anyone should read
            for (std::size_t i = 0; i < rate; i += 8) output[i / 8] = load_le64(&bytes[end - rate + i]);
            const bool is_done = task.resume(keccak::Lane{input, output}) == nullptr;
            ASSERT_EQ(is_done, end >= used) << end;
            if (is_done) break;
        }
        ASSERT_EQ(c.c, expected);
    }
};
using BallSets = testing::Types<Set<ml_dsa_44>, Set<ml_dsa_65>, Set<ml_dsa_87>, Set<dilithium3>>;
TYPED_TEST_SUITE(HashToBall, BallSets);

TYPED_TEST(HashToBall, GivesThePolynomialOfTheStandard)
{
    constexpr Params P = TypeParam::params;
    for (unsigned number = 0; number < 1000; ++number) {
        std::array<Byte, P.c_tilde_bytes> rho;
        copy(test::Numbers{number}.bytes(rho.size()), rho);
        ASSERT_EQ((ml_dsa::sample_in_ball<P.shape(), Portable>(rho).c),
                  ::sample_in_ball(shake256(rho), P.tau))
            << number;
    }
}

TYPED_TEST(HashToBall, TakesPositionsFromTheFirstByteOfEachBlock)
{
    test::Numbers numbers{3};
    for (std::size_t taken = 0; taken < TypeParam::params.tau; ++taken) {
        // 255 is no position but the last. Of the first block, the first `taken` bytes behind the
        // signs are positions.
        ByteString bytes = numbers.bytes(3 * rate);
        for (std::size_t i = 8; i < bytes.size(); ++i) bytes[i] = static_cast<Byte>(bytes[i] % 190);
        std::fill(bytes.begin() + 8 + static_cast<std::ptrdiff_t>(taken), bytes.begin() + rate, Byte{255});
        this->expect_of_blocks(bytes);
        std::fill(bytes.begin() + rate, bytes.begin() + 2 * rate, Byte{255});
        if (taken + 1 < TypeParam::params.tau) this->expect_of_blocks(bytes);
    }
}

TYPED_TEST(HashToBall, UsesBlocksToTheirLastByte)
{
    for (const std::size_t last : {rate - 2, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate}) {
        ByteString bytes(3 * rate, 255);
        std::fill_n(bytes.begin(), 8, Byte{0xA5});
        // The last position may be any, 255 too, so that one has to stay open until then.
        for (std::size_t i = 0; i + 2 < TypeParam::params.tau; ++i) bytes[8 + i] = static_cast<Byte>(2 * i);
        bytes[last] = 7;
        bytes[last + 1] = 9;
        this->expect_of_blocks(bytes);
    }
}

// ---- Secret vectors

/// seed | number mod 256 | number / 256
ByteString numbered(BytesIn<> seed, std::size_t number)
{
    ByteString bytes(seed.begin(), seed.end());
    bytes.push_back(static_cast<Byte>(number % 256));
    bytes.push_back(static_cast<Byte>(number / 256));
    return bytes;
}

/// RejBoundedPoly (Algorithm 31), with CoeffFromHalfByte (Algorithm 15).
void expect_bounded(const Coefficients& c, BytesIn<> seed, int eta)
{
    const Bytes next = shake256(seed);
    for (std::size_t j = 0; j < n;) {
        const int byte = next();
        for (const int b : {byte % 16, byte / 16}) {
            if (j == n) break;
            if (b >= (eta == 2 ? 15 : 9)) continue;
            ASSERT_EQ(c[j++], eta == 2 ? 2 - b % 5 : 4 - b);
        }
    }
}

template <Shape p>
void expect_secret_vectors()
{
    test::Numbers numbers{8};
    for (int repeat = 0; repeat < 50; ++repeat) {
        const ByteString seed = numbers.bytes(rho_prime_bytes);
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

// ---- Masks

template <Shape p>
void expect_masks()
{
    test::Numbers numbers{9};
    // The largest counter is that of the last attempt: both of its bytes count.
    for (const std::size_t kappa : {std::size_t{0}, std::size_t{255}, (max_attempts - 1) * p.l}) {
        const ByteString seed = numbers.bytes(rho_prime_bytes);
        PolyVector<p.l, MaskPoly<p>> y;
        expand_mask<p, Portable>(BytesIn<rho_prime_bytes>{seed}, kappa, y);
        for (std::size_t r = 0; r < p.l; ++r) {
            // BitUnpack(v, gamma1 - 1, gamma1) of H(rho'' | kappa + r) (Algorithms 34
            // and 19), bit by bit.
            const Bytes next = shake256(numbered(seed, kappa + r));
            unsigned byte = 0;
            std::size_t taken = 0;
            for (const std::int32_t c : y[r].c) {
                std::int32_t integer = 0;
                for (int i = 0; i < p.z_bits(); ++i, ++taken) {
                    if (taken % 8 == 0) byte = next();
                    integer += static_cast<std::int32_t>(byte >> taken % 8 & 1) << i;
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
