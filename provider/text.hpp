/// Keys as readable text.
#pragma once

#include "provider/key.hpp"

namespace girih::provider {

/// The algorithm, and the parts of the key in hexadecimal, in OpenSSL's layout. The object has a
/// key. Constant time in private parts.
[[nodiscard]] SecretBytes as_text(const KeyObject& object, bool with_private);

}  // namespace girih::provider
