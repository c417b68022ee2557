/// The functions of FIPS 180-4 by name: `sha2::Sha256` for a message in pieces,
/// `sha2::hash<sha2::sha256>` for a whole one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/bytes.hpp"
#include "sha2/constants.hpp"
#include "sha2/hash.hpp"

namespace girih::sha2 {

/// The initial values that are roots of primes (FIPS 180-4, Sections 5.3.2 to 5.3.5): eight words
/// from the roots that begin at `first`, without their `dropped` lowest bits.
template <class Word>
constexpr State<Word> initial_from_roots(std::size_t first, unsigned dropped)
{
    State<Word> initial{};
    for (std::size_t i = 0; i < 8; ++i) initial[i] = static_cast<Word>(square_roots[first + i] >> dropped);
    return initial;
}

// SHA-224 takes the second 32 bits of the roots whose first 64 bits are SHA-384's.
inline constexpr Params<std::uint32_t> sha224{28, initial_from_roots<std::uint32_t>(8, 0)};
inline constexpr Params<std::uint32_t> sha256{32, initial_from_roots<std::uint32_t>(0, 32)};
inline constexpr Params<std::uint64_t> sha384{48, initial_from_roots<std::uint64_t>(8, 0)};
inline constexpr Params<std::uint64_t> sha512{64, initial_from_roots<std::uint64_t>(0, 0)};

/// SHA-512/t IV Generation Function (FIPS 180-4, Section 5.3.6), from the name
/// "SHA-512/t" in ASCII.
constexpr State<std::uint64_t> sha512_t_initial(std::string_view name)
{
    constexpr Params<std::uint64_t> generator = [] {
        Params<std::uint64_t> p = sha512;
        for (std::uint64_t& word : p.initial) word ^= 0xa5a5a5a5a5a5a5a5;
        return p;
    }();
    Hash<generator> hash;
    for (const char letter : name) {
        const Byte byte = static_cast<Byte>(letter);
        hash.update(BytesIn<>{&byte, 1});
    }
    const auto digest = hash.digest();
    State<std::uint64_t> initial{};
    for (std::size_t i = 0; i < 8; ++i) initial[i] = load_be64(&digest[8 * i]);
    return initial;
}

inline constexpr Params<std::uint64_t> sha512_224{28, sha512_t_initial("SHA-512/224")};
inline constexpr Params<std::uint64_t> sha512_256{32, sha512_t_initial("SHA-512/256")};

using Sha224 = Hash<sha224>;
using Sha256 = Hash<sha256>;
using Sha384 = Hash<sha384>;
using Sha512 = Hash<sha512>;
using Sha512_224 = Hash<sha512_224>;
using Sha512_256 = Hash<sha512_256>;

}  // namespace girih::sha2
