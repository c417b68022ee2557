/// Base64 (RFC 4648, Section 4), in constant time: no branch and no table index depends on a
/// character's value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/bytes.hpp"

namespace girih::key_files::base64 {

/// What the six bits of a character are, or that it has none. Both members may be secret.
struct Sextet {
    std::uint32_t value;  ///< 0..63; 0 for a character outside the alphabet
    std::uint32_t valid;  ///< all ones for a character of the alphabet, otherwise 0
};

/// The six bits that a character stands for. Constant time.
[[nodiscard]] Sextet sextet(Byte character) noexcept;

/// The character that stands for `value`, 0..63. Constant time.
[[nodiscard]] Byte character(std::uint32_t value) noexcept;

inline constexpr Byte pad = '=';

/// How many '=' there are at the end. Only there, and once or twice, do they stand for something;
/// any other '=' is a bad character.
[[nodiscard]] std::size_t count_padding(BytesIn<> characters) noexcept;

/// How many characters `bytes` bytes become, '=' included.
constexpr std::size_t encoded_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

/// Writes encoded_size(bytes.size()) characters. Constant time.
void encode(BytesIn<> bytes, BytesOut<> characters) noexcept;

enum class Flaw { none, character, padding, unused_bits };

struct Decoded {
    Flaw flaw;          ///< why there are no bytes
    std::size_t bytes;  ///< how many were written
};

/// Decodes characters without white space, padded with '='; `bytes` has room for three bytes
/// for every four. The one encoding that `encode` makes is accepted and no other. Constant
/// time, but for the number of '=' and the verdict; on a flaw nothing is promised of `bytes`
/// (the caller wipes it).
[[nodiscard]] Decoded decode(BytesIn<> characters, BytesOut<> bytes) noexcept;

}  // namespace girih::key_files::base64
