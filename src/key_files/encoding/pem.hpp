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

/// The wanted block of a file. `any`: its only private key, else its first public key or
/// certificate; `public_key`: the latter, whatever private keys there are.
enum class Wanted { any, public_key };

/// Whether the file contains "-----BEGIN". Constant time, except for the verdict: the file may be a
/// private key in DER, or raw.
[[nodiscard]] bool recognised(BytesIn<> file) noexcept;

/// Whether the file contains it in UTF-16. Constant time, except for the verdict.
[[nodiscard]] bool recognised_in_utf16(BytesIn<> file) noexcept;

/// The wanted block of a file; a private key if there is no other. White space follows RFC 7468's
/// "lax" grammar: lines of any length, any line ends, blanks and empty lines anywhere in the block.
/// Lines outside blocks are explanatory text; blocks of other kinds are skipped. A BEGIN line may
/// follow a UTF-8 byte order mark, or another block's END line without a line end.
///
/// Linear in the file's length for any content. Constant time in the decoded bytes; branches depend
/// on white space, '-' and '='.
Result<Block> decode(BytesIn<> file, Wanted wanted = Wanted::any);

/// The block in RFC 7468's "strict" grammar: lines of 64 characters, ended by a
/// line feed. Constant time.
[[nodiscard]] SecretBytes encode(std::string_view label, BytesIn<> content);

}  // namespace girih::key_files::pem
