/// Textual encodings of RFC 7468: base64 blocks between BEGIN and END lines.
#pragma once

#include <girih/key_files.hpp>

#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::key_files::pem {

inline constexpr std::string_view private_label = "PRIVATE KEY";              // RFC 7468, Section 10
inline constexpr std::string_view encrypted_label = "ENCRYPTED PRIVATE KEY";  // Section 11
inline constexpr std::string_view public_label = "PUBLIC KEY";                // Section 13

enum class Holds { private_key, encrypted_private_key, public_key, certificate };

struct Block {
    Holds holds;
    SecretBytes content;
};

/// Which block of a file is meant: its one private key, else its first public key or certificate;
/// or the latter, whatever private keys are there.
enum class Wanted { any, public_key };

/// Whether "-----BEGIN" stands in the file. Constant time, but for the verdict: the file may be a
/// private key in DER, or raw.
[[nodiscard]] bool recognised(BytesIn<> file) noexcept;

/// Whether that is so in UTF-16. Constant time, but for the verdict.
[[nodiscard]] bool recognised_in_utf16(BytesIn<> file) noexcept;

/// The wanted block of a file; a private key where there is no other. White space is as RFC 7468's
/// "lax" grammar has it: lines of any length, any line ends, blanks and empty lines anywhere in the
/// block. Lines before, between and after blocks are explanatory text, and blocks of other kinds
/// are passed over. A UTF-8 byte order mark may precede a BEGIN line, and another block's END line
/// without a line end.
///
/// Linear in the file's length, whatever is in it. Constant time in what the base64 stands for;
/// white space, '-' and '=' steer branches.
Result<Block> decode(BytesIn<> file, Wanted wanted = Wanted::any);

/// The block in RFC 7468's "strict" grammar: lines of 64 characters, ended by a
/// line feed. Constant time.
[[nodiscard]] SecretBytes encode(std::string_view label, BytesIn<> content);

}  // namespace girih::key_files::pem
