/// X25519MLKEM768 (draft-ietf-tls-ecdhe-mlkem): ML-KEM-768 by girih and X25519 by OpenSSL. Their
/// bytes are concatenated, ML-KEM's first. Keys live for one handshake, and have no files.

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include <array>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "provider/dispatch.hpp"
#include "provider/parameters.hpp"

namespace girih::provider {
namespace {

constexpr std::size_t x25519_bytes = 32;  // of a public key and of a shared secret
constexpr std::size_t ml_kem_key = 1184;
constexpr std::size_t ml_kem_ciphertext = 1088;
constexpr std::size_t ml_kem_secret = 32;
constexpr std::size_t share_of_client = ml_kem_key + x25519_bytes;
constexpr std::size_t share_of_server = ml_kem_ciphertext + x25519_bytes;
constexpr std::size_t secret_bytes_of_both = ml_kem_secret + x25519_bytes;

using Classical = Owned<EVP_PKEY, EVP_PKEY_free>;
using ClassicalContext = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;

/// Both parts of one side's key; a peer's has empty private parts.
struct HybridKey {
    const Provider& provider;
    std::array<std::uint8_t, ml_kem_key> public_key{};
    SecretBytes secret_key = {};
    Classical x25519 = {};
};

HybridKey& key_of(void* key) { return *static_cast<HybridKey*>(key); }
const HybridKey& key_of(const void* key) { return *static_cast<const HybridKey*>(key); }

// ---- X25519

Classical new_x25519(const Provider& provider)
{
    const ClassicalContext context(EVP_PKEY_CTX_new_from_name(provider.library(), "X25519", nullptr));
    EVP_PKEY* key = nullptr;
    if (context && EVP_PKEY_keygen_init(context.get()) == 1) (void)EVP_PKEY_generate(context.get(), &key);
    if (key == nullptr)
        provider.fail(Reason::classical, "no key was made; is OpenSSL's default provider loaded?");
    return Classical(key);
}

Classical x25519_of(const Provider& provider, BytesIn<> bytes)
{
    Classical key(
        EVP_PKEY_new_raw_public_key_ex(provider.library(), "X25519", nullptr, bytes.data(), bytes.size()));
    if (!key)
        provider.fail(Reason::classical, "the share is not taken; is OpenSSL's default provider loaded?");
    return key;
}

bool write_x25519(const Classical& key, BytesOut<x25519_bytes> share)
{
    std::size_t bytes = share.size();
    return EVP_PKEY_get_raw_public_key(key.get(), share.data(), &bytes) == 1 && bytes == share.size();
}

/// Also fails if the secret is zero, as for a share of small order (RFC 8446, Section 7.4.2).
bool agree(const Provider& provider, const Classical& own, const Classical& peer,
           BytesOut<x25519_bytes> secret)
{
    const ClassicalContext context(EVP_PKEY_CTX_new_from_pkey(provider.library(), own.get(), nullptr));
    std::size_t bytes = secret.size();
    if (context && EVP_PKEY_derive_init(context.get()) == 1 &&
        EVP_PKEY_derive_set_peer(context.get(), peer.get()) == 1 &&
        EVP_PKEY_derive(context.get(), secret.data(), &bytes) == 1 && bytes == secret.size())
        return true;
    provider.fail(Reason::classical, "no secret was agreed on");
    return false;
}

// ---- Keys

int has(const void* key, int selection)
{
    if (key == nullptr) return 0;  // an EVP_PKEY with a type and no key
    const HybridKey& hybrid = key_of(key);
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && !hybrid.x25519) return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && hybrid.secret_key.empty()) return 0;
    return 1;
}

int match(const void* a, const void* b, int selection)
{
    const HybridKey& first = key_of(a);
    const HybridKey& second = key_of(b);
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return 1;
    return first.x25519 && second.x25519 && first.public_key == second.public_key &&
                   EVP_PKEY_eq(first.x25519.get(), second.x25519.get()) == 1
               ? 1
               : 0;
}

const OSSL_PARAM* gettable(void*)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, nullptr),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, nullptr),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, nullptr),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, nullptr, 0),
        OSSL_PARAM_END,
    };
    return known;
}

int get_params(void* key, OSSL_PARAM params[])
{
    const HybridKey& hybrid = key_of(key);
    if (!set_number(params, OSSL_PKEY_PARAM_BITS, 8 * share_of_client) ||
        !set_number(params, OSSL_PKEY_PARAM_SECURITY_BITS, hybrid_security_bits) ||
        !set_number(params, OSSL_PKEY_PARAM_MAX_SIZE, share_of_server))
        return 0;
    OSSL_PARAM* share = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    if (share == nullptr) return 1;
    if (!hybrid.x25519) return hybrid.provider.fail(Reason::no_key, "");
    std::array<std::uint8_t, share_of_client> bytes{};
    copy(hybrid.public_key, bytes);
    if (!write_x25519(hybrid.x25519, BytesOut<>(bytes).last<x25519_bytes>())) return 0;
    return OSSL_PARAM_set_octet_string(share, bytes.data(), bytes.size());
}

/// Sets the client's share.
int set_params(void* key, const OSSL_PARAM params[])
{
    HybridKey& hybrid = key_of(key);
    const OSSL_PARAM* share = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    if (share == nullptr) return 1;
    return guarded(hybrid.provider, [&] {
        const auto octets = octets_of(*share);
        if (!octets || octets->size() != share_of_client)
            return hybrid.provider.fail(Reason::key_length,
                                        "the share has " + std::to_string(share->data_size) +
                                            " bytes, and should have " + std::to_string(share_of_client));
        const BytesIn<> bytes = *octets;
        auto x25519 = x25519_of(hybrid.provider, bytes.last(x25519_bytes));
        if (!x25519) return 0;
        hybrid.x25519 = std::move(x25519);
        hybrid.secret_key = SecretBytes();  // clear() would keep its bytes in memory
        copy(bytes.first(ml_kem_key), hybrid.public_key);
        return 1;
    });
}

struct Generation {
    const Provider& provider;
    bool makes_keys;
};

void* begin_generation(void* provctx, int selection, const OSSL_PARAM[])
{
    const auto& provider = *static_cast<Provider*>(provctx);
    const bool makes_keys = (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
    return guarded(provider, [&]() -> void* { return new Generation{provider, makes_keys}; });
}

const OSSL_PARAM* settable_of_generation(void*, void*)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, nullptr, 0),
        OSSL_PARAM_END,
    };
    return known;
}

/// Ignores the group's name, which is the key's.
int set_generation_params(void*, const OSSL_PARAM[]) { return 1; }

void* generate(void* generation, OSSL_CALLBACK*, void*)
{
    const auto& wanted = *static_cast<const Generation*>(generation);
    return guarded(wanted.provider, [&]() -> void* {
        auto key = std::make_unique<HybridKey>(HybridKey{wanted.provider});
        if (!wanted.makes_keys) return key.release();
        const girih_alg* alg = girih_ml_kem_768();
        key->secret_key.resize(girih_secret_key_bytes(alg));
        const int code = girih_keygen(alg, nullptr, key->public_key.data(), key->public_key.size(),
                                      key->secret_key.data(), key->secret_key.size());
        if (code != GIRIH_OK) {
            wanted.provider.fail(code);
            return nullptr;
        }
        key->x25519 = new_x25519(wanted.provider);
        return key->x25519 ? key.release() : nullptr;
    });
}

// ---- Encapsulation

struct HybridOperation {
    const Provider& provider;
    const HybridKey* key = nullptr;  ///< OpenSSL keeps it as long as the operation
};

HybridOperation& operation_of(void* context) { return *static_cast<HybridOperation*>(context); }

int begin_encapsulation(void* context, void* key, const OSSL_PARAM[])
{
    HybridOperation& operation = operation_of(context);
    const HybridKey* taken = key != nullptr ? &key_of(key) : operation.key;
    if (taken == nullptr || !taken->x25519) return operation.provider.fail(Reason::no_key, "");
    operation.key = taken;
    return 1;
}

int begin_decapsulation(void* context, void* key, const OSSL_PARAM params[])
{
    if (begin_encapsulation(context, key, params) != 1) return 0;
    const HybridOperation& operation = operation_of(context);
    return operation.key->secret_key.empty() ? operation.provider.fail(Reason::no_private_key, "") : 1;
}

/// Both secrets, which are written together at the end.
using Secrets = Wiped<std::array<Byte, secret_bytes_of_both>>;

int encapsulate(void* context, unsigned char* share, std::size_t* share_bytes, unsigned char* secret,
                std::size_t* secret_bytes)
{
    const HybridOperation& operation = operation_of(context);
    const Provider& provider = operation.provider;
    return guarded(provider, [&] {
        if (share != nullptr && secret == nullptr) return provider.fail(Reason::parameter, "no secret");
        if (share != nullptr && (!provider.has_capacity("the share", share_bytes, share_of_server) ||
                                 !provider.has_capacity("the secret", secret_bytes, secret_bytes_of_both)))
            return 0;
        if (share_bytes != nullptr) *share_bytes = share_of_server;
        if (secret_bytes != nullptr) *secret_bytes = secret_bytes_of_both;
        if (share == nullptr) return 1;
        if (operation.key == nullptr) return provider.fail(Reason::no_key, "");
        const HybridKey& peer = *operation.key;
        const Classical own = new_x25519(provider);
        std::array<Byte, x25519_bytes> own_share{};
        Secrets secrets;
        if (!own || !write_x25519(own, own_share) ||
            !agree(provider, own, peer.x25519, BytesOut<>(*secrets).last<x25519_bytes>()))
            return 0;
        const int code =
            girih_encapsulate(girih_ml_kem_768(), nullptr, peer.public_key.data(), peer.public_key.size(),
                              share, ml_kem_ciphertext, secrets->data(), ml_kem_secret);
        if (code != GIRIH_OK) return provider.fail(code);
        copy(own_share, {share + ml_kem_ciphertext, x25519_bytes});
        copy(*secrets, {secret, secret_bytes_of_both});
        return 1;
    });
}

int decapsulate(void* context, unsigned char* secret, std::size_t* secret_bytes, const unsigned char* share,
                std::size_t share_bytes)
{
    const HybridOperation& operation = operation_of(context);
    const Provider& provider = operation.provider;
    return guarded(provider, [&] {
        if (secret != nullptr && !provider.has_capacity("the secret", secret_bytes, secret_bytes_of_both))
            return 0;
        if (secret_bytes != nullptr) *secret_bytes = secret_bytes_of_both;
        if (secret == nullptr) return 1;
        if (operation.key == nullptr) return provider.fail(Reason::no_key, "");
        if (share_bytes != share_of_server)
            return provider.fail(Reason::ciphertext_length, "the share has " + std::to_string(share_bytes) +
                                                                " bytes, and should have " +
                                                                std::to_string(share_of_server));
        const HybridKey& own = *operation.key;
        const Classical peer = x25519_of(provider, {share + ml_kem_ciphertext, x25519_bytes});
        Secrets secrets;
        if (!peer || !agree(provider, own.x25519, peer, BytesOut<>(*secrets).last<x25519_bytes>())) return 0;
        const int code = girih_decapsulate(girih_ml_kem_768(), own.secret_key.data(), own.secret_key.size(),
                                           share, ml_kem_ciphertext, secrets->data(), ml_kem_secret);
        if (code != GIRIH_OK) return provider.fail(code);
        copy(*secrets, {secret, secret_bytes_of_both});
        return 1;
    });
}

}  // namespace

const OSSL_DISPATCH* hybrid_key_manager() noexcept
{
    static const OSSL_DISPATCH table[] = {
        entry<OSSL_FUNC_keymgmt_new_fn>(OSSL_FUNC_KEYMGMT_NEW, make<HybridKey>),
        entry<OSSL_FUNC_keymgmt_free_fn>(OSSL_FUNC_KEYMGMT_FREE, destroy<HybridKey>),
        entry<OSSL_FUNC_keymgmt_has_fn>(OSSL_FUNC_KEYMGMT_HAS, has),
        entry<OSSL_FUNC_keymgmt_match_fn>(OSSL_FUNC_KEYMGMT_MATCH, match),
        entry<OSSL_FUNC_keymgmt_gettable_params_fn>(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable),
        entry<OSSL_FUNC_keymgmt_get_params_fn>(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params),
        entry<OSSL_FUNC_keymgmt_settable_params_fn>(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, settable_share),
        entry<OSSL_FUNC_keymgmt_set_params_fn>(OSSL_FUNC_KEYMGMT_SET_PARAMS, set_params),
        entry<OSSL_FUNC_keymgmt_gen_init_fn>(OSSL_FUNC_KEYMGMT_GEN_INIT, begin_generation),
        entry<OSSL_FUNC_keymgmt_gen_settable_params_fn>(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS,
                                                        settable_of_generation),
        entry<OSSL_FUNC_keymgmt_gen_set_params_fn>(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, set_generation_params),
        entry<OSSL_FUNC_keymgmt_gen_fn>(OSSL_FUNC_KEYMGMT_GEN, generate),
        entry<OSSL_FUNC_keymgmt_gen_cleanup_fn>(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, destroy<Generation>),
        end_of_dispatch,
    };
    return table;
}

const OSSL_DISPATCH* hybrid_kem() noexcept
{
    static const OSSL_DISPATCH table[] = {
        entry<OSSL_FUNC_kem_newctx_fn>(OSSL_FUNC_KEM_NEWCTX, make<HybridOperation>),
        entry<OSSL_FUNC_kem_freectx_fn>(OSSL_FUNC_KEM_FREECTX, destroy<HybridOperation>),
        entry<OSSL_FUNC_kem_dupctx_fn>(OSSL_FUNC_KEM_DUPCTX, duplicate<HybridOperation>),
        entry<OSSL_FUNC_kem_encapsulate_init_fn>(OSSL_FUNC_KEM_ENCAPSULATE_INIT, begin_encapsulation),
        entry<OSSL_FUNC_kem_encapsulate_fn>(OSSL_FUNC_KEM_ENCAPSULATE, encapsulate),
        entry<OSSL_FUNC_kem_decapsulate_init_fn>(OSSL_FUNC_KEM_DECAPSULATE_INIT, begin_decapsulation),
        entry<OSSL_FUNC_kem_decapsulate_fn>(OSSL_FUNC_KEM_DECAPSULATE, decapsulate),
        end_of_dispatch,
    };
    return table;
}

}  // namespace girih::provider
