/// Signature algorithms, typed: lengths are part of the types. An array of a wrong length does not
/// compile; a vector's or a string's length is checked when it is read. A message that is a string
/// literal ends at its first zero (BytesView).
///
/// Two levels, over the same C functions:
/// - SigningKey and VerifyingKey own their bytes; members that can fail throw girih::Exception (and
///   are absent under -fno-exceptions). Keys and signatures are made from any range of bytes:
///   VerifyingKey{bytes} throws, VerifyingKey::from_bytes(bytes) returns a std::optional.
/// - keygen, public_key, sign and verify work on the caller's memory, never allocate,
///   and return an Error.
#pragma once

#include <girih/core.hpp>
#include <girih/detail/keys.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace girih {

template <AlgorithmName name_, const girih_alg* (*algorithm_)(void), std::size_t public_key_bytes_,
          std::size_t secret_key_bytes_, std::size_t signature_bytes_>
struct SignatureAlgorithm
    : detail::KeyPairAlgorithm<name_, algorithm_, 32, public_key_bytes_, secret_key_bytes_> {
  private:
    using Keys = typename SignatureAlgorithm::KeyPairAlgorithm;

  public:
    using Keys::algorithm;
    using Keys::public_key_bytes;
    using Keys::secret_key_bytes;
    static constexpr std::size_t signature_bytes = signature_bytes_;
    static constexpr std::size_t mu_bytes = GIRIH_MU_BYTES;

    using Signature = FixedBytes<signature_bytes>;
    using Mu = std::array<std::uint8_t, mu_bytes>;

    template <std::size_t size>
    using In = FixedBytesView<size>;
    template <std::size_t size>
    using Out = std::span<std::uint8_t, size>;

    /// A key pair from a seed, ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6), or from randomness,
    /// ML-DSA.KeyGen (Algorithm 1). Constant time.
    using Keys::keygen;

    /// ML-DSA.Sign or, with a pre-hash, HashML-DSA.Sign (FIPS 204, Algorithms 2 and 4).
    [[nodiscard]] static Error sign(In<secret_key_bytes> sk, BytesView message, const Options& options,
                                    Out<signature_bytes> signature) noexcept
    {
        const girih_options c_options = options.c_options();
        std::size_t length = 0;
        return Error{girih_sign(algorithm(), sk.data(), sk.size(), message.data(), message.size(), &c_options,
                                signature.data(), signature.size(), &length)};
    }

    /// Signs a message representative mu (girih_sign_mu).
    [[nodiscard]] static Error sign_mu(In<secret_key_bytes> sk, In<mu_bytes> mu, const Options& options,
                                       Out<signature_bytes> signature) noexcept
    {
        const girih_options c_options = options.c_options();
        std::size_t length = 0;
        return Error{girih_sign_mu(algorithm(), sk.data(), sk.size(), mu.data(), mu.size(), &c_options,
                                   signature.data(), signature.size(), &length)};
    }

    /// ML-DSA.Verify or HashML-DSA.Verify (FIPS 204, Algorithms 3 and 5). Error::none if the
    /// signature verifies, Error::signature if it does not or has a wrong length, another error if
    /// the options are wrong.
    [[nodiscard]] static Error verify(In<public_key_bytes> pk, BytesView message, const Options& options,
                                      BytesView signature) noexcept
    {
        const girih_options c_options = options.c_options();
        return Error{girih_verify(algorithm(), pk.data(), pk.size(), message.data(), message.size(),
                                  &c_options, signature.data(), signature.size())};
    }

    /// Verifies a signature of a message representative mu (girih_verify_mu).
    [[nodiscard]] static Error verify_mu(In<public_key_bytes> pk, In<mu_bytes> mu,
                                         BytesView signature) noexcept
    {
        return Error{girih_verify_mu(algorithm(), pk.data(), pk.size(), mu.data(), mu.size(),
                                     signature.data(), signature.size())};
    }

    /// A public key. Every string of the right length is one.
    class VerifyingKey : public Keys::template OwnedPublicKey<VerifyingKey> {
      public:
        using Keys::template OwnedPublicKey<VerifyingKey>::OwnedPublicKey;

        /// Whether the signature verifies; false with options that the algorithm lacks, which
        /// SignatureAlgorithm::verify reports.
        [[nodiscard]] bool verify(BytesView message, BytesView signature,
                                  const Options& options = {}) const noexcept
        {
            return SignatureAlgorithm::verify(this->bytes(), message, options, signature) == Error::none;
        }

        /// Whether a signature of a message that Message read verifies.
        [[nodiscard]] bool verify_mu(In<mu_bytes> mu, BytesView signature) const noexcept
        {
            return SignatureAlgorithm::verify_mu(this->bytes(), mu, signature) == Error::none;
        }
    };

    /// A secret key with its public key, wiped on destruction and when moved from. Copyable. Made
    /// by generate(), from_seed(seed) and from_bytes(bytes) or SigningKey{bytes}
    /// (detail/keys.hpp).
    class SigningKey : public Keys::template OwnedKeyPair<SigningKey> {
      public:
        using Keys::template OwnedKeyPair<SigningKey>::OwnedKeyPair;

#if defined(__cpp_exceptions)
        /// A signature. Throws Error::context, pre_hash, random or attempts, or Error::argument if
        /// the key was moved from.
        [[nodiscard]] Signature sign(BytesView message, const Options& options = {}) const
        {
            Signature signature;
            detail::throw_if(SignatureAlgorithm::sign(this->bytes_to_use(), message, options, signature));
            return signature;
        }

        /// Signs a message that Message read; its mu includes the context and the pre-hash. Throws
        /// as sign does, and Error::context or pre_hash if the options have one as well.
        [[nodiscard]] Signature sign_mu(In<mu_bytes> mu, const Options& options = {}) const
        {
            Signature signature;
            detail::throw_if(SignatureAlgorithm::sign_mu(this->bytes_to_use(), mu, options, signature));
            return signature;
        }
#endif
        [[nodiscard]] VerifyingKey verifying_key() const noexcept { return VerifyingKey{this->public_}; }

      private:
        friend typename Keys::template OwnedKeyPair<SigningKey>;
        SigningKey() noexcept = default;
    };

    /// Computes the representative mu of a message that is read once, piece by piece.
    class Message {
      public:
        /// Begins a message under the public key that will verify it, or the secret key that will
        /// sign it. mu() returns the error, if any.
        Message(const VerifyingKey& key, const Options& options) noexcept : Message(key.bytes(), options) {}
        Message(const SigningKey& key, const Options& options) noexcept
            : Message(key.verifying_key(), options)
        {
        }
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

#if defined(__cpp_exceptions)
    /// A public key prepared for verifying many signatures. Movable, not copyable; a moved-from key
    /// verifies nothing. Any number of threads may use it. Throws std::bad_alloc or Error::engine.
    class PreparedVerifyingKey : public detail::PreparedVerifying {
      public:
        explicit PreparedVerifyingKey(In<public_key_bytes> bytes)
            : detail::PreparedVerifying(algorithm(), bytes)
        {
        }
        explicit PreparedVerifyingKey(const VerifyingKey& key) : PreparedVerifyingKey(key.bytes()) {}

        /// Same result as VerifyingKey::verify.
        [[nodiscard]] bool verify(BytesView message, BytesView signature,
                                  const Options& options = {}) const noexcept
        {
            const girih_options c_options = options.c_options();
            return girih_verify_prepared(this->c_key(), message.data(), message.size(), &c_options,
                                         signature.data(), signature.size()) == GIRIH_OK;
        }
    };

    /// A secret key prepared for making many signatures. Movable, not copyable; wiped on
    /// destruction. Any number of threads may use it. Throws std::bad_alloc, Error::engine or, if
    /// the bytes are malformed, Error::secret_key.
    class PreparedSigningKey : public detail::PreparedSigning {
      public:
        explicit PreparedSigningKey(In<secret_key_bytes> bytes) : detail::PreparedSigning(algorithm(), bytes)
        {
        }
        explicit PreparedSigningKey(const SigningKey& key) : PreparedSigningKey(key.bytes_to_use()) {}

        /// Same result as SigningKey::sign.
        [[nodiscard]] Signature sign(BytesView message, const Options& options = {}) const
        {
            const girih_options c_options = options.c_options();
            Signature signature;
            std::size_t length = 0;
            detail::throw_if(
                Error{girih_sign_prepared(this->c_key(), message.data(), message.size(), &c_options,
                                          signature.data(), signature.size(), &length)});
            return signature;
        }
    };
#endif
};

}  // namespace girih
