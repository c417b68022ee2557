/// On a stack that is too small, an operation ends at the guard page: it never writes beyond it.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "stacks.hpp"
#include "support/every_operation.hpp"
#include "support/signatures.hpp"

namespace girih::stack {
namespace {

/// KB. Every operation succeeds on the last.
constexpr std::array<std::size_t, 14> sizes{16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1536, 3072};

/// Runs an operation on larger and larger stacks until it succeeds: how many were too small.
std::size_t stacks_too_small_for(const test::Operation& operation)
{
    static std::array<std::unique_ptr<GuardedStack>, sizes.size()> stacks;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (stacks[i] == nullptr) stacks[i] = std::make_unique<GuardedStack>(sizes[i] * 1024);
        const End end = stacks[i]->run(operation.call);
        EXPECT_EQ(stacks[i]->written_beyond(), 0U) << operation.name << " on " << sizes[i] << " KB";
        if (end == End::succeeded) return i;
        EXPECT_EQ(end, End::stopped_at_guard) << operation.name << " on " << sizes[i] << " KB";
    }
    ADD_FAILURE() << operation.name << " did not succeed on any stack";
    return sizes.size();
}

class GuardPage : public test::EveryAlgorithm {};

TEST_P(GuardPage, EndsEveryOperationThatNeedsMoreStack)
{
    if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
    test::EveryOperation operations{alg, 8};
    operations.options = {};
    std::size_t too_small = 0;
    for (const test::Operation& operation : operations.all) too_small += stacks_too_small_for(operation);
    EXPECT_GT(too_small, 0U) << "no stack was too small, so this shows nothing";
}

INSTANTIATE_TEST_SUITE_P(Every, GuardPage, testing::ValuesIn(test::all_names()), test::EveryAlgorithm::name);

/// Frames of this size are the point of the test. Here one writes beyond the guard, which proves
/// that the test sees it.
TEST(GuardedStack, SeesWhatIsWrittenBehindTheGuard)
{
    GuardedStack stack(65536);
    const auto jump = [&] {
        std::uint8_t here = 0;
        auto* const beyond =
            reinterpret_cast<std::uint8_t*>(reinterpret_cast<std::uintptr_t>(&here) - 100'000);
        *static_cast<volatile std::uint8_t*>(beyond) = 0;
        return 0;
    };
    EXPECT_EQ(stack.run(jump), End::succeeded);
    EXPECT_EQ(stack.written_beyond(), 1U);
}

}  // namespace
}  // namespace girih::stack
