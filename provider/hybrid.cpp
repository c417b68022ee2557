/// Hybrid groups of TLS 1.3 (RFC 10024): ML-KEM by girih, and a curve by OpenSSL. Shares and
/// secrets are the concatenation of both parts. Keys live for one handshake, and have no files.

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include "core/bytes.hpp"
#include "provider/classical.hpp"
#include "provider/dispatch.hpp"
#include "provider/parameters.hpp"

namespace girih::provider {
namespace {

/// One side's key; a peer's has no private parts.
struct HybridKey {
    const Provider& provider;
    const HybridGroup& group;
    Bytes share = {};             ///< of a client; empty if there is no key
    SecretBytes ml_kem_key = {};  ///< of decapsulation
    ClassicalKey curve_key = {};
};

HybridKey& key_of(void* key) { return *static_cast<HybridKey*>(key); }
const HybridKey& key_of(const void* key) { return *static_cast<const HybridKey*>(key); }

// ---- Concatenation

std::size_t client_share_bytes(const HybridGroup& group)
{
    return girih_public_key_bytes(group.ml_kem()) + group.classical.public_bytes;
}
std::size_t server_share_bytes(const HybridGroup& group)
{
    return girih_ciphertext_bytes(group.ml_kem()) + group.classical.public_bytes;
}
std::size_t both_secrets_bytes(const HybridGroup& group)
{
    return girih_shared_secret_bytes(group.ml_kem()) + group.classical.result_bytes;
}

template <class View>
struct Parts {
    View curve;
    View ml_kem;
};

/// The parts of a share or secret, of which the curve's has `curve_bytes` bytes.
template <class View>
Parts<View> parts_of(const HybridGroup& group, View whole, std::size_t curve_bytes)
{
    const std::size_t ml_kem_bytes = whole.size() - curve_bytes;
    if (group.curve_first) return {whole.first(curve_bytes), whole.last(ml_kem_bytes)};
    return {whole.last(curve_bytes), whole.first(ml_kem_bytes)};
}

// ---- Keys

int has(const void* key, int selection)
{
    if (key == nullptr) return 0;  // an EVP_PKEY with a type and no key
    const HybridKey& hybrid = key_of(key);
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && hybrid.share.empty()) return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && hybrid.ml_kem_key.empty()) return 0;
    return 1;
}

int match(const void* a, const void* b, int selection)
{
    const Bytes& share = key_of(a).share;
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return 1;
    return !share.empty() && share == key_of(b).share ? 1 : 0;
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
    if (!set_number(params, OSSL_PKEY_PARAM_BITS, 8 * client_share_bytes(hybrid.group)) ||
        !set_number(params, OSSL_PKEY_PARAM_SECURITY_BITS, hybrid.group.security_bits) ||
        !set_number(params, OSSL_PKEY_PARAM_MAX_SIZE, server_share_bytes(hybrid.group)))
        return 0;
    if (OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY) == nullptr) return 1;
    if (hybrid.share.empty()) return hybrid.provider.fail(Reason::no_key, "");
    return set_octets(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, hybrid.share) ? 1 : 0;
}

/// The detail of a share's wrong length.
std::string length_of(std::size_t bytes, std::size_t right)
{
    return "the share has " + std::to_string(bytes) + " bytes, but should have " + std::to_string(right);
}

/// Sets the client's share.
int set_params(void* key, const OSSL_PARAM params[])
{
    HybridKey& hybrid = key_of(key);
    const OSSL_PARAM* param = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    if (param == nullptr) return 1;
    return guarded(hybrid.provider, [&] {
        const auto share = octets_of(*param);
        const std::size_t right = client_share_bytes(hybrid.group);
        if (!share || share->size() != right)
            return hybrid.provider.fail(Reason::key_length, length_of(param->data_size, right));
        const BytesIn<> curve_share =
            parts_of(hybrid.group, *share, hybrid.group.classical.public_bytes).curve;
        auto curve_key = classical_public(hybrid.provider, hybrid.group.classical, "the share", curve_share);
        if (!curve_key) return 0;
        hybrid.share.assign(share->begin(), share->end());
        hybrid.ml_kem_key = SecretBytes();  // clear() would keep its bytes in memory
        hybrid.curve_key = std::move(curve_key);
        return 1;
    });
}

struct Generation {
    const Provider& provider;
    const HybridGroup& group;
    bool makes_keys;
};

template <std::size_t index>
void* begin_generation(void* provctx, int selection, const OSSL_PARAM[])
{
    return make<Generation>(provctx, hybrid_groups[index], (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0);
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
    const Provider& provider = wanted.provider;
    const HybridGroup& group = wanted.group;
    return guarded(provider, [&]() -> void* {
        auto key = std::make_unique<HybridKey>(HybridKey{provider, group});
        if (!wanted.makes_keys) return key.release();
        const girih_alg* ml_kem = group.ml_kem();
        key->share.resize(client_share_bytes(group));
        key->ml_kem_key.resize(girih_secret_key_bytes(ml_kem));
        const Parts<BytesOut<>> share = parts_of(group, BytesOut<>(key->share), group.classical.public_bytes);
        const int code = girih_keygen(ml_kem, nullptr, share.ml_kem.data(), share.ml_kem.size(),
                                      key->ml_kem_key.data(), key->ml_kem_key.size());
        if (code != GIRIH_OK) {
            provider.fail(code);
            return nullptr;
        }
        key->curve_key = new_classical_key(provider, group.classical);
        return key->curve_key && write_public(key->curve_key, share.curve) ? key.release() : nullptr;
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
    if (taken == nullptr || taken->share.empty()) return operation.provider.fail(Reason::no_key, "");
    operation.key = taken;
    return 1;
}

int begin_decapsulation(void* context, void* key, const OSSL_PARAM params[])
{
    if (begin_encapsulation(context, key, params) != 1) return 0;
    const HybridOperation& operation = operation_of(context);
    return operation.key->ml_kem_key.empty() ? operation.provider.fail(Reason::no_private_key, "") : 1;
}

int encapsulate(void* context, unsigned char* share, std::size_t* share_bytes, unsigned char* secret,
                std::size_t* secret_bytes)
{
    const HybridOperation& operation = operation_of(context);
    const Provider& provider = operation.provider;
    if (operation.key == nullptr) return provider.fail(Reason::no_key, "");
    const HybridKey& peer = *operation.key;
    return guarded(provider, [&] {
        const HybridGroup& group = peer.group;
        const std::size_t in_share = server_share_bytes(group);
        const std::size_t in_secret = both_secrets_bytes(group);
        if (share != nullptr && secret == nullptr) return provider.fail(Reason::parameter, "no secret");
        if (share != nullptr && (!provider.has_capacity("the share", share_bytes, in_share) ||
                                 !provider.has_capacity("the secret", secret_bytes, in_secret)))
            return 0;
        if (share_bytes != nullptr) *share_bytes = in_share;
        if (secret_bytes != nullptr) *secret_bytes = in_secret;
        if (share == nullptr) return 1;
        const BytesIn<> key = parts_of(group, BytesIn<>(peer.share), group.classical.public_bytes).ml_kem;
        const Parts<BytesOut<>> answer =
            parts_of(group, BytesOut<>(share, in_share), group.classical.public_bytes);
        SecretBytes both(in_secret);  // copied out once it has both parts
        const Parts<BytesOut<>> agreed = parts_of(group, BytesOut<>(both), group.classical.result_bytes);
        const ClassicalKey own = new_classical_key(provider, group.classical);
        if (!own || !write_public(own, answer.curve) || !agree(provider, own, peer.curve_key, agreed.curve))
            return 0;
        const int code =
            girih_encapsulate(group.ml_kem(), nullptr, key.data(), key.size(), answer.ml_kem.data(),
                              answer.ml_kem.size(), agreed.ml_kem.data(), agreed.ml_kem.size());
        if (code != GIRIH_OK) return provider.fail(code);
        copy(both, {secret, in_secret});
        return 1;
    });
}

int decapsulate(void* context, unsigned char* secret, std::size_t* secret_bytes, const unsigned char* share,
                std::size_t share_bytes)
{
    const HybridOperation& operation = operation_of(context);
    const Provider& provider = operation.provider;
    if (operation.key == nullptr) return provider.fail(Reason::no_key, "");
    const HybridKey& own = *operation.key;
    return guarded(provider, [&] {
        const HybridGroup& group = own.group;
        const std::size_t in_share = server_share_bytes(group);
        const std::size_t in_secret = both_secrets_bytes(group);
        if (secret != nullptr && !provider.has_capacity("the secret", secret_bytes, in_secret)) return 0;
        if (secret_bytes != nullptr) *secret_bytes = in_secret;
        if (secret == nullptr) return 1;
        if (share_bytes != in_share)
            return provider.fail(Reason::ciphertext_length, length_of(share_bytes, in_share));
        const Parts<BytesIn<>> sent =
            parts_of(group, BytesIn<>(share, in_share), group.classical.public_bytes);
        SecretBytes both(in_secret);  // copied out once it has both parts
        const Parts<BytesOut<>> agreed = parts_of(group, BytesOut<>(both), group.classical.result_bytes);
        const ClassicalKey peer = classical_public(provider, group.classical, "the share", sent.curve);
        if (!peer || !agree(provider, own.curve_key, peer, agreed.curve)) return 0;
        const int code = girih_decapsulate(group.ml_kem(), own.ml_kem_key.data(), own.ml_kem_key.size(),
                                           sent.ml_kem.data(), sent.ml_kem.size(), agreed.ml_kem.data(),
                                           agreed.ml_kem.size());
        if (code != GIRIH_OK) return provider.fail(code);
        copy(both, {secret, in_secret});
        return 1;
    });
}

template <std::size_t index>
void* new_key(void* provctx)
{
    return make<HybridKey>(provctx, hybrid_groups[index]);
}

}  // namespace

template <std::size_t index>
const OSSL_DISPATCH* hybrid_key_manager() noexcept
{
    static const OSSL_DISPATCH table[] = {
        entry<OSSL_FUNC_keymgmt_new_fn>(OSSL_FUNC_KEYMGMT_NEW, new_key<index>),
        entry<OSSL_FUNC_keymgmt_free_fn>(OSSL_FUNC_KEYMGMT_FREE, destroy<HybridKey>),
        entry<OSSL_FUNC_keymgmt_has_fn>(OSSL_FUNC_KEYMGMT_HAS, has),
        entry<OSSL_FUNC_keymgmt_match_fn>(OSSL_FUNC_KEYMGMT_MATCH, match),
        entry<OSSL_FUNC_keymgmt_gettable_params_fn>(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable),
        entry<OSSL_FUNC_keymgmt_get_params_fn>(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params),
        entry<OSSL_FUNC_keymgmt_settable_params_fn>(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, settable_share),
        entry<OSSL_FUNC_keymgmt_set_params_fn>(OSSL_FUNC_KEYMGMT_SET_PARAMS, set_params),
        entry<OSSL_FUNC_keymgmt_gen_init_fn>(OSSL_FUNC_KEYMGMT_GEN_INIT, begin_generation<index>),
        entry<OSSL_FUNC_keymgmt_gen_settable_params_fn>(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS,
                                                        settable_of_generation),
        entry<OSSL_FUNC_keymgmt_gen_set_params_fn>(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, set_generation_params),
        entry<OSSL_FUNC_keymgmt_gen_fn>(OSSL_FUNC_KEYMGMT_GEN, generate),
        entry<OSSL_FUNC_keymgmt_gen_cleanup_fn>(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, destroy<Generation>),
        end_of_dispatch,
    };
    return table;
}

template const OSSL_DISPATCH* hybrid_key_manager<0>() noexcept;
template const OSSL_DISPATCH* hybrid_key_manager<1>() noexcept;
template const OSSL_DISPATCH* hybrid_key_manager<2>() noexcept;

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
