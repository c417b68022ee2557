/// The typed face of a signature algorithm: lengths are in the types, so a wrong one does not
/// compile.
///
/// Two levels, over the same C functions:
/// - SigningKey and VerifyingKey own their bytes; what can fail throws girih::Exception (absent
///   under -fno-exceptions).
/// - keygen, public_key, sign and verify work on the caller's memory, never allocate,
///   and return an Error.
#pragma once

#include <girih/core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

namespace girih {

template <AlgorithmName name_, const girih_alg* (*algorithm_)(void), std::size_t public_key_bytes_,
          std::size_t secret_key_bytes_, std::size_t signature_bytes_>
struct SignatureAlgorithm {
    static constexpr const char* name = name_.text;
    static constexpr std::size_t seed_bytes = 32;
    static constexpr std::size_t public_key_bytes = public_key_bytes_;
    static constexpr std::size_t secret_key_bytes = secret_key_bytes_;
    static constexpr std::size_t signature_bytes = signature_bytes_;
    static constexpr std::size_t mu_bytes = GIRIH_MU_BYTES;

    using Seed = std::array<std::uint8_t, seed_bytes>;
    using PublicKey = std::array<std::uint8_t, public_key_bytes>;
    using SecretKey = std::array<std::uint8_t, secret_key_bytes>;
    using Signature = std::array<std::uint8_t, signature_bytes>;
    using Mu = std::array<std::uint8_t, mu_bytes>;

    template <std::size_t size>
    using In = std::span<const std::uint8_t, size>;
    template <std::size_t size>
    using Out = std::span<std::uint8_t, size>;

    /// The algorithm in the C interface.
    [[nodiscard]] static const girih_alg* algorithm() noexcept { return algorithm_(); }

    /// The key pair of a seed (ML-DSA.KeyGen_internal; FIPS 204, Algorithm 6). Constant time.
    [[nodiscard]] static Error keygen(In<seed_bytes> seed, Out<public_key_bytes> pk,
                                      Out<secret_key_bytes> sk) noexcept
    {
        return Error{girih_keygen_from_seed(algorithm(), seed.data(), seed.size(), pk.data(), pk.size(),
                                            sk.data(), sk.size())};
    }

    /// A new key pair (ML-DSA.KeyGen; FIPS 204, Algorithm 1). Constant time.
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

    /// ML-DSA.Sign or, with a pre-hash, HashML-DSA.Sign (FIPS 204, Algorithms 2 and 4).
    [[nodiscard]] static Error sign(In<secret_key_bytes> sk, BytesView message, const Options& options,
                                    Out<signature_bytes> signature) noexcept
    {
        const girih_options c_options = options.c_options();
        std::size_t length = 0;
        return Error{girih_sign(algorithm(), sk.data(), sk.size(), message.data(), message.size(), &c_options,
                                signature.data(), signature.size(), &length)};
    }

    /// The same from a message representative mu.
    [[nodiscard]] static Error sign_mu(In<secret_key_bytes> sk, In<mu_bytes> mu, const Options& options,
                                       Out<signature_bytes> signature) noexcept
    {
        const girih_options c_options = options.c_options();
        std::size_t length = 0;
        return Error{girih_sign_mu(algorithm(), sk.data(), sk.size(), mu.data(), mu.size(), &c_options,
                                   signature.data(), signature.size(), &length)};
    }

    /// ML-DSA.Verify or HashML-DSA.Verify (FIPS 204, Algorithms 3 and 5). Error::none if the
    /// signature verifies, Error::signature if not (a wrong length included), another if the
    /// options are wrong.
    [[nodiscard]] static Error verify(In<public_key_bytes> pk, BytesView message, const Options& options,
                                      BytesView signature) noexcept
    {
        const girih_options c_options = options.c_options();
        return Error{girih_verify(algorithm(), pk.data(), pk.size(), message.data(), message.size(),
                                  &c_options, signature.data(), signature.size())};
    }

    /// The same from a message representative mu.
    [[nodiscard]] static Error verify_mu(In<public_key_bytes> pk, In<mu_bytes> mu,
                                         BytesView signature) noexcept
    {
        return Error{girih_verify_mu(algorithm(), pk.data(), pk.size(), mu.data(), mu.size(),
                                     signature.data(), signature.size())};
    }

    /// A message that is read once, piece by piece, into its representative mu.
    class Message {
      public:
        /// Begins with the public key, or with the secret key, that verifies or signs it; the
        /// error is kept for mu().
        Message(In<public_key_bytes> pk, const Options& options) noexcept
        {
            const girih_options c_options = options.c_options();
            error_ = Error{girih_message_begin(&state_, algorithm(), pk.data(), pk.size(), &c_options)};
        }
        Message(In<secret_key_bytes> sk, const Options& options) noexcept
        {
            const girih_options c_options = options.c_options();
            error_ =
                Error{girih_message_begin_secret(&state_, algorithm(), sk.data(), sk.size(), &c_options)};
        }

        Message& update(BytesView piece) noexcept
        {
            if (error_ == Error::none)
                error_ = Error{girih_message_update(&state_, piece.data(), piece.size())};
            return *this;
        }

        /// Ends the message.
        [[nodiscard]] Error mu(Out<mu_bytes> out) noexcept
        {
            if (error_ != Error::none) {
                std::memset(out.data(), 0, out.size());
                return error_;
            }
            return Error{girih_message_mu(&state_, out.data(), out.size())};
        }

      private:
        girih_message state_{};
        Error error_ = Error::none;
    };

    /// A public key. Every string of its length is one.
    class VerifyingKey {
      public:
        explicit VerifyingKey(In<public_key_bytes> bytes) noexcept
        {
            std::memcpy(bytes_.data(), bytes.data(), bytes.size());
        }

        [[nodiscard]] const PublicKey& bytes() const noexcept { return bytes_; }

        /// Whether the signature verifies. A context or pre-hash that the algorithm
        /// cannot have: false.
        [[nodiscard]] bool verify(BytesView message, BytesView signature,
                                  const Options& options = {}) const noexcept
        {
            return SignatureAlgorithm::verify(bytes_, message, options, signature) == Error::none;
        }

        friend bool operator==(const VerifyingKey&, const VerifyingKey&) noexcept = default;

      private:
        PublicKey bytes_;
    };

    /// A secret key with its public key, wiped when its life ends. Move and copy as you must.
    class SigningKey {
      public:
#if defined(__cpp_exceptions)
        /// A new key. Throws Error::random.
        [[nodiscard]] static SigningKey generate(const girih_random* random = nullptr)
        {
            SigningKey key;
            detail::throw_if(keygen(key.public_, key.secret_, random));
            return key;
        }

        /// The key of a 32-byte seed, which is as secret as the key.
        [[nodiscard]] static SigningKey from_seed(In<seed_bytes> seed)
        {
            SigningKey key;
            detail::throw_if(keygen(seed, key.public_, key.secret_));
            return key;
        }

        /// A signature. Throws Error::context, pre_hash, random or attempts.
        [[nodiscard]] Signature sign(BytesView message, const Options& options = {}) const
        {
            Signature signature;
            detail::throw_if(SignatureAlgorithm::sign(secret_, message, options, signature));
            return signature;
        }
#endif
        /// A key from the bytes of another, with every check that they allow; nothing if one fails.
        [[nodiscard]] static std::optional<SigningKey> from_bytes(In<secret_key_bytes> bytes) noexcept
        {
            std::optional<SigningKey> key{SigningKey{}};
            std::memcpy(key->secret_.data(), bytes.data(), bytes.size());
            if (public_key(bytes, key->public_) != Error::none) key.reset();
            return key;
        }

        SigningKey(const SigningKey&) noexcept = default;
        SigningKey& operator=(const SigningKey&) noexcept = default;
        ~SigningKey() { detail::wipe(secret_); }

        [[nodiscard]] const SecretKey& bytes() const noexcept { return secret_; }
        [[nodiscard]] VerifyingKey verifying_key() const noexcept { return VerifyingKey{public_}; }

      private:
        SigningKey() noexcept = default;

        SecretKey secret_;
        PublicKey public_;
    };

#if defined(__cpp_exceptions)
    /// A public key with all that verification makes of it before it sees a signature: for
    /// many signatures under one key. Moves, does not copy (what was moved from verifies
    /// nothing); serves any number of threads. Allocates its memory, and throws
    /// std::bad_alloc or Error::engine.
    class PreparedVerifyingKey {
      public:
        explicit PreparedVerifyingKey(In<public_key_bytes> bytes)
            : key_(girih_verifying_key_size(algorithm()),
                   [&](void* memory, std::size_t size, girih_verifying_key** key) {
                       return girih_prepare_verifying_key(algorithm(), bytes.data(), bytes.size(), memory,
                                                          size, key);
                   })
        {
        }
        explicit PreparedVerifyingKey(const VerifyingKey& key) : PreparedVerifyingKey(key.bytes()) {}

        /// As VerifyingKey::verify.
        [[nodiscard]] bool verify(BytesView message, BytesView signature,
                                  const Options& options = {}) const noexcept
        {
            const girih_options c_options = options.c_options();
            return girih_verify_prepared(key_.get(), message.data(), message.size(), &c_options,
                                         signature.data(), signature.size()) == GIRIH_OK;
        }

        /// For the functions of girih.h, while this lives.
        [[nodiscard]] const girih_verifying_key* c_key() const noexcept { return key_.get(); }

      private:
        detail::PreparedVerifyingMemory key_;
    };

    /// A secret key with all that signing makes of it before it sees a message: for many signatures
    /// with one key. Moves, does not copy; serves any number of threads; wiped when its life ends.
    /// Allocates its memory, and throws std::bad_alloc, Error::engine or, for bytes that are no
    /// key, Error::secret_key.
    class PreparedSigningKey {
      public:
        explicit PreparedSigningKey(In<secret_key_bytes> bytes)
            : key_(girih_signing_key_size(algorithm()),
                   [&](void* memory, std::size_t size, girih_signing_key** key) {
                       return girih_prepare_signing_key(algorithm(), bytes.data(), bytes.size(), memory, size,
                                                        key);
                   })
        {
        }
        explicit PreparedSigningKey(const SigningKey& key) : PreparedSigningKey(key.bytes()) {}

        /// As SigningKey::sign.
        [[nodiscard]] Signature sign(BytesView message, const Options& options = {}) const
        {
            const girih_options c_options = options.c_options();
            Signature signature;
            std::size_t length = 0;
            detail::throw_if(Error{girih_sign_prepared(key_.get(), message.data(), message.size(), &c_options,
                                                       signature.data(), signature.size(), &length)});
            return signature;
        }

        /// For the functions of girih.h, while this lives.
        [[nodiscard]] const girih_signing_key* c_key() const noexcept { return key_.get(); }

      private:
        detail::PreparedSigningMemory key_;
    };
#endif
};

}  // namespace girih
