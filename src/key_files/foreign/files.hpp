/// Files of keys and certificates that girih does not read: what they are, and what reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::key_files {

/// A remedy for PEM blocks of a label; empty for a label that is not known.
[[nodiscard]] std::string_view remedy_of(std::string_view label) noexcept;

/// A sentence on a file that is not PEM, and begins as a known kind; nothing for another. Constant
/// time, except for the verdict.
[[nodiscard]] std::optional<std::string> foreign_file(BytesIn<> file);

/// Such a sentence on a SEQUENCE, by its first elements.
[[nodiscard]] std::optional<std::string> foreign_sequence(BytesIn<> file);

}  // namespace girih::key_files
