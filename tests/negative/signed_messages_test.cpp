/// Falcon's signed messages: the faults that girih_crypto_sign_open refuses, each in a string with
/// no other fault.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

constexpr std::size_t length_bytes = 2;
constexpr std::size_t salt_bytes = 40;

/// length of what follows the message | salt | message | header | s2
class SignedMessage : public test::EveryAlgorithm {
  public:
    const test::KeyPair keys = test::key_pair(alg, test::counting(48));
    const ByteString message = test::counting(100, 3);
    const ByteString good = sign(message);
    const std::size_t tail_bytes = std::size_t{good[0]} << 8 | good[1];
    const Byte header = GetParam() == std::string{"Falcon-512"} ? 0x29 : 0x2A;

    [[nodiscard]] ByteString sign(BytesIn<> text) const
    {
        ByteString out(text.size() + girih_signature_bytes(alg) + 2);
        std::size_t size = 0;
        EXPECT_EQ(test::call(girih_crypto_sign, alg, keys.secret_key, text, nullptr, out, &size), GIRIH_OK);
        out.resize(size);
        return out;
    }
    static ByteString with_length(ByteString signed_message, std::size_t length)
    {
        signed_message[0] = static_cast<Byte>(length >> 8);
        signed_message[1] = static_cast<Byte>(length);
        return signed_message;
    }
    /// Opens the first bytes alone; one that would be a header follows.
    [[nodiscard]] int open(ByteString in, std::size_t size, BytesIn<> public_key) const
    {
        in.resize(size);
        in.push_back(header);
        ByteString out(size, 0xEE);
        std::size_t opened = 1;
        const int error =
            test::call(girih_crypto_sign_open, alg, public_key, BytesIn<>{in}.first(size), out, &opened);
        out.resize(error == GIRIH_OK ? opened : size);
        EXPECT_EQ(out, error == GIRIH_OK ? message : ByteString(size));
        return error;
    }
    [[nodiscard]] int open(const ByteString& in, std::size_t size) const
    {
        return open(in, size, keys.public_key);
    }
    [[nodiscard]] int open(const ByteString& in) const { return open(in, in.size()); }
};
INSTANTIATE_TEST_SUITE_P(Of, SignedMessage, testing::Values("Falcon-512", "Falcon-1024"),
                         test::EveryAlgorithm::name);

/// Its signature is all that follows the salt, and fills the room that a signature may take.
TEST_P(SignedMessage, MayBeOfNothing)
{
    const ByteString empty = sign({});
    ByteString out(empty.size());
    std::size_t opened = 1;
    EXPECT_EQ(test::call(girih_crypto_sign_open, alg, keys.public_key, empty, out, &opened), GIRIH_OK);
    EXPECT_EQ(opened, 0U);
}

TEST_P(SignedMessage, IsMadeOnlyWhereTheLongestSignatureFits)
{
    const std::size_t longest = girih_signature_bytes(alg) + 2;
    for (const std::size_t capacity : {longest - 1, longest, longest + message.size() - 1}) {
        ByteString out(capacity, 0xEE);
        std::size_t size = 1;
        EXPECT_EQ(test::call(girih_crypto_sign, alg, keys.secret_key, message, nullptr, out, &size),
                  GIRIH_ERROR_CAPACITY);
        EXPECT_TRUE(size == 0 && test::is_zero(out)) << capacity;
    }
}

TEST_P(SignedMessage, DoesNotOpenIfOneBitOfAnyPartIsAnother)
{
    // The length's, the salt's, the message's, the header's and s2's.
    for (std::size_t byte = 0; byte < good.size(); ++byte)
        ASSERT_EQ(open(test::flipped(good, 8 * byte + byte % 8)), GIRIH_ERROR_SIGNATURE) << byte;
}

TEST_P(SignedMessage, DoesNotOpenWithAnotherKey)
{
    const test::KeyPair other = test::key_pair(alg, test::counting(48, 1));
    EXPECT_EQ(open(good, good.size(), other.public_key), GIRIH_ERROR_SIGNATURE);
}

TEST_P(SignedMessage, HasOneHeader)
{
    for (unsigned other = 0; other < 256; ++other) {
        ByteString changed = good;
        changed[good.size() - tail_bytes] = static_cast<Byte>(other);
        EXPECT_EQ(open(changed), other == header ? GIRIH_OK : GIRIH_ERROR_SIGNATURE) << other;
    }
}

TEST_P(SignedMessage, IsNoShorterThanItsLengthAndItsSalt)
{
    for (std::size_t size = 0; size <= length_bytes + salt_bytes + 1; ++size)
        EXPECT_EQ(open(with_length(good, 1), size), GIRIH_ERROR_SIGNATURE) << size;
    for (const std::size_t less : {std::size_t{1}, message.size(), message.size() + 1})
        EXPECT_EQ(open(good, good.size() - less), GIRIH_ERROR_SIGNATURE) << less;
}

TEST_P(SignedMessage, HasAHeaderInItsLength)
{
    EXPECT_EQ(open(with_length(good, 0)), GIRIH_ERROR_SIGNATURE);
    EXPECT_EQ(open(with_length(good, 0), length_bytes + salt_bytes), GIRIH_ERROR_SIGNATURE);
}

TEST_P(SignedMessage, HasNoLengthThatReachesIntoItsSalt)
{
    // Every byte before s2 reads as a header.
    ByteString changed = good;
    std::fill_n(changed.begin(), length_bytes + salt_bytes + message.size(), header);
    const std::size_t behind_salt = good.size() - length_bytes - salt_bytes;
    for (std::size_t over = 1; over <= 41; ++over)
        EXPECT_EQ(open(with_length(changed, behind_salt + over)), GIRIH_ERROR_SIGNATURE) << over;
}

TEST_P(SignedMessage, HasNoSignatureThatIsLongerThanTheLongest)
{
    const std::size_t longest = girih_signature_bytes(alg) - salt_bytes;
    for (const std::size_t tail : {longest + 1, longest + 2, longest + 1000, std::size_t{65535}}) {
        const ByteString long_one(length_bytes + salt_bytes + message.size() + tail, header);
        EXPECT_EQ(open(with_length(long_one, tail)), GIRIH_ERROR_SIGNATURE) << tail;
    }
}

}  // namespace
