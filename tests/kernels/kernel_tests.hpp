/// What the tests of kernels have in common: whose there are, and that those are skipped which this
/// processor does not run.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engines/list.hpp"
#include "vector_kernels.hpp"

namespace girih::test {

/// The portable ones, and those of every vector engine.
inline std::vector<const Kernels*> all_kernels()
{
    std::vector<const Kernels*> all{&portable_kernels};
    all.insert(all.end(), vector_kernels.begin(), vector_kernels.end());
    return all;
}

inline std::string name_of(const testing::TestParamInfo<const Kernels*>& info)
{
    return std::string{info.param->name};
}

class KernelTest : public testing::TestWithParam<const Kernels*> {
  protected:
    void SetUp() override
    {
        for (const engines::Candidate& candidate : engines::candidates())
            if (candidate.engine->name == GetParam()->name && candidate.runs_here()) return;
        GTEST_SKIP() << "this processor does not support " << GetParam()->name;
    }
};

}  // namespace girih::test
