/// The task of SampleInBall gives the result of the plain loop; and at the ends of blocks, which no
/// known answer reaches, that of the standard's text on the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;
using test::ByteString;

/// SampleInBall (Algorithm 29), with its array of sign bits h.
Coefficients sample_in_ball(const std::function<Byte()>& next, std::size_t tau)
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
    /// For hashes of more than one block, which no known answer needs: the task takes the bytes
    /// block by block, and ends when it has enough.
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
            output.fill(0x0101010101010101);  // after the block, which nothing should read
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

TYPED_TEST(HashToBall, GivesThePolynomialOfSampleInBall)
{
    constexpr Params P = TypeParam::params;
    for (unsigned number = 0; number < 1000; ++number) {
        std::array<Byte, P.c_tilde_bytes> c_tilde;
        copy(test::Numbers{number}.bytes(c_tilde.size()), c_tilde);
        ChallengePoly c;
        std::array tasks{BallTask<P.shape(), Portable>{c_tilde, c}};
        keccak::run<Portable::WideWords>(tasks);
        ASSERT_EQ(c.c, (ml_dsa::sample_in_ball<P.shape(), Portable>(c_tilde).c)) << number;
    }
}

TYPED_TEST(HashToBall, TakesPositionsFromTheFirstByteOfEachBlock)
{
    test::Numbers numbers{3};
    for (std::size_t taken = 0; taken < TypeParam::params.tau; ++taken) {
        // 255 is accepted as the last position only. In the first block, the first `taken` bytes
        // after the signs are positions.
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
        // The last position may be any byte, even 255, so the one before it stays open until then.
        for (std::size_t i = 0; i + 2 < TypeParam::params.tau; ++i) bytes[8 + i] = static_cast<Byte>(2 * i);
        bytes[last] = 7;
        bytes[last + 1] = 9;
        this->expect_of_blocks(bytes);
    }
}

}  // namespace
