/// Character ranges and hexadecimal digits, without branches or tables.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace girih::key_files {

/// All ones if low <= c <= high, otherwise 0; for values below 2^31. Constant time.
///
/// The top bit of a difference of such values is its sign.
[[nodiscard]] constexpr std::uint32_t between(std::uint32_t c, std::uint32_t low, std::uint32_t high) noexcept
{
    return (((c - low) >> 31) | ((high - c) >> 31)) - 1;
}

/// The digit of a value below 16: '0' to '9', 'a' to 'f'. Constant time.
[[nodiscard]] constexpr std::uint8_t hex_digit(std::uint32_t value) noexcept
{
    const std::uint32_t is_letter = (9 - value) >> 31;
    return static_cast<std::uint8_t>('0' + value + is_letter * ('a' - '0' - 10));
}
/// Two digits for each byte.
[[nodiscard]] inline std::string to_hex(std::span<const std::uint8_t> bytes)
{
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text += static_cast<char>(hex_digit(byte >> 4));
        text += static_cast<char>(hex_digit(byte & 15));
    }
    return text;
}

}  // namespace girih::key_files
