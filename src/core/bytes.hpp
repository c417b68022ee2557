/// Byte strings: views of them, and integers in them.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/compiler.hpp"

namespace girih {

using Byte = std::uint8_t;

/// A view of `n` bytes to read, or of any number.
template <std::size_t n = std::dynamic_extent>
using BytesIn = std::span<const Byte, n>;

/// A view of `n` bytes to write, or of any number.
template <std::size_t n = std::dynamic_extent>
using BytesOut = std::span<Byte, n>;

/// Copies all of `from` to the front of `to`, which is at least as long.
constexpr void copy(BytesIn<> from, BytesOut<> to) noexcept
{
    if (std::is_constant_evaluated()) {
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
    } else if (!from.empty()) {
        std::memcpy(to.data(), from.data(), from.size());
    }
}

/// The little-endian integer in the sizeof(Word) bytes at `bytes`.
template <std::unsigned_integral Word>
[[nodiscard]] constexpr Word load_le(const Byte* bytes) noexcept
{
    Word word = 0;
    if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
        std::memcpy(&word, bytes, sizeof word);
    } else {
        for (std::size_t i = sizeof word; i-- > 0;) word = static_cast<Word>((word << 8) | bytes[i]);
    }
    return word;
}

template <std::unsigned_integral Word>
constexpr void store_le(Byte* bytes, Word word) noexcept
{
    if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
        std::memcpy(bytes, &word, sizeof word);
    } else {
        for (std::size_t i = 0; i < sizeof word; ++i) bytes[i] = static_cast<Byte>(word >> (8 * i));
    }
}

/// The big-endian integer in the sizeof(Word) bytes at `bytes`.
template <std::unsigned_integral Word>
[[nodiscard]] constexpr Word load_be(const Byte* bytes) noexcept
{
    Word word = 0;
    for (std::size_t i = 0; i < sizeof word; ++i) word = static_cast<Word>((word << 8) | bytes[i]);
    return word;
}

template <std::unsigned_integral Word>
constexpr void store_be(Byte* bytes, Word word) noexcept
{
    for (std::size_t i = 0; i < sizeof word; ++i)
        bytes[i] = static_cast<Byte>(word >> (8 * (sizeof word - 1 - i)));
}

[[nodiscard]] constexpr std::uint32_t load_le32(const Byte* bytes) noexcept
{
    return load_le<std::uint32_t>(bytes);
}
[[nodiscard]] constexpr std::uint64_t load_le64(const Byte* bytes) noexcept
{
    return load_le<std::uint64_t>(bytes);
}
constexpr void store_le32(Byte* bytes, std::uint32_t word) noexcept { store_le(bytes, word); }
constexpr void store_le64(Byte* bytes, std::uint64_t word) noexcept { store_le(bytes, word); }
[[nodiscard]] constexpr std::uint32_t load_be32(const Byte* bytes) noexcept
{
    return load_be<std::uint32_t>(bytes);
}
[[nodiscard]] constexpr std::uint64_t load_be64(const Byte* bytes) noexcept
{
    return load_be<std::uint64_t>(bytes);
}
constexpr void store_be32(Byte* bytes, std::uint32_t word) noexcept { store_be(bytes, word); }
constexpr void store_be64(Byte* bytes, std::uint64_t word) noexcept { store_be(bytes, word); }

}  // namespace girih
