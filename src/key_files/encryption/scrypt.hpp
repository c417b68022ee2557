/// scrypt (RFC 7914).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"

namespace girih::key_files {

/// The cost parameters of scrypt (RFC 7914, Section 2).
struct ScryptCost {
    std::uint64_t n;  ///< N: a power of two above 1
    std::uint32_t r;  ///< block size, in 128 bytes; at least 1
    std::uint32_t p;  ///< parallelization; at least 1

    /// The heap memory of scrypt(): N blocks, p blocks and two more. The caller makes sure that it
    /// fits a std::ptrdiff_t.
    [[nodiscard]] constexpr std::uint64_t bytes() const noexcept
    {
        return 128 * std::uint64_t{r} * (n + p + 2);
    }
    /// The approximate number of bytes that SHA-256 hashes: PBKDF2 makes 128 r p bytes, 32 at a
    /// time, each from the salt and two blocks.
    [[nodiscard]] constexpr std::uint64_t hashed_bytes(std::size_t salt_bytes) const noexcept
    {
        return std::uint64_t{4} * r * p * (salt_bytes + 128);
    }
};

/// Fills `key` from a passphrase. Throws std::bad_alloc and nothing else.
///
/// Memory accesses depend on the passphrase: that is inherent in scrypt. Wiped.
void scrypt(BytesIn<> passphrase, BytesIn<> salt, ScryptCost cost, BytesOut<> key);

}  // namespace girih::key_files
