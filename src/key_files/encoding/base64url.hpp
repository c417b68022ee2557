/// Base64url without padding (RFC 7515, Section 2), in constant time like base64.
#pragma once

#include <girih/key_files.hpp>

#include "core/bytes.hpp"
#include "key_files/encoding/base64.hpp"

namespace girih::key_files::base64url {

[[nodiscard]] SecretBytes encode(BytesIn<> bytes);

struct Decoded {
    base64::Flaw flaw;  ///< why there are no bytes
    SecretBytes bytes;
};

/// Accepts only the encoding that `encode` makes.
[[nodiscard]] Decoded decode(BytesIn<> characters);

}  // namespace girih::key_files::base64url
