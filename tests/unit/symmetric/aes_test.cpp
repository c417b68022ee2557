/// AES and its counter and CBC modes. (The known answers show that NIST's generator for them is
/// right.)
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "aes/aes256.hpp"
#include "aes/cbc.hpp"
#include "aes/ctr.hpp"
#include "aes/ctr_drbg.hpp"
#include "aes/table.hpp"
#include "aes/two_blocks.hpp"
#include "aes/two_counters.hpp"
#include "unit/symmetric/symmetric.hpp"

namespace {

using namespace girih;
using test::bytes;

using OneLane = aes::OneLane<>;

/// Two lanes, so eight blocks at once.
struct TwoLanes {
    using Words [[gnu::vector_size(16)]] = std::uint64_t;

    template <int bits>
    static Words rotate_left(Words a)
    {
        return (a << bits) | (a >> (64 - bits));
    }
    static Words broadcast(std::uint64_t word) { return Words{word, word}; }
};

// NIST SP 800-38A, Appendix F: of the examples of every mode.
constexpr auto key_256 = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
constexpr auto plain = bytes(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");

// ---- CBC

constexpr auto cbc_iv = bytes("000102030405060708090a0b0c0d0e0f");

template <std::size_t key_bytes>
void expect_decrypted(const std::array<Byte, key_bytes>& key, std::array<Byte, 64> blocks)
{
    aes::decrypt_cbc<key_bytes>(key, cbc_iv, blocks);
    EXPECT_EQ(blocks, plain) << key_bytes;
}

TEST(AesCbc, GivesTheAnswersOfAppendixF2)
{
    constexpr auto cipher_256 = bytes(
        "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
        "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b");
    auto blocks = plain;
    aes::encrypt_cbc(key_256, cbc_iv, blocks);
    EXPECT_EQ(blocks, cipher_256);
    expect_decrypted(key_256, cipher_256);
    expect_decrypted(bytes("2b7e151628aed2a6abf7158809cf4f3c"),
                     bytes("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
                           "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"));
    expect_decrypted(bytes("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"),
                     bytes("4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
                           "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd"));
}

TEST(AesCbc, DecryptsWhatItEncryptsOfAnyNumberOfBlocks)
{
    const std::array<Byte, 16> iv{};
    for (std::size_t blocks = 0; blocks <= 9; ++blocks) {
        const test::ByteString text = test::counting(16 * blocks, 100);
        test::ByteString back = text;
        aes::encrypt_cbc(key_256, iv, back);
        EXPECT_EQ(back == text, blocks == 0);
        aes::decrypt_cbc(key_256, iv, back);
        EXPECT_EQ(back, text) << blocks << " blocks";
    }
}

// ---- Counter mode

/// Appendix F.5.5 (CTR-AES256.Encrypt): the sum of its plaintext and its ciphertext.
constexpr auto ctr_counter = bytes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
constexpr std::array<Byte, 64> ctr_answer = [] {
    auto sum = bytes(
        "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
        "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6");
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] ^= plain[i];
    return sum;
}();

template <class Key, std::size_t n>
constexpr std::array<Byte, n> keystream(BytesIn<16> counter = ctr_counter)
{
    std::array<Byte, n> out{};
    aes::CounterMode<Key>{key_256, counter}.generate(out);
    return out;
}

static_assert(keystream<aes::EncryptionKey<OneLane>, 64>() == ctr_answer, "also at compile time");

template <class Key>
class AesCtr : public testing::Test {};
using Keys = testing::Types<aes::EncryptionKey<OneLane>, aes::EncryptionKey<TwoLanes>, aes::TwoBlocks<void>,
                            aes::TwoCounters<void>, aes::VartimeKey<OneLane>>;
TYPED_TEST_SUITE(AesCtr, Keys, );

TYPED_TEST(AesCtr, IsTheKeystreamOfAppendixF55) { EXPECT_EQ((keystream<TypeParam, 64>()), ctr_answer); }

/// With every byte in every place of the S-box: tables, and circuits of gates.
TYPED_TEST(AesCtr, IsThatOfTheTableForAThousandBytes)
{
    EXPECT_EQ((keystream<TypeParam, 1000>()), (keystream<aes::VartimeKey<OneLane>, 1000>()));
}

/// Block i of a keystream is the first block of the one that begins with counter T + i.
TYPED_TEST(AesCtr, CountsIn128BitsAndWrapsAround)
{
    struct Counters {
        std::array<Byte, 16> first, fourth;
    };
    for (const auto& [first, fourth] :
         {Counters{bytes("000000000000000000000000000000fd"), bytes("00000000000000000000000000000100")},
          Counters{bytes("0000000000000000fffffffffffffffd"), bytes("00000000000000010000000000000000")},
          Counters{bytes("fffffffffffffffffffffffffffffffd"), bytes("00000000000000000000000000000000")}}) {
        const auto whole = keystream<TypeParam, 400>(first);
        const auto rest = keystream<TypeParam, 400 - 48>(fourth);
        EXPECT_TRUE(std::equal(rest.begin(), rest.end(), whole.begin() + 48)) << test::to_hex(first);
    }
}

TYPED_TEST(AesCtr, DoesNotSeeThePiecesThatAreAskedFor)
{
    const auto whole = keystream<TypeParam, 400>();
    for (std::size_t size = 1; size <= whole.size(); ++size) {
        aes::CounterMode<TypeParam> ctr{key_256, ctr_counter};
        std::array<Byte, 400> out{};
        for (std::size_t at = 0; at < out.size(); at += size)
            ctr.generate(BytesOut<>{out}.subspan(at, std::min(size, out.size() - at)));
        EXPECT_EQ(out, whole) << "pieces of " << size;
    }
}

constexpr auto draw_100 = [](auto& source) {
    std::array<Byte, 100> out;
    source.generate(out);
};

TYPED_TEST(AesCtr, WipesKeyCounterAndKeystreamInTheDestructor)
{
    // Only the number of used bytes of the last blocks, which is public, may stay.
    EXPECT_LE(test::left_behind<aes::CounterMode<TypeParam>>(draw_100, key_256, ctr_counter),
              static_cast<std::ptrdiff_t>(sizeof(std::size_t)));
}

TEST(CtrDrbg, WipesItselfInTheDestructor)
{
    const test::ByteString entropy = test::counting(48);
    EXPECT_EQ(test::left_behind<aes::CtrDrbg>(draw_100, BytesIn<48>{entropy}), 0);
}

}  // namespace
