/// What the tests of kernels have in common: those that this processor does not run are skipped.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engines/list.hpp"
#include "kernels/kernels.hpp"

namespace girih::test {

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
