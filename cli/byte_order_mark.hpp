/// Byte order marks (U+FEFF), which some editors and shells write before text. Functions of bytes:
/// they can be fuzzed.
#pragma once

#include <string_view>

namespace girih::cli {

/// Text without the mark that UTF-8 may begin with.
[[nodiscard]] constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// Whether text begins with the mark of UTF-16, in either order of its bytes.
[[nodiscard]] constexpr bool begins_as_utf16(std::string_view text) noexcept
{
    return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

inline constexpr const char* utf16_error = "text in UTF-16, where girih reads UTF-8";

}  // namespace girih::cli
