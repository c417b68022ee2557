/// Signatures that say what they are: text with the algorithm, the key's fingerprint, a comment and
/// the signature, which covers the comment as well. docs/SIGNATURES.md defines the format.
/// Functions of bytes: they open nothing, and can be fuzzed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace girih::cli {

/// What every such file begins with, whatever its version, and what no other signature's context
/// begins with; nor its message, where an algorithm has no contexts.
inline constexpr std::string_view text_signature_mark = "girih signature ";
/// The first line, with its end.
inline constexpr std::string_view text_signature_title = "girih signature 1\n";

inline constexpr std::size_t longest_comment = 1024;
/// More than the longest signature takes with the longest comment.
inline constexpr std::size_t most_text_signature_bytes = std::size_t{16} << 10;

struct TextSignature {
    std::string algorithm;
    std::string fingerprint;  ///< of the key, in hexadecimal
    std::string comment;      ///< one line, perhaps empty
    std::vector<std::uint8_t> bytes;
};

/// A file that makes no sense. The text begins with the number of the line.
class MalformedSignature : public std::runtime_error {
  public:
    MalformedSignature(std::size_t line, const std::string& what)
        : std::runtime_error("line " + std::to_string(line) + ": " + what)
    {
    }
};

/// What the mark keeps contexts and messages from.
[[nodiscard]] bool begins_with_mark(std::span<const std::uint8_t> bytes);

/// Whether a file is meant to be such a signature: the mark may come after white space and a byte
/// order mark, and be in UTF-16, although not all of these can be read.
[[nodiscard]] bool is_meant_as_text(std::span<const std::uint8_t> file);

/// The lines before the signature itself, which are signed before the message.
[[nodiscard]] std::string header_of(const TextSignature& signature);

/// The whole file.
[[nodiscard]] std::string write_text_signature(const TextSignature& signature);
/// Its parts. Throws MalformedSignature. Lines may end in LF or CRLF, and a byte order mark stand
/// before them; what is signed has LF and no mark.
[[nodiscard]] TextSignature parse_text_signature(std::span<const std::uint8_t> file);

}  // namespace girih::cli
