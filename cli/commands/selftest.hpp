/// What girih selftest checks of each algorithm.
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

/// The first check that an algorithm fails; empty if it fails none.
[[nodiscard]] std::string fault_of_signatures(const girih_alg* alg);
[[nodiscard]] std::string fault_of_kem(const girih_alg* alg);

/// The key pair of the seed 00 01 ... 1f, or 2f where a seed has 48 bytes, and 3f where it has 64.
struct KeyPair {
    const girih_alg* alg;
    Bytes public_key;
    Bytes secret_key;
    bool good;  ///< whether there is one
};
[[nodiscard]] KeyPair counting_key_pair(const girih_alg* alg);

/// Whether the secret key gives the public key.
[[nodiscard]] bool secret_key_belongs(const KeyPair& keys);

/// What an algorithm is known to make of the counting seed: the SHA-256 of it, in hexadecimal.
struct KnownAnswer {
    std::string_view alg;
    std::string_view digest;
};
[[nodiscard]] std::string_view digest_for(const girih_alg* alg, std::span<const KnownAnswer> known_answers);
[[nodiscard]] std::string digest_of(std::initializer_list<const Bytes*> parts);

/// Calls f with every 61st byte, and the last, of `bytes` changed in one bit; says whether
/// f was always true.
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
