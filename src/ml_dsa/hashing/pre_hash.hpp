/// The hash functions that HashML-DSA may sign with (FIPS 204, Section 5.4), by name at run time.
///
/// Variable time in nothing but lengths; messages are public all the same.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "core/bytes.hpp"
#include "core/text.hpp"
#include "keccak/sponge.hpp"
#include "sha2/sha2.hpp"

namespace girih::ml_dsa {

/// An approved function of FIPS 180-4 or FIPS 202: its name, the digest that HashML-DSA takes, and its number under NIST's
/// arc of hash algorithms, 2.16.840.1.101.3.4.2.
struct PreHashFunction {
    const char* name;
    std::size_t digest_bytes;
    Byte oid_arc;

    /// Against collisions, in bits (FIPS 204, Section 5.4): half of the digest's.
    [[nodiscard]] constexpr std::size_t strength() const { return digest_bytes * 8 / 2; }
};

/// In the order of PreHash's hashers.
inline constexpr std::array pre_hash_functions{
    PreHashFunction{"SHA2-224", 28, 4},     PreHashFunction{"SHA2-256", 32, 1},
    PreHashFunction{"SHA2-384", 48, 2},     PreHashFunction{"SHA2-512", 64, 3},
    PreHashFunction{"SHA2-512/224", 28, 5}, PreHashFunction{"SHA2-512/256", 32, 6},
    PreHashFunction{"SHA3-224", 28, 7},     PreHashFunction{"SHA3-256", 32, 8},
    PreHashFunction{"SHA3-384", 48, 9},     PreHashFunction{"SHA3-512", 64, 10},
    PreHashFunction{"SHAKE128", 32, 11},    PreHashFunction{"SHAKE256", 64, 12},
};

/// OBJECT IDENTIFIER in DER: tag 6, nine bytes, 2 * 40 + 16, 840 in two bytes, 1, 101, 3, 4, 2, and the function's number.
using PreHashOid = std::array<Byte, 11>;
constexpr PreHashOid pre_hash_oid(const PreHashFunction& function)
{
    return {0x06, 9, 2 * 40 + 16, 0x80 | 840 / 128, 840 % 128, 1, 101, 3, 4, 2, function.oid_arc};
}

/// A message on its way to its digest.
template <class Isa>
class PreHash {
  public:
    using Digest = std::array<Byte, 64>;  // the longest

    /// The function of a name (as same_name compares them), begun. Nothing if there is none.
    [[nodiscard]] static constexpr std::optional<PreHash> begin(std::string_view name)
    {
        for (std::size_t i = 0; i < pre_hash_functions.size(); ++i)
            if (same_name(pre_hash_functions[i].name, name)) return PreHash{i};
        return std::nullopt;
    }

    [[nodiscard]] constexpr const PreHashFunction& function() const
    {
        return pre_hash_functions[hasher_.index()];
    }

    [[gnu::noinline]] constexpr void update(BytesIn<> piece)
    {
        std::visit(
            [&](auto& hasher) {
                if constexpr (requires { hasher.absorb(piece); }) {
                    hasher.absorb(piece);
                } else {
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
                } else {
                    copy(hasher.digest(), out);
                }
            },
            hasher_);
        return out;
    }

  private:
    using Hasher =
        std::variant<sha2::Sha224, sha2::Sha256, sha2::Sha384, sha2::Sha512, sha2::Sha512_224,
                     sha2::Sha512_256, keccak::Sha3<Isa, 28>, keccak::Sha3<Isa, 32>, keccak::Sha3<Isa, 48>,
                     keccak::Sha3<Isa, 64>, keccak::Shake128<Isa>, keccak::Shake256<Isa>>;
    static_assert(std::variant_size_v<Hasher> == pre_hash_functions.size());

    constexpr explicit PreHash(std::size_t index)
    {
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            (void)((i == index && (hasher_.template emplace<i>(), true)) || ...);
        }(std::make_index_sequence<pre_hash_functions.size()>{});
    }

    Hasher hasher_;
};

}  // namespace girih::ml_dsa
