/// Falcon's signed messages: what girih_crypto_sign_open refuses, each thing with a string of which
/// nothing else is wrong.
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
class SignedMessage : public testing::TestWithParam<const char*> {
  public:
    const girih_alg* alg = girih_algorithm(GetParam());
    const test::KeyPair keys = test::key_pair(alg, test::counting(48));
    const ByteString message = test::counting(100, 3);
    const ByteString good = sign(message);
    const Byte header = GetParam() == std::string{"Falcon-512"} ? 0x29 : 0x2A;

    [[nodiscard]] ByteString sign(BytesIn<> text) const
    {
        ByteString out(text.size() + girih_signature_bytes(alg) + 2);
        std::size_t size = 0;
        EXPECT_EQ(girih_crypto_sign(alg, keys.secret_key.data(), keys.secret_key.size(), text.data(),
                                    text.size(), nullptr, out.data(), out.size(), &size),
                  GIRIH_OK);
        out.resize(size);
        return out;
    }
    static std::size_t tail_bytes(const ByteString& signed_message)
    {
        return std::size_t{signed_message[0]} << 8 | signed_message[1];
    }
    static ByteString with_length(ByteString signed_message, std::size_t length)
    {
        signed_message[0] = static_cast<Byte>(length >> 8);
        signed_message[1] = static_cast<Byte>(length);
        return signed_message;
    }

    /// How `in` opens into so many bytes; what is written has to be `expected`, or nothing.
    static int open_into(std::size_t capacity, const girih_alg* alg, BytesIn<> public_key, BytesIn<> in,
                         const ByteString& expected)
    {
        ByteString out(capacity + 1, 0xEE);
        std::size_t size = 1;
        const int error = girih_crypto_sign_open(alg, public_key.data(), public_key.size(), in.data(),
                                                 in.size(), out.data(), capacity, &size);
        EXPECT_EQ(out.back(), 0xEE);
        out.pop_back();
        if (error == GIRIH_OK) {
            out.resize(size);
            EXPECT_EQ(out, expected);
        } else {
            EXPECT_EQ(size, 0U);
            EXPECT_TRUE(test::is_zero(out));
        }
        return error;
    }
    /// The first bytes alone; one that would be a header follows.
    [[nodiscard]] int open(ByteString in, std::size_t size) const
    {
        in.resize(size);
        in.push_back(header);
        return open_into(size, alg, keys.public_key, BytesIn<>{in}.first(size), message);
    }
    [[nodiscard]] int open(const ByteString& in) const { return open(in, in.size()); }
};
INSTANTIATE_TEST_SUITE_P(Of, SignedMessage, testing::Values("Falcon-512", "Falcon-1024"),
                         test::EveryAlgorithm::name);

TEST_P(SignedMessage, OpensToItsMessage)
{
    EXPECT_EQ(open(good), GIRIH_OK);
    EXPECT_EQ(good.size(), length_bytes + salt_bytes + message.size() + tail_bytes(good));
    EXPECT_EQ(good[good.size() - tail_bytes(good)], header);
}

TEST_P(SignedMessage, MayBeOfNothing)
{
    const ByteString empty = sign({});
    EXPECT_EQ(open_into(empty.size(), alg, keys.public_key, empty, {}), GIRIH_OK);
}

TEST_P(SignedMessage, DoesNotOpenIfOneBitOfAnyPartIsAnother)
{
    // The length's, the salt's, the message's, the header's and s2's.
    for (std::size_t byte = 0; byte < good.size(); ++byte) {
        ByteString changed = good;
        test::flip(changed, 8 * byte + byte % 8);
        ASSERT_EQ(open(changed), GIRIH_ERROR_SIGNATURE) << byte;
    }
}

TEST_P(SignedMessage, DoesNotOpenWithAnotherKey)
{
    const test::KeyPair other = test::key_pair(alg, test::counting(48, 1));
    EXPECT_EQ(open_into(good.size(), alg, other.public_key, good, {}), GIRIH_ERROR_SIGNATURE);
}

TEST_P(SignedMessage, HasOneHeader)
{
    const std::size_t at = good.size() - tail_bytes(good);
    for (unsigned other = 0; other < 256; ++other) {
        ByteString changed = good;
        changed[at] = static_cast<Byte>(other);
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
        ByteString long_one(length_bytes + salt_bytes + message.size() + tail, header);
        EXPECT_EQ(open(with_length(long_one, tail)), GIRIH_ERROR_SIGNATURE) << tail;
    }
}

TEST_P(SignedMessage, IsOpenedIntoAsManyBytesAsItHas)
{
    for (const std::size_t capacity : {std::size_t{0}, message.size(), good.size() - 1})
        EXPECT_EQ(open_into(capacity, alg, keys.public_key, good, {}), GIRIH_ERROR_LENGTH) << capacity;
}

TEST_P(SignedMessage, IsMadeOnlyWhereTheLongestSignatureFits)
{
    const std::size_t enough = message.size() + girih_signature_bytes(alg) + 2;
    for (const std::size_t capacity : {std::size_t{0}, message.size(), girih_signature_bytes(alg) + 1,
                                       girih_signature_bytes(alg) + 2, enough - 1, enough, enough + 1}) {
        ByteString out(capacity + 1, 0xEE);
        std::size_t size = 1;
        const int error =
            girih_crypto_sign(alg, keys.secret_key.data(), keys.secret_key.size(), message.data(),
                              message.size(), nullptr, out.data(), capacity, &size);
        EXPECT_EQ(error, capacity < enough ? GIRIH_ERROR_LENGTH : GIRIH_OK) << capacity;
        EXPECT_EQ(size != 0, error == GIRIH_OK);
        EXPECT_EQ(test::is_zero(BytesIn<>{out}.first(capacity)), error != GIRIH_OK || capacity == 0);
        EXPECT_EQ(out.back(), 0xEE);
    }
}

}  // namespace
