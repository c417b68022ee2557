/// The base of all typed algorithms: lengths and types, key generation, keys that own their bytes,
/// prepared keys. Its public members are public there.
#pragma once

#include <girih/core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>

namespace girih::detail {

/// An algorithm with key pairs. The name is part of the type, so that algorithms with equal lengths
/// have different key types.
template <AlgorithmName name_, const girih_alg* (*algorithm_)(void), std::size_t seed_bytes_,
          std::size_t public_key_bytes_, std::size_t secret_key_bytes_>
struct KeyPairAlgorithm {
    static constexpr const char* name = name_.text;
    static constexpr std::size_t seed_bytes = seed_bytes_;
    static constexpr std::size_t public_key_bytes = public_key_bytes_;
    static constexpr std::size_t secret_key_bytes = secret_key_bytes_;

    using Seed = std::array<std::uint8_t, seed_bytes>;
    using PublicKey = std::array<std::uint8_t, public_key_bytes>;
    using SecretKey = std::array<std::uint8_t, secret_key_bytes>;

    template <std::size_t size>
    using In = FixedBytesView<size>;
    template <std::size_t size>
    using Out = std::span<std::uint8_t, size>;

    /// The algorithm in the C interface.
    [[nodiscard]] static const girih_alg* algorithm() noexcept { return algorithm_(); }

    /// The key pair of a seed (girih_keygen_from_seed).
    [[nodiscard]] static Error keygen(In<seed_bytes> seed, Out<public_key_bytes> pk,
                                      Out<secret_key_bytes> sk) noexcept
    {
        return Error{girih_keygen_from_seed(algorithm(), seed.data(), seed.size(), pk.data(), pk.size(),
                                            sk.data(), sk.size())};
    }

    /// A new key pair (girih_keygen).
    [[nodiscard]] static Error keygen(Out<public_key_bytes> pk, Out<secret_key_bytes> sk,
                                      const girih_random* random = nullptr) noexcept
    {
        return Error{girih_keygen(algorithm(), random, pk.data(), pk.size(), sk.data(), sk.size())};
    }

    /// The public key of a secret key, after a full check of it: Error::secret_key,
    /// Error::key_mismatch.
    [[nodiscard]] static Error public_key(In<secret_key_bytes> sk, Out<public_key_bytes> pk) noexcept
    {
        return Error{girih_public_key(algorithm(), sk.data(), sk.size(), pk.data(), pk.size())};
    }

  protected:
    /// A public key: the base of Key. Only the length of its bytes is checked.
    template <class Key>
    class OwnedPublicKey {
      public:
        /// Copies the bytes. Throws Error::public_key_length.
        template <Copied<public_key_bytes> Range>
        explicit OwnedPublicKey(const Range& bytes) noexcept(fixed_size<Range> == public_key_bytes)
        {
            copy_checked<public_key_bytes>(bytes, bytes_, Error::public_key_length);
        }

        /// Copies the bytes; std::nullopt if their number is wrong.
        [[nodiscard]] static std::optional<Key> from_bytes(In<public_key_bytes> bytes) noexcept
        {
            if (!bytes.has_wanted_size()) return std::nullopt;
            return Key{std::span<const std::uint8_t, public_key_bytes>{bytes}};
        }

        /// The algorithm in the C interface.
        [[nodiscard]] static const girih_alg* algorithm() noexcept { return algorithm_(); }

        [[nodiscard]] const PublicKey& bytes() const& noexcept { return bytes_; }
        [[nodiscard]] PublicKey bytes() && noexcept { return bytes_; }

        friend bool operator==(const OwnedPublicKey&, const OwnedPublicKey&) noexcept = default;

      private:
        PublicKey bytes_;
    };

    /// A secret key with its public key and, if it was made from one, its seed, wiped on
    /// destruction: the base of Key. The two are friends, so that no other code makes a key without
    /// bytes or changes its bytes. A moved-from key keeps its public key; its secret key is zeros,
    /// and it has no seed.
    template <class Key>
    class OwnedKeyPair {
      public:
#if defined(__cpp_exceptions)
        /// A new key. Throws Error::random.
        [[nodiscard]] static Key generate(const girih_random* random = nullptr)
        {
            Key key;
            throw_if(key.make(random));
            return key;
        }

        /// The key of a seed, which is as secret as the key.
        [[nodiscard]] static Key from_seed(In<seed_bytes> seed)
        {
            Key key;
            throw_if(key.make(seed));
            return key;
        }
#endif
        /// from_seed, but std::nullopt if the seed has a wrong length or no engine runs.
        [[nodiscard]] static std::optional<Key> try_from_seed(In<seed_bytes> seed) noexcept
        {
            Key key;
            if (key.make(seed) != Error::none) return std::nullopt;
            return key;
        }
        /// A key from a secret key's bytes, after a full check of them; std::nullopt if one fails.
        [[nodiscard]] static std::optional<Key> from_bytes(In<secret_key_bytes> bytes) noexcept
        {
            Key key;
            if (key.copy_if_good(bytes) != Error::none) return std::nullopt;
            return key;
        }
#if defined(__cpp_exceptions)
        /// A key from its bytes. Throws Error::secret_key_length, secret_key or key_mismatch.
        template <Copied<secret_key_bytes> Range>
        explicit OwnedKeyPair(const Range& bytes)
        {
            throw_if(copy_if_good(bytes));
        }
#endif

        /// The algorithm in the C interface.
        [[nodiscard]] static const girih_alg* algorithm() noexcept { return algorithm_(); }

        OwnedKeyPair(const OwnedKeyPair&) noexcept = default;
        OwnedKeyPair& operator=(const OwnedKeyPair&) noexcept = default;
        OwnedKeyPair(OwnedKeyPair&& other) noexcept : OwnedKeyPair(std::as_const(other)) { other.forget(); }
        OwnedKeyPair& operator=(OwnedKeyPair&& other) noexcept
        {
            if (this == &other) return *this;
            *this = std::as_const(other);
            other.forget();
            return *this;
        }
        ~OwnedKeyPair()
        {
            wipe(secret_);
            wipe(seed_);
        }

        /// The seed of a key that was made by generate() or from a seed, as secret as the key.
        /// Empty if the key was made from its bytes or piece by piece (girih_random), or moved
        /// from.
        [[nodiscard]] BytesView seed() const noexcept { return {seed_.data(), has_seed_ ? seed_.size() : 0}; }

        /// Zeros if the key was moved from, for which bytes_to_use() throws.
        [[nodiscard]] const SecretKey& bytes() const noexcept { return secret_; }
#if defined(__cpp_exceptions)
        /// The bytes of a key that still has them. Throws Error::argument if it was moved from.
        [[nodiscard]] const SecretKey& bytes_to_use() const
        {
            throw_if(has_secret_ ? Error::none : Error::argument);
            return secret_;
        }
#endif

      private:
        friend Key;
        OwnedKeyPair() noexcept = default;
        [[nodiscard]] Error copy_if_good(In<secret_key_bytes> bytes) noexcept
        {
            const Error error = public_key(bytes, public_);
            if (error == Error::none) std::memcpy(secret_.data(), bytes.data(), bytes.size());
            return error;
        }
        [[nodiscard]] Error make(const girih_random* random) noexcept
        {
            if (random != nullptr && random->piecewise != 0) return keygen(public_, secret_, random);
            const Error error{girih_draw_seed(algorithm(), random, seed_.data(), seed_.size())};
            return error == Error::none ? make(In<seed_bytes>{seed_}) : error;
        }
        [[nodiscard]] Error make(In<seed_bytes> seed) noexcept
        {
            const Error error = keygen(seed, public_, secret_);
            has_seed_ = error == Error::none && seed.has_wanted_size();
            if (has_seed_) std::memmove(seed_.data(), seed.data(), seed_.size());
            return error;
        }
        void forget() noexcept
        {
            wipe(secret_);
            wipe(seed_);
            has_secret_ = false;
            has_seed_ = false;
        }

        bool has_secret_ = true;
        bool has_seed_ = false;
        Seed seed_{};
        SecretKey secret_;
        PublicKey public_;
    };
};

#if defined(__cpp_exceptions)
/// A prepared key that owns its memory. Movable, not copyable. A moved-from object holds no key:
/// c_key() is null, and using it is Error::argument. `wipe` runs before the memory is freed.
template <class Key, auto size, auto prepare, void (*wipe)(Key*)>
class PreparedKey {
  public:
    /// Throws std::bad_alloc, or the error that `prepare` returns.
    PreparedKey(const girih_alg* alg, BytesView bytes)
    {
        const std::size_t room = size(alg);
        memory_.reset(room == 0 ? nullptr : ::operator new(room, alignment));
        Key* key = nullptr;
        throw_if(Error{prepare(alg, bytes.data(), bytes.size(), memory_.get(), room, &key)});
        key_.reset(key);
    }

    PreparedKey(PreparedKey&&) noexcept = default;
    PreparedKey& operator=(PreparedKey&& other) noexcept
    {
        PreparedKey taken{std::move(other)};  // keeps self-assignment safe
        memory_.swap(taken.memory_);
        key_.swap(taken.key_);
        return *this;  // `taken` wipes and frees the old key
    }

    /// For the functions of girih.h; valid as long as this object.
    [[nodiscard]] const Key* c_key() const noexcept { return key_.get(); }

  private:
    static constexpr std::align_val_t alignment{GIRIH_PREPARED_ALIGNMENT};
    struct Free {
        void operator()(void* memory) const noexcept { ::operator delete(memory, alignment); }
    };
    struct Wipe {
        void operator()(Key* key) const noexcept { wipe(key); }
    };

    std::unique_ptr<void, Free> memory_;
    std::unique_ptr<Key, Wipe> key_;  // destroyed, and so wiped, before its memory
};

/// For public keys, which need no wiping.
template <class Key>
void leave(Key*) noexcept
{
}

using PreparedVerifying = PreparedKey<girih_verifying_key, girih_verifying_key_size,
                                      girih_prepare_verifying_key, leave<girih_verifying_key>>;
using PreparedSigning =
    PreparedKey<girih_signing_key, girih_signing_key_size, girih_prepare_signing_key, girih_wipe_signing_key>;
using PreparedEncapsulation = PreparedKey<girih_encapsulation_key, girih_encapsulation_key_size,
                                          girih_prepare_encapsulation_key, leave<girih_encapsulation_key>>;
using PreparedDecapsulation = PreparedKey<girih_decapsulation_key, girih_decapsulation_key_size,
                                          girih_prepare_decapsulation_key, girih_wipe_decapsulation_key>;
#endif

}  // namespace girih::detail
