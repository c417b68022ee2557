/// Base64 (RFC 4648, Section 4), in constant time: no branch and no table index depends on a
/// character's value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/bytes.hpp"

namespace girih::key_files::base64 {

/// The six bits of a character, if it is in the alphabet. Both members may be secret.
struct Sextet {
    std::uint32_t value;  ///< 0..63; 0 for a character outside the alphabet
    std::uint32_t valid;  ///< all ones for a character of the alphabet, otherwise 0
};

/// The six bits of a character. Constant time.
[[nodiscard]] Sextet sextet(Byte character) noexcept;

/// The character of `value`, 0..63. Constant time.
[[nodiscard]] Byte character(std::uint32_t value) noexcept;

inline constexpr Byte pad = '=';

/// The number of '=' at the end, at most two; any other '=' is a bad character.
[[nodiscard]] std::size_t count_padding(BytesIn<> characters) noexcept;

/// The number of characters for `bytes` bytes, with '='.
constexpr std::size_t encoded_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

/// Writes encoded_size(bytes.size()) characters. Constant time.
void encode(BytesIn<> bytes, BytesOut<> characters) noexcept;

enum class Flaw { none, character, padding, unused_bits };

struct Decoded {
    Flaw flaw;          ///< why there are no bytes
    std::size_t bytes;  ///< how many were written
};

/// Decodes characters without white space, padded with '='; `bytes` has three bytes for every four.
/// Accepts only the encoding that `encode` makes. Constant time, except for the number of '=' and
/// the verdict. On a flaw, the content of `bytes` is unspecified (the caller wipes it).
[[nodiscard]] Decoded decode(BytesIn<> characters, BytesOut<> bytes) noexcept;

}  // namespace girih::key_files::base64
