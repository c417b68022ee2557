/// For tests that are templates over the algorithms of the C++ headers.
#pragma once

#include <gtest/gtest.h>
#include <girih/core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

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

/// The error that f throws.
template <class F>
Error thrown_by(F f)
{
    try {
        f();
    } catch (const Exception& exception) {
        return exception.error();
    }
    return Error::none;
}

/// Expects that a T is a copy of any range with its bytes, and of none with `wrong_size`: `error`.
template <class T>
void expect_copies_of(BytesView bytes, std::size_t wrong_size, Error error = Error::length)
{
    const auto view = [](const auto& made) -> BytesView {
        if constexpr (requires { made.bytes(); })
            return made.bytes();
        else
            return made;
    };
    const auto expect_copy_of = [&]<class Range>(Range range) {
        const auto* const data = reinterpret_cast<const typename Range::value_type*>(bytes.data());
        range.assign(data, data + bytes.size());
        EXPECT_TRUE(std::ranges::equal(view(T{range}), bytes));
        EXPECT_TRUE(std::ranges::equal(view(T::from_bytes(range).value()), bytes));
        range.resize(wrong_size);
        EXPECT_FALSE(T::from_bytes(range));
        EXPECT_EQ(thrown_by([&] { (void)T{range}; }), error);
    };
    expect_copy_of(std::vector<std::uint8_t>{});
    expect_copy_of(std::vector<std::byte>{});
    expect_copy_of(std::vector<char>{});
    expect_copy_of(std::string{});
}

}  // namespace girih::test
