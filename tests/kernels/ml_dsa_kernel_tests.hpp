/// The base of the tests of ML-DSA's kernels.
#pragma once

#include <algorithm>
#include <array>

#include "kernels/kernel_tests.hpp"
#include "ml_dsa/types.hpp"
#include "support/bytes.hpp"

namespace girih::test {

using ml_dsa::n;
using ml_dsa::q;

inline constexpr std::array sets{ml_dsa::ml_dsa_44, ml_dsa::ml_dsa_65, ml_dsa::ml_dsa_87};

inline Coefficients filled(std::int32_t value)
{
    Coefficients c;
    c.fill(value);
    return c;
}

class EngineKernels : public KernelTest {
  public:
    const MlDsaKernels& engine = GetParam()->ml_dsa;
    Numbers numbers{11};

    /// Coefficients from low to high at random, and as often exactly at the ends.
    Coefficients between(std::int64_t low, std::int64_t high)
    {
        Coefficients c;
        for (std::int32_t& x : c) {
            const std::int64_t kind = numbers.between(0, 3);
            x = static_cast<std::int32_t>(kind == 0 ? low : kind == 1 ? high : numbers.between(low, high));
        }
        return c;
    }

    /// Calls claim(r) with the integers from first to last, 256 at a time, until it fails.
    template <class Claim>
    void for_all(std::int32_t first, std::int32_t last, const Claim& claim)
    {
        Coefficients r;
        for (; first <= last && !HasFatalFailure(); first += static_cast<std::int32_t>(n)) {
            for (std::size_t i = 0; i < n; ++i) r[i] = std::min(first + static_cast<std::int32_t>(i), last);
            claim(r);
        }
    }
};

}  // namespace girih::test
