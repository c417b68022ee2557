/// Key encapsulation mechanisms, typed: lengths are part of the types. An array of a wrong length
/// does not compile; a vector's or a string's length is checked when it is read.
///
/// Two levels, over the same C functions:
/// - DecapsulationKey and EncapsulationKey own their bytes, PreparedDecapsulationKey and
///   PreparedEncapsulationKey (for algorithms that have them) their memory; members that can fail
///   throw girih::Exception (and are absent under -fno-exceptions). Keys and ciphertexts are made
///   from any range of bytes: Ciphertext{bytes} throws, Ciphertext::from_bytes(bytes) returns a
///   std::optional.
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

    using Ciphertext = FixedBytes<ciphertext_bytes>;
    using SharedSecret = std::array<std::uint8_t, shared_secret_bytes>;

    template <std::size_t size>
    using In = FixedBytesView<size>;
    template <std::size_t size>
    using Out = std::span<std::uint8_t, size>;

    /// A key pair from a seed or from randomness. Constant time.
    using Keys::keygen;

    /// A shared secret, and the ciphertext from which the owner of the public key recovers it.
    /// Error::public_key if an ML-KEM key is malformed. Constant time.
    [[nodiscard]] static Error encapsulate(In<public_key_bytes> pk, Out<ciphertext_bytes> ciphertext,
                                           Out<shared_secret_bytes> shared_secret,
                                           const girih_random* random = nullptr) noexcept
    {
        return Error{girih_encapsulate(algorithm(), random, pk.data(), pk.size(), ciphertext.data(),
                                       ciphertext.size(), shared_secret.data(), shared_secret.size())};
    }

    /// The shared secret of a ciphertext. A changed ciphertext gives a secret that looks random
    /// (implicit rejection). Error::key_mismatch if ML-KEM's secret key does not have the hash of
    /// its public key. Constant time.
    [[nodiscard]] static Error decapsulate(In<secret_key_bytes> sk, In<ciphertext_bytes> ciphertext,
                                           Out<shared_secret_bytes> shared_secret) noexcept
    {
        return Error{girih_decapsulate(algorithm(), sk.data(), sk.size(), ciphertext.data(),
                                       ciphertext.size(), shared_secret.data(), shared_secret.size())};
    }

#if defined(__cpp_exceptions)
    /// The result of encapsulation. The caller wipes the shared secret.
    struct Encapsulation {
        Ciphertext ciphertext;
        SharedSecret shared_secret;
    };
#endif

    /// The bytes of a public key, checked when used: an ML-KEM key has coefficients below q; for
    /// NTRU Prime, every string of the right length is a key.
    class EncapsulationKey : public Keys::template OwnedPublicKey<EncapsulationKey> {
      public:
        using Keys::template OwnedPublicKey<EncapsulationKey>::OwnedPublicKey;

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

    /// A secret key with its public key, wiped on destruction and when moved from. Copyable. Made
    /// by generate(), from_seed(seed) and from_bytes(bytes) or DecapsulationKey{bytes}
    /// (detail/keys.hpp).
    class DecapsulationKey : public Keys::template OwnedKeyPair<DecapsulationKey> {
      public:
        using Keys::template OwnedKeyPair<DecapsulationKey>::OwnedKeyPair;

#if defined(__cpp_exceptions)
        /// The shared secret of a ciphertext; the caller wipes it. Throws Error::length, or
        /// Error::argument if the key was moved from.
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

/// A KEM with prepared keys.
template <AlgorithmName name_, const girih_alg* (*algorithm_)(void), std::size_t seed_bytes_,
          std::size_t public_key_bytes_, std::size_t secret_key_bytes_, std::size_t ciphertext_bytes_>
struct PreparingKemAlgorithm
    : KemAlgorithm<name_, algorithm_, seed_bytes_, public_key_bytes_, secret_key_bytes_, ciphertext_bytes_> {
#if defined(__cpp_exceptions)
  private:
    using Kem = typename PreparingKemAlgorithm::KemAlgorithm;
    template <std::size_t size>
    using In = FixedBytesView<size>;

  public:
    using typename Kem::Encapsulation;
    using typename Kem::SharedSecret;

    /// A public key prepared for encapsulating many secrets (the matrix A, t, its hash). Movable,
    /// not copyable; using a moved-from key is Error::argument. Any number of threads may use it.
    /// Throws std::bad_alloc, Error::engine or, if the bytes are malformed, Error::public_key.
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

        /// Same result as EncapsulationKey::encapsulate.
        [[nodiscard]] Encapsulation encapsulate(const girih_random* random = nullptr) const
        {
            Encapsulation made;
            detail::throw_if(Error{girih_encapsulate_prepared(
                this->c_key(), random, made.ciphertext.data(), made.ciphertext.size(),
                made.shared_secret.data(), made.shared_secret.size())});
            return made;
        }
    };

    /// A secret key prepared for decapsulating many ciphertexts. Movable, not copyable; wiped on
    /// destruction. Any number of threads may use it. Throws std::bad_alloc, Error::engine or, if
    /// its parts contradict each other, Error::key_mismatch.
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

        /// Same result as DecapsulationKey::decapsulate. Throws Error::length.
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
