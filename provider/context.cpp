#include "provider/context.hpp"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdarg>
#include <mutex>
#include <string_view>

namespace girih::provider {
namespace {

constexpr OSSL_ITEM reason(Reason number, const char* sentence)
{
    // OSSL_ITEM has no const; nobody writes through it.
    return {static_cast<unsigned int>(number), const_cast<char*>(sentence)};  // NOLINT(*-const-cast)
}

/// A function of the core's table, which holds them all as one type.
template <class Function>
bool take(const OSSL_DISPATCH& entry, int identity, Function*& function) noexcept
{
    if (entry.function_id != identity) return false;
    function = reinterpret_cast<Function*>(entry.function);
    return true;
}

/// The core's error functions take a format's arguments as a va_list.
void set_error(OSSL_FUNC_core_vset_error_fn* function, const OSSL_CORE_HANDLE* handle, Reason reason,
               const char* format, ...) noexcept
{
    std::va_list arguments;
    va_start(arguments, format);
    function(handle, static_cast<std::uint32_t>(reason), format, arguments);
    va_end(arguments);
}

Reason reason_of(int girih_error) noexcept
{
    switch (girih_error) {
        case GIRIH_ERROR_CONTEXT:
            return Reason::context;
        case GIRIH_ERROR_SECRET_KEY:
        case GIRIH_ERROR_KEY_MISMATCH:
        case GIRIH_ERROR_PUBLIC_KEY:
            return Reason::malformed_key;
        case GIRIH_ERROR_SIGNATURE:
            return Reason::signature;
        default:
            return Reason::library;
    }
}

/// The name in a function's declaration, without type, namespaces and parameters; for a lambda, the
/// enclosing function's name.
std::string_view name_in(std::string_view declaration)
{
    constexpr std::string_view unnamed = "(anonymous namespace)::";  // as clang writes it
    const std::size_t first = std::min(declaration.find('('), declaration.size());
    if (declaration.substr(first).starts_with(unnamed)) declaration.remove_prefix(first + unnamed.size());
    const std::string_view name = declaration.substr(0, declaration.find('('));
    return name.substr(name.find_last_of(": ") + 1);
}

/// The major and minor number of a version such as "3.5.0".
std::pair<unsigned, unsigned> numbers_of(std::string_view version)
{
    std::pair<unsigned, unsigned> numbers{};
    const char* const begin = version.data();
    const char* const end = begin + version.size();
    const char* const dot = std::from_chars(begin, end, numbers.first).ptr;
    if (dot != end && *dot == '.') (void)std::from_chars(dot + 1, end, numbers.second);
    return numbers;
}

}  // namespace

const OSSL_ITEM* reason_strings() noexcept
{
    static const std::array items{
        reason(Reason::no_key, "no key is set"),
        reason(Reason::no_private_key, "the key has no private half"),
        reason(Reason::algorithm, "the key is of another algorithm"),
        reason(Reason::malformed_key, "malformed key"),
        reason(Reason::key_length, "wrong length of a key"),
        reason(Reason::ciphertext_length, "wrong length of a ciphertext"),
        reason(Reason::output_length, "the output buffer is too small"),
        reason(Reason::digest, "the algorithm takes no digest"),
        reason(Reason::context, "wrong context"),
        reason(Reason::mu, "wrong message representative mu"),
        reason(Reason::parameter, "wrong parameter"),
        reason(Reason::signature, "the signature does not verify"),
        reason(Reason::library, "girih reported an error"),
        reason(Reason::classical, "OpenSSL's half failed"),
        reason(Reason::encryption, "the private key was not encrypted"),
        reason(Reason::memory, "out of memory"),
        reason(Reason::begun, "the message has begun in pieces"),
        OSSL_ITEM{0, nullptr},
    };
    return items.data();
}

Provider::Provider(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* core) : handle_(handle)
{
    for (const OSSL_DISPATCH* entry = core; entry->function_id != 0; ++entry) {
        (void)(take(*entry, OSSL_FUNC_CORE_GET_PARAMS, get_params_) ||
               take(*entry, OSSL_FUNC_CORE_NEW_ERROR, new_error_) ||
               take(*entry, OSSL_FUNC_CORE_SET_ERROR_DEBUG, set_error_debug_) ||
               take(*entry, OSSL_FUNC_CORE_VSET_ERROR, set_error_) ||
               take(*entry, OSSL_FUNC_CORE_OBJ_CREATE, create_object_) ||
               take(*entry, OSSL_FUNC_CORE_OBJ_ADD_SIGID, add_signature_) ||
               take(*entry, OSSL_FUNC_BIO_READ_EX, read_) || take(*entry, OSSL_FUNC_BIO_WRITE_EX, write_));
    }
    library_.reset(OSSL_LIB_CTX_new_child(handle, core));
    // A null context would mean OpenSSL's default one, whose providers the program has not chosen.
    if (!library_) {
        is_usable_ = false;
        fail(Reason::memory, "OpenSSL made no library context for the provider");
    } else if (read_ == nullptr || write_ == nullptr) {
        is_usable_ = false;
        fail(Reason::parameter, "this OpenSSL has no functions to read and write with");
    } else if (get_params_ != nullptr) {
        configure();
    }
}

void Provider::configure()
{
    char* form = nullptr;  // owned by the core
    char* composites = nullptr;
    char* version = nullptr;
    std::array parameters{
        OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_CORE_VERSION, &version, 0),
        OSSL_PARAM_construct_utf8_ptr("private-form", &form, 0),
        OSSL_PARAM_construct_utf8_ptr("composites", &composites, 0),
        OSSL_PARAM_construct_end(),
    };
    if (get_params_(handle_, parameters.data()) != 1) {
        is_usable_ = false;
        fail(Reason::parameter, "OpenSSL does not pass the configuration");
        return;
    }
    if (version != nullptr) core_version_ = numbers_of(version);
    const auto refuse = [this](const std::string& name, const char* value, const std::string& values) {
        is_usable_ = false;
        fail(Reason::parameter, name + " in the configuration is '" + value + "', but has to be " + values);
    };
    if (form != nullptr) {
        form_ = form_named(form);
        if (!form_) refuse("private-form", form, "seed, expanded or both");
    }
    if (composites != nullptr) {
        has_composites_ = std::string_view(composites) == "on";
        if (!has_composites_ && std::string_view(composites) != "off")
            refuse("composites", composites, "on or off");
        // Classical keys are those of the libcrypto that this provider is linked with: another one
        // than the core's would be cleaned up before the provider.
        if (has_composites_ && core_version_.first != OPENSSL_VERSION_MAJOR)
            refuse("composites", composites,
                   "off: this provider is compiled for OpenSSL " + std::to_string(OPENSSL_VERSION_MAJOR));
    }
}

bool Provider::register_identifier(const Algorithm& algorithm) const
{
    if (create_object_ == nullptr || add_signature_ == nullptr) return false;
    // The table of identifiers is global, and OpenSSL 3.0 does not lock it.
    static std::mutex registering;
    const std::scoped_lock lock(registering);
    if (create_object_(handle_, algorithm.identifier, algorithm.short_name, algorithm.name) != 1)
        return false;
    // Before 3.2, OpenSSL derives the strength of a certificate's signature from its digest alone.
    // From 3.2 on it asks the key, and TLS compares the digest with the signature scheme's, which
    // is none.
    const std::string digest =
        core_version_ < std::pair{3u, 2u} ? "SHA" + std::to_string(2 * algorithm.security_bits) : "";
    return girih_is_kem(algorithm.alg()) == 1 ||
           add_signature_(handle_, algorithm.identifier, digest.c_str(), algorithm.identifier) == 1;
}

int Provider::fail(Reason reason, const std::string& detail, std::source_location place) const noexcept
{
    if (new_error_ == nullptr || set_error_ == nullptr) return 0;
    new_error_(handle_);
    if (set_error_debug_ != nullptr) {
        std::array<char, 64> function{};
        name_in(place.function_name()).copy(function.data(), function.size() - 1);
        set_error_debug_(handle_, place.file_name(), static_cast<int>(place.line()), function.data());
    }
    if (detail.empty())
        set_error(set_error_, handle_, reason, nullptr);
    else
        set_error(set_error_, handle_, reason, "%s", detail.c_str());
    return 0;
}

int Provider::fail(int girih_error, std::source_location place) const
{
    const Reason reason = reason_of(girih_error);
    return fail(reason, reason == Reason::signature ? "" : girih_error_text(girih_error), place);
}

bool Provider::has_capacity(const char* name, const std::size_t* capacity, std::size_t needed) const
{
    const bool is_said = capacity != nullptr && (*capacity != 0 || core_version_ >= std::pair{3u, 5u});
    if (!is_said || *capacity >= needed) return true;
    fail(Reason::output_length, std::string(name) + " has " + std::to_string(needed) +
                                    " bytes, but there is room for " + std::to_string(*capacity));
    return false;
}

std::optional<SecretBytes> Provider::read_all(OSSL_CORE_BIO* bio) const
{
    SecretBytes all;
    std::size_t held = 0;
    do {
        constexpr std::size_t piece = 8192;
        all.resize(held + piece);
        std::size_t read = 0;
        if (read_(bio, all.data() + held, piece, &read) != 1) read = 0;
        held += read;
        all.resize(held);
        if (read == 0) return all;
    } while (held <= key_files::max_file_bytes);
    return {};
}

bool Provider::write_all(OSSL_CORE_BIO* bio, std::span<const std::uint8_t> bytes) const noexcept
{
    std::size_t written = 0;
    return write_(bio, bytes.data(), bytes.size(), &written) == 1 && written == bytes.size();
}

std::optional<key_files::PrivateForm> form_named(std::string_view name) noexcept
{
    if (name == "seed") return key_files::PrivateForm::seed;
    if (name == "expanded") return key_files::PrivateForm::expanded;
    if (name == "both") return key_files::PrivateForm::both;
    return {};
}

}  // namespace girih::provider
