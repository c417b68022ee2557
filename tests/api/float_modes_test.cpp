/// A thread may have another floating-point mode: rounding, flushing of small numbers, exceptions
/// that trap. Every function makes the same bytes there, traps nothing, and leaves the mode as it
/// was.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "api/call.hpp"
#include "isa/doubles/mxcsr.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::test;
namespace mxcsr = isa::mxcsr;

class FloatModes : public EveryAlgorithm {
  public:
    const Subject subject{alg};

    /// Where rows run side by side, more rows than any engine has lanes; few of all other calls,
    /// which some modes make slow.
    [[nodiscard]] std::size_t calls_of(const Function& function) const
    {
        const auto is_prepared = [](const Role& role) { return role.use == Use::prepared_key; };
        if (function.batch == nullptr) return 1;
        if (function.ability == Ability::make_keys) return 3;
        return subject.is_ml_kem() || std::ranges::any_of(function.roles, is_prepared) ? 17 : 1;
    }
    /// Everything that the functions write.
    [[nodiscard]] std::vector<ByteString> all() const
    {
        std::vector<ByteString> all;
        for (const Function& function : functions) {
            if (!subject.can(function.ability)) continue;
            std::vector<Call> calls;
            for (std::size_t i = 0; i < calls_of(function); ++i) calls.emplace_back(subject, function);
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
