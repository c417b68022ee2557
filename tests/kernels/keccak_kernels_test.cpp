/// The permutations of each engine, against that of one state (tests/unit holds it to FIPS 202).
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "isa/portable/engine.hpp"
#include "kernels/kernel_tests.hpp"

namespace girih::test {
namespace {

class KeccakKernelsOf : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Of, KeccakKernelsOf, testing::ValuesIn(all_kernels), name_of);

TEST_P(KeccakKernelsOf, PermuteEachStateAsAlone)
{
    std::mt19937_64 random{1};
    for (int i = 0; i < 1000; ++i) {
        KeccakStates given;
        for (auto& state : given)
            for (std::uint64_t& word : state) word = i == 0 ? 0 : i == 1 ? ~std::uint64_t{0} : random();
        KeccakStates expected = given;
        for (auto& state : expected) keccak::permute<isa::portable::Isa::SerialWords>(state);
        for (const auto permute : GetParam()->permutations) {
            KeccakStates states = given;
            permute(states);
            ASSERT_EQ(states, expected);
        }
    }
}

}  // namespace
}  // namespace girih::test
