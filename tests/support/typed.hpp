/// For tests that are templates over the algorithms of the C++ headers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

namespace girih::test {

/// An algorithm's name as a test's.
inline std::string test_name(std::string name)
{
    std::ranges::replace(name, '-', '_');
    return name;
}

/// Calls each test after its algorithm.
struct AlgorithmNames {
    template <class T>
    static std::string GetName(int)
    {
        return test_name(T::name);
    }
};

/// The seed 0, 1, 2, ...
template <class T>
typename T::Seed counting_seed()
{
    typename T::Seed seed;
    std::iota(seed.begin(), seed.end(), std::uint8_t{0});
    return seed;
}

}  // namespace girih::test
