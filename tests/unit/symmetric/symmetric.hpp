/// Hexadecimal digits as arrays, at compile time as well; and the remains of an object in its
/// memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>

#include "support/bytes.hpp"

namespace girih::test {

template <std::size_t size>
constexpr std::array<Byte, size / 2> bytes(const char (&hex)[size])
{
    std::array<Byte, size / 2> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<Byte>(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
    return out;
}

/// How many bytes of a T are not 0 after its destructor, `use` having used it.
template <class T, class Use, class... Arguments>
std::ptrdiff_t left_behind(Use use, const Arguments&... arguments)
{
    alignas(T) std::array<Byte, sizeof(T)> storage{};
    // volatile: the compiler believes it knows what is there
    const volatile Byte* const bytes = storage.data();
    const auto count = [bytes] {
        return std::count_if(bytes, bytes + sizeof(T), [](Byte b) { return b != 0; });
    };
    T* const object = new (storage.data()) T{arguments...};
    use(*object);
    EXPECT_GT(count(), 0);
    object->~T();
    return count();
}

}  // namespace girih::test
