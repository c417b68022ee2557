/// Object identifiers encoded at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "core/bytes.hpp"

namespace girih::key_files {

/// The content of an OBJECT IDENTIFIER (X.690, Section 8.19).
struct EncodedIdentifier {
    std::array<Byte, 16> bytes{};
    std::size_t size = 0;

    [[nodiscard]] constexpr BytesIn<> view() const { return BytesIn<>(bytes).first(size); }

    constexpr void append_base_128(std::uint32_t value)
    {
        int groups = 1;
        while (value >> (7 * groups) != 0) ++groups;
        while (groups-- > 0) {
            const std::uint32_t more = groups > 0 ? 0x80 : 0;
            bytes[size++] = static_cast<Byte>(((value >> (7 * groups)) & 0x7F) | more);
        }
    }
};

/// Encodes the arcs; the first two share one number, 40 * first + second.
constexpr EncodedIdentifier encode_identifier(std::initializer_list<std::uint32_t> arcs)
{
    EncodedIdentifier encoded;
    const auto* arc = arcs.begin();
    encoded.append_base_128(40 * arc[0] + arc[1]);
    for (arc += 2; arc != arcs.end(); ++arc) encoded.append_base_128(*arc);
    return encoded;
}

}  // namespace girih::key_files
