/// Strings of integers of 3 to 20 bits, the lowest bits first, eight integers at a time: eight
/// integers of n bits fill n bytes.
///
/// Constant time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/unroll.hpp"

namespace girih::module_lattice {

inline constexpr std::size_t group = 8;

/// Eight integers of 3 or 4 bits in a word.
template <int bits>
[[nodiscard, gnu::always_inline]] constexpr std::uint32_t eight(const Byte* bytes) noexcept
{
    static_assert(bits == 3 || bits == 4);
    if constexpr (bits == 4) return load_le32(bytes);
    return bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16;
}

/// Calls use(j, v) for the eight integers v in `bits` bytes; reads no other byte.
template <int bits, class Use>
[[gnu::always_inline]] constexpr void take_group(const Byte* bytes, Use use) noexcept
{
    constexpr std::uint32_t mask = (1U << bits) - 1;
    if constexpr (bits <= 4) {
        const std::uint32_t all = eight<bits>(bytes);
        unroll<group>([&](auto j) __attribute__((always_inline)) {
            use(j, static_cast<std::int32_t>(all >> (j * bits) & mask));
        });
    } else {
        unroll<group>([&](auto j) __attribute__((always_inline)) {
            // Four bytes from the integer's first byte, or the last four bytes. Integer j has 7 - j
            // after it, so in the last four it begins at bit 32 - (8 - j) bits or before.
            constexpr std::size_t at = std::min<std::size_t>(j * bits / 8, bits - 4);
            constexpr int shift = j * bits - 8 * at;
            static_assert(shift + bits <= 32);
            use(j, static_cast<std::int32_t>(load_le32(bytes + at) >> shift & mask));
        });
    }
}

/// The inverse of take_group: writes the eight integers value(0) to value(7).
template <int bits, class Value>
[[gnu::always_inline]] constexpr void put_group(Byte* bytes, Value value) noexcept
{
    std::uint32_t waiting = 0;
    unroll<group>([&](auto j) __attribute__((always_inline)) {
        constexpr int at = j * bits % 32;
        const auto v = static_cast<std::uint32_t>(value(j));
        waiting |= v << at;
        if constexpr (at + bits >= 32) {
            store_le32(bytes + j * bits / 32 * 4, waiting);
            waiting = at + bits == 32 ? 0 : v >> (32 - at);
        }
    });
    for (int left = 0; left < bits % 4; ++left)
        bytes[bits / 4 * 4 + left] = static_cast<Byte>(waiting >> (8 * left));
}

/// BitUnpack (FIPS 204, Algorithm 19): coefficients b - v of a string of integers v. Where b is 0,
/// SimpleBitUnpack (FIPS 204, Algorithm 18): v themselves.
template <int bits, std::int32_t b, class Out>
constexpr void unpack(const Byte* bytes, Out& out) noexcept
{
    static_assert(std::tuple_size_v<Out> % group == 0);
    for (std::size_t i = 0; i < out.size(); i += group, bytes += bits)
        take_group<bits>(bytes, [&](std::size_t j, std::int32_t v) __attribute__((always_inline)) {
            out[i + j] = static_cast<typename Out::value_type>(b == 0 ? v : b - v);
        });
}

/// BitPack (FIPS 204, Algorithm 17) of integers b - c, or SimpleBitPack (FIPS 204, Algorithm 16).
template <int bits, std::int32_t b, class In>
constexpr void pack(const In& in, Byte* bytes) noexcept
{
    static_assert(std::tuple_size_v<In> % group == 0);
    for (std::size_t i = 0; i < in.size(); i += group, bytes += bits)
        put_group<bits>(bytes, [&](std::size_t j) __attribute__((always_inline)) {
            return b == 0 ? std::int32_t{in[i + j]} : b - in[i + j];
        });
}

/// Not 0 if one of 8 `groups` integers is above 2^(bits - 1). (A key's short vectors are integers
/// of 3 bits up to 4, or of 4 bits up to 8.)
template <int bits>
[[nodiscard]] constexpr std::uint32_t above_middle(const Byte* bytes, std::size_t groups) noexcept
{
    std::uint32_t above = 0;
    for (std::size_t i = 0; i < groups; ++i, bytes += bits) {
        const std::uint32_t all = eight<bits>(bytes);
        // The highest bit and a lower one, at the place of the highest.
        const std::uint32_t lower = all << 1 | all << 2 | (bits == 4 ? all << 3 : 0);
        above |= all & lower & (bits == 4 ? 0x88888888 : 0x00924924);
    }
    return above;
}

}  // namespace girih::module_lattice
