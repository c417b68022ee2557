/// Keys as OpenSSL's core holds them.
#pragma once

#include <openssl/core_dispatch.h>

#include <memory>

#include "provider/algorithms.hpp"
#include "provider/context.hpp"

namespace girih::provider {

/// A key that has passed the checks of girih::key_files; immutable, so threads may share it. What
/// is private in it is wiped when its last owner ends.
struct Key {
    key_files::PrivateKey parts;  ///< of a public key, `seed` and `expanded` are empty
    key_files::PrivateForm form;  ///< in which the private key is written

    [[nodiscard]] bool has_private() const noexcept { return !parts.expanded.empty(); }
};

/// What the core calls a provider's key object. It begins without a key, and gets one by an import,
/// or from a peer; operations share what it has at that time.
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

    /// Takes the key of an object, or keeps its own if that is null. False, an error in the queue
    /// and nothing taken, if there is none, or it is of another algorithm, or lacks the private
    /// half.
    [[nodiscard]] bool take(const void* object, bool needs_private);
};

/// The form in which a key will be written: as the configuration has it, else as it was read, else
/// the seed; the expanded key, if it came without seed or its files hold none.
[[nodiscard]] key_files::PrivateForm chosen_form(const Provider& provider, const key_files::PrivateKey& key,
                                                 std::optional<key_files::PrivateForm> read_as = {});

/// Keys of bytes in OpenSSL's parameters; null, and an error in the queue, if they are no key.
[[nodiscard]] std::shared_ptr<const Key> key_of_public(const Provider& provider, const Algorithm& algorithm,
                                                       std::span<const std::uint8_t> bytes);
[[nodiscard]] std::shared_ptr<const Key> key_of_parts(const Provider& provider, const Algorithm& algorithm,
                                                      std::span<const std::uint8_t> seed,
                                                      std::span<const std::uint8_t> expanded,
                                                      std::span<const std::uint8_t> public_key);
/// The same of keys that girih::key_files made, if it did.
[[nodiscard]] std::shared_ptr<const Key> key_of_result(const Provider& provider,
                                                       key_files::Result<key_files::PrivateKey> result,
                                                       std::optional<key_files::PrivateForm> read_as = {});
[[nodiscard]] std::shared_ptr<const Key> key_of_result(const Provider& provider,
                                                       key_files::Result<key_files::PublicKey> result);

/// A key from parameters "seed", "priv" and "pub"; null, and an error in the queue, if it is none.
[[nodiscard]] std::shared_ptr<const Key> import_key(const Provider& provider, const Algorithm& algorithm,
                                                    int selection, const OSSL_PARAM params[]);

/// Hands the selected parts of a key to a function of the core, as parameters.
[[nodiscard]] int export_key(const Key& key, int selection, OSSL_CALLBACK* callback, void* argument);

}  // namespace girih::provider
