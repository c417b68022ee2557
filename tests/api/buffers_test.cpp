/// Whether two buffers share a byte.
#include <gtest/gtest.h>

#include <array>

#include "api/arguments.hpp"

namespace {

using girih::api::overlap;

constexpr std::array<girih::Byte, 32> memory{};
constexpr const girih::Byte* at = memory.data() + 8;

void expect_overlap(bool expected, const girih::Byte* a, std::size_t a_bytes, const girih::Byte* b,
                    std::size_t b_bytes)
{
    EXPECT_EQ(overlap(a, a_bytes, b, b_bytes), expected);
    EXPECT_EQ(overlap(b, b_bytes, a, a_bytes), expected);
}

TEST(Overlap, IsAByteThatBothHave)
{
    expect_overlap(true, at, 8, at, 8);
    expect_overlap(true, at, 8, at, 1);
    expect_overlap(true, at, 8, at + 7, 8);
    expect_overlap(true, at, 8, at + 2, 1);
}

TEST(Overlap, IsNoneOfNeighboursOrOfNothing)
{
    expect_overlap(false, at, 8, at + 8, 8);
    expect_overlap(false, at, 8, at + 4, 0);
    expect_overlap(false, at, 0, at, 8);
    expect_overlap(false, nullptr, ~std::size_t{0}, at, 8);
}

}  // namespace
