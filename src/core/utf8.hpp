/// Characters in UTF-8 (RFC 3629).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace girih {

struct Character {
    std::uint32_t point;  ///< its code point
    std::size_t bytes;    ///< 0 if there is none
};

/// The character at the front of a text that is not empty.
[[nodiscard]] constexpr Character first_character(std::string_view text) noexcept
{
    const auto byte = [text](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(text[i])}; };
    if (byte(0) < 0x80) return {byte(0), 1};
    // The number of leading ones in the first byte is the number of bytes.
    const std::size_t count = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < count) return {0, 0};
    std::uint32_t point = byte(0) & (0x7Fu >> count);
    for (std::size_t i = 1; i < count; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {0, 0};
        point = point << 6 | (byte(i) & 0x3F);
    }
    constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = 0xD800 <= point && point <= 0xDFFF;
    if (point < smallest[count] || is_surrogate || point > 0x10FFFF) return {0, 0};
    return {point, count};
}

}  // namespace girih
