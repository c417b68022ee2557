/// Keys as people read them.
#pragma once

#include "provider/key.hpp"

namespace girih::provider {

/// The algorithm, and the parts of the key in hexadecimal, as OpenSSL lays them out. The object has
/// a key. Constant time in what is private.
[[nodiscard]] SecretBytes as_text(const KeyObject& object, bool with_private);

}  // namespace girih::provider
