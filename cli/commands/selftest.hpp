/// The checks of girih selftest.
#pragma once

#include <girih/girih.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace girih::cli::selftest {

using Bytes = std::vector<std::uint8_t>;

/// The first check that an algorithm fails; empty if there is none.
[[nodiscard]] std::string fault_of_signatures(const girih_alg* alg);
[[nodiscard]] std::string fault_of_kem(const girih_alg* alg);

/// The key pair of the seed 00 01 ... 1f, or 2f where a seed has 48 bytes, and 3f where it has 64.
struct KeyPair {
    const girih_alg* alg;
    Bytes public_key;
    Bytes secret_key;
    bool good;  ///< whether key generation succeeded
};
[[nodiscard]] KeyPair counting_key_pair(const girih_alg* alg);

/// Whether the secret key yields the public key.
[[nodiscard]] bool secret_key_belongs(const KeyPair& keys);

/// The SHA-256 of an algorithm's results for the counting seed, in hexadecimal.
struct KnownAnswer {
    std::string_view alg;
    std::string_view digest;
};
[[nodiscard]] std::string_view digest_for(const girih_alg* alg, std::span<const KnownAnswer> known_answers);
[[nodiscard]] std::string digest_of(std::initializer_list<const Bytes*> parts);

/// Whether f is true of `bytes` with one bit changed in every 61st byte, and in the last.
template <class F>
[[nodiscard]] bool for_flipped_bits(Bytes& bytes, F f)
{
    for (std::size_t i = 0; i < bytes.size();) {
        const auto bit = static_cast<std::uint8_t>(1u << (i % 8));
        bytes[i] ^= bit;
        if (!f()) return false;
        bytes[i] ^= bit;
        const bool last = i + 1 == bytes.size();
        i = !last && i + 61 >= bytes.size() ? bytes.size() - 1 : i + 61;
    }
    return true;
}

}  // namespace girih::cli::selftest
