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

/// What a word tells, for who sees it in colour.
enum class Colour { good, bad, warning };

/// Whether what a descriptor shows may have colours: it is a terminal, the environment has no
/// NO_COLOR (https://no-color.org), and TERM is not "dumb".
[[nodiscard]] bool has_colours(int descriptor);
/// A word in its colour on standard output, or as it is where there are no colours.
[[nodiscard]] std::string coloured(Colour colour, std::string_view word);

/// One line on standard error, made printable. Where even that cannot be written, nothing happens.
void tell(std::string_view line);
/// The same of what keeps the command from doing its work.
void tell_failure(std::string_view line);
/// The same of what does not.
void warn(std::string_view line);

}  // namespace girih::cli
