/// Where the bytes of hashes go in ML-DSA: challenges that take more than one block, which no known
/// hash does, and K of a key's seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/keygen.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;
using test::ByteString;

template <Params P>
struct Set {
    static constexpr Params params = P;
};
using Sets = testing::Types<Set<ml_dsa_44>, Set<ml_dsa_65>, Set<ml_dsa_87>>;

constexpr std::size_t rate = keccak::shake256_function.rate;

template <class T>
class HashToBallBlocks : public testing::Test {
  public:
    static constexpr Params P = T::params;

    /// SampleInBall (FIPS 204, Algorithm 29) of a string of bytes, and how many of them it takes.
    struct Ball {
        std::vector<std::int32_t> c;
        std::size_t used;
    };
    static Ball from_bytes(const ByteString& bytes)
    {
        Ball ball{std::vector<std::int32_t>(n), 8};
        for (std::size_t i = n - P.tau; i < n; ++i) {
            while (bytes.at(ball.used) > i) ++ball.used;
            const std::size_t j = bytes[ball.used++];
            const std::size_t sign = i + P.tau - n;
            ball.c[i] = ball.c[j];
            ball.c[j] = (bytes[sign / 8] >> (sign % 8) & 1) == 0 ? 1 : -1;
        }
        return ball;
    }
    /// The task gives the same of the bytes block by block, and ends when it has what it needs.
    static void expect_as_by_definition(const ByteString& bytes)
    {
        const Ball expected = from_bytes(bytes);
        const std::array<Byte, P.c_tilde_bytes> c_tilde{};
        ChallengePoly c;
        BallTask<P.shape(), Portable> task{c_tilde, c};
        for (std::size_t end = rate; end <= bytes.size(); end += rate) {
            keccak::Row input{};
            keccak::Row output{};
            for (std::size_t i = 0; i < rate; ++i)
                output[i / 8] |= std::uint64_t{bytes[end - rate + i]} << (8 * (i % 8));
            for (std::size_t i = rate; i < 8 * output.size(); ++i)
                output[i / 8] |= std::uint64_t{1} << (8 * (i % 8));  // nothing that anyone should read
            const bool is_done = task.resume(keccak::Lane{input, output}) == nullptr;
            ASSERT_EQ(is_done, end >= expected.used) << end;
            if (is_done) break;
        }
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(c.c[i], expected.c[i]) << i;
    }
};
TYPED_TEST_SUITE(HashToBallBlocks, Sets);

TYPED_TEST(HashToBallBlocks, AfterTheFirstHoldPositionsFromTheirFirstByteOn)
{
    test::Numbers numbers{3};
    for (std::size_t taken = 0; taken < TestFixture::P.tau; ++taken) {
        // 255 is no position but the last. Of the first block, the first `taken` bytes behind the
        // signs are positions.
        ByteString bytes = numbers.bytes(3 * rate);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<Byte>(i < 8 ? bytes[i] : bytes[i] % 190);
        for (std::size_t i = 8 + taken; i < rate; ++i) bytes[i] = 255;
        this->expect_as_by_definition(bytes);
        for (std::size_t i = rate; i < 2 * rate; ++i) bytes[i] = 255;
        if (taken + 1 < TestFixture::P.tau) this->expect_as_by_definition(bytes);
    }
}

TYPED_TEST(HashToBallBlocks, AreUsedToTheirLastByte)
{
    for (const std::size_t last : {rate - 2, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate}) {
        ByteString bytes(3 * rate, 255);
        std::fill_n(bytes.begin(), 8, Byte{0xA5});
        for (std::size_t i = 0; i + 1 < TestFixture::P.tau; ++i) bytes[8 + i] = static_cast<Byte>(2 * i);
        // The last position may be any: 255 too, so that one has to stay open until then.
        for (std::size_t i = 8 + TestFixture::P.tau - 2; i < last; ++i) bytes[i] = 255;
        bytes[last] = 7;
        bytes[last + 1] = 9;
        this->expect_as_by_definition(bytes);
    }
}

template <class T>
class SecretKeyParts : public testing::Test {};
using AllSets = testing::Types<Set<ml_dsa_44>, Set<ml_dsa_65>, Set<ml_dsa_87>, Set<dilithium2>,
                               Set<dilithium3>, Set<dilithium5>>;
TYPED_TEST_SUITE(SecretKeyParts, AllSets);

TYPED_TEST(SecretKeyParts, AreRhoAndKOfTheSeedAndTrOfThePublicKey)
{
    constexpr Params P = TypeParam::params;
    const ByteString seed = test::counting(32, 5);
    std::array<Byte, P.public_key_bytes()> pk;
    std::array<Byte, P.secret_key_bytes()> sk;
    keygen<P.shape(), Portable>(P, BytesIn<32>{seed}, pk, sk);
    ByteString input = seed;
    if (P.seed_names_dimensions()) {
        input.push_back(static_cast<Byte>(P.k));
        input.push_back(static_cast<Byte>(P.l));
    }
    std::array<Byte, 128> expanded;  // rho, rho', K
    keccak::Shake256<Portable>{}.absorb(input).squeeze(expanded);
    std::array<Byte, P.tr_bytes> tr;
    keccak::Shake256<Portable>{}.absorb(pk).squeeze(tr);
    EXPECT_TRUE(std::equal(pk.begin(), pk.begin() + 32, expanded.begin()));
    EXPECT_TRUE(std::equal(sk.begin(), sk.begin() + 32, expanded.begin()));
    EXPECT_TRUE(std::equal(sk.begin() + 32, sk.begin() + 64, expanded.begin() + 96));
    EXPECT_TRUE(std::equal(tr.begin(), tr.end(), sk.begin() + 64));
}

}  // namespace
