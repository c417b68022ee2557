/// Decoders: PKCS#8 and SubjectPublicKeyInfo in DER, by girih's library of key files. (OpenSSL's
/// own decoders make DER of PEM, and decrypt.)

#include <openssl/core_names.h>
#include <openssl/core_object.h>

#include <algorithm>
#include <array>

#include "provider/composite.hpp"
#include "provider/dispatch.hpp"
#include "provider/parameters.hpp"

namespace girih::provider {
namespace {

enum class Structure { private_key_info, public_key_info };

constexpr std::array<const char*, 2> properties{
    "provider=girih,input=der,structure=PrivateKeyInfo",
    "provider=girih,input=der,structure=SubjectPublicKeyInfo",
};

struct Decoder {
    const Provider& provider;
    const Algorithm& algorithm;
};

template <std::size_t index>
void* new_context(void* provctx)
{
    return make<Decoder>(provctx, algorithm_at(index));
}

/// Whether a structure names the algorithm. All other input is left to other decoders, which
/// OpenSSL tries one after another.
template <Structure structure>
bool names(BytesIn<> der, const Algorithm& wanted)
{
    std::optional<key_files::Error> error;
    key_files::der::Reader file(der, "the key", error);
    key_files::der::Reader key = file.inside(key_files::der::sequence, "the key");
    if constexpr (structure == Structure::private_key_info)
        (void)key.element(key_files::der::integer, "version");
    key_files::der::Reader algorithm = key.inside(key_files::der::sequence, "AlgorithmIdentifier");
    const BytesIn<> identifier = algorithm.element(key_files::der::object_identifier, "algorithm");
    return !error && std::ranges::equal(identifier, identified(wanted).identifier);
}

std::shared_ptr<const Key> read_private(const Decoder& decoder, BytesIn<> der)
{
    if (decoder.algorithm.composite != nullptr)
        return read_composite_private(decoder.provider, decoder.algorithm, der);
    key_files::Found found;
    auto key = key_files::read_pkcs8(der, found);
    return key_of_result(decoder.provider, std::move(key), found.form);
}

std::shared_ptr<const Key> read_public(const Decoder& decoder, BytesIn<> der)
{
    if (decoder.algorithm.composite != nullptr)
        return read_composite_public(decoder.provider, decoder.algorithm, der);
    key_files::Found found;
    return key_of_result(decoder.provider, key_files::read_public_key_info(der, found));
}

/// Passes a key as a reference, which the key manager's load() takes over.
int hand_over(const Decoder& decoder, std::shared_ptr<const Key> key, OSSL_CALLBACK* callback, void* argument)
{
    auto* reference = new KeyObject{decoder.provider, decoder.algorithm, std::move(key)};
    int type = OSSL_OBJECT_PKEY;
    const std::array params{
        OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &type),
        text(OSSL_OBJECT_PARAM_DATA_TYPE, decoder.algorithm.name),
        OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_REFERENCE, static_cast<void*>(&reference),
                                          sizeof reference),
        OSSL_PARAM_construct_end(),
    };
    const int taken = callback(params.data(), argument);
    delete reference;  // null if load() took it
    return taken;
}

/// Returns 1 without passing a key if the DER is not this decoder's, so that the core tries others.
template <Structure structure>
int decode(void* context, OSSL_CORE_BIO* in, int, OSSL_CALLBACK* callback, void* argument,
           OSSL_PASSPHRASE_CALLBACK*, void*)
{
    const auto& decoder = *static_cast<const Decoder*>(context);
    return guarded(decoder.provider, [&] {
        const auto der = decoder.provider.read_all(in);
        if (!der || !names<structure>(*der, decoder.algorithm)) return 1;
        auto key = structure == Structure::private_key_info ? read_private(decoder, *der)
                                                            : read_public(decoder, *der);
        return key ? hand_over(decoder, std::move(key), callback, argument) : 0;
    });
}

template <Structure structure>
int does_selection(void*, int selection)
{
    if (selection == 0) return 1;
    constexpr int half = structure == Structure::private_key_info ? OSSL_KEYMGMT_SELECT_PRIVATE_KEY
                                                                  : OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
    return (selection & half) != 0 ? 1 : 0;
}

/// Exports a key to another provider's key manager.
int export_object(void* context, const void* reference, std::size_t bytes, OSSL_CALLBACK* callback,
                  void* argument)
{
    const auto& decoder = *static_cast<const Decoder*>(context);
    if (bytes != sizeof(KeyObject*)) return 0;
    const KeyObject* object = *static_cast<KeyObject* const*>(reference);
    if (object == nullptr || !object->key) return 0;
    return guarded(decoder.provider,
                   [&] { return export_key(*object->key, OSSL_KEYMGMT_SELECT_KEYPAIR, callback, argument); });
}

template <std::size_t algorithm, Structure structure>
const OSSL_DISPATCH* functions()
{
    static const OSSL_DISPATCH table[] = {
        entry<OSSL_FUNC_decoder_newctx_fn>(OSSL_FUNC_DECODER_NEWCTX, new_context<algorithm>),
        entry<OSSL_FUNC_decoder_freectx_fn>(OSSL_FUNC_DECODER_FREECTX, destroy<Decoder>),
        entry<OSSL_FUNC_decoder_does_selection_fn>(OSSL_FUNC_DECODER_DOES_SELECTION,
                                                   does_selection<structure>),
        entry<OSSL_FUNC_decoder_decode_fn>(OSSL_FUNC_DECODER_DECODE, decode<structure>),
        entry<OSSL_FUNC_decoder_export_object_fn>(OSSL_FUNC_DECODER_EXPORT_OBJECT, export_object),
        end_of_dispatch,
    };
    return table;
}

}  // namespace

const OSSL_ALGORITHM* decoders(const Provider& provider) noexcept
{
    static const auto table = rows_and_end<algorithm_count * properties.size()>([](auto index) {
        constexpr std::size_t algorithm = index / properties.size();
        constexpr std::size_t structure = index % properties.size();
        return row_of(algorithm_at(algorithm), functions<algorithm, Structure{structure}>(),
                      properties[structure]);
    });
    return known_rows(provider, table.data(), properties.size());
}

}  // namespace girih::provider
