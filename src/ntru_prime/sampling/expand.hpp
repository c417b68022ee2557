/// Expand and Generator ("NTRU Prime: round 3", Section 3.3).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "aes/ctr.hpp"
#include "aes/instruction_ctr.hpp"
#include "aes/table.hpp"
#include "aes/two_counters.hpp"
#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "isa/isa.hpp"
#include "ntru_prime/kernels/residue.hpp"
#include "ntru_prime/params.hpp"
#include "ntru_prime/types.hpp"

namespace girih::ntru_prime {

/// AES-256-CTR from counter 0, of a secret key: by instructions, or bitsliced where there are none.
template <class Isa>
struct SecretKeystream {
    using Type = aes::CounterMode<aes::EncryptionKey<typename Isa::CipherWords>>;
};
template <class Isa>
    requires Isa::has_aes
struct SecretKeystream<Isa> {
    using Type = aes::InstructionCtr<Isa>;
};
template <isa::MayHaveAes Isa>
struct SecretKeystream<Isa> {
    using Type = aes::EitherKeystream<typename Isa::AesInstructions,
                                      aes::CounterMode<aes::EncryptionKey<typename Isa::CipherWords>>>;
};
template <isa::MultipliesWords Isa>
struct SecretKeystream<Isa> {
    using Type = aes::CounterMode<aes::TwoCounters<Isa>>;
};

/// AES-256-CTR from counter 0, of a public key: by a table where there are no vectors.
template <class Isa>
struct PublicKeystream {
    using Type = typename SecretKeystream<Isa>::Type;
};
template <isa::MultipliesWords Isa>
struct PublicKeystream<Isa> {
    using Type = aes::CounterMode<aes::VartimeKey<Isa>>;
};

/// Expand (NTRU Prime, Section 3.3): the keystream of AES-256-CTR from counter 0, as little-endian
/// words.
template <class Keystream>
class ExpansionBy {
  public:
    [[gnu::noinline]] explicit ExpansionBy(BytesIn<aes::key_bytes> key) noexcept : stream_(key) {}

    [[gnu::noinline]] void words(std::span<std::uint32_t> out) noexcept
    {
        if constexpr (std::endian::native == std::endian::little) {
            stream_.generate({reinterpret_cast<Byte*>(out.data()), out.size_bytes()});
        } else {
            for (std::uint32_t& word : out) {
                std::array<Byte, 4> bytes;
                stream_.generate(bytes);
                word = load_le32(bytes.data());
            }
        }
    }

    [[gnu::noinline]] void bytes(BytesOut<> out) noexcept { stream_.generate(out); }

  private:
    Keystream stream_;
};
template <class Isa>
using Expansion = ExpansionBy<typename SecretKeystream<Isa>::Type>;
template <class Isa>
using VartimeExpansion = ExpansionBy<typename PublicKeystream<Isa>::Type>;

/// Generator (NTRU Prime, Section 3.3): the public polynomial G of a seed. The seed is in the
/// public key, so AES needs to hide neither the seed, which is its key, nor the counters that it
/// encrypts.
template <class Isa, class R>
[[gnu::noinline]] constexpr void generator(const R& ring, BytesIn<generator_bytes> seed, Rq<R::capacity>& g)
{
    girih::declassify(seed, "Section 3.6: the seed of G is in the public key; its words are G");
    Words<R::capacity> words;
    VartimeExpansion<Isa>{seed}.words(std::span{words}.first(ring.p));
    const AnyModulo<Isa> modulo_q{ring.modulo_q};
    for (std::size_t i = 0; i < ring.p; ++i) {
        // A word modulo q: of its upper and lower half, 2^16 h + l. The radix is 2^16 modulo q,
        // below 2^12 in magnitude, and so the sum is below 2^29.
        const auto high = static_cast<std::int32_t>(words[i] >> 16);
        const auto low = static_cast<std::int32_t>(words[i] & 0xffff);
        g.c[i] = static_cast<std::int16_t>(modulo_q.centered(high * ring.radix + low - ring.q12));
    }
}

}  // namespace girih::ntru_prime
