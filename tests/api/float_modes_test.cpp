/// A thread may have set its floating point otherwise: rounding, flushing of small numbers,
/// exceptions that trap. Every function makes the same bytes there, traps nothing, and leaves the
/// mode as it was.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "api/call.hpp"
#include "isa/mxcsr.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::test;
namespace mxcsr = isa::mxcsr;

/// More rows than any engine has lanes for are run at once.
constexpr std::size_t rows_at_once = 17;

class FloatModes : public EveryAlgorithm {
  public:
    /// Everything that the functions write.
    std::vector<ByteString> all() const
    {
        const Subject subject{alg};
        std::vector<ByteString> all;
        for (const Function& function : functions) {
            if (!subject.can(function.ability)) continue;
            std::vector<Call> calls;
            const bool is_slow =
                function.batch == nullptr || (girih_is_kem(alg) != 0 && !subject.is_ml_kem());
            for (std::size_t i = 0; i < (is_slow ? 1 : rows_at_once); ++i)
                calls.emplace_back(subject, function);
            EXPECT_EQ(make_all(function, calls), GIRIH_OK) << function.name;
            for (const Call& call : calls)
                for (const ByteString& made : call.made()) all.push_back(made);
        }
        return all;
    }
};
INSTANTIATE_TEST_SUITE_P(Of, FloatModes,
                         testing::Values("ML-DSA-44", "Dilithium3", "Falcon-512", "Falcon-1024",
                                         "Falcon-padded-512", "ML-KEM-512", "ML-KEM-1024", "sntrup761",
                                         "ntrulpr761"),
                         EveryAlgorithm::name);

TEST_P(FloatModes, ChangeNothingAndStayAsTheyAre)
{
    if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
    const auto expected = all();
    const std::uint32_t usual = mxcsr::get();
    for (const std::uint32_t mode :
         {mxcsr::masked | mxcsr::upward, mxcsr::masked | mxcsr::downward, mxcsr::masked | mxcsr::towards_zero,
          mxcsr::masked | mxcsr::small_operands, mxcsr::masked | mxcsr::small_results,
          mxcsr::masked | mxcsr::small_operands | mxcsr::small_results | mxcsr::towards_zero, 0U,
          mxcsr::upward, mxcsr::small_results | mxcsr::small_operands, mxcsr::masked_but_invalid}) {
        mxcsr::set(mode);
        const auto found = all();
        const std::uint32_t after = mxcsr::get();
        mxcsr::set(usual);
        EXPECT_EQ(found, expected) << "mode " << std::hex << mode;
        EXPECT_EQ(after & ~mxcsr::seen, mode & ~mxcsr::seen);
    }
}

}  // namespace
