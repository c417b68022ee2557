/// The typed face of a key encapsulation mechanism: lengths are in the types, so a wrong
/// one does not compile.
///
/// Two levels, over the same C functions:
/// - DecapsulationKey and EncapsulationKey own their bytes; what can fail throws girih::Exception
///   (absent under -fno-exceptions).
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

template <AlgorithmName name_, const girih_alg* (*algorithm_)(void), std::size_t public_key_bytes_,
          std::size_t secret_key_bytes_, std::size_t ciphertext_bytes_>
struct KemAlgorithm : detail::KeyPairAlgorithm<name_, algorithm_, 32, public_key_bytes_, secret_key_bytes_> {
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

    /// A shared secret, and the ciphertext that takes it to the owner of the public
    /// key. Constant time.
    [[nodiscard]] static Error encapsulate(In<public_key_bytes> pk, Out<ciphertext_bytes> ciphertext,
                                           Out<shared_secret_bytes> shared_secret,
                                           const girih_random* random = nullptr) noexcept
    {
        return Error{girih_encapsulate(algorithm(), random, pk.data(), pk.size(), ciphertext.data(),
                                       ciphertext.size(), shared_secret.data(), shared_secret.size())};
    }

    /// The shared secret of a ciphertext; of one that was changed, another that looks random
    /// (implicit rejection). Constant time.
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

    /// A public key. Every string of its length is one.
    class EncapsulationKey : public Keys::OwnedPublicKey {
      public:
        using Keys::OwnedPublicKey::OwnedPublicKey;

#if defined(__cpp_exceptions)
        /// A new shared secret. Throws Error::random.
        [[nodiscard]] Encapsulation encapsulate(const girih_random* random = nullptr) const
        {
            Encapsulation made;
            detail::throw_if(
                KemAlgorithm::encapsulate(this->bytes(), made.ciphertext, made.shared_secret, random));
            return made;
        }
#endif
    };

    /// A secret key with its public key, wiped when its life ends. Move and copy as you must.
    /// Made by generate(), from_seed(seed) and from_bytes(bytes), which detail/keys.hpp has.
    class DecapsulationKey : public Keys::template OwnedKeyPair<DecapsulationKey> {
      public:
#if defined(__cpp_exceptions)
        /// The shared secret of a ciphertext, which is the caller's to wipe.
        [[nodiscard]] SharedSecret decapsulate(In<ciphertext_bytes> ciphertext) const
        {
            SharedSecret shared_secret;
            detail::throw_if(KemAlgorithm::decapsulate(this->bytes(), ciphertext, shared_secret));
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

}  // namespace girih
