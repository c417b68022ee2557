/// SHA-2 and HMAC against their published examples, and the constants against their definitions.
#include "sha2/sha2.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "sha2/hmac.hpp"

namespace {

using namespace girih;

std::vector<Byte> ascii(std::string_view text) { return {text.begin(), text.end()}; }

std::string hex(BytesIn<> bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const Byte byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

/// `bytes` bytes that differ from message to message.
std::vector<Byte> message_of(std::size_t bytes)
{
    std::vector<Byte> message(bytes);
    for (std::size_t i = 0; i < bytes; ++i) message[i] = static_cast<Byte>(7 * i + bytes);
    return message;
}

// ---- Constants ----------------------------------------------------------------------------------

/// An unsigned integer below 2^224, 32 bits a limb, lowest first: enough for 409 * 2^192.
using Natural = std::array<std::uint32_t, 7>;

Natural product(const Natural& a, const Natural& b)
{
    Natural c{};
    for (std::size_t i = 0; i < c.size(); ++i) {
        std::uint64_t carry = 0;
        for (std::size_t j = 0; i + j < c.size(); ++j) {
            carry += std::uint64_t{a[i]} * b[j] + c[i + j];
            c[i + j] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }
    return c;
}

bool less(const Natural& a, const Natural& b)
{
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

std::vector<std::uint32_t> first_primes(std::size_t count)
{
    std::vector<std::uint32_t> primes;
    for (std::uint32_t n = 2; primes.size() < count; ++n) {
        if (std::ranges::none_of(primes, [n](std::uint32_t p) { return n % p == 0; })) primes.push_back(n);
    }
    return primes;
}

/// Whether root = floor(2^64 * n^(1/degree)) has `fraction` as its lower 64 bits:
/// root^degree <= 2^(64 degree) n < (root + 1)^degree.
bool is_root_fraction(std::uint64_t fraction, std::uint32_t n, std::size_t degree)
{
    const auto power = [degree](const Natural& base) {
        Natural result = base;
        for (std::size_t i = 1; i < degree; ++i) result = product(result, base);
        return result;
    };
    std::uint32_t whole = 1;
    while (!less(Natural{n}, power(Natural{whole + 1}))) ++whole;
    const Natural root{static_cast<std::uint32_t>(fraction), static_cast<std::uint32_t>(fraction >> 32),
                       whole};
    const std::uint64_t next_fraction = fraction + 1;
    const Natural next{static_cast<std::uint32_t>(next_fraction),
                       static_cast<std::uint32_t>(next_fraction >> 32), whole + (next_fraction == 0 ? 1 : 0)};
    Natural radicand{};
    radicand[2 * degree] = n;
    return !less(radicand, power(root)) && less(radicand, power(next));
}

TEST(Sha2Constants, AreFractionsOfCubeRootsOfTheFirst80Primes)
{
    const auto primes = first_primes(sha2::cube_roots.size());
    for (std::size_t i = 0; i < primes.size(); ++i) {
        EXPECT_TRUE(is_root_fraction(sha2::cube_roots[i], primes[i], 3)) << "prime " << primes[i];
    }
}

TEST(Sha2Constants, AreFractionsOfSquareRootsOfTheFirst16Primes)
{
    const auto primes = first_primes(sha2::square_roots.size());
    for (std::size_t i = 0; i < primes.size(); ++i) {
        EXPECT_TRUE(is_root_fraction(sha2::square_roots[i], primes[i], 2)) << "prime " << primes[i];
    }
}

TEST(Sha2Constants, RootFractionsThatAreOneOffAreSeen)
{
    EXPECT_FALSE(is_root_fraction(sha2::cube_roots[79] + 1, 409, 3));
    EXPECT_FALSE(is_root_fraction(sha2::cube_roots[79] - 1, 409, 3));
    EXPECT_FALSE(is_root_fraction(sha2::square_roots[15] + 1, 53, 2));
    EXPECT_FALSE(is_root_fraction(sha2::square_roots[15] - 1, 53, 2));
}

// The first and last words of the initial values as FIPS 180-4, Sections 5.3.2 to
// 5.3.6, print them.
static_assert(sha2::sha224.initial[0] == 0xc1059ed8 && sha2::sha224.initial[7] == 0xbefa4fa4);
static_assert(sha2::sha256.initial[0] == 0x6a09e667 && sha2::sha256.initial[7] == 0x5be0cd19);
static_assert(sha2::sha384.initial[0] == 0xcbbb9d5dc1059ed8 && sha2::sha384.initial[7] == 0x47b5481dbefa4fa4);
static_assert(sha2::sha512.initial[0] == 0x6a09e667f3bcc908 && sha2::sha512.initial[7] == 0x5be0cd19137e2179);
static_assert(sha2::sha512_224.initial[0] == 0x8c3d37c819544da2 &&
              sha2::sha512_224.initial[7] == 0x1112e6ad91d692a1);
static_assert(sha2::sha512_256.initial[0] == 0x22312194fc2bf72c &&
              sha2::sha512_256.initial[7] == 0x0eb72ddc81c52ca2);

// ---- Compile time -------------------------------------------------------------------------------

constexpr std::array<Byte, 3> abc = {'a', 'b', 'c'};

static_assert(sha2::hash<sha2::sha256>(abc) ==
              std::array<Byte, 32>{0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                                   0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                                   0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad});
static_assert(sha2::hash<sha2::sha512_224>(abc) ==
              std::array<Byte, 28>{0x46, 0x34, 0x27, 0x0f, 0x70, 0x7b, 0x6a, 0x54, 0xda, 0xae,
                                   0x75, 0x30, 0x46, 0x08, 0x42, 0xe2, 0x0e, 0x37, 0xed, 0x26,
                                   0x5c, 0xee, 0xe9, 0xa4, 0x3e, 0x89, 0x24, 0xaa});

// ---- Forms --------------------------------------------------------------------------------------

template <class Word>
void expect_that_loops_compress_as_unrolled_rounds_do()
{
    const std::vector<Byte> blocks = message_of(5 * sha2::block_bytes<Word>);
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

// ---- Examples -----------------------------------------------------------------------------------

/// NIST's examples with intermediate values use these: 448 bits for 32-bit words, 896 for 64-bit
/// ones, so that the padding takes a second block.
constexpr std::string_view two_blocks_of_32 = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
constexpr std::string_view two_blocks_of_64 =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";

/// A function's digests, in hexadecimal.
struct Sha224 {
    using Hash = sha2::Sha224;
    static constexpr std::string_view two_blocks = two_blocks_of_32;
    static constexpr std::string_view of_nothing = "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f";
    static constexpr std::string_view of_abc = "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7";
    static constexpr std::string_view of_two_blocks =
        "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525";
    static constexpr std::string_view of_a_million_a =
        "20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67";
    static constexpr std::string_view of_digests = "fd64e005f571477279664e8b0ee5e0a19de5edc4c37d71422f639ad8";
};
struct Sha256 {
    using Hash = sha2::Sha256;
    static constexpr std::string_view two_blocks = two_blocks_of_32;
    static constexpr std::string_view of_nothing =
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    static constexpr std::string_view of_abc =
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    static constexpr std::string_view of_two_blocks =
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
    static constexpr std::string_view of_a_million_a =
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    static constexpr std::string_view of_digests =
        "60d63ff40b5558727a9b786ac0be9300f7ca58fd9ddd3b2f3681b369018a87dc";
};
struct Sha384 {
    using Hash = sha2::Sha384;
    static constexpr std::string_view two_blocks = two_blocks_of_64;
    static constexpr std::string_view of_nothing =
        "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b";
    static constexpr std::string_view of_abc =
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7";
    static constexpr std::string_view of_two_blocks =
        "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039";
    static constexpr std::string_view of_a_million_a =
        "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985";
    static constexpr std::string_view of_digests =
        "022ac2b92dcdb9358b044b9475cd22bacae49d2510f5493370847b4c61050cacc2325d1d80119adbc3ca9eaa7ecd3de7";
};
struct Sha512 {
    using Hash = sha2::Sha512;
    static constexpr std::string_view two_blocks = two_blocks_of_64;
    static constexpr std::string_view of_nothing =
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f"
        "63b931bd47417a81a538327af927da3e";
    static constexpr std::string_view of_abc =
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
        "454d4423643ce80e2a9ac94fa54ca49f";
    static constexpr std::string_view of_two_blocks =
        "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433a"
        "c7d329eeb6dd26545e96e55b874be909";
    static constexpr std::string_view of_a_million_a =
        "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31b"
        "eb009c5c2c49aa2e4eadb217ad8cc09b";
    static constexpr std::string_view of_digests =
        "e1f2f7d5d8fc48db06ec2a0eed639593f549caffa40245747258761214a3ec07134903fde52ace6cfae161a82097ba01"
        "f33a97d48dd6a80d4521d96d7401357e";
};
struct Sha512_224 {
    using Hash = sha2::Sha512_224;
    static constexpr std::string_view two_blocks = two_blocks_of_64;
    static constexpr std::string_view of_nothing = "6ed0dd02806fa89e25de060c19d3ac86cabb87d6a0ddd05c333b84f4";
    static constexpr std::string_view of_abc = "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa";
    static constexpr std::string_view of_two_blocks =
        "23fec5bb94d60b23308192640b0c453335d664734fe40e7268674af9";
    static constexpr std::string_view of_a_million_a =
        "37ab331d76f0d36de422bd0edeb22a28accd487b7a8453ae965dd287";
    static constexpr std::string_view of_digests = "0d2c6f35bb1234689ae6fc066bd98e10520305aabddc6c4f73cd4199";
};
struct Sha512_256 {
    using Hash = sha2::Sha512_256;
    static constexpr std::string_view two_blocks = two_blocks_of_64;
    static constexpr std::string_view of_nothing =
        "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a";
    static constexpr std::string_view of_abc =
        "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23";
    static constexpr std::string_view of_two_blocks =
        "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a";
    static constexpr std::string_view of_a_million_a =
        "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21";
    static constexpr std::string_view of_digests =
        "269c8df4ed9dc95eb220e0cb62dd8db46ae5d865dd2ed2097fc3a4e85c139a20";
};

template <class Function>
std::string digest(BytesIn<> message)
{
    return hex(typename Function::Hash{}.update(message).digest());
}

template <class Function>
class Sha2 : public testing::Test {};

using Functions = testing::Types<Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256>;
TYPED_TEST_SUITE(Sha2, Functions, );

TYPED_TEST(Sha2, HashesTheEmptyMessage) { EXPECT_EQ(digest<TypeParam>({}), TypeParam::of_nothing); }

TYPED_TEST(Sha2, HashesOneBlock) { EXPECT_EQ(digest<TypeParam>(abc), TypeParam::of_abc); }

TYPED_TEST(Sha2, HashesTwoBlocks)
{
    EXPECT_EQ(digest<TypeParam>(ascii(TypeParam::two_blocks)), TypeParam::of_two_blocks);
}

TYPED_TEST(Sha2, HashesAMillionTimesA)
{
    const std::vector<Byte> message(1'000'000, 'a');
    EXPECT_EQ(digest<TypeParam>(message), TypeParam::of_a_million_a);
}

/// Every length of padding: the digest of the digests of message_of(0), message_of(1),
/// ..., message_of(300).
TYPED_TEST(Sha2, HashesEveryLengthUpTo300)
{
    typename TypeParam::Hash all;
    for (std::size_t bytes = 0; bytes <= 300; ++bytes) {
        all.update(typename TypeParam::Hash{}.update(message_of(bytes)).digest());
    }
    EXPECT_EQ(hex(all.digest()), TypeParam::of_digests);
}

TYPED_TEST(Sha2, DoesNotSeeWhereAMessageIsSplit)
{
    const std::vector<Byte> message = message_of(300);
    const std::string whole = digest<TypeParam>(message);
    for (std::size_t split = 0; split <= message.size(); ++split) {
        typename TypeParam::Hash hash;
        hash.update(BytesIn<>{message}.first(split)).update(BytesIn<>{message}.subspan(split));
        EXPECT_EQ(hex(hash.digest()), whole) << "split at " << split;
    }
}

TYPED_TEST(Sha2, DoesNotSeePiecesOfAnyOneSize)
{
    const std::vector<Byte> message = message_of(300);
    const std::string whole = digest<TypeParam>(message);
    for (std::size_t size = 1; size < message.size(); ++size) {
        typename TypeParam::Hash hash;
        for (std::size_t at = 0; at < message.size(); at += size) {
            hash.update(BytesIn<>{message}.subspan(at, std::min(size, message.size() - at)));
        }
        EXPECT_EQ(hex(hash.digest()), whole) << "pieces of " << size;
    }
}

TYPED_TEST(Sha2, BeginsAnewAfterADigest)
{
    typename TypeParam::Hash hash;
    hash.update(message_of(200));
    (void)hash.digest();
    EXPECT_EQ(hex(hash.update(abc).digest()), TypeParam::of_abc);
}

TYPED_TEST(Sha2, CopiesContinueOnTheirOwn)
{
    const std::vector<Byte> message = message_of(200);
    typename TypeParam::Hash hash;
    hash.update(BytesIn<>{message}.first(150));
    typename TypeParam::Hash copy = hash;
    EXPECT_EQ(hex(copy.update(BytesIn<>{message}.subspan(150)).digest()), digest<TypeParam>(message));
    EXPECT_EQ(hex(hash.digest()), digest<TypeParam>(BytesIn<>{message}.first(150)));
}

TYPED_TEST(Sha2, WipesItselfInTheDestructor)
{
    using Hash = typename TypeParam::Hash;
    alignas(Hash) std::array<Byte, sizeof(Hash)> storage{};
    const volatile Byte* const bytes =
        storage.data();  // volatile: the compiler believes it knows what is there
    Hash* const hash = new (storage.data()) Hash;
    hash->update(message_of(200));
    EXPECT_TRUE(std::any_of(bytes, bytes + sizeof(Hash), [](Byte byte) { return byte != 0; }));
    hash->~Hash();
    EXPECT_TRUE(std::all_of(bytes, bytes + sizeof(Hash), [](Byte byte) { return byte == 0; }));
}

// ---- HMAC ---------------------------------------------------------------------------------------

template <sha2::Params P>
std::string hmac(BytesIn<> key, BytesIn<> message)
{
    std::array<Byte, P.digest_bytes> mac{};
    sha2::Hmac<P>(key).mac(message, {}, mac);
    return hex(mac);
}

/// RFC 4231, Sections 4.2, 4.3 and 4.7: a short key, a shorter one, and one longer than a block.
TEST(Hmac, GivesTheAnswersOfRfc4231)
{
    EXPECT_EQ(hmac<sha2::sha256>(std::vector<Byte>(20, 0x0b), ascii("Hi There")),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    EXPECT_EQ(hmac<sha2::sha512>(ascii("Jefe"), ascii("what do ya want for nothing?")),
              "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
              "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737");
    const std::vector<Byte> key(131, 0xaa);
    const std::vector<Byte> message = ascii("Test Using Larger Than Block-Size Key - Hash Key First");
    EXPECT_EQ(hmac<sha2::sha256>(key, message),
              "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    EXPECT_EQ(hmac<sha2::sha512>(key, message),
              "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
              "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598");
}

}  // namespace
