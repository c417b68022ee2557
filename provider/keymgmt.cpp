/// Key management: generating, importing, exporting, comparing and describing keys.

#include <openssl/core_names.h>

#include "provider/composite.hpp"
#include "provider/dispatch.hpp"
#include "provider/parameters.hpp"

namespace girih::provider {
namespace {

KeyObject& object_of(void* key) { return *static_cast<KeyObject*>(key); }
const KeyObject& object_of(const void* key) { return *static_cast<const KeyObject*>(key); }

template <std::size_t index>
void* new_key(void* provctx)
{
    return make<KeyObject>(provctx, algorithm_at(index));
}

/// Takes over the object of a decoder: the reference is a pointer to it.
void* load(const void* reference, std::size_t bytes)
{
    if (bytes != sizeof(KeyObject*)) return nullptr;
    return std::exchange(*static_cast<KeyObject**>(const_cast<void*>(reference)),  // NOLINT(*-const-cast)
                         nullptr);
}

void* copy_selected(const void* from, int selection)
{
    const KeyObject& source = object_of(from);
    return guarded(source.provider, [&]() -> void* {
        auto copy = std::make_unique<KeyObject>(source);
        const bool keeps_private = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
        if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
            copy->key.reset();
        else if (copy->key && copy->key->has_private() && !keeps_private) {
            copy->key = key_of_public(source.provider, source.algorithm, source.key->public_key());
            if (!copy->key) return nullptr;
        }
        return copy.release();
    });
}

int has(const void* key, int selection)
{
    if (key == nullptr) return 0;  // an EVP_PKEY with a type and no key
    const KeyObject& object = object_of(key);
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && !object.key) return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && !(object.key && object.key->has_private()))
        return 0;
    return 1;
}

/// Compares public keys only: reading a private key has checked that it belongs to its public key.
int match(const void* a, const void* b, int selection)
{
    const KeyObject& first = object_of(a);
    const KeyObject& second = object_of(b);
    if (&first.algorithm != &second.algorithm) return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return 1;
    if (!first.key || !second.key) return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) == 0 &&
        !(first.key->has_private() && second.key->has_private()))
        return 0;
    return first.key->public_key() == second.key->public_key() ? 1 : 0;
}

int validate(const void* key, int selection, int)
{
    const KeyObject& object = object_of(key);
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return 1;
    if (!object.key) return object.provider.fail(Reason::no_key, "");
    return guarded(object.provider, [&] {
        const Key& held = *object.key;
        const bool checks_private = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
        if (checks_private && !held.has_private()) return object.provider.fail(Reason::no_private_key, "");
        return (checks_private ? key_of_parts(object.provider, object.algorithm, held.parts.seed,
                                              held.private_key(), held.public_key())
                               : key_of_public(object.provider, object.algorithm, held.public_key()))
                   ? 1
                   : 0;
    });
}

int import(void* key, int selection, const OSSL_PARAM params[])
{
    KeyObject& object = object_of(key);
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return 0;
    return guarded(object.provider, [&] {
        auto imported = import_key(object.provider, object.algorithm, selection, params);
        if (!imported) return 0;
        object.key = std::move(imported);
        return 1;
    });
}

int export_to(void* key, int selection, OSSL_CALLBACK* callback, void* argument)
{
    const KeyObject& object = object_of(key);
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return 0;
    return object.key ? export_key(*object.key, selection, callback, argument) : 0;
}

const OSSL_PARAM* transported(int selection)
{
    static const OSSL_PARAM private_and_public[] = {
        OSSL_PARAM_octet_string("seed", nullptr, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, nullptr, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, nullptr, 0),
        OSSL_PARAM_END,
    };
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return nullptr;
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 ? private_and_public : private_and_public + 2;
}

// ---- Parameters

const OSSL_PARAM* gettable(void*)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, nullptr),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, nullptr),
        OSSL_PARAM_int("security-category", nullptr),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, nullptr),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, nullptr, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, nullptr, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, nullptr, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, nullptr, 0),
        OSSL_PARAM_octet_string("seed", nullptr, 0),
        OSSL_PARAM_END,
    };
    return known;
}

int get_params(void* key, OSSL_PARAM params[])
{
    const KeyObject& object = object_of(key);
    const girih_alg* alg = object.algorithm.alg();
    const bool is_kem = girih_is_kem(alg) == 1;
    OSSL_PARAM* digest = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MANDATORY_DIGEST);
    // An empty name: the algorithm uses no digest.
    if (digest != nullptr && !is_kem && OSSL_PARAM_set_utf8_string(digest, "") != 1) return 0;
    if (!set_number(params, OSSL_PKEY_PARAM_BITS, 8 * public_key_bytes(object.algorithm)) ||
        !set_number(params, OSSL_PKEY_PARAM_SECURITY_BITS, object.algorithm.security_bits) ||
        !set_number(params, "security-category",
                    static_cast<std::size_t>(object.algorithm.security_category)) ||
        !set_number(params, OSSL_PKEY_PARAM_MAX_SIZE,
                    is_kem ? ciphertext_bytes(object.algorithm) : signature_bytes(object.algorithm)))
        return 0;
    if (!object.key) return 1;
    const Key& held = *object.key;
    return set_octets(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, held.public_key()) &&
                   set_octets(params, OSSL_PKEY_PARAM_PUB_KEY, held.public_key()) &&
                   set_octets(params, OSSL_PKEY_PARAM_PRIV_KEY, held.private_key()) &&
                   set_octets(params, "seed", held.parts.seed)
               ? 1
               : 0;
}

/// TLS passes the peer's share by this.
int set_params(void* key, const OSSL_PARAM params[])
{
    KeyObject& object = object_of(key);
    const OSSL_PARAM* encoded = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    if (encoded == nullptr) return 1;
    const auto bytes = octets_of(*encoded);
    if (!bytes) return object.provider.fail(Reason::parameter, "");
    return guarded(object.provider, [&] {
        auto shown = key_of_public(object.provider, object.algorithm, *bytes);
        if (!shown) return 0;
        object.key = std::move(shown);
        return 1;
    });
}

// ---- Generation

/// The parameters of key generation.
struct Generation {
    const Provider& provider;
    const Algorithm& algorithm;
    bool makes_keys;  ///< else an empty object for a peer's key
    std::optional<SecretBytes> seed = {};
    std::optional<key_files::PrivateForm> form = {};
};

/// Sets all parameters, or none.
int set_generation_params(void* generation, const OSSL_PARAM params[])
{
    auto& wanted = *static_cast<Generation*>(generation);
    const OSSL_PARAM* seed = OSSL_PARAM_locate_const(params, "seed");
    const OSSL_PARAM* form = OSSL_PARAM_locate_const(params, "private-form");
    return guarded(wanted.provider, [&] {
        auto named = wanted.form;
        if (form != nullptr) {
            named = form_named(text_of(*form).value_or(""));
            if (!named)
                return wanted.provider.fail(Reason::parameter, "private-form must be seed, expanded or both");
        }
        if (seed != nullptr) {
            const auto bytes = octets_of(*seed);
            if (!bytes) return wanted.provider.fail(Reason::parameter, "seed");
            wanted.seed = SecretBytes(bytes->begin(), bytes->end());
        }
        wanted.form = named;
        return 1;
    });
}

template <std::size_t index>
void* begin_generation(void* provctx, int selection, const OSSL_PARAM params[])
{
    const auto& provider = *static_cast<Provider*>(provctx);
    return guarded(provider, [&]() -> void* {
        const bool makes_keys = (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
        auto wanted = std::make_unique<Generation>(Generation{provider, algorithm_at(index), makes_keys});
        if (params != nullptr && set_generation_params(wanted.get(), params) != 1) return nullptr;
        return wanted.release();
    });
}

/// TLS sets "group", to the key's own group.
const OSSL_PARAM* settable_of_generation(void*, void*)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string("seed", nullptr, 0),
        OSSL_PARAM_utf8_string("private-form", nullptr, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, nullptr, 0),
        OSSL_PARAM_END,
    };
    return known;
}

void* generate(void* generation, OSSL_CALLBACK*, void*)
{
    auto& wanted = *static_cast<Generation*>(generation);
    return guarded(wanted.provider, [&]() -> void* {
        auto object = std::make_unique<KeyObject>(KeyObject{wanted.provider, wanted.algorithm});
        if (!wanted.makes_keys) return object.release();
        if (wanted.algorithm.composite != nullptr) {
            const bool is_told = wanted.seed || wanted.form;
            if (is_told)
                wanted.provider.fail(Reason::parameter, "a composite key has neither seed nor form");
            else
                object->key = generate_composite(wanted.provider, wanted.algorithm);
            return object->key ? object.release() : nullptr;
        }
        const girih_alg* alg = wanted.algorithm.alg();
        auto made = wanted.seed ? key_files::from_seed(alg, *wanted.seed) : key_files::generate(alg);
        if (!made) {
            const bool is_length = made.error().problem == key_files::Problem::private_key_length;
            wanted.provider.fail(is_length ? Reason::key_length : Reason::library, made.error().message);
            return nullptr;
        }
        const auto form = wanted.form.value_or(chosen_form(wanted.provider, *made));
        // Checks now, not when the key is written, that the algorithm's files have the form.
        const auto written = key_files::write_private_key(*made, form, key_files::Format::der);
        if (!written) {
            wanted.provider.fail(Reason::parameter, written.error().message);
            return nullptr;
        }
        object->key = std::make_shared<const Key>(Key{std::move(*made), form});
        return object.release();
    });
}

template <std::size_t index>
const OSSL_DISPATCH* functions()
{
    static const OSSL_DISPATCH table[] = {
        entry<OSSL_FUNC_keymgmt_new_fn>(OSSL_FUNC_KEYMGMT_NEW, new_key<index>),
        entry<OSSL_FUNC_keymgmt_free_fn>(OSSL_FUNC_KEYMGMT_FREE, destroy<KeyObject>),
        entry<OSSL_FUNC_keymgmt_load_fn>(OSSL_FUNC_KEYMGMT_LOAD, load),
        entry<OSSL_FUNC_keymgmt_dup_fn>(OSSL_FUNC_KEYMGMT_DUP, copy_selected),
        entry<OSSL_FUNC_keymgmt_has_fn>(OSSL_FUNC_KEYMGMT_HAS, has),
        entry<OSSL_FUNC_keymgmt_match_fn>(OSSL_FUNC_KEYMGMT_MATCH, match),
        entry<OSSL_FUNC_keymgmt_validate_fn>(OSSL_FUNC_KEYMGMT_VALIDATE, validate),
        entry<OSSL_FUNC_keymgmt_import_fn>(OSSL_FUNC_KEYMGMT_IMPORT, import),
        entry<OSSL_FUNC_keymgmt_import_types_fn>(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, transported),
        entry<OSSL_FUNC_keymgmt_export_fn>(OSSL_FUNC_KEYMGMT_EXPORT, export_to),
        entry<OSSL_FUNC_keymgmt_export_types_fn>(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, transported),
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

}  // namespace

const OSSL_PARAM* settable_share(void*)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, nullptr, 0),
        OSSL_PARAM_END,
    };
    return known;
}

const OSSL_ALGORITHM* key_managers(const Provider& provider) noexcept
{
    static const auto table = rows_and_end<algorithm_count + hybrid_groups.size()>([](auto index) {
        if constexpr (index < algorithm_count) {
            return row_of(algorithm_at(index), functions<index>());
        } else {
            constexpr std::size_t hybrid = index - algorithm_count;
            return row_of(hybrid_groups[hybrid], hybrid_key_manager<hybrid>());
        }
    });
    return known_rows(provider, table.data());
}

}  // namespace girih::provider
