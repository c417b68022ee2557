/// Each engine's sponges, one message at a time and in lanes, against the portable one.
/// (unit/symmetric/keccak_test.cpp compares that with another implementation.)
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include "isa/portable/engine.hpp"
#include "keccak/function.hpp"
#include "keccak/sponge.hpp"
#include "kernels/kernel_tests.hpp"
#include "support/bytes.hpp"

namespace girih::test {
namespace {

class EngineSponges : public KernelTest {
  public:
    const KeccakKernels& engine = GetParam()->keccak;

    static constexpr std::array functions{keccak::shake128_function, keccak::shake256_function};
    static constexpr std::size_t max_size(keccak::Function function) { return 2 * function.rate + 1; }
};
INSTANTIATE_TEST_SUITE_P(Of, EngineSponges, testing::ValuesIn(all_kernels), name_of);

/// Shorter than a block, and longer.
ByteString message(std::size_t number) { return counting(61 * number, static_cast<unsigned>(number)); }

ByteString expected_output(keccak::Function function, BytesIn<> message, std::size_t size)
{
    ByteString output(size);
    keccak::ChosenSponge<isa::portable::Isa>{function}.absorb(message).squeeze(output);
    return output;
}

TEST_P(EngineSponges, SqueezeEveryLengthInTwoPieces)
{
    for (const keccak::Function function : functions) {
        const ByteString whole = expected_output(function, message(1), max_size(function));
        for (std::size_t size = 1; size <= whole.size(); ++size) {
            const ByteString expected = resized(whole, size);
            for (std::size_t first = 0; first <= size; ++first) {
                ByteString output(size);
                engine.squeeze(function, message(1), BytesOut<>{output}.first(first),
                               BytesOut<>{output}.subspan(first));
                ASSERT_EQ(output, expected) << first << " of " << size;
            }
        }
    }
}

TEST_P(EngineSponges, SqueezeEveryLengthInEveryNumberOfLanes)
{
    ASSERT_LE(2 * engine.lanes + 1, KeccakKernels::max_messages);
    std::vector<ByteString> messages;
    for (std::size_t i = 0; i < KeccakKernels::max_messages; ++i) messages.push_back(message(i));
    const std::vector<BytesIn<>> inputs{messages.begin(), messages.end()};
    for (const keccak::Function function : functions) {
        std::vector<ByteString> whole;
        for (const ByteString& of : messages)
            whole.push_back(expected_output(function, of, max_size(function)));
        for (std::size_t count = 1; count <= 2 * engine.lanes + 1; ++count)
            for (std::size_t size = 1; size <= max_size(function); ++size) {
                // Neighbours end in other blocks.
                std::vector<ByteString> outputs;
                for (std::size_t i = 0; i < count; ++i)
                    outputs.emplace_back((size + 97 * i) % max_size(function) + 1);
                engine.squeeze_many(function, std::span{inputs}.first(count),
                                    std::vector<BytesOut<>>{outputs.begin(), outputs.end()});
                for (std::size_t i = 0; i < count; ++i)
                    ASSERT_EQ(outputs[i], resized(whole[i], outputs[i].size())) << i << " of " << count;
            }
    }
}

}  // namespace
}  // namespace girih::test
