/// scrypt (RFC 7914).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"

namespace girih::key_files {

/// What scrypt costs (RFC 7914, Section 2).
struct ScryptCost {
    std::uint64_t n;  ///< N: a power of two above 1
    std::uint32_t r;  ///< block size, in 128 bytes; at least 1
    std::uint32_t p;  ///< parallelization; at least 1

    /// What scrypt() takes from the heap: N blocks, p blocks and two more. The caller has made sure
    /// that it fits a std::ptrdiff_t.
    [[nodiscard]] constexpr std::uint64_t bytes() const noexcept
    {
        return 128 * std::uint64_t{r} * (n + p + 2);
    }
    /// About what SHA-256 takes in: PBKDF2 makes 128 r p bytes, 32 at a time, each time of the salt
    /// and two blocks.
    [[nodiscard]] constexpr std::uint64_t hashed_bytes(std::size_t salt_bytes) const noexcept
    {
        return std::uint64_t{4} * r * p * (salt_bytes + 128);
    }
};

/// Fills `key` from a passphrase. Throws std::bad_alloc and nothing else.
///
/// Which memory is read depends on the passphrase: that is what scrypt is. Wiped.
void scrypt(BytesIn<> passphrase, BytesIn<> salt, ScryptCost cost, BytesOut<> key);

}  // namespace girih::key_files
