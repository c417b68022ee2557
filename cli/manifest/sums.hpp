/// Files of SHA-256 sums, in the form of sha256sum's: girih sign --sums and girih verify --sums.
///
/// A line is the sum in 64 hexadecimal digits, a space, a space or a star, and the file's name. A
/// name with a backslash, a line feed or a carriage return has \\, \n or \r for it, and a backslash
/// before the sum. Names are relative to the current folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/json.hpp"

namespace girih::cli {

/// More than a hundred thousand lines; the whole file is in memory while its signature is checked.
inline constexpr std::size_t most_sums_bytes = std::size_t{16} << 20;

struct Sum {
    std::string digest;  ///< in hexadecimal, lower case
    std::string name;
};

/// The SHA-256 of a file.
[[nodiscard]] std::string sha256_of(const std::string& path);

/// A line, with its end.
[[nodiscard]] std::string line_of(const Sum& sum);
/// All lines. Throws MalformedManifest. Lines may end in LF or CRLF, digits be in any case, and a
/// byte order mark stand before the first.
[[nodiscard]] std::vector<Sum> parse_sums(std::string_view text);

/// What became of the files that a file of sums names.
class SumsReport {
  public:
    /// Reads them all, and compares.
    explicit SumsReport(const std::vector<Sum>& sums);

    /// A line for each, and the summary.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] JsonObject json() const;
    /// Throws if not all files are there with their sums; `path` is the file of sums.
    void demand_good(const std::string& path) const;

  private:
    struct Row {
        std::string name;
        std::string verdict;
        std::string reason;
    };
    [[nodiscard]] std::size_t count(std::string_view verdict) const;
    [[nodiscard]] std::string summary() const;

    std::vector<Row> rows_;
};

}  // namespace girih::cli
