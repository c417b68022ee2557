/// What people read: text from elsewhere made harmless, and lines on standard error.
#pragma once

#include <string>
#include <string_view>

namespace girih::cli {

/// Text from elsewhere (a file's name, what a board says) with everything escaped that a terminal
/// would act on or would not show: control characters, what is not UTF-8, marks of direction,
/// invisible characters. A backslash is doubled, so that the escapes cannot be imitated.
[[nodiscard]] std::string printable(std::string_view text);

/// Whether all of the text is shown as it is (a backslash too).
[[nodiscard]] bool is_printable(std::string_view text);

/// One line on standard error, made printable. Where even that cannot be written, nothing happens.
void tell(std::string_view line);
/// The same for what does not keep the command from doing its work.
void warn(std::string_view line);

}  // namespace girih::cli
