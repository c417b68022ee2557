/// Falcon's samplers in the lanes of vectors, against their definition; and its key generator of
/// round 3, with floating point in integers and with the processor's.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "engines/reference_keys.hpp"
#include "falcon/sampling/sampler.hpp"
#include "falcon/standard/keygen/keygen.hpp"
#include "isa/reference/engine.hpp"
#include "kernels/kernel_tests.hpp"
#include "support/bytes.hpp"

namespace girih::test {
namespace {

using falcon::rcdt;
constexpr std::size_t lanes = FalconKernels::lanes;

std::vector<const Kernels*> kernels_with_lanes()
{
    std::vector<const Kernels*> all;
    for (const Kernels* kernels : all_kernels)
        if (kernels->falcon.base_sample != nullptr) all.push_back(kernels);
    return all;
}
class FalconKernelsOf : public KernelTest {
  protected:
    const FalconKernels& kernels = GetParam()->falcon;
};
INSTANTIATE_TEST_SUITE_P(Of, FalconKernelsOf, testing::ValuesIn(kernels_with_lanes()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FalconKernelsOf);

/// A number of 72 bits: its high 62, its low 10.
struct Bits {
    std::uint64_t high;
    std::uint64_t low;
    [[nodiscard]] auto operator<=>(const Bits&) const = default;
};
Bits of_entry(const std::array<std::uint32_t, 3>& entry)
{
    return {std::uint64_t{entry[0]} << 38 | std::uint64_t{entry[1]} << 14 | entry[2] >> 10, entry[2] & 1023};
}

TEST_P(FalconKernelsOf, BaseSampleCountsTheEntriesAbove)
{
    constexpr std::uint64_t most_high = (std::uint64_t{1} << 62) - 1;
    constexpr std::uint64_t most_low = 1023;
    std::vector<Bits> numbers{{0, 0}, {0, most_low}, {most_high, 0}, {most_high, most_low}};
    for (const auto& entry : rcdt) {
        const Bits at = of_entry(entry);
        for (const std::uint64_t high : {at.high - 1, at.high, at.high + 1})
            for (const std::uint64_t low : {std::uint64_t{0}, at.low - 1, at.low, at.low + 1, most_low})
                numbers.push_back({high & most_high, low & most_low});
    }
    Numbers random{61};
    for (int i = 0; i < 4000; ++i)
        numbers.push_back({static_cast<std::uint64_t>(random.between(0, most_high)) >> i % 62,
                           static_cast<std::uint64_t>(random.between(0, most_low))});
    while (numbers.size() % lanes != 0) numbers.push_back({0, 0});

    for (std::size_t i = 0; i < numbers.size(); i += lanes) {
        std::array<std::uint64_t, lanes> high;
        std::array<std::uint64_t, lanes> low;
        for (std::size_t j = 0; j < lanes; ++j)
            std::tie(high[j], low[j]) = std::tie(numbers[i + j].high, numbers[i + j].low);
        const auto counted = kernels.base_sample(high, low);
        for (std::size_t j = 0; j < lanes; ++j) {
            const Bits number = numbers[i + j];
            const auto above =
                std::ranges::count_if(rcdt, [&](const auto& e) { return number < of_entry(e); });
            ASSERT_EQ(counted[j], static_cast<std::uint64_t>(above)) << number.high << ", " << number.low;
        }
    }
}

TEST_P(FalconKernelsOf, LogarithmsAreRightTo45Bits)
{
    Numbers random{62};
    for (int i = 0; i < 20000; ++i) {
        std::array<double, lanes> a;
        for (std::size_t j = 0; j < lanes; ++j) {
            // From 1 to 256, the whole numbers first.
            a[j] = i < 32
                       ? i * static_cast<int>(lanes) + static_cast<int>(j) + 1
                       : std::exp2(static_cast<double>(random.between(0, std::int64_t{1} << 40)) * 0x1p-37);
        }
        const auto logarithms = kernels.logarithm(a);
        for (std::size_t j = 0; j < lanes; ++j)
            ASSERT_NEAR(static_cast<double>(std::log(static_cast<long double>(a[j])) - logarithms[j]), 0,
                        0x1p-45)
                << a[j];
    }
    for (const double logarithm : kernels.logarithm({})) EXPECT_LT(logarithm, -700);
}

TEST_P(FalconKernelsOf, StridedReadsEightBytesOfEachAttempt)
{
    const ByteString bytes = Numbers{63}.bytes(lanes * 11 + 8);
    const auto words = kernels.strided(bytes.data());
    for (std::size_t i = 0; i < lanes; ++i) EXPECT_EQ(words[i], load_le64(&bytes[11 * i])) << i;
}

template <falcon::Shape S>
void expect_the_same_keys(std::size_t pairs)
{
    static_assert(!isa::reference::Isa::Fpr::is_native);
    Numbers numbers{67};
    for (std::size_t i = 0; i < pairs; ++i) {
        const ByteString seed = numbers.bytes(falcon::seed_bytes);
        ByteString pk(S.public_key_bytes()), emulated_pk(pk.size());
        ByteString sk(S.secret_key_bytes()), emulated_sk(sk.size());
        engines::falcon_reference_keygen(S.logn, seed.data(), pk.data(), sk.data());
        falcon::keygen<S, isa::reference::Isa>(BytesIn<falcon::seed_bytes>{seed},
                                               BytesOut<S.public_key_bytes()>{emulated_pk},
                                               BytesOut<S.secret_key_bytes()>{emulated_sk});
        EXPECT_EQ(emulated_pk, pk);
        EXPECT_EQ(emulated_sk, sk);
    }
}

TEST(FalconReferenceKeys, DoNotDependOnTheFloatingPoint)
{
    expect_the_same_keys<falcon::falcon_512.shape()>(4);
    expect_the_same_keys<falcon::falcon_1024.shape()>(2);
}

}  // namespace
}  // namespace girih::test
