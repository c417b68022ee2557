/// The base of the tests of kernels: kernels that this processor does not run are skipped.
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

/// Integer number `index` of a string of integers of `bits` bits, bit by bit, in bytes or written
/// to them.
inline std::uint32_t integer_at(BytesIn<> bytes, std::size_t index, int bits)
{
    std::uint32_t value = 0;
    std::size_t at = index * static_cast<std::size_t>(bits);
    for (int i = 0; i < bits; ++i, ++at) value |= (std::uint32_t{bytes[at / 8]} >> at % 8 & 1U) << i;
    return value;
}
inline void put_integer(BytesOut<> bytes, std::size_t index, int bits, std::uint32_t value)
{
    std::size_t at = index * static_cast<std::size_t>(bits);
    for (int i = 0; i < bits; ++i, ++at) {
        const unsigned mask = 1U << at % 8;
        const bool is_set = (value >> i & 1U) != 0;
        bytes[at / 8] = static_cast<Byte>(is_set ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
    }
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
