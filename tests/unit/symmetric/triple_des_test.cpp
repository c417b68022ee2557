/// Triple DES, which only decrypts.
#include "des/triple_des.hpp"

#include <gtest/gtest.h>

#include "sha2/sha2.hpp"
#include "unit/symmetric/symmetric.hpp"

namespace {

using namespace girih;
using test::bytes;

struct Example {
    std::array<Byte, des::key_bytes> key;
    std::array<Byte, 24> blocks;
    std::string_view plain;
};

/// The first is of SP 800-67, Appendix B; the second of FIPS 81, Table B1, whose one key is all
/// three.
constexpr std::array<Example, 2> examples{{
    {bytes("0123456789abcdef23456789abcdef01456789abcdef0123"),
     bytes("a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900"), "The qufck brown fox jump"},
    {bytes("0123456789abcdef0123456789abcdef0123456789abcdef"),
     bytes("3fa40e8a984d48156a271787ab8883f9893d51ec4b563b53"), "Now is the time for all "},
}};

TEST(TripleDes, DecryptsTheExamplesOfNist)
{
    for (const Example& example : examples)
        for (std::size_t at = 0; at < example.blocks.size(); at += des::block_bytes) {
            const des::DecryptionKey key(example.key);
            std::array<Byte, des::block_bytes> block{};
            store_be64(block.data(), key.decrypt(load_be64(&example.blocks[at])));
            EXPECT_EQ(std::string(block.begin(), block.end()), example.plain.substr(at, des::block_bytes));
        }
}

/// With every value of every S-box; the answer is OpenSSL's.
TEST(TripleDes, DecryptsInCbcMode)
{
    const test::ByteString key = test::counting(des::key_bytes), iv = test::counting(des::block_bytes);
    test::ByteString content = test::counting(2048);
    des::decrypt_cbc(BytesIn<>(key).first<des::key_bytes>(), BytesIn<>(iv).first<des::block_bytes>(),
                     content);
    EXPECT_EQ(test::to_hex(sha2::Sha256{}.update(content).digest()),
              "247CFB6AED90E0A28257F6E94C67561A12B2F3EB344109B9FF4E2D806595A105");
}

TEST(TripleDes, IgnoresTheParityBits)
{
    auto other = examples[0].key;
    for (Byte& byte : other) byte ^= 1;
    EXPECT_EQ(des::DecryptionKey(other).decrypt(1), des::DecryptionKey(examples[0].key).decrypt(1));
}

TEST(TripleDes, WipesItsKeysInTheDestructor)
{
    const auto use = [](const des::DecryptionKey& key) { return key.decrypt(1); };
    EXPECT_EQ(test::left_behind<des::DecryptionKey>(use, BytesIn<des::key_bytes>(examples[0].key)), 0);
}

}  // namespace
