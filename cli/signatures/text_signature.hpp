/// Self-describing signatures: text with the algorithm, the key's fingerprint, a comment and the
/// signature, which also covers the comment. docs/SIGNATURES.md defines the format. Functions of
/// bytes: they open nothing, and can be fuzzed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace girih::cli {

/// The beginning of every such file, of any version. No other signature's context begins with it,
/// nor its message if the algorithm has no contexts.
inline constexpr std::string_view text_signature_mark = "girih signature ";
/// The first line, with its end.
inline constexpr std::string_view text_signature_title = "girih signature 1\n";

inline constexpr std::size_t longest_comment = 1024;
/// Longer than the longest signature with the longest comment.
inline constexpr std::size_t max_text_signature_bytes = std::size_t{16} << 10;

struct TextSignature {
    std::string algorithm;
    std::string fingerprint;  ///< of the key, in hexadecimal
    std::string comment;      ///< one line, may be empty
    std::vector<std::uint8_t> bytes;
};

/// A malformed file. The text begins with the line number.
class MalformedSignature : public std::runtime_error {
  public:
    MalformedSignature(std::size_t line, const std::string& what)
        : std::runtime_error("line " + std::to_string(line) + ": " + what)
    {
    }
};

/// Whether bytes begin with the mark, which other contexts and messages may not.
[[nodiscard]] bool begins_with_mark(std::span<const std::uint8_t> bytes);

/// Whether a file is meant as such a signature, if only for the error message: the mark may follow
/// white space and a byte order mark, and may be in UTF-16.
[[nodiscard]] bool is_meant_as_text(std::span<const std::uint8_t> file);

/// The lines before the signature itself, which are signed before the message.
[[nodiscard]] std::string header_of(const TextSignature& signature);

/// The whole file.
[[nodiscard]] std::string write_text_signature(const TextSignature& signature);
/// Parses a file. Throws MalformedSignature. Lines may end in LF or CRLF, and a byte order mark may
/// precede them; the signed bytes have LF and no mark.
[[nodiscard]] TextSignature parse_text_signature(std::span<const std::uint8_t> file);

}  // namespace girih::cli
