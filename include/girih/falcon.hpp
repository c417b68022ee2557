/// Falcon (round 3), typed.
///
///     #include <girih/falcon.hpp>
///     auto key = girih::falcon_512::SigningKey::generate();
///     auto signature = key.sign(message);
///     bool good = key.verifying_key().verify(message, signature);
///
/// Every signature draws a fresh salt, because two different signatures of one salt and message
/// would reveal the key; Options::deterministic is an error. Falcon has no contexts and no
/// pre-hashes.
///
/// Two levels, over the same C functions:
/// - SigningKey and VerifyingKey own their bytes; members that can fail throw girih::Exception (and
///   are absent under -fno-exceptions).
/// - keygen, public_key, sign and verify work on the caller's memory, never allocate,
///   and return an Error.
#pragma once

#include <girih/core.hpp>
#include <girih/detail/keys.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace girih {

/// How a seed is expanded to f, g, F and G.
enum class KeyGenerator {
    fast,      ///< girih's own: integers alone, the same keys on every engine
    reference  ///< round 3's reference: the keys of the known answers, several times slower
};

template <AlgorithmName name_, const girih_alg* (*algorithm_)(void), std::size_t public_key_bytes_,
          std::size_t secret_key_bytes_, std::size_t signature_bytes_>
struct FalconAlgorithm
    : detail::KeyPairAlgorithm<name_, algorithm_, 48, public_key_bytes_, secret_key_bytes_> {
  private:
    using Keys = typename FalconAlgorithm::KeyPairAlgorithm;

  public:
    using Keys::algorithm;
    using Keys::public_key_bytes;
    using Keys::secret_key_bytes;
    using Keys::seed_bytes;
    static constexpr std::size_t signature_bytes = signature_bytes_;  ///< of the longest

    template <std::size_t size>
    using In = FixedBytesView<size>;
    template <std::size_t size>
    using Out = std::span<std::uint8_t, size>;

    /// A signature and its length. Converts to a view of its bytes.
    class Signature {
      public:
        Signature() noexcept = default;
#if defined(__cpp_exceptions)
        /// Copies the bytes. Throws Error::length if they are more than signature_bytes.
        explicit Signature(BytesView bytes)
        {
            detail::throw_if(bytes.size() <= signature_bytes ? Error::none : Error::length);
            assign(bytes);
        }
#endif
        /// Copies the bytes; std::nullopt if they are more than signature_bytes.
        [[nodiscard]] static std::optional<Signature> from_bytes(BytesView bytes) noexcept
        {
            if (bytes.size() > signature_bytes) return std::nullopt;
            Signature copied;
            copied.assign(bytes);
            return copied;
        }

        [[nodiscard]] const std::uint8_t* data() const noexcept { return bytes_.data(); }
        [[nodiscard]] std::size_t size() const noexcept { return size_; }
        [[nodiscard]] const std::uint8_t* begin() const noexcept { return data(); }
        [[nodiscard]] const std::uint8_t* end() const noexcept { return data() + size_; }

      private:
        friend FalconAlgorithm;
        void assign(BytesView bytes) noexcept
        {
            size_ = bytes.size();
            if (size_ != 0) std::memcpy(bytes_.data(), bytes.data(), size_);
        }
        std::array<std::uint8_t, signature_bytes> bytes_{};
        std::size_t size_ = 0;
    };

    /// Keygen (Falcon, Algorithm 4), from a seed or from randomness.
    using Keys::keygen;
    [[nodiscard]] static Error keygen(In<seed_bytes> seed, Out<public_key_bytes> pk, Out<secret_key_bytes> sk,
                                      KeyGenerator generator) noexcept
    {
        const auto keygen_from_seed =
            generator == KeyGenerator::reference ? girih_falcon_reference_keygen : girih_keygen_from_seed;
        return Error{keygen_from_seed(algorithm(), seed.data(), seed.size(), pk.data(), pk.size(), sk.data(),
                                      sk.size())};
    }

    /// Sign (Falcon, Algorithm 10). `length` receives the signature's length.
    [[nodiscard]] static Error sign(In<secret_key_bytes> sk, BytesView message, const Options& options,
                                    Out<signature_bytes> signature, std::size_t& length) noexcept
    {
        const girih_options c_options = options.c_options();
        return Error{girih_sign(algorithm(), sk.data(), sk.size(), message.data(), message.size(), &c_options,
                                signature.data(), signature.size(), &length)};
    }

    /// Verify (Falcon, Algorithm 16). Error::none if the signature verifies, Error::signature if
    /// not, Error::public_key for a malformed public key.
    [[nodiscard]] static Error verify(In<public_key_bytes> pk, BytesView message,
                                      BytesView signature) noexcept
    {
        return Error{girih_verify(algorithm(), pk.data(), pk.size(), message.data(), message.size(), nullptr,
                                  signature.data(), signature.size())};
    }

    /// A public key.
    class VerifyingKey : public Keys::template OwnedPublicKey<VerifyingKey> {
      public:
        using Keys::template OwnedPublicKey<VerifyingKey>::OwnedPublicKey;

        /// Whether the signature verifies; false with a malformed key.
        [[nodiscard]] bool verify(BytesView message, BytesView signature) const noexcept
        {
            return FalconAlgorithm::verify(this->bytes(), message, signature) == Error::none;
        }
    };

    /// A secret key with its public key, wiped on destruction and when moved from. Copyable. Made
    /// by from_seed(seed), generate() and from_bytes(bytes) or SigningKey{bytes}
    /// (detail/keys.hpp).
    class SigningKey : public Keys::template OwnedKeyPair<SigningKey> {
      public:
        using Keys::template OwnedKeyPair<SigningKey>::OwnedKeyPair;

#if defined(__cpp_exceptions)
        /// The key of a 48-byte seed, which is as secret as the key. The key keeps the seed if the
        /// generator is the fast one.
        [[nodiscard]] static SigningKey from_seed(In<seed_bytes> seed,
                                                  KeyGenerator generator = KeyGenerator::fast)
        {
            SigningKey key;
            detail::throw_if(generator == KeyGenerator::fast
                                 ? key.make(seed)
                                 : keygen(seed, key.public_, key.secret_, generator));
            return key;
        }

        /// A signature. Throws Error::random or attempts, another error for options that Falcon
        /// lacks, or Error::argument if the key was moved from.
        [[nodiscard]] Signature sign(BytesView message, const Options& options = {}) const
        {
            Signature signature;
            detail::throw_if(FalconAlgorithm::sign(this->bytes_to_use(), message, options, signature.bytes_,
                                                   signature.size_));
            return signature;
        }
#endif
        [[nodiscard]] VerifyingKey verifying_key() const noexcept { return VerifyingKey{this->public_}; }

      private:
        friend typename Keys::template OwnedKeyPair<SigningKey>;
        SigningKey() noexcept = default;
    };

#if defined(__cpp_exceptions)
    /// A public key prepared for verifying many signatures. Movable, not copyable; any number of
    /// threads may use it. Throws std::bad_alloc, Error::engine or Error::public_key.
    class PreparedVerifyingKey : public detail::PreparedVerifying {
      public:
        explicit PreparedVerifyingKey(In<public_key_bytes> bytes)
            : detail::PreparedVerifying(algorithm(), bytes)
        {
        }
        explicit PreparedVerifyingKey(const VerifyingKey& key) : PreparedVerifyingKey(key.bytes()) {}

        /// Same result as VerifyingKey::verify.
        [[nodiscard]] bool verify(BytesView message, BytesView signature) const noexcept
        {
            return girih_verify_prepared(this->c_key(), message.data(), message.size(), nullptr,
                                         signature.data(), signature.size()) == GIRIH_OK;
        }
    };

    /// A secret key with its whole tree, prepared for many signatures. Movable, not copyable; wiped
    /// on destruction. Any number of threads may use it. Throws std::bad_alloc, Error::engine or,
    /// if the bytes are malformed, Error::secret_key.
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
            detail::throw_if(Error{girih_sign_prepared(this->c_key(), message.data(), message.size(),
                                                       &c_options, signature.bytes_.data(),
                                                       signature.bytes_.size(), &signature.size_)});
            return signature;
        }
    };
#endif
};

// Public key, secret key and longest signature in bytes (Falcon, Sections 3.11 and 3.13).
// facts: types
using falcon_512 = FalconAlgorithm<"Falcon-512", girih_falcon_512, 897, 1281, 752>;
using falcon_1024 = FalconAlgorithm<"Falcon-1024", girih_falcon_1024, 1793, 2305, 1462>;
using falcon_padded_512 = FalconAlgorithm<"Falcon-padded-512", girih_falcon_padded_512, 897, 1281, 666>;
using falcon_padded_1024 = FalconAlgorithm<"Falcon-padded-1024", girih_falcon_padded_1024, 1793, 2305, 1280>;
using falcon_ct_512 = FalconAlgorithm<"Falcon-CT-512", girih_falcon_ct_512, 897, 1281, 809>;
using falcon_ct_1024 = FalconAlgorithm<"Falcon-CT-1024", girih_falcon_ct_1024, 1793, 2305, 1577>;
// facts: end

}  // namespace girih
