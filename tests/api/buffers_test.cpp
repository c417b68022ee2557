/// Whether two buffers share a byte.
#include <gtest/gtest.h>

#include <array>

#include "api/arguments.hpp"

namespace {

using girih::api::overlap;

TEST(Overlap, IsAByteThatBothHave)
{
    const std::array<girih::Byte, 32> memory{};
    const girih::Byte* const at = memory.data() + 8;
    EXPECT_TRUE(overlap(at, 8, at, 8));
    EXPECT_TRUE(overlap(at, 8, at, 1));
    EXPECT_TRUE(overlap(at, 1, at, 8));
    EXPECT_TRUE(overlap(at, 8, at + 7, 8));
    EXPECT_TRUE(overlap(at + 7, 8, at, 8));
    EXPECT_TRUE(overlap(at, 8, at + 2, 1));
    EXPECT_TRUE(overlap(at + 2, 1, at, 8));
}

TEST(Overlap, IsNoneOfNeighboursOrOfNothing)
{
    const std::array<girih::Byte, 32> memory{};
    const girih::Byte* const at = memory.data() + 8;
    EXPECT_FALSE(overlap(at, 8, at + 8, 8));
    EXPECT_FALSE(overlap(at + 8, 8, at, 8));
    EXPECT_FALSE(overlap(at, 8, at + 4, 0));
    EXPECT_FALSE(overlap(at + 4, 0, at, 8));
    EXPECT_FALSE(overlap(at, 0, at, 8));
    EXPECT_FALSE(overlap(at, 8, at, 0));
    EXPECT_FALSE(overlap(nullptr, ~std::size_t{0}, at, 8));
    EXPECT_FALSE(overlap(at, 8, nullptr, ~std::size_t{0}));
}

}  // namespace
