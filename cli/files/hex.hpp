/// Bytes in hexadecimal.
#pragma once

#include <girih/key_files.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace girih::cli {

[[nodiscard]] std::string to_hex(std::span<const std::uint8_t> bytes);

/// The bytes of an even number of digits, in either case; nothing for any other text. Constant
/// time, except in the length and the verdict.
[[nodiscard]] std::optional<key_files::SecretBytes> from_hex(std::string_view digits);

}  // namespace girih::cli
