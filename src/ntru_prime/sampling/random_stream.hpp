/// The random bytes of one operation.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "aes/ctr.hpp"
#include "aes/instruction_ctr.hpp"
#include "aes/table.hpp"
#include "aes/two_counters.hpp"
#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/sampling/randomness.hpp"

namespace girih::ntru_prime {

/// AES-256-CTR from counter 0.
template <class Key>
struct FromZero : aes::CounterMode<Key> {
    explicit FromZero(BytesIn<aes::key_bytes> key) noexcept
        : aes::CounterMode<Key>(key, std::array<Byte, aes::block_bytes>{})
    {
    }
};

/// AES-256-CTR from counter 0: by instructions, or bit by bit where there are none.
template <class Isa>
struct SecretKeystream {
    using Type = FromZero<aes::EncryptionKey<typename Isa::CipherWords>>;
};
template <class Isa>
    requires Isa::has_aes
struct SecretKeystream<Isa> {
    using Type = aes::InstructionCtr<Isa>;
};
template <class Isa>
    requires requires { Isa::multiplies_words; }
struct SecretKeystream<Isa> {
    using Type = FromZero<aes::TwoCounters<Isa>>;
};

/// The same of a key that is public: by a table where there are no vectors.
template <class Isa>
struct PublicKeystream {
    using Type = typename SecretKeystream<Isa>::Type;
};
template <class Isa>
    requires requires { Isa::multiplies_words; }
struct PublicKeystream<Isa> {
    struct Type : FromZero<aes::VartimeKey<Isa>> {
        explicit Type(BytesIn<aes::key_bytes> key) noexcept : FromZero<aes::VartimeKey<Isa>>(known(key)) {}

      private:
        static BytesIn<aes::key_bytes> known(BytesIn<aes::key_bytes> key) noexcept
        {
            girih::declassify(key, "Section 3.6: the seed of G is in the public key; its words are G");
            return key;
        }
    };
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

/// Random words and bytes, from a seed or from the caller's source.
template <class Isa>
class RandomStream {
  public:
    explicit RandomStream(const Randomness& from) noexcept : from_(from)
    {
        if (from.seed != nullptr) expansion_.emplace(BytesIn<aes::key_bytes>{from.seed, aes::key_bytes});
    }

    /// urandom32, once for each word.
    void words(std::span<std::uint32_t> out) noexcept
    {
        if (expansion_) return expansion_->words(out);
        if constexpr (std::endian::native == std::endian::little) {
            const std::size_t count = from_.word_by_word ? 1 : out.size();
            for (std::size_t i = 0; i < out.size(); i += count)
                fill({reinterpret_cast<Byte*>(&out[i]), count * sizeof out[i]});
        } else {
            Wiped<std::array<Byte, 4>> bytes;
            for (std::uint32_t& word : out) {
                fill(*bytes);
                word = load_le32(bytes->data());
            }
        }
    }

    void bytes(BytesOut<> out) noexcept
    {
        if (expansion_) return expansion_->bytes(out);
        fill(out);
    }

    /// Whether the caller's source has failed; it is then asked no more, and what it
    /// did not give is 0.
    [[nodiscard]] bool has_failed() const noexcept { return failed_; }

  private:
    void fill(BytesOut<> out) noexcept
    {
        failed_ = failed_ || !from_.fill(from_.source, out.data(), out.size());
        if (failed_) wipe(out);
    }

    Randomness from_;
    std::optional<Expansion<Isa>> expansion_;
    bool failed_ = false;
};

}  // namespace girih::ntru_prime
