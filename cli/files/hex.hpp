/// Bytes in hexadecimal.
#pragma once

#include <girih/key_files.hpp>

#include <optional>
#include <string_view>

#include "key_files/encoding/character_range.hpp"

namespace girih::cli {

using key_files::to_hex;

/// The bytes of an even number of digits, in either case; nothing for any other text. Constant
/// time, except in the length and the verdict.
[[nodiscard]] std::optional<key_files::SecretBytes> from_hex(std::string_view digits);

}  // namespace girih::cli
