/// Files of SHA-256 sums in sha256sum's format: girih sign --sums and girih verify --sums.
///
/// A line is the sum in 64 hexadecimal digits, a space, a space or a star, and the file's name. A
/// backslash, a line feed and a carriage return in a name are written \\, \n and \r; the sum then
/// follows a backslash. Names are relative to the current folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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
/// Parses all lines. Throws MalformedManifest. Lines end in LF or CRLF, digits may be in either
/// case, and the first line may follow a byte order mark.
[[nodiscard]] std::vector<Sum> parse_sums(std::string_view text);

/// The results for the files named in a file of sums.
class SumsReport {
  public:
    /// Reads and compares all files.
    explicit SumsReport(const std::vector<Sum>& sums);

    /// A line for each file, and the summary.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] JsonObject json() const;
    /// Throws if any file is missing or differs; `path` is the file of sums.
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
