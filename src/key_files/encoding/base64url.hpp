/// Base64url without padding (RFC 7515, Section 2), in constant time like base64.
#pragma once

#include <girih/key_files.hpp>

#include <optional>

#include "core/bytes.hpp"

namespace girih::key_files::base64url {

[[nodiscard]] SecretBytes encode(BytesIn<> bytes);

/// Accepts only the encoding that `encode` makes.
[[nodiscard]] std::optional<SecretBytes> decode(BytesIn<> characters);

}  // namespace girih::key_files::base64url
