/// Standard output and standard error: text for people is escaped and may have colours.
#pragma once

#include <string>
#include <string_view>

namespace girih::cli {

/// Escapes everything in untrusted text (a file's name, a board's answer) that would control a
/// terminal or be invisible: control characters, invalid UTF-8, direction marks, invisible
/// characters. Backslashes are doubled, so that escapes cannot be imitated.
[[nodiscard]] std::string printable(std::string_view text);

/// Whether text needs no escapes (backslashes aside).
[[nodiscard]] bool is_printable(std::string_view text);

/// The meaning of a coloured word.
enum class Colour { good, bad, warning };

/// Whether output to a descriptor may have colours: it is a terminal, the environment has no
/// NO_COLOR (https://no-color.org), and TERM is not "dumb".
[[nodiscard]] bool has_colours(int descriptor);
/// A word for standard output, in its colour if that has colours.
[[nodiscard]] std::string coloured(Colour colour, std::string_view word);

/// Whether only the exit code reports verdicts (verify --quiet): nothing is printed.
extern bool is_quiet;
/// Writes everything to standard output, or fails.
void print(std::string_view text);
/// Fails if standard output cannot be written. Call it before long work whose result goes there.
void require_standard_output();
/// Closes standard output, if open: some file systems report only then that they are full.
void close_standard_output();

/// The program's name, with which every line on standard error begins: "girih" until it is set.
extern const char* program_name;

/// Writes one escaped line to standard error. Errors are ignored.
void tell(std::string_view line);
/// Reports a failure of the program.
void tell_failure(std::string_view line);
/// Reports a warning.
void warn(std::string_view line);

}  // namespace girih::cli
