/// Parses the lines of a manifest as its bytes arrive. Functions of bytes: they open nothing, and
/// can be fuzzed.
///
/// A line is public key, signature and message, separated by tabs, or by spaces if it has no tab;
/// it ends in LF or CRLF. Lines that are empty or begin with # are skipped, and so is a byte order
/// mark before the first.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace girih::cli {

/// Longer than three of Linux's longest paths.
inline constexpr std::size_t longest_manifest_line = 16384;

/// The files named in a line.
struct ManifestRow {
    std::size_t line;  ///< from 1
    std::string key;
    std::string signature;
    std::string message;
};

/// A malformed manifest. The text begins with the line number.
class MalformedManifest : public std::runtime_error {
  public:
    MalformedManifest(std::size_t line, const std::string& what)
        : std::runtime_error("line " + std::to_string(line) + ": " + what)
    {
    }
};

/// Cuts bytes into rows as they arrive. Holds the bytes appended last, and one line.
class ManifestRows {
  public:
    void append(std::string_view bytes);
    /// Marks the end of input: the rest is the last line.
    void end() noexcept { is_ended_ = true; }
    /// The next row; nothing if more bytes are needed or, after end(), if there are no more.
    [[nodiscard]] std::optional<ManifestRow> next();

  private:
    [[nodiscard]] std::optional<std::string_view> next_line();

    std::string bytes_;
    std::size_t begin_ = 0;  ///< of the unparsed bytes
    std::size_t line_ = 0;
    bool is_ended_ = false;
};

}  // namespace girih::cli
