/// NTRU Prime's use of randomness.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/bytes.hpp"
#include "support/kems.hpp"

namespace {

using namespace girih;
using test::ByteString;

class Kem : public test::EveryAlgorithm {
  public:
    const bool is_streamlined = std::string{GetParam()}.starts_with("sntrup");
};
INSTANTIATE_TEST_SUITE_P(Of, Kem, testing::ValuesIn(test::kem_names), test::EveryAlgorithm::name);

/// Counts requests; fails after a number of them.
struct Requests {
    std::size_t most = SIZE_MAX;
    std::size_t count = 0;
    std::size_t bytes = 0;

    static int fill(void* state, std::uint8_t* out, std::size_t bytes)
    {
        auto& seen = *static_cast<Requests*>(state);
        for (std::size_t i = 0; i < bytes; ++i)
            out[i] = static_cast<std::uint8_t>((seen.bytes + i) * 151 >> 2);
        seen.bytes += bytes;
        return seen.count++ < seen.most ? 0 : -1;
    }
};

TEST_P(Kem, AsksACallersSourceForOneSeedOrForEveryPiece)
{
    Requests requests;
    (void)test::random_key_pair(alg, {Requests::fill, &requests, 0});
    EXPECT_EQ(requests.count, 1U);
    EXPECT_EQ(requests.bytes, 32U);
    requests = {};
    const girih_random piecewise{Requests::fill, &requests, 1};
    const test::KeyPair drawn = test::random_key_pair(alg, piecewise);
    EXPECT_GT(requests.count, 650U);
    requests = {};
    const test::Encapsulation made = test::encapsulate(alg, drawn.public_key, &piecewise);
    EXPECT_EQ(requests.bytes, (is_streamlined ? 4 : 32) * requests.count);
    EXPECT_EQ(test::decapsulate(alg, drawn.secret_key, made.ciphertext), made.shared_secret);
}

TEST_P(Kem, GivesNothingWhenALaterPieceFails)
{
    Requests requests{.most = 1};
    const girih_random failing{Requests::fill, &requests, 1};
    ByteString pk(girih_public_key_bytes(alg), 0xEE);
    ByteString sk(girih_secret_key_bytes(alg), 0xEE);
    EXPECT_EQ(girih_keygen(alg, &failing, pk.data(), pk.size(), sk.data(), sk.size()), GIRIH_ERROR_RANDOM);
    EXPECT_TRUE(test::is_zero(pk) && test::is_zero(sk));
}

}  // namespace
