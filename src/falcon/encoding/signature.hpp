/// s2 as bytes (specification, Sections 3.11.2 and 3.11.3). Every polynomial has exactly one
/// encoding; all other strings are invalid.
///
/// Variable time: signatures are public.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "falcon/encoding/bit_fields.hpp"
#include "falcon/params.hpp"

namespace girih::falcon {

template <std::size_t n>
using ShortPoly = Poly<std::int16_t, n>;

/// The largest magnitude of a coefficient of s2 that can be encoded (specification, Section
/// 3.11.2).
inline constexpr std::int32_t max_coefficient = 2047;

/// Compress (Falcon, Algorithm 17): for each coefficient its sign, the low seven bits of its
/// magnitude, and the rest of the magnitude in unary. Returns the number of bytes, or 0 if they do
/// not fit.
template <class Isa, std::size_t n>
[[nodiscard]] constexpr std::size_t compress_vartime(const ShortPoly<n>& s, BytesOut<> bytes)
{
    std::size_t at = 0;
    std::uint32_t waiting = 0;
    unsigned count = 0;  // pending bits: fewer than 8 between coefficients, then at most 7 + 8 + 16
    for (const std::int32_t a : s) {
        const auto magnitude = static_cast<std::uint32_t>(a < 0 ? -a : a);
        if (magnitude > max_coefficient) return 0;
        const std::uint32_t zeros = magnitude >> 7;
        waiting = (waiting << 8) | (a < 0 ? 0x80u : 0u) | (magnitude & 0x7F);
        waiting = (waiting << (zeros + 1)) | 1;
        for (count += 9 + zeros; count >= 8; count -= 8) {
            if (at == bytes.size()) return 0;
            bytes[at++] = static_cast<Byte>(waiting >> (count - 8));
        }
    }
    if (count > 0) {
        if (at == bytes.size()) return 0;
        bytes[at++] = static_cast<Byte>(waiting << (8 - count));
    }
    return at;
}

/// 64 bits from bit `bit` on, of which at least 57 are valid; zeros follow the last byte.
[[nodiscard]] constexpr std::uint64_t bits_from(BytesIn<> bytes, std::size_t bit)
{
    const BytesIn<> rest = bytes.subspan(std::min(bit / 8, bytes.size()));
    std::uint64_t word = 0;
    if (rest.size() >= 8) {
        word = load_be64(rest.data());
    } else {
        for (std::size_t i = 0; i < rest.size(); ++i) word |= std::uint64_t{rest[i]} << (56 - 8 * i);
    }
    return word << (bit % 8);
}

/// Decompress (Falcon, Algorithm 18). Returns the number of bytes of s, or 0 for a string that
/// Compress does not write: with a magnitude over 2047, a negative zero, or ones after the last
/// coefficient.
template <class Isa, std::size_t n>
[[nodiscard]] constexpr std::size_t decompress_vartime(BytesIn<> bytes, ShortPoly<n>& s)
{
    constexpr int max_zeros = max_coefficient / 128;
    static_assert(2 * (9 + max_zeros) <= 57);
    std::size_t bit = 0;
    bool has_negative_zero = false;
    for (std::size_t i = 0; i < n; i += 2) {
        std::uint64_t bits = bits_from(bytes, bit);
        for (std::size_t j = i; j < i + 2; ++j) {
            const int zeros = std::countl_zero(bits << 8);
            if (zeros > max_zeros) return 0;
            const auto magnitude = static_cast<std::int32_t>(bits >> 56 & 0x7F) + 128 * zeros;
            const auto sign = static_cast<std::int32_t>(bits >> 63);
            has_negative_zero |= sign > magnitude;
            s[j] = static_cast<std::int16_t>((magnitude ^ -sign) + sign);
            bit += 9 + static_cast<std::size_t>(zeros);
            bits <<= 9 + zeros;
        }
    }
    // Each coefficient ends with a 1, and only zeros follow the last byte, so `bit` is not beyond
    // the end.
    if (has_negative_zero) return 0;
    if (bit % 8 != 0 && static_cast<Byte>(bytes[bit / 8] << (bit % 8)) != 0) return 0;
    return (bit + 7) / 8;
}

/// Encodes s2 in the format of a parameter set. Returns the number of bytes, or 0 if it does not
/// fit.
template <Shape S, class Isa>
[[nodiscard]] constexpr std::size_t encode_s2(Format format, const ShortPoly<S.n()>& s2, BytesOut<> bytes)
{
    if (format == Format::constant_time) {
        pack_fields<S.constant_time_bits(), Isa>(s2,
                                                 bytes.first<field_bytes(S.n(), S.constant_time_bits())>());
        return bytes.size();
    }
    const std::size_t used = compress_vartime<Isa, S.n()>(s2, bytes);
    if (format == Format::compressed || used == 0) return used;
    for (Byte& padding : bytes.subspan(used)) padding = 0;
    return bytes.size();
}

/// Decodes s2. False for a string that encode_s2 does not write.
template <Shape S, class Isa>
[[nodiscard]] constexpr bool decode_s2(Format format, BytesIn<> bytes, ShortPoly<S.n()>& s2)
{
    if (format == Format::constant_time) {
        constexpr std::size_t size = field_bytes(S.n(), S.constant_time_bits());
        if (bytes.size() != size) return false;
        const auto some_least = unpack_signed_fields<S.constant_time_bits(), Isa>(bytes.first<size>(), s2);
        return declassify(some_least, "Section 3.11.3: a signature is public") == 0;
    }
    const std::size_t used = decompress_vartime<Isa, S.n()>(bytes, s2);
    if (used == 0) return false;
    if (format == Format::compressed) return used == bytes.size();
    for (const Byte padding : bytes.subspan(used))
        if (padding != 0) return false;
    return true;
}

}  // namespace girih::falcon
