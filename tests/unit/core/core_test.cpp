/// Bytes at compile time, names, wiping and the operating system's randomness.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <set>

#include "core/bytes.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "core/wipe.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;

constexpr std::array<Byte, 8> one_to_eight{1, 2, 3, 4, 5, 6, 7, 8};

// At compile time the functions take another path than hashes and ciphers do.
static_assert(load_le32(one_to_eight.data()) == 0x04030201);
static_assert(load_le64(one_to_eight.data()) == 0x0807060504030201);
static_assert(load_be32(one_to_eight.data()) == 0x01020304);
static_assert(load_be64(one_to_eight.data()) == 0x0102030405060708);

TEST(Names, AreTheSameButForCaseAndHyphens)
{
    EXPECT_TRUE(same_name("SHAKE128", "shake-128"));
    EXPECT_FALSE(same_name("", "-"));
    EXPECT_FALSE(same_name("A", "-a-"));
    EXPECT_FALSE(same_name("@", "`")) << "only letters have a case";
    EXPECT_FALSE(same_name("[", "{"));
}

TEST(Wiping, ZeroesObjectsViewsAndScopes)
{
    std::array<Byte, 8> bytes = one_to_eight;
    wipe(bytes);
    EXPECT_EQ(bytes, (std::array<Byte, 8>{}));

    bytes = one_to_eight;
    wipe(BytesOut<>{bytes}.subspan(2, 3));
    EXPECT_EQ(bytes, (std::array<Byte, 8>{1, 2, 0, 0, 0, 6, 7, 8}));
    wipe(BytesOut<>{});

    using Scoped = Wiped<std::array<Byte, 8>>;
    alignas(Scoped) std::array<unsigned char, sizeof(Scoped)> storage{};
    auto* scoped = new (storage.data()) Scoped{one_to_eight};
    EXPECT_EQ(std::memcmp(storage.data(), one_to_eight.data(), one_to_eight.size()), 0);
    scoped->~Scoped();
    __asm__("" : "+m"(storage));  // to the compiler, memory past its object's life holds nothing
    EXPECT_EQ(storage, (std::array<unsigned char, sizeof(Scoped)>{}));
}

TEST(OsRandom, FillsEveryByteAndDiffersEveryTime)
{
    std::set<test::ByteString> seen;
    std::array<bool, 64> changed{};
    for (int i = 0; i < 32; ++i) {
        test::ByteString bytes(changed.size());
        ASSERT_TRUE(os_random(bytes));
        for (std::size_t j = 0; j < bytes.size(); ++j) changed[j] = changed[j] || bytes[j] != 0;
        EXPECT_TRUE(seen.insert(bytes).second);
    }
    EXPECT_EQ(std::ranges::count(changed, false), 0);
    EXPECT_TRUE(os_random({}));
}

TEST(OsRandom, FillsMoreThanTheSystemGivesAtOnce)
{
    // getrandom may stop early above 256 bytes.
    test::ByteString bytes(1 << 20);
    ASSERT_TRUE(os_random(bytes));
    std::array<int, 256> count{};
    for (const Byte byte : bytes) ++count[byte];
    for (const int c : count) EXPECT_NEAR(c, 1 << 12, 512);
}

}  // namespace
