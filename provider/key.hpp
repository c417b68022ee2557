/// The keys that OpenSSL's core holds.
#pragma once

#include <openssl/core_dispatch.h>

#include <memory>

#include "key_files/structures.hpp"
#include "provider/algorithms.hpp"
#include "provider/classical.hpp"
#include "provider/context.hpp"

namespace girih::provider {

/// The parts of a composite's key in addition to those of its lattice half.
struct CompositeParts {
    const Composite* set = nullptr;
    Bytes public_key = {};         ///< of both halves
    SecretBytes private_key = {};  ///< of both halves; empty for a public key
    ClassicalKey classical = {};
};

/// A key that has passed the checks of girih::key_files; immutable, so threads may share it. Its
/// private parts are wiped when the last owner is destroyed.
struct Key {
    key_files::PrivateKey parts;    ///< for a public key, `seed` and `expanded` are empty
    key_files::PrivateForm form;    ///< for writing the private key
    CompositeParts composite = {};  ///< if it is a composite's, whose lattice half is `parts`

    [[nodiscard]] bool has_private() const noexcept { return !parts.expanded.empty(); }
    /// The public key, with both halves of a composite.
    [[nodiscard]] const Bytes& public_key() const noexcept
    {
        return composite.set != nullptr ? composite.public_key : parts.public_key;
    }
    [[nodiscard]] const SecretBytes& private_key() const noexcept
    {
        return composite.set != nullptr ? composite.private_key : parts.expanded;
    }
};

/// The lengths in bytes of an algorithm's keys and ciphertexts; the longest of its signatures.
[[nodiscard]] std::size_t public_key_bytes(const Algorithm& algorithm);
[[nodiscard]] std::size_t private_key_bytes(const Algorithm& algorithm);
[[nodiscard]] std::size_t signature_bytes(const Algorithm& algorithm);
[[nodiscard]] std::size_t ciphertext_bytes(const Algorithm& algorithm);

/// The algorithm with its OBJECT IDENTIFIER, for key_files::append_algorithm.
[[nodiscard]] key_files::Identified identified(const Algorithm& algorithm) noexcept;

/// A provider's key object in the core's sense. It starts without a key, and gets one by import, or
/// from a peer; operations share the key that it has when they begin.
struct KeyObject {
    const Provider& provider;
    const Algorithm& algorithm;
    std::shared_ptr<const Key> key = {};
};

/// An operation under a key.
struct Operation {
    const Provider& provider;
    const Algorithm& algorithm;
    std::shared_ptr<const Key> key = {};

    /// Takes the key of an object, or keeps its own if `object` is null. False, with an error in
    /// the queue and nothing changed, if there is no key, or it has another algorithm or lacks the
    /// private half.
    [[nodiscard]] bool take(const void* object, bool needs_private);
};

/// The form for writing a key: the configured one, else the one it was read in, else the seed; the
/// expanded key if it has no seed or its files cannot hold one.
[[nodiscard]] key_files::PrivateForm chosen_form(const Provider& provider, const key_files::PrivateKey& key,
                                                 std::optional<key_files::PrivateForm> read_as = {});

/// A key from bytes; null, with an error in the queue, if they are malformed.
[[nodiscard]] std::shared_ptr<const Key> key_of_public(const Provider& provider, const Algorithm& algorithm,
                                                       std::span<const std::uint8_t> bytes);
[[nodiscard]] std::shared_ptr<const Key> key_of_parts(const Provider& provider, const Algorithm& algorithm,
                                                      std::span<const std::uint8_t> seed,
                                                      std::span<const std::uint8_t> expanded,
                                                      std::span<const std::uint8_t> public_key);
/// A key from a result of girih::key_files; null, with an error in the queue, if that is an error.
[[nodiscard]] std::shared_ptr<const Key> key_of_result(const Provider& provider,
                                                       key_files::Result<key_files::PrivateKey> result,
                                                       std::optional<key_files::PrivateForm> read_as = {});
[[nodiscard]] std::shared_ptr<const Key> key_of_result(const Provider& provider,
                                                       key_files::Result<key_files::PublicKey> result);

/// A key from the parameters "seed", "priv" and "pub"; null, with an error in the queue, if they
/// are malformed.
[[nodiscard]] std::shared_ptr<const Key> import_key(const Provider& provider, const Algorithm& algorithm,
                                                    int selection, const OSSL_PARAM params[]);

/// Passes the selected parts of a key to a function of the core, as parameters.
[[nodiscard]] int export_key(const Key& key, int selection, OSSL_CALLBACK* callback, void* argument);

}  // namespace girih::provider
