/// Strict JSON (RFC 8259) of keys and signatures: UTF-8, and no member twice in an object.
///
/// Strings are kept in memory that is wiped, since one may be a private key.
#pragma once

#include <girih/key_files.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "key_files/encoding/malformed.hpp"

namespace girih::key_files::json {

struct Member {
    std::optional<SecretBytes> text;  ///< of a string, in UTF-8; nothing for another value
    std::size_t byte = 0;             ///< the place of the value
};
using Members = std::map<SecretBytes, Member>;

/// The members of an object. Functions throw Malformed.
class Object {
  public:
    /// Parses a text that is one object, with or without white space around it. Linear: an object
    /// has at most 1000 members, and values nest at most 32 deep. Messages call the text `name`.
    Object(BytesIn<> text, std::string_view name) : Object(text, name, 0) {}

    /// Parses a file, which may begin with a byte order mark (RFC 8259, Section 8.1).
    [[nodiscard]] static Object of_file(BytesIn<> file, std::string_view name);

    /// Null if there is none.
    [[nodiscard]] const Member* find(std::string_view name) const;
    /// A member that has to be a string, and one that may be left out.
    [[nodiscard]] const SecretBytes& string(std::string_view name) const;
    [[nodiscard]] const SecretBytes* optional_string(std::string_view name) const;
    /// The bytes of a member that has to be base64url without padding.
    [[nodiscard]] SecretBytes base64url(std::string_view name) const;
    /// Throws an error of a member, Problem::member.
    [[noreturn]] void refuse(std::string_view name, const std::string& what) const;

  private:
    Object(BytesIn<> text, std::string_view name, std::size_t begin);

    std::string name_;
    Members members_;
};

/// Whether a file is meant as an object: it begins with '{', perhaps after white space and a byte
/// order mark.
[[nodiscard]] bool recognised(BytesIn<> file) noexcept;

/// Whether bytes are UTF-8 without control characters.
[[nodiscard]] bool is_text(BytesIn<> bytes) noexcept;

/// Appends a member to an object that is not closed, or begins one. The value is is_text().
void append_member(SecretBytes& out, std::string_view name, BytesIn<> value);

/// Untrusted bytes for a message, 64 at most: quoted, or in hexadecimal as h'00ff'.
[[nodiscard]] std::string shown(BytesIn<> text);

[[nodiscard]] inline BytesIn<> bytes_of(std::string_view text) noexcept
{
    return {reinterpret_cast<const Byte*>(text.data()), text.size()};
}
[[nodiscard]] inline std::string_view text_of(BytesIn<> bytes) noexcept
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace girih::key_files::json
