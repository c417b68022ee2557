/// SHA-2 and HMAC against their published examples, however a message is cut.
#include "sha2/sha2.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sha2/hmac.hpp"
#include "unit/symmetric/symmetric.hpp"

namespace {

using namespace girih;
using test::bytes;
using test::ByteString;

ByteString ascii(std::string_view text) { return {text.begin(), text.end()}; }

/// `size` bytes that differ from message to message.
ByteString message_of(std::size_t size)
{
    ByteString message(size);
    for (std::size_t i = 0; i < size; ++i) message[i] = static_cast<Byte>(7 * i + size);
    return message;
}

/// A function's digests: of a million times "a", NIST's example; and of its digests of
/// message_of(0), message_of(1), ..., message_of(300), made with Python's hashlib.
struct Answers {
    std::string_view million, every_length;
};

template <class Hash>
constexpr Answers answers{};
template <>
constexpr Answers answers<sha2::Sha224>{"20794655980C91D8BBB4C1EA97618A4BF03F42581948B2EE4EE7AD67",
                                        "FD64E005F571477279664E8B0EE5E0A19DE5EDC4C37D71422F639AD8"};
template <>
constexpr Answers answers<sha2::Sha256>{"CDC76E5C9914FB9281A1C7E284D73E67F1809A48A497200E046D39CCC7112CD0",
                                        "60D63FF40B5558727A9B786AC0BE9300F7CA58FD9DDD3B2F3681B369018A87DC"};
template <>
constexpr Answers answers<sha2::Sha384>{
    "9D0E1809716474CB086E834E310A4A1CED149E9C00F248527972CEC5704C2A5B07B8B3DC38ECC4EBAE97DDD87F3D8985",
    "022AC2B92DCDB9358B044B9475CD22BACAE49D2510F5493370847B4C61050CACC2325D1D80119ADBC3CA9EAA7ECD3DE7"};
template <>
constexpr Answers answers<sha2::Sha512>{
    "E718483D0CE769644E2E42C7BC15B4638E1F98B13B2044285632A803AFA973EBDE0FF244877EA60A4CB0432CE577C31B"
    "EB009C5C2C49AA2E4EADB217AD8CC09B",
    "E1F2F7D5D8FC48DB06EC2A0EED639593F549CAFFA40245747258761214A3EC07134903FDE52ACE6CFAE161A82097BA01"
    "F33A97D48DD6A80D4521D96D7401357E"};
template <>
constexpr Answers answers<sha2::Sha512_224>{"37AB331D76F0D36DE422BD0EDEB22A28ACCD487B7A8453AE965DD287",
                                            "0D2C6F35BB1234689AE6FC066BD98E10520305AABDDC6C4F73CD4199"};
template <>
constexpr Answers answers<sha2::Sha512_256>{
    "9A59A052930187A97038CAE692F30708AA6491923EF5194394DC68D56C74FB21",
    "269C8DF4ED9DC95EB220E0CB62DD8DB46AE5D865DD2ED2097FC3A4E85C139A20"};

template <class Hash>
class Sha2 : public testing::Test {
  public:
    static std::string digest(BytesIn<> message) { return test::to_hex(Hash{}.update(message).digest()); }
};
using Functions = testing::Types<sha2::Sha224, sha2::Sha256, sha2::Sha384, sha2::Sha512, sha2::Sha512_224,
                                 sha2::Sha512_256>;
TYPED_TEST_SUITE(Sha2, Functions, );

TYPED_TEST(Sha2, GivesThePublishedAnswerForALongMessage)
{
    EXPECT_EQ(this->digest(ByteString(1'000'000, 'a')), answers<TypeParam>.million);
}

TYPED_TEST(Sha2, HashesEveryLengthUpTo300)
{
    TypeParam all;
    for (std::size_t size = 0; size <= 300; ++size) all.update(TypeParam{}.update(message_of(size)).digest());
    EXPECT_EQ(test::to_hex(all.digest()), answers<TypeParam>.every_length);
}

TYPED_TEST(Sha2, HashesTheSameHoweverAMessageIsCut)
{
    const ByteString message = message_of(300);
    const std::string whole = this->digest(message);
    for (std::size_t first = 0; first <= message.size(); ++first) {
        for (const std::size_t second : {std::size_t{0}, std::size_t{1}, first}) {
            const BytesIn<> rest = BytesIn<>{message}.subspan(first);
            const std::size_t middle = std::min(second, rest.size());
            TypeParam hash;
            hash.update(BytesIn<>{message}.first(first));
            hash.update(rest.first(middle)).update(rest.subspan(middle));
            EXPECT_EQ(test::to_hex(hash.digest()), whole) << first << " + " << middle;
        }
    }
}

TYPED_TEST(Sha2, BeginsAnewAfterADigestAndCopiesContinueOnTheirOwn)
{
    const ByteString message = message_of(200);
    TypeParam hash;
    hash.update(BytesIn<>{message}.first(150));
    auto copy = hash;
    EXPECT_EQ(test::to_hex(copy.update(BytesIn<>{message}.subspan(150)).digest()), this->digest(message));
    EXPECT_EQ(test::to_hex(hash.digest()), this->digest(BytesIn<>{message}.first(150)));
    EXPECT_EQ(test::to_hex(hash.update(message).digest()), this->digest(message));
}

TYPED_TEST(Sha2, WipesItselfInTheDestructor)
{
    EXPECT_EQ(test::left_behind<TypeParam>([](auto& hash) { hash.update(message_of(200)); }), 0);
}

// At compile time, where integers are read and written another way.
constexpr auto abc = bytes("616263");
static_assert(sha2::hash<sha2::sha256>(abc) ==
              bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
static_assert(sha2::hash<sha2::sha512_224>(abc) ==
              bytes("4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"));

template <class Word>
void expect_that_loops_compress_as_unrolled_rounds_do()
{
    const ByteString blocks = message_of(5 * sha2::block_bytes<Word>);
    sha2::State<Word> by_loops{};
    for (std::size_t i = 0; i < by_loops.size(); ++i) by_loops[i] = static_cast<Word>(i * 0x9e3779b97f4a7c15);
    sha2::State<Word> unrolled = by_loops;
    sha2::compress<Word, sha2::Rounds::loops>(by_loops, blocks);
    sha2::compress<Word, sha2::Rounds::unrolled>(unrolled, blocks);
    EXPECT_EQ(by_loops, unrolled);
}

TEST(Sha2Forms, OfLoopsAndOfUnrolledRoundsAreTheSameFunction)
{
    expect_that_loops_compress_as_unrolled_rounds_do<std::uint32_t>();
    expect_that_loops_compress_as_unrolled_rounds_do<std::uint64_t>();
}

// ---- HMAC

template <sha2::Params P>
std::string hmac(BytesIn<> key, BytesIn<> message)
{
    std::array<Byte, P.digest_bytes> mac{};
    sha2::Hmac<P>(key).mac(message, {}, mac);
    return test::to_hex(mac);
}

/// RFC 4231, Sections 4.2, 4.3 and 4.7: a short key, a shorter one, and one longer than a block.
TEST(Hmac, GivesTheAnswersOfRfc4231)
{
    const ByteString key(131, 0xaa);
    const ByteString message = ascii("Test Using Larger Than Block-Size Key - Hash Key First");
    EXPECT_EQ(hmac<sha2::sha256>(ByteString(20, 0x0b), ascii("Hi There")),
              "B0344C61D8DB38535CA8AFCEAF0BF12B881DC200C9833DA726E9376C2E32CFF7");
    EXPECT_EQ(hmac<sha2::sha512>(ascii("Jefe"), ascii("what do ya want for nothing?")),
              "164B7A7BFCF819E2E395FBE73B56E0A387BD64222E831FD610270CD7EA250554"
              "9758BF75C05A994A6D034F65F8F0E6FDCAEAB1A34D4A6B4B636E070A38BCE737");
    EXPECT_EQ(hmac<sha2::sha256>(key, message),
              "60E431591EE0B67F0D8A26AACBF5B77F8E0BC6213728C5140546040F0EE37F54");
    EXPECT_EQ(hmac<sha2::sha512>(key, message),
              "80B24263C7C1A3EBB71493C1DD7BE8B49B46D1F41B4AEEC1121B013783F8F352"
              "6B56D037E05F2598BD0FD2215D6A1E5295E64F73F63F0AEC8B915A985D786598");
}

}  // namespace
