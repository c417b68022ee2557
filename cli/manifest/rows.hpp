/// The lines of a manifest, taken apart while its bytes come. Functions of bytes: they open
/// nothing, and can be fuzzed.
///
/// A line is public key, signature and message, separated by tabs, or by spaces where there is no
/// tab; it ends in LF or CRLF. Lines that are empty or begin with # are skipped, and so is a byte
/// order mark before the first.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace girih::cli {

/// More than three of the longest paths that Linux opens.
inline constexpr std::size_t longest_manifest_line = 16384;

/// What a line names.
struct ManifestRow {
    std::size_t line;  ///< from 1
    std::string key;
    std::string signature;
    std::string message;
};

/// A manifest that makes no sense. The text begins with the number of the line.
class MalformedManifest : public std::runtime_error {
  public:
    MalformedManifest(std::size_t line, const std::string& what)
        : std::runtime_error("line " + std::to_string(line) + ": " + what)
    {
    }
};

/// Cuts bytes into rows as they come. Holds what was last appended, and one line.
class ManifestRows {
  public:
    void append(std::string_view bytes);
    /// No more bytes will come: what is left is the last line.
    void end() noexcept { is_ended_ = true; }
    /// The next row; nothing if more bytes are needed, or, after end(), if there is none.
    [[nodiscard]] std::optional<ManifestRow> next();

  private:
    [[nodiscard]] std::optional<std::string_view> next_line();

    std::string bytes_;
    std::size_t begin_ = 0;  ///< of what is in no row yet
    std::size_t line_ = 0;
    bool is_ended_ = false;
};

/// All rows of a manifest: what a fuzzer calls. Throws MalformedManifest and std::bad_alloc.
/// However the bytes are cut into pieces for ManifestRows, its rows are these.
[[nodiscard]] std::vector<ManifestRow> parse_manifest(std::string_view bytes);

}  // namespace girih::cli
