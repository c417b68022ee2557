/// Operations on one key or one message fit the stack of a thread that asked for no size.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "stacks.hpp"
#include "support/every_operation.hpp"
#include "support/signatures.hpp"

namespace girih::stack {
namespace {

/// A thread under musl has 128 KiB. The rest is for its thread-local data and the caller's frames.
constexpr std::size_t limit = 120 * std::size_t{1024};

/// Operations that may need more, on any engine.
constexpr std::array<std::string_view, 8> larger{
    "keygen_many",
    "sign_many",
    "sign_many of one",
    "verify_many",
    "encapsulate_many",
    "decapsulate_many",  // batches
    "keygen_checked",    // signs and verifies, with a key pair at hand
    "falcon_reference_keygen"};

class SmallThread : public test::EveryAlgorithm {};

TEST_P(SmallThread, SignsAndRunsOtherOperationsOnOneKeyOrMessage)
{
    if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
    test::EveryOperation operations{alg, 2};
    operations.options = {};
    for (const test::Operation& operation : operations.all) {
        if (std::ranges::find(larger, operation.name) != larger.end()) continue;
        int result = GIRIH_OK;
        EXPECT_LE(stack_bytes_of([&] { result = operation.call(); }), limit) << operation.name;
        EXPECT_EQ(result, GIRIH_OK) << operation.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Every, SmallThread, testing::ValuesIn(test::all_names()),
                         test::EveryAlgorithm::name);

}  // namespace
}  // namespace girih::stack
