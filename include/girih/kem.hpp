/// The typed face of a key encapsulation mechanism: lengths are in the types, so a wrong
/// one does not compile.
///
/// Two levels, over the same C functions:
/// - DecapsulationKey and EncapsulationKey own their bytes, PreparedDecapsulationKey and
///   PreparedEncapsulationKey (of algorithms that have them) their memory; what can fail throws
///   girih::Exception (absent under -fno-exceptions).
/// - keygen, public_key, encapsulate and decapsulate work on the caller's memory, never allocate,
///   and return an Error.
#pragma once

#include <girih/core.hpp>
#include <girih/detail/keys.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace girih {

template <AlgorithmName name_, const girih_alg* (*algorithm_)(void), std::size_t seed_bytes_,
          std::size_t public_key_bytes_, std::size_t secret_key_bytes_, std::size_t ciphertext_bytes_>
struct KemAlgorithm
    : detail::KeyPairAlgorithm<name_, algorithm_, seed_bytes_, public_key_bytes_, secret_key_bytes_> {
  private:
    using Keys = typename KemAlgorithm::KeyPairAlgorithm;

  public:
    using Keys::algorithm;
    using Keys::public_key_bytes;
    using Keys::secret_key_bytes;
    static constexpr std::size_t ciphertext_bytes = ciphertext_bytes_;
    static constexpr std::size_t shared_secret_bytes = 32;

    using Ciphertext = std::array<std::uint8_t, ciphertext_bytes>;
    using SharedSecret = std::array<std::uint8_t, shared_secret_bytes>;

    template <std::size_t size>
    using In = std::span<const std::uint8_t, size>;
    template <std::size_t size>
    using Out = std::span<std::uint8_t, size>;

    /// Of a seed, or a new pair. Constant time.
    using Keys::keygen;

    /// A shared secret, and the ciphertext that takes it to the owner of the public key.
    /// Error::public_key if the bytes are no key, which those of NTRU Prime always are. Constant
    /// time.
    [[nodiscard]] static Error encapsulate(In<public_key_bytes> pk, Out<ciphertext_bytes> ciphertext,
                                           Out<shared_secret_bytes> shared_secret,
                                           const girih_random* random = nullptr) noexcept
    {
        return Error{girih_encapsulate(algorithm(), random, pk.data(), pk.size(), ciphertext.data(),
                                       ciphertext.size(), shared_secret.data(), shared_secret.size())};
    }

    /// The shared secret of a ciphertext; of one that was changed, another that looks random
    /// (implicit rejection). Error::key_mismatch if ML-KEM's secret key does not have the hash of
    /// its public key. Constant time.
    [[nodiscard]] static Error decapsulate(In<secret_key_bytes> sk, In<ciphertext_bytes> ciphertext,
                                           Out<shared_secret_bytes> shared_secret) noexcept
    {
        return Error{girih_decapsulate(algorithm(), sk.data(), sk.size(), ciphertext.data(),
                                       ciphertext.size(), shared_secret.data(), shared_secret.size())};
    }

#if defined(__cpp_exceptions)
    /// What encapsulation makes. The shared secret is the caller's to wipe.
    struct Encapsulation {
        Ciphertext ciphertext;
        SharedSecret shared_secret;
    };
#endif

    /// The bytes of a public key, which are checked when they are used: of NTRU Prime every string
    /// of its length is a key, of ML-KEM one whose coefficients are below q.
    class EncapsulationKey : public Keys::OwnedPublicKey {
      public:
        using Keys::OwnedPublicKey::OwnedPublicKey;

#if defined(__cpp_exceptions)
        /// A new shared secret. Throws Error::random or Error::public_key.
        [[nodiscard]] Encapsulation encapsulate(const girih_random* random = nullptr) const
        {
            Encapsulation made;
            detail::throw_if(
                KemAlgorithm::encapsulate(this->bytes(), made.ciphertext, made.shared_secret, random));
            return made;
        }
#endif
    };

    /// A secret key with its public key, wiped when its life ends or is moved. Copies as well.
    /// Made by generate(), from_seed(seed) and from_bytes(bytes), which detail/keys.hpp has.
    class DecapsulationKey : public Keys::template OwnedKeyPair<DecapsulationKey> {
      public:
#if defined(__cpp_exceptions)
        /// The shared secret of a ciphertext, which is the caller's to wipe. Throws Error::argument
        /// if the key was moved from.
        [[nodiscard]] SharedSecret decapsulate(In<ciphertext_bytes> ciphertext) const
        {
            SharedSecret shared_secret;
            detail::throw_if(KemAlgorithm::decapsulate(this->bytes_to_use(), ciphertext, shared_secret));
            return shared_secret;
        }
#endif
        [[nodiscard]] EncapsulationKey encapsulation_key() const noexcept
        {
            return EncapsulationKey{this->public_};
        }

      private:
        friend typename Keys::template OwnedKeyPair<DecapsulationKey>;
        DecapsulationKey() noexcept = default;
    };
};

/// A KEM that has prepared keys, too.
template <AlgorithmName name_, const girih_alg* (*algorithm_)(void), std::size_t seed_bytes_,
          std::size_t public_key_bytes_, std::size_t secret_key_bytes_, std::size_t ciphertext_bytes_>
struct PreparingKemAlgorithm
    : KemAlgorithm<name_, algorithm_, seed_bytes_, public_key_bytes_, secret_key_bytes_, ciphertext_bytes_> {
#if defined(__cpp_exceptions)
  private:
    using Kem = typename PreparingKemAlgorithm::KemAlgorithm;
    template <std::size_t size>
    using In = std::span<const std::uint8_t, size>;

  public:
    using typename Kem::Encapsulation;
    using typename Kem::SharedSecret;

    /// A public key with all that encapsulation makes of it (the matrix A, t, its hash): for many
    /// secrets for one receiver. Moves, does not copy (what was moved from holds no key:
    /// Error::argument); serves any number of threads. Allocates its memory, and throws
    /// std::bad_alloc, Error::engine or, for bytes that are no key, Error::public_key.
    class PreparedEncapsulationKey : public detail::PreparedEncapsulation {
      public:
        explicit PreparedEncapsulationKey(In<public_key_bytes_> bytes)
            : detail::PreparedEncapsulation(Kem::algorithm(), bytes)
        {
        }
        explicit PreparedEncapsulationKey(const typename Kem::EncapsulationKey& key)
            : PreparedEncapsulationKey(key.bytes())
        {
        }

        /// As EncapsulationKey::encapsulate.
        [[nodiscard]] Encapsulation encapsulate(const girih_random* random = nullptr) const
        {
            Encapsulation made;
            detail::throw_if(Error{girih_encapsulate_prepared(
                this->c_key(), random, made.ciphertext.data(), made.ciphertext.size(),
                made.shared_secret.data(), made.shared_secret.size())});
            return made;
        }
    };

    /// A secret key with all that decapsulation makes of it: for a server whose key stands. Moves,
    /// does not copy; serves any number of threads; wiped when its life ends. Allocates its memory,
    /// and throws std::bad_alloc, Error::engine or, for bytes that contradict each other,
    /// Error::key_mismatch.
    class PreparedDecapsulationKey : public detail::PreparedDecapsulation {
      public:
        explicit PreparedDecapsulationKey(In<secret_key_bytes_> bytes)
            : detail::PreparedDecapsulation(Kem::algorithm(), bytes)
        {
        }
        explicit PreparedDecapsulationKey(const typename Kem::DecapsulationKey& key)
            : PreparedDecapsulationKey(key.bytes_to_use())
        {
        }

        /// As DecapsulationKey::decapsulate.
        [[nodiscard]] SharedSecret decapsulate(In<ciphertext_bytes_> ciphertext) const
        {
            SharedSecret shared_secret;
            detail::throw_if(
                Error{girih_decapsulate_prepared(this->c_key(), ciphertext.data(), ciphertext.size(),
                                                 shared_secret.data(), shared_secret.size())});
            return shared_secret;
        }
    };
#endif
};

}  // namespace girih
