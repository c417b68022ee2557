/// Signatures: of whole messages, of messages in pieces, and of message representatives mu.
///
/// Messages are not pre-hashed (pure ML-DSA in FIPS 204). A digest named for signing is refused.
/// One named for verification is ignored, because the CMS of OpenSSL before 4.0 names one for every
/// key; the signature is always one of the message itself. The functions that sign a digest
/// (EVP_PKEY_sign_init) are left out: CMS without signed attributes would sign a hash of the
/// content with them, but RFC 9882 signs the content itself.

#include <openssl/core_names.h>

#include <array>
#include <utility>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "provider/composite.hpp"
#include "provider/dispatch.hpp"
#include "provider/parameters.hpp"
#include "sha2/sha2.hpp"

namespace girih::provider {
namespace {

constexpr std::size_t longest_context = 255;

/// The input of a signature: a message, or its representative: mu, or a composite's SHA-512.
struct SignedInput {
    BytesIn<> bytes;
    bool is_mu;
};
static_assert(GIRIH_MU_BYTES == sha2::Sha512::digest_bytes);

/// One signature or verification, or several in a row under a key. Copies are independent.
class SignatureOperation : public Operation {
  public:
    SignatureOperation(const Provider& from, const Algorithm& set) : Operation{from, set} {}
    SignatureOperation(const SignatureOperation&) = default;
    SignatureOperation& operator=(const SignatureOperation&) = delete;
    ~SignatureOperation() { wipe(message_); }

    int begin(const void* object, bool signs, const OSSL_PARAM params[])
    {
        if (!take(object, signs)) return 0;
        signs_ = signs;
        settings_.is_mu = false;
        forget_message();
        return set(params);
    }

    int refuse_digest(const char* digest) const
    {
        return provider.fail(Reason::digest, std::string(digest) + " was named, but " + algorithm.name +
                                                 " signs the message itself");
    }

    /// Sets all parameters, or none.
    int set(const OSSL_PARAM params[])
    {
        if (params == nullptr) return 1;
        Restored before{settings_, settings_};
        before.is_needed =
            !(set_context(OSSL_PARAM_locate_const(params, "context-string")) &&
              set_flag(OSSL_PARAM_locate_const(params, "deterministic"), settings_.deterministic) &&
              set_mu(OSSL_PARAM_locate_const(params, "mu")) &&
              set_signature(OSSL_PARAM_locate_const(params, "signature")) && agree());
        return before.is_needed ? 0 : 1;
    }

    int get(OSSL_PARAM params[]) const
    {
        OSSL_PARAM* identifier = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
        if (identifier == nullptr) return 1;
        // The AlgorithmIdentifier beside a signature in X.509, without parameters (RFC 9881,
        // Section 2).
        SecretBytes bytes;
        key_files::append_algorithm(bytes, identified(algorithm));
        return OSSL_PARAM_set_octet_string(identifier, bytes.data(), bytes.size());
    }

    int sign(std::uint8_t* signature, std::size_t* bytes, std::size_t capacity, BytesIn<> message)
    {
        if (has_begun()) return refuse_whole();
        if (is_composite() && signature != nullptr)
            return sign_input(signature, bytes, capacity,
                              SignedInput{sha2::hash<sha2::sha512>(message), true});
        return sign_input(signature, bytes, capacity, SignedInput{message, settings_.is_mu});
    }

    int verify(BytesIn<> signature, BytesIn<> message)
    {
        if (has_begun()) return refuse_whole();
        if (is_composite())
            return verify_input(signature, SignedInput{sha2::hash<sha2::sha512>(message), true});
        return verify_input(signature, SignedInput{message, settings_.is_mu});
    }

    int update(BytesIn<> piece)
    {
        if (!streams()) {
            held_.insert(held_.end(), piece.begin(), piece.end());
            return 1;
        }
        if (!begun_ && begin_message() != 1) return 0;
        if (is_composite()) return prehash_.update(piece), 1;
        const int code = girih_message_update(&message_, piece.data(), piece.size());
        return code == GIRIH_OK ? 1 : provider.fail(code);
    }

    int sign_updated(std::uint8_t* signature, std::size_t* bytes, std::size_t capacity)
    {
        // A query for the length, or a short buffer: the call reports it, and the message stays for
        // the next call.
        if (capacity < signature_bytes(algorithm) || signature == nullptr || bytes == nullptr)
            return sign_input(signature, bytes, capacity, SignedInput{});  // which does not sign
        if (!streams()) {
            const Bytes message = take_held();
            return sign_input(signature, bytes, capacity, SignedInput{message, settings_.is_mu});
        }
        std::array<std::uint8_t, GIRIH_MU_BYTES> mu{};
        if (end_message(mu) != 1) return 0;
        return sign_input(signature, bytes, capacity, SignedInput{mu, true});
    }

    int verify_updated(BytesIn<> signature)
    {
        if (!streams()) {
            const Bytes message = take_held();
            return verify_input(signature, SignedInput{message, settings_.is_mu});
        }
        std::array<std::uint8_t, GIRIH_MU_BYTES> mu{};
        if (end_message(mu) != 1) return 0;
        return verify_input(signature, SignedInput{mu, true});
    }
    int verify_updated() { return verify_updated(settings_.signature); }

  private:
    [[nodiscard]] bool is_composite() const { return algorithm.composite != nullptr; }

    /// Messages in pieces are hashed to mu at once. Falcon hashes the signature's salt first, which
    /// is known only at the end: its messages are kept, and so are pieces of mu itself.
    [[nodiscard]] bool streams() const { return girih_has_mu(algorithm.alg()) == 1 && !settings_.is_mu; }

    /// Whether a message in pieces has begun.
    [[nodiscard]] bool has_begun() const { return begun_ || !held_.empty(); }

    int refuse_whole() const
    {
        return provider.fail(Reason::begun, "initialize again to sign or verify a whole one");
    }

    /// Without an output, returns the longest length of a signature.
    int sign_input(std::uint8_t* signature, std::size_t* bytes, std::size_t capacity,
                   const SignedInput& message)
    {
        const std::size_t longest = signature_bytes(algorithm);
        if (!key || !signs_) return provider.fail(Reason::no_private_key, "");
        if (bytes == nullptr) return provider.fail(Reason::parameter, "no place for a signature's length");
        if (signature == nullptr) {
            *bytes = longest;
            return 1;
        }
        if (capacity < longest)
            return provider.fail(Reason::output_length, "a signature can have " + std::to_string(longest) +
                                                            " bytes, but there is room for " +
                                                            std::to_string(capacity));
        if (is_composite()) {
            *bytes = sign_composite(provider, *key, message.bytes, settings_.context, {signature, longest});
            return *bytes != 0 ? 1 : 0;
        }
        const auto& secret = key->parts.expanded;
        const girih_options options = options_for(message.is_mu);
        const auto signing = message.is_mu ? girih_sign_mu : girih_sign;
        const int code = signing(algorithm.alg(), secret.data(), secret.size(), message.bytes.data(),
                                 message.bytes.size(), &options, signature, longest, bytes);
        return code == GIRIH_OK ? 1 : provider.fail(code);
    }

    int verify_input(BytesIn<> signature, const SignedInput& message)
    {
        if (!key) return provider.fail(Reason::no_key, "");
        const girih_alg* alg = algorithm.alg();
        const Bytes& public_key = key->parts.public_key;
        const auto& [bytes, is_mu] = message;
        const girih_options options = options_for(is_mu);
        int code = GIRIH_ERROR_SIGNATURE;
        if (is_composite()) {
            const auto verdict = verify_composite(provider, *key, bytes, settings_.context, signature);
            if (!verdict) return 0;
            code = *verdict ? GIRIH_OK : code;
        } else if (is_mu)
            code = girih_verify_mu(alg, public_key.data(), public_key.size(), bytes.data(), bytes.size(),
                                   signature.data(), signature.size());
        else
            code = girih_verify(alg, public_key.data(), public_key.size(), bytes.data(), bytes.size(),
                                &options, signature.data(), signature.size());
        if (code == GIRIH_OK) return 1;
        const std::size_t right = signature_bytes(algorithm);
        if (code == GIRIH_ERROR_SIGNATURE && signature.size() > right)
            return provider.fail(Reason::signature, "it has " + std::to_string(signature.size()) +
                                                        " bytes, but one of " + algorithm.name + " at most " +
                                                        std::to_string(right));
        return provider.fail(code);
    }

    /// A context is part of mu already.
    [[nodiscard]] girih_options options_for(bool is_mu) const
    {
        girih_options options{};
        if (!is_mu) {
            options.context = settings_.context.data();
            options.context_bytes = settings_.context.size();
        }
        options.deterministic = settings_.deterministic ? 1 : 0;
        return options;
    }

    int begin_message()
    {
        if (!key) return provider.fail(Reason::no_key, "");
        const Bytes& public_key = key->parts.public_key;
        const girih_options options = options_for(false);
        const int code = is_composite() ? GIRIH_OK
                                        : girih_message_begin(&message_, algorithm.alg(), public_key.data(),
                                                              public_key.size(), &options);
        if (code != GIRIH_OK) return provider.fail(code);
        begun_ = true;
        return 1;
    }

    /// Writes mu, or a composite's SHA-512.
    int end_message(std::span<std::uint8_t, GIRIH_MU_BYTES> mu)
    {
        if (!begun_ && begin_message() != 1) return 0;
        begun_ = false;
        if (is_composite()) return prehash_.finish(mu), 1;
        const int code = girih_message_mu(&message_, mu.data(), mu.size());
        return code == GIRIH_OK ? 1 : provider.fail(code);
    }

    /// Takes the kept message.
    Bytes take_held() { return std::exchange(held_, {}); }

    void forget_message()
    {
        begun_ = false;
        prehash_ = {};
        held_.clear();
    }

    bool set_context(const OSSL_PARAM* param)
    {
        if (param == nullptr) return true;
        if (has_begun()) {
            provider.fail(Reason::context, "set the context before the message");
            return false;
        }
        const auto bytes = octets_of(*param);
        if (!bytes) {
            provider.fail(Reason::parameter, "context-string is not an octet string");
            return false;
        }
        if (bytes->size() > longest_context || (!bytes->empty() && girih_has_context(algorithm.alg()) != 1)) {
            provider.fail(Reason::context, girih_has_context(algorithm.alg()) == 1
                                               ? "it has " + std::to_string(bytes->size()) +
                                                     " bytes, but at most 255 are allowed"
                                               : std::string(algorithm.name) + " has none");
            return false;
        }
        settings_.context.assign(bytes->begin(), bytes->end());
        return true;
    }

    bool set_flag(const OSSL_PARAM* param, bool& flag)
    {
        if (param == nullptr) return true;
        int value = 0;
        if (OSSL_PARAM_get_int(param, &value) != 1 || (value != 0 && value != 1) ||
            (value == 1 && (girih_has_mu(algorithm.alg()) != 1 || is_composite()))) {
            provider.fail(Reason::parameter,
                          std::string(param->key) + " must be 0 or 1, and 1 only with ML-DSA");
            return false;
        }
        flag = value == 1;
        return true;
    }

    bool set_mu(const OSSL_PARAM* param)
    {
        if (param == nullptr || !has_begun()) return set_flag(param, settings_.is_mu);
        provider.fail(Reason::mu, "set it before any of the message");
        return false;
    }

    bool set_signature(const OSSL_PARAM* param)
    {
        if (param == nullptr) return true;
        const auto bytes = octets_of(*param);
        if (!bytes) return provider.fail(Reason::parameter, "signature") == 1;
        settings_.signature.assign(bytes->begin(), bytes->end());
        return true;
    }

    [[nodiscard]] bool agree() const
    {
        if (!settings_.is_mu || settings_.context.empty()) return true;
        provider.fail(Reason::mu, "a context is part of mu, and cannot be set as well");
        return false;
    }

    bool signs_ = false;
    struct Settings {
        bool deterministic = false;
        bool is_mu = false;
        Bytes context;
        Bytes signature;  ///< to verify, if it is given before the message
    } settings_;
    /// Restores settings, also when memory runs out.
    struct Restored {
        Settings& settings;
        Settings before;
        bool is_needed = true;
        ~Restored()
        {
            if (is_needed) settings = std::move(before);
        }
    };
    bool begun_ = false;
    girih_message message_{};
    sha2::Sha512 prehash_;  ///< of a composite's message
    Bytes held_;
};

/// Calls a member of an operation for OpenSSL.
template <class Function>
int with(void* context, Function function)
{
    auto& operation = *static_cast<SignatureOperation*>(context);
    return guarded(operation.provider, [&] { return function(operation); });
}

template <std::size_t index>
void* new_context(void* provctx, const char*)
{
    return make<SignatureOperation>(provctx, signature_algorithms[index]);
}

int sign_init(void* context, void* key, const OSSL_PARAM params[])
{
    return with(context, [&](SignatureOperation& o) { return o.begin(key, true, params); });
}

int verify_init(void* context, void* key, const OSSL_PARAM params[])
{
    return with(context, [&](SignatureOperation& o) { return o.begin(key, false, params); });
}

int digest_sign_init(void* context, const char* digest, void* key, const OSSL_PARAM params[])
{
    if (digest != nullptr && *digest != '\0')
        return with(context, [&](SignatureOperation& o) { return o.refuse_digest(digest); });
    return sign_init(context, key, params);
}

int digest_verify_init(void* context, const char*, void* key, const OSSL_PARAM params[])
{
    return verify_init(context, key, params);
}

int sign(void* context, unsigned char* signature, std::size_t* bytes, std::size_t capacity,
         const unsigned char* message, std::size_t message_bytes)
{
    return with(context, [&](SignatureOperation& o) {
        return o.sign(signature, bytes, capacity, {message, message_bytes});
    });
}

int verify(void* context, const unsigned char* signature, std::size_t bytes, const unsigned char* message,
           std::size_t message_bytes)
{
    return with(context, [&](SignatureOperation& o) {
        return o.verify({signature, bytes}, {message, message_bytes});
    });
}

int update(void* context, const unsigned char* piece, std::size_t bytes)
{
    return with(context, [&](SignatureOperation& o) { return o.update({piece, bytes}); });
}

int sign_final(void* context, unsigned char* signature, std::size_t* bytes, std::size_t capacity)
{
    return with(context, [&](SignatureOperation& o) { return o.sign_updated(signature, bytes, capacity); });
}

int verify_final(void* context, const unsigned char* signature, std::size_t bytes)
{
    return with(context, [&](SignatureOperation& o) { return o.verify_updated({signature, bytes}); });
}

int get_params(void* context, OSSL_PARAM params[])
{
    return with(context, [&](SignatureOperation& o) { return o.get(params); });
}

int set_params(void* context, const OSSL_PARAM params[])
{
    return with(context, [&](SignatureOperation& o) { return o.set(params); });
}

const OSSL_PARAM* gettable(void*, void*)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, nullptr, 0),
        OSSL_PARAM_END,
    };
    return known;
}

const OSSL_PARAM* settable(void*, void*)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string("context-string", nullptr, 0),
        OSSL_PARAM_int("deterministic", nullptr),
        OSSL_PARAM_int("mu", nullptr),
        OSSL_PARAM_octet_string("signature", nullptr, 0),
        OSSL_PARAM_END,
    };
    return known;
}

#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT  // from OpenSSL 3.4
int verify_message_final(void* context)
{
    return with(context, [](SignatureOperation& o) { return o.verify_updated(); });
}

template <std::size_t index>
const char** key_types()
{
    static const char* names[] = {signature_algorithms[index].name, nullptr};
    return names;
}
#endif

template <std::size_t index>
const OSSL_DISPATCH* functions()
{
    static const OSSL_DISPATCH table[] = {
        entry<OSSL_FUNC_signature_newctx_fn>(OSSL_FUNC_SIGNATURE_NEWCTX, new_context<index>),
        entry<OSSL_FUNC_signature_freectx_fn>(OSSL_FUNC_SIGNATURE_FREECTX, destroy<SignatureOperation>),
        entry<OSSL_FUNC_signature_dupctx_fn>(OSSL_FUNC_SIGNATURE_DUPCTX, duplicate<SignatureOperation>),
        entry<OSSL_FUNC_signature_digest_sign_init_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT,
                                                       digest_sign_init),
        entry<OSSL_FUNC_signature_digest_sign_update_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, update),
        entry<OSSL_FUNC_signature_digest_sign_final_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, sign_final),
        entry<OSSL_FUNC_signature_digest_sign_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN, sign),
        entry<OSSL_FUNC_signature_digest_verify_init_fn>(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT,
                                                         digest_verify_init),
        entry<OSSL_FUNC_signature_digest_verify_update_fn>(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, update),
        entry<OSSL_FUNC_signature_digest_verify_final_fn>(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL,
                                                          verify_final),
        entry<OSSL_FUNC_signature_digest_verify_fn>(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, verify),
        entry<OSSL_FUNC_signature_get_ctx_params_fn>(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, get_params),
        entry<OSSL_FUNC_signature_gettable_ctx_params_fn>(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, gettable),
        entry<OSSL_FUNC_signature_set_ctx_params_fn>(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, set_params),
        entry<OSSL_FUNC_signature_settable_ctx_params_fn>(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, settable),
#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
        entry<OSSL_FUNC_signature_sign_message_init_fn>(OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT, sign_init),
        entry<OSSL_FUNC_signature_sign_fn>(OSSL_FUNC_SIGNATURE_SIGN, sign),
        entry<OSSL_FUNC_signature_sign_message_update_fn>(OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_UPDATE, update),
        entry<OSSL_FUNC_signature_sign_message_final_fn>(OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_FINAL, sign_final),
        entry<OSSL_FUNC_signature_verify_message_init_fn>(OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT,
                                                          verify_init),
        entry<OSSL_FUNC_signature_verify_fn>(OSSL_FUNC_SIGNATURE_VERIFY, verify),
        entry<OSSL_FUNC_signature_verify_message_update_fn>(OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_UPDATE,
                                                            update),
        entry<OSSL_FUNC_signature_verify_message_final_fn>(OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_FINAL,
                                                           verify_message_final),
        entry<OSSL_FUNC_signature_query_key_types_fn>(OSSL_FUNC_SIGNATURE_QUERY_KEY_TYPES, key_types<index>),
#endif
        end_of_dispatch,
    };
    return table;
}

}  // namespace

const OSSL_ALGORITHM* signatures(const Provider& provider) noexcept
{
    static const auto table = rows_and_end<signature_algorithms.size()>(
        [](auto index) { return row_of(signature_algorithms[index], functions<index>()); });
    return known_rows(provider, table.data());
}

}  // namespace girih::provider
