/// Every algorithm as a whole: what is signed verifies, and nothing that differs in one bit does.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

class KeygenSignVerify : public test::EveryAlgorithm {
  public:
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    const ByteString message = test::counting(61, 100);
    const ByteString signature = test::sign(alg, keys.secret_key, message);
};
INSTANTIATE_TEST_SUITE_P(Of, KeygenSignVerify, testing::ValuesIn(test::algorithm_names),
                         test::EveryAlgorithm::name);

TEST_P(KeygenSignVerify, AcceptsWhatItSigned)
{
    EXPECT_EQ(test::verify(alg, keys.public_key, message, signature), GIRIH_OK);
}

TEST_P(KeygenSignVerify, AcceptsMessagesOfAnyLength)
{
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{135}, std::size_t{100'000}}) {
        const ByteString other = test::Numbers{size}.bytes(size);
        const ByteString other_signature = test::sign(alg, keys.secret_key, other);
        EXPECT_EQ(test::verify(alg, keys.public_key, other, other_signature), GIRIH_OK) << size;
        EXPECT_EQ(test::verify(alg, keys.public_key, message, other_signature), GIRIH_ERROR_SIGNATURE)
            << size;
    }
}

TEST_P(KeygenSignVerify, AcceptsHedgedSignaturesWhichDifferEveryTime)
{
    const girih_options hedged{};
    const ByteString first = test::sign(alg, keys.secret_key, message, hedged);
    const ByteString second = test::sign(alg, keys.secret_key, message, hedged);
    EXPECT_NE(first, second);
    EXPECT_NE(first, signature);
    EXPECT_EQ(test::verify(alg, keys.public_key, message, first), GIRIH_OK);
    EXPECT_EQ(test::verify(alg, keys.public_key, message, second), GIRIH_OK);
}

TEST_P(KeygenSignVerify, IsDeterministicWithoutRandomness)
{
    EXPECT_EQ(test::sign(alg, keys.secret_key, message), signature);
    const test::KeyPair again = test::key_pair(alg, test::counting(32));
    EXPECT_EQ(again.public_key, keys.public_key);
    EXPECT_EQ(again.secret_key, keys.secret_key);
}

TEST_P(KeygenSignVerify, RefusesAnySignatureThatDiffersInOneBit)
{
    // Some 400 bits all over, and every bit of the last bytes, where the hints are.
    const std::size_t bits = 8 * signature.size();
    for (std::size_t bit = 0; bit < bits; bit += bit < bits - 8 * 84 ? 83 : 1) {
        ByteString changed = signature;
        test::flip(changed, bit);
        ASSERT_EQ(test::verify(alg, keys.public_key, message, changed), GIRIH_ERROR_SIGNATURE) << bit;
    }
}

TEST_P(KeygenSignVerify, RefusesEveryPublicKeyThatDiffersInOneBit)
{
    for (std::size_t bit = 0; bit < 8 * keys.public_key.size(); bit += 43) {
        ByteString changed = keys.public_key;
        test::flip(changed, bit);
        ASSERT_EQ(test::verify(alg, changed, message, signature), GIRIH_ERROR_SIGNATURE) << bit;
    }
}

TEST_P(KeygenSignVerify, RefusesEveryMessageThatDiffersInOneBitOrInLength)
{
    for (std::size_t bit = 0; bit < 8 * message.size(); ++bit) {
        ByteString changed = message;
        test::flip(changed, bit);
        ASSERT_EQ(test::verify(alg, keys.public_key, changed, signature), GIRIH_ERROR_SIGNATURE) << bit;
    }
    const BytesIn<> shorter = BytesIn<>{message}.first(message.size() - 1);
    EXPECT_EQ(test::verify(alg, keys.public_key, shorter, signature), GIRIH_ERROR_SIGNATURE);
    ByteString longer = message;
    longer.push_back(0);
    EXPECT_EQ(test::verify(alg, keys.public_key, longer, signature), GIRIH_ERROR_SIGNATURE);
}

TEST_P(KeygenSignVerify, ASecretKeyThatDiffersInOneBitDoesNotSignForTheOldPublicKey)
{
    // K (bytes 32 to 63) is no part of the check: another K gives another valid signature.
    for (std::size_t bit = 0; bit < 8 * keys.secret_key.size(); bit += 127) {
        ByteString changed = keys.secret_key;
        test::flip(changed, bit);
        ByteString public_key(keys.public_key.size());
        const int error =
            girih_public_key(alg, changed.data(), changed.size(), public_key.data(), public_key.size());
        if (bit / 8 >= 32 && bit / 8 < 64) {
            ASSERT_EQ(error, GIRIH_OK) << bit;
            ASSERT_EQ(public_key, keys.public_key) << bit;
        } else {
            ASSERT_TRUE(error == GIRIH_ERROR_KEY_MISMATCH || error == GIRIH_ERROR_SECRET_KEY) << bit;
            ASSERT_TRUE(test::is_zero(public_key)) << bit;
        }
    }
}

TEST_P(KeygenSignVerify, APublicKeyComesBackFromItsSecretKey)
{
    ByteString public_key(keys.public_key.size());
    EXPECT_EQ(girih_public_key(alg, keys.secret_key.data(), keys.secret_key.size(), public_key.data(),
                               public_key.size()),
              GIRIH_OK);
    EXPECT_EQ(public_key, keys.public_key);
}

TEST_P(KeygenSignVerify, DrawsTheSeedOfAKeyFromTheGivenSource)
{
    const ByteString seed = test::counting(32);
    const test::GivenBytes given{seed};
    test::KeyPair drawn{ByteString(keys.public_key.size()), ByteString(keys.secret_key.size())};
    EXPECT_EQ(girih_keygen(alg, given.source(), drawn.public_key.data(), drawn.public_key.size(),
                           drawn.secret_key.data(), drawn.secret_key.size()),
              GIRIH_OK);
    EXPECT_TRUE(given.used_up());
    EXPECT_EQ(drawn.public_key, keys.public_key);
    EXPECT_EQ(drawn.secret_key, keys.secret_key);
}

TEST_P(KeygenSignVerify, MakesADifferentKeyEveryTime)
{
    test::KeyPair first{ByteString(keys.public_key.size()), ByteString(keys.secret_key.size())};
    test::KeyPair second = first;
    for (test::KeyPair* pair : {&first, &second}) {
        EXPECT_EQ(girih_keygen(alg, nullptr, pair->public_key.data(), pair->public_key.size(),
                               pair->secret_key.data(), pair->secret_key.size()),
                  GIRIH_OK);
        const ByteString own = test::sign(alg, pair->secret_key, message);
        EXPECT_EQ(test::verify(alg, pair->public_key, message, own), GIRIH_OK);
    }
    EXPECT_NE(first.public_key, second.public_key);
    EXPECT_NE(first.secret_key, second.secret_key);
}

TEST(KeygenSignVerifyFamilies, DoNotVerifyEachOther)
{
    // The same lattice, but different hashing: ML-DSA-44 and Dilithium2 have public keys and
    // signatures of one length.
    const girih_alg* ml_dsa = girih_algorithm("ML-DSA-44");
    const girih_alg* dilithium = girih_algorithm("Dilithium2");
    const ByteString message = test::counting(10);
    const test::KeyPair keys = test::key_pair(ml_dsa, test::counting(32));
    const test::KeyPair old = test::key_pair(dilithium, test::counting(32));
    EXPECT_NE(keys.public_key, old.public_key);
    const ByteString signature = test::sign(ml_dsa, keys.secret_key, message);
    const ByteString old_signature = test::sign(dilithium, old.secret_key, message);
    EXPECT_EQ(test::verify(dilithium, keys.public_key, message, signature), GIRIH_ERROR_SIGNATURE);
    EXPECT_EQ(test::verify(ml_dsa, old.public_key, message, old_signature), GIRIH_ERROR_SIGNATURE);
}

}  // namespace
