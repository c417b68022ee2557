#include "lab/measure/statistics.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "lab/measure/table.hpp"

namespace {

using namespace girih::lab;

std::optional<Estimate> of_first(std::size_t count)
{
    std::vector<double> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1);
    return Estimate::of(std::move(numbers));
}

TEST(Estimate, HasTheRanksOfTheSignTest)
{
    struct Row {  // binomial tables, two-sided 5 %
        std::size_t count;
        double low, high;
    };
    for (const auto& [count, low, high] :
         {Row{1, 1, 1}, {5, 1, 5}, {6, 1, 6}, {15, 4, 12}, {20, 6, 15}, {100, 40, 61}}) {
        const auto estimate = of_first(count);
        ASSERT_TRUE(estimate);
        EXPECT_EQ(estimate->low, low) << count;
        EXPECT_EQ(estimate->high, high) << count;
    }
    EXPECT_FALSE(of_first(0));
}

TEST(Estimate, DecidesNothingAboutOne)
{
    EXPECT_TRUE(Estimate::of({0.98, 0.99, 1, 1.01, 1.02, 1.03})->crosses_1());
    EXPECT_FALSE(Estimate::of({1.01, 1.02, 1.03, 1.04, 1.05, 1.06})->crosses_1());
}

TEST(Quantiles, LieBetweenTheNearestNumbers)
{
    EXPECT_EQ(quantile({1, 2, 3, 5}, 0.5), 2.5);
    EXPECT_EQ(quantile({1, 2, 3, 5}, 0), 1);
    EXPECT_EQ(quantile({1, 2, 3, 5}, 1), 5);
}

TEST(Median, IsTheLowerOfTwoInTheMiddle)
{
    EXPECT_EQ(median({5, 1, 3, 2}), 2);
    EXPECT_EQ(median({5, 1, 3}), 3);
}

TEST(Tables, AreAsWideAsTheirCells)
{
    Table table{"Times", {{"what", true}, {"us"}}};
    table.add({"a name", "1.25"});
    EXPECT_EQ(table.text(), "Times\n  what      us\n  a name  1.25\n");
    EXPECT_EQ(table.markdown(), "### Times\n\n| what   |   us |\n|--------|-----:|\n| a name | 1.25 |\n");
    EXPECT_EQ(time_text(16430), "16.43 us");
}

}  // namespace
