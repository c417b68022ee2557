/// Byte strings for tests: from and to hexadecimal, counted up, or pseudo-random from a number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace girih::test {

using ByteString = std::vector<Byte>;

constexpr Byte nibble(char digit)
{
    return static_cast<Byte>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
}

/// The bytes of an even number of hexadecimal digits.
inline ByteString from_hex(std::string_view digits)
{
    ByteString bytes(digits.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<Byte>(nibble(digits[2 * i]) << 4 | nibble(digits[2 * i + 1]));
    return bytes;
}

/// Upper case, as NIST writes its vectors.
inline std::string to_hex(BytesIn<> bytes)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const Byte byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

/// first, first + 1, ... modulo 256
inline ByteString counting(std::size_t size, unsigned first = 0)
{
    ByteString bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<Byte>(first + i);
    return bytes;
}

/// The bytes with `count` bits from bit `at` on, the highest of the first byte being bit 0.
inline ByteString with_bits(ByteString bytes, std::size_t at, unsigned count, std::uint32_t value)
{
    for (unsigned i = 0; i < count; ++i, ++at) {
        const unsigned mask = 0x80U >> at % 8;
        const bool is_one = (value >> (count - 1 - i) & 1) != 0;
        bytes.at(at / 8) = static_cast<Byte>(is_one ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
    }
    return bytes;
}

inline bool is_zero(BytesIn<> bytes)
{
    return std::ranges::all_of(bytes, [](Byte byte) { return byte == 0; });
}

/// Flips bit `bit` of a string, counted from the lowest of its first byte.
inline void flip(ByteString& bytes, std::size_t bit)
{
    bytes[bit / 8] = static_cast<Byte>(bytes[bit / 8] ^ 1U << bit % 8);
}

inline ByteString flipped(ByteString bytes, std::size_t bit)
{
    flip(bytes, bit);
    return bytes;
}

/// Cut off, or followed by bytes of `last`.
inline ByteString resized(ByteString bytes, std::size_t size, Byte last = 0)
{
    bytes.resize(size, last);
    return bytes;
}

/// Numbers that look random and are the same in every run.
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : engine_(seed) {}

    /// low <= number <= high, every one of them about as often
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        const auto first = static_cast<std::uint64_t>(low);
        const std::uint64_t count = static_cast<std::uint64_t>(high) - first + 1;
        return static_cast<std::int64_t>(first + engine_() % count);
    }

    /// Any 64 bits.
    std::uint64_t word() { return engine_(); }

    ByteString bytes(std::size_t size)
    {
        ByteString out(size);
        for (Byte& byte : out) byte = static_cast<Byte>(engine_());
        return out;
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace girih::test
