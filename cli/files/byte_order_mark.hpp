/// Byte order marks (U+FEFF), which some editors and shells write before text. Functions of bytes:
/// they can be fuzzed.
#pragma once

#include <string_view>

namespace girih::cli {

/// Text without a leading UTF-8 byte order mark.
[[nodiscard]] constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// Whether text begins with a UTF-16 byte order mark, in either byte order.
[[nodiscard]] constexpr bool begins_as_utf16(std::string_view text) noexcept
{
    return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

inline constexpr const char* utf16_error = "text in UTF-16, where girih reads UTF-8";

}  // namespace girih::cli
