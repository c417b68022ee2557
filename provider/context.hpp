/// The provider's context: OpenSSL's core functions, its configuration, and its errors.
#pragma once

#include <girih/key_files.hpp>

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>

#include <new>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "provider/algorithms.hpp"
#include "provider/owned.hpp"

namespace girih::provider {

using key_files::Bytes;
using key_files::SecretBytes;

/// The reasons of failures, as numbers in the error queue; reason_strings() has their texts.
enum class Reason : std::uint32_t {
    no_key = 1,
    no_private_key,
    algorithm,
    malformed_key,
    key_length,
    ciphertext_length,
    output_length,
    digest,
    context,
    mu,
    parameter,
    signature,
    library,
    classical,
    encryption,
    memory,
    begun,
};

/// All reasons with their texts for OpenSSL, ended by number 0.
[[nodiscard]] const OSSL_ITEM* reason_strings() noexcept;

/// Made when the provider is loaded, and constant from then on: any thread may use it.
class Provider {
  public:
    Provider(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* core);
    Provider(const Provider&) = delete;
    Provider& operator=(const Provider&) = delete;

    /// The program's OpenSSL, for algorithms of other providers. Null only if the provider is not
    /// usable.
    [[nodiscard]] OSSL_LIB_CTX* library() const noexcept { return library_.get(); }

    /// Whether OpenSSL gave what the provider needs, and its configuration is valid; if not, the
    /// error is in the queue.
    [[nodiscard]] bool is_usable() const noexcept { return is_usable_; }

    /// The configured form of private keys, if any.
    [[nodiscard]] std::optional<key_files::PrivateForm> configured_form() const noexcept { return form_; }

    /// Whether the configuration asks for composites.
    [[nodiscard]] bool has_composites() const noexcept { return has_composites_; }

    /// Registers an algorithm's identifier with OpenSSL, also for its signatures. Thread-safe.
    [[nodiscard]] bool register_identifier(const Algorithm& algorithm) const;

    /// Puts an error into the queue; `detail` is one line. Returns 0, for functions that fail with
    /// 0.
    int fail(Reason reason, const std::string& detail,
             std::source_location place = std::source_location::current()) const noexcept;
    /// Puts an error of girih.h into the queue. Returns 0.
    int fail(int girih_error, std::source_location place = std::source_location::current()) const;

    /// Whether an output's capacity is enough; if not, the error is in the queue. `capacity` may be
    /// null; before OpenSSL 3.5 it may be 0, because callers omitted it.
    [[nodiscard]] bool has_capacity(const char* name, const std::size_t* capacity, std::size_t needed) const;

    /// The rest of a BIO, if that is at most key_files::max_file_bytes.
    [[nodiscard]] std::optional<SecretBytes> read_all(OSSL_CORE_BIO* bio) const;
    [[nodiscard]] bool write_all(OSSL_CORE_BIO* bio, std::span<const std::uint8_t> bytes) const noexcept;

  private:
    void configure();

    const OSSL_CORE_HANDLE* handle_;
    OSSL_FUNC_core_get_params_fn* get_params_ = nullptr;
    OSSL_FUNC_core_new_error_fn* new_error_ = nullptr;
    OSSL_FUNC_core_set_error_debug_fn* set_error_debug_ = nullptr;
    OSSL_FUNC_core_vset_error_fn* set_error_ = nullptr;
    OSSL_FUNC_core_obj_create_fn* create_object_ = nullptr;
    OSSL_FUNC_core_obj_add_sigid_fn* add_signature_ = nullptr;
    OSSL_FUNC_BIO_read_ex_fn* read_ = nullptr;
    OSSL_FUNC_BIO_write_ex_fn* write_ = nullptr;
    Owned<OSSL_LIB_CTX, OSSL_LIB_CTX_free> library_;
    std::optional<key_files::PrivateForm> form_;
    bool has_composites_ = false;
    bool is_usable_ = true;
    std::pair<unsigned, unsigned> core_version_{};  ///< major and minor of OpenSSL's
};

/// The form of a name: "seed", "expanded" or "both".
[[nodiscard]] std::optional<key_files::PrivateForm> form_named(std::string_view name) noexcept;

/// Calls a function that may run out of memory: then returns 0 or null.
template <class Function>
auto guarded(const Provider& provider, Function function) noexcept -> decltype(function())
{
    try {
        return function();
    } catch (const std::bad_alloc&) {
        provider.fail(Reason::memory, "");
        return {};
    }
}

}  // namespace girih::provider
