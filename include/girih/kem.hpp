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

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace girih {

template <AlgorithmName name_, const girih_alg* (*algorithm_)(void), std::size_t public_key_bytes_,
          std::size_t secret_key_bytes_, std::size_t ciphertext_bytes_>
struct KemAlgorithm {
    static constexpr const char* name = name_.text;
    static constexpr std::size_t seed_bytes = 32;
    static constexpr std::size_t public_key_bytes = public_key_bytes_;
    static constexpr std::size_t secret_key_bytes = secret_key_bytes_;
    static constexpr std::size_t ciphertext_bytes = ciphertext_bytes_;
    static constexpr std::size_t shared_secret_bytes = 32;

    using Seed = std::array<std::uint8_t, seed_bytes>;
    using PublicKey = std::array<std::uint8_t, public_key_bytes>;
    using SecretKey = std::array<std::uint8_t, secret_key_bytes>;
    using Ciphertext = std::array<std::uint8_t, ciphertext_bytes>;
    using SharedSecret = std::array<std::uint8_t, shared_secret_bytes>;

    template <std::size_t size>
    using In = std::span<const std::uint8_t, size>;
    template <std::size_t size>
    using Out = std::span<std::uint8_t, size>;

    /// The algorithm in the C interface.
    [[nodiscard]] static const girih_alg* algorithm() noexcept { return algorithm_(); }

    /// The key pair of a seed (girih_keygen_from_seed). Constant time.
    [[nodiscard]] static Error keygen(In<seed_bytes> seed, Out<public_key_bytes> pk,
                                      Out<secret_key_bytes> sk) noexcept
    {
        return Error{girih_keygen_from_seed(algorithm(), seed.data(), seed.size(), pk.data(), pk.size(),
                                            sk.data(), sk.size())};
    }

    /// A new key pair. Constant time.
    [[nodiscard]] static Error keygen(Out<public_key_bytes> pk, Out<secret_key_bytes> sk,
                                      const girih_random* random = nullptr) noexcept
    {
        return Error{girih_keygen(algorithm(), random, pk.data(), pk.size(), sk.data(), sk.size())};
    }

    /// The public key of a secret key, which is checked in full: Error::secret_key,
    /// Error::key_mismatch.
    [[nodiscard]] static Error public_key(In<secret_key_bytes> sk, Out<public_key_bytes> pk) noexcept
    {
        return Error{girih_public_key(algorithm(), sk.data(), sk.size(), pk.data(), pk.size())};
    }

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
    class EncapsulationKey {
      public:
        explicit EncapsulationKey(In<public_key_bytes> bytes) noexcept
        {
            std::memcpy(bytes_.data(), bytes.data(), bytes.size());
        }

        [[nodiscard]] const PublicKey& bytes() const noexcept { return bytes_; }

#if defined(__cpp_exceptions)
        /// A new shared secret. Throws Error::random.
        [[nodiscard]] Encapsulation encapsulate(const girih_random* random = nullptr) const
        {
            Encapsulation made;
            detail::throw_if(KemAlgorithm::encapsulate(bytes_, made.ciphertext, made.shared_secret, random));
            return made;
        }
#endif

        friend bool operator==(const EncapsulationKey&, const EncapsulationKey&) noexcept = default;

      private:
        PublicKey bytes_;
    };

    /// A secret key with its public key, wiped when its life ends. Move and copy as you must.
    class DecapsulationKey {
      public:
#if defined(__cpp_exceptions)
        /// A new key. Throws Error::random.
        [[nodiscard]] static DecapsulationKey generate(const girih_random* random = nullptr)
        {
            DecapsulationKey key;
            detail::throw_if(keygen(key.public_, key.secret_, random));
            return key;
        }

        /// The key of a 32-byte seed, which is as secret as the key.
        [[nodiscard]] static DecapsulationKey from_seed(In<seed_bytes> seed)
        {
            DecapsulationKey key;
            detail::throw_if(keygen(seed, key.public_, key.secret_));
            return key;
        }

        /// The shared secret of a ciphertext, which is the caller's to wipe.
        [[nodiscard]] SharedSecret decapsulate(In<ciphertext_bytes> ciphertext) const
        {
            SharedSecret shared_secret;
            detail::throw_if(KemAlgorithm::decapsulate(secret_, ciphertext, shared_secret));
            return shared_secret;
        }
#endif
        /// A key from the bytes of another, with every check that they allow; nothing if one fails.
        [[nodiscard]] static std::optional<DecapsulationKey> from_bytes(In<secret_key_bytes> bytes) noexcept
        {
            std::optional<DecapsulationKey> key{DecapsulationKey{}};
            std::memcpy(key->secret_.data(), bytes.data(), bytes.size());
            if (public_key(bytes, key->public_) != Error::none) key.reset();
            return key;
        }

        DecapsulationKey(const DecapsulationKey&) noexcept = default;
        DecapsulationKey& operator=(const DecapsulationKey&) noexcept = default;
        ~DecapsulationKey() { detail::wipe(secret_); }

        [[nodiscard]] const SecretKey& bytes() const noexcept { return secret_; }
        [[nodiscard]] EncapsulationKey encapsulation_key() const noexcept
        {
            return EncapsulationKey{public_};
        }

      private:
        DecapsulationKey() noexcept = default;

        SecretKey secret_;
        PublicKey public_;
    };
};

}  // namespace girih
