/// Files of sums in sha256sum's format, which girih sign --sums writes, or in that of sha512sum or
/// of either with --tag, which girih verify --sums reads as well.
///
/// A line is the sum in 64 or 128 hexadecimal digits, a space, a space or a star, and the file's
/// name; or "SHA256 (NAME) = SUM", or SHA512. A backslash, a line feed and a carriage return in a
/// name are written \\, \n and \r; the line then begins with a backslash. Names are relative to the
/// current folder. When read, lines end in LF or CRLF, digits may be in either case, and a byte
/// order mark may come first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/output/json.hpp"

namespace girih::cli {

/// More than a hundred thousand lines. The whole file is in memory while its signature is checked.
inline constexpr std::size_t max_sums_bytes = std::size_t{16} << 20;

struct Sum {
    std::string digest;  ///< in hexadecimal, lower case
    std::string name;
};

/// The SHA-256 of a file.
[[nodiscard]] std::string sha256_of(const std::string& path);

/// A line, with its end.
[[nodiscard]] std::string line_of(const Sum& sum);

/// Compares the files named in the `text` of a file of sums, whose signature was verified, and
/// reports on standard output, as text or in JSON with further members. Throws after the report if
/// any file is missing or differs, and for malformed sums.
void verify_sums(const std::string& path, std::string_view text, Json members, bool json);

}  // namespace girih::cli
