/// Little-endian integers of at most eight bytes, read and written without touching the adjacent
/// bytes.
#pragma once

#include <cstdint>

#include "core/bytes.hpp"

namespace girih::isa {

// Always inlined: otherwise engines compiled for different processors would share one function.

template <int count>
[[nodiscard, gnu::always_inline]] inline std::uint64_t load_bytes(const Byte* bytes) noexcept
{
    if constexpr (count == 8) return load_le64(bytes);
    if constexpr (count >= 4) return load_le32(bytes) | load_bytes<count - 4>(bytes + 4) << 32;
    if constexpr (count >= 2) return load_le<std::uint16_t>(bytes) | load_bytes<count - 2>(bytes + 2) << 16;
    if constexpr (count == 1) return bytes[0];
    return 0;
}

template <int count>
[[gnu::always_inline]] inline void store_bytes(Byte* bytes, std::uint64_t value) noexcept
{
    if constexpr (count == 8) {
        store_le64(bytes, value);
    } else if constexpr (count >= 4) {
        store_le32(bytes, static_cast<std::uint32_t>(value));
        store_bytes<count - 4>(bytes + 4, value >> 32);
    } else if constexpr (count >= 2) {
        store_le(bytes, static_cast<std::uint16_t>(value));
        store_bytes<count - 2>(bytes + 2, value >> 16);
    } else if constexpr (count == 1) {
        bytes[0] = static_cast<Byte>(value);
    }
}

}  // namespace girih::isa
