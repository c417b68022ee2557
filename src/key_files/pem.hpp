/// Textual encodings of RFC 7468: one base64 block between a BEGIN and an END line.
#pragma once

#include <girih/key_files.hpp>

#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::key_files::pem {

struct Block {
    std::string label;  ///< "PRIVATE KEY" of -----BEGIN PRIVATE KEY-----
    SecretBytes content;
};

/// Whether "-----BEGIN" stands in the file. Constant time, but for the verdict: the file may be a
/// private key in DER, or raw.
[[nodiscard]] bool recognised(BytesIn<> file) noexcept;

/// A label as messages have it: cut where it is longer than any that is in use.
[[nodiscard]] std::string shown(std::string_view label);

/// The one block of a file. White space is as RFC 7468's "lax" grammar has it: lines of any
/// length, any line ends, blanks and empty lines anywhere in the block. Lines before and after it
/// are explanatory text.
///
/// Linear in the file's length, whatever is in it. Constant time in what the base64 stands for;
/// white space, '-' and '=' steer branches.
Result<Block> decode(BytesIn<> file);

/// The block in RFC 7468's "strict" grammar: lines of 64 characters, ended by a
/// line feed. Constant time.
[[nodiscard]] SecretBytes encode(std::string_view label, BytesIn<> content);

}  // namespace girih::key_files::pem
