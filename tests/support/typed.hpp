/// For tests that are templates over the algorithms of the C++ headers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace girih::test {

/// Calls each test after its algorithm.
struct AlgorithmNames {
    template <class T>
    static std::string GetName(int)
    {
        std::string name = T::name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    }
};

/// The seed 0, 1, 2, ...
template <class T>
typename T::Seed counting_seed()
{
    typename T::Seed seed;
    for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(i);
    return seed;
}

}  // namespace girih::test
