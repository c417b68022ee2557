/// The hash functions that HashML-DSA may sign with (FIPS 204, Section 5.4), by name at run time.
///
/// Time depends only on lengths, although messages are public.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "core/bytes.hpp"
#include "core/text.hpp"
#include "keccak/sponge.hpp"
#include "sha2/sha2.hpp"

namespace girih::ml_dsa {

/// An approved function of FIPS 180-4 or FIPS 202: its name, the digest that HashML-DSA takes, and
/// its number under NIST's arc of hash algorithms, 2.16.840.1.101.3.4.2.
struct PreHashFunction {
    const char* name;
    std::size_t digest_bytes;
    Byte oid_arc;

    /// Collision strength in bits (FIPS 204, Section 5.4): half of the digest's length.
    [[nodiscard]] constexpr std::size_t strength() const { return digest_bytes * 8 / 2; }
};

inline constexpr std::array pre_hash_functions{
    PreHashFunction{"SHA2-224", 28, 4},     PreHashFunction{"SHA2-256", 32, 1},
    PreHashFunction{"SHA2-384", 48, 2},     PreHashFunction{"SHA2-512", 64, 3},
    PreHashFunction{"SHA2-512/224", 28, 5}, PreHashFunction{"SHA2-512/256", 32, 6},
    PreHashFunction{"SHA3-224", 28, 7},     PreHashFunction{"SHA3-256", 32, 8},
    PreHashFunction{"SHA3-384", 48, 9},     PreHashFunction{"SHA3-512", 64, 10},
    PreHashFunction{"SHAKE128", 32, 11},    PreHashFunction{"SHAKE256", 64, 12},
};

/// The index in pre_hash_functions of a name, compared by same_name. Nothing if there is none.
[[nodiscard]] constexpr std::optional<std::size_t> pre_hash_index(std::string_view name)
{
    for (std::size_t i = 0; i < pre_hash_functions.size(); ++i)
        if (same_name(pre_hash_functions[i].name, name)) return i;
    return std::nullopt;
}

/// OBJECT IDENTIFIER in DER: tag 6, nine bytes, 2 * 40 + 16, 840 in two bytes, 1, 101, 3, 4, 2, and
/// the function's number.
using PreHashOid = std::array<Byte, 11>;
constexpr PreHashOid pre_hash_oid(const PreHashFunction& function)
{
    return {0x06, 9, 2 * 40 + 16, 0x80 | 840 / 128, 840 % 128, 1, 101, 3, 4, 2, function.oid_arc};
}

/// The hash of a message in progress.
template <class Isa>
class PreHash {
  public:
    using Digest = std::array<Byte, 64>;  // the longest

    /// Begins one of pre_hash_functions, by its index.
    constexpr explicit PreHash(std::size_t index) : index_(index) { begin(index); }
    constexpr PreHash(const PreHash&) = default;
    constexpr PreHash& operator=(const PreHash&) = default;
    [[gnu::noinline]] constexpr ~PreHash() = default;  // one copy, not one wherever a scope ends

    [[nodiscard]] constexpr const PreHashFunction& function() const { return pre_hash_functions[index_]; }

    [[gnu::noinline]] constexpr void update(BytesIn<> piece)
    {
        std::visit(
            [&](auto& hasher) {
                if constexpr (requires { hasher.absorb(piece); }) {
                    hasher.absorb(piece);
                } else if constexpr (requires { hasher.update(piece); }) {
                    hasher.update(piece);
                }
            },
            hasher_);
    }

    /// Ends the message: its digest is the first function().digest_bytes bytes.
    [[gnu::noinline]] constexpr BytesIn<> finish(Digest& digest)
    {
        const BytesOut<> out = BytesOut<>{digest}.first(function().digest_bytes);
        std::visit(
            [&](auto& hasher) {
                if constexpr (requires { hasher.squeeze(out); }) {
                    hasher.squeeze(out);
                } else if constexpr (requires { hasher.finish(out); }) {
                    hasher.finish(out);
                }
            },
            hasher_);
        return out;
    }

  private:
    // One type for all functions that differ only in numbers: twelve types would take five times
    // the code.
    using ShortWords = sha2::Hasher<std::uint32_t>;
    using LongWords = sha2::Hasher<std::uint64_t>;
    using Sponge = keccak::ChosenSponge<Isa>;
    using Hasher = std::variant<std::monostate, ShortWords, LongWords, Sponge>;

    /// In the order of pre_hash_functions.
    [[gnu::noinline]] constexpr void begin(std::size_t index)
    {
        constexpr std::array short_words{&sha2::sha224, &sha2::sha256};
        constexpr std::array long_words{&sha2::sha384, &sha2::sha512, &sha2::sha512_224, &sha2::sha512_256};
        constexpr std::array sponges{keccak::sha3_function(28), keccak::sha3_function(32),
                                     keccak::sha3_function(48), keccak::sha3_function(64),
                                     keccak::shake128_function, keccak::shake256_function};
        static_assert(short_words.size() + long_words.size() + sponges.size() == pre_hash_functions.size());
        if (index < short_words.size()) {
            hasher_.template emplace<ShortWords>(*short_words[index]);
            return;
        }
        index -= short_words.size();
        if (index < long_words.size()) {
            hasher_.template emplace<LongWords>(*long_words[index]);
            return;
        }
        hasher_.template emplace<Sponge>(keccak::ChosenFunction{sponges[index - long_words.size()]});
    }

    std::size_t index_;  // among pre_hash_functions
    Hasher hasher_;
};

}  // namespace girih::ml_dsa
