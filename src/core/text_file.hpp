/// Text files as other programs write them: a UTF-8 byte order mark (U+FEFF) may come first, and
/// lines end in LF or CR LF. docs/FORMATS.md says which formats allow it. Functions of bytes: they
/// can be fuzzed.
#pragma once

#include <algorithm>
#include <string_view>

namespace girih {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
inline constexpr const char* utf16_error = "text in UTF-16, where girih reads UTF-8";

/// Text without a leading UTF-8 byte order mark.
[[nodiscard]] constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept
{
    return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

/// Whether text begins with a UTF-16 byte order mark, in either byte order.
[[nodiscard]] constexpr bool begins_as_utf16(std::string_view text) noexcept
{
    return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

/// A file's text without a leading byte order mark. Text in UTF-16 is an error, which `refuse`
/// throws.
template <class Refuse>
[[nodiscard]] constexpr std::string_view text_of_file(std::string_view file, Refuse refuse)
{
    if (begins_as_utf16(file)) refuse(utf16_error);
    return without_byte_order_mark(file);
}

/// A line without the carriage return of a CR LF.
[[nodiscard]] constexpr std::string_view without_carriage_return(std::string_view line) noexcept
{
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

/// Takes the first line and its end off the front of a text. The last line need not have an end.
[[nodiscard]] constexpr std::string_view take_line(std::string_view& text) noexcept
{
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return without_carriage_return(line);
}

}  // namespace girih
