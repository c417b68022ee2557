/// Encoders: PKCS#8 (plain and encrypted) and SubjectPublicKeyInfo in PEM and DER, and text.

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include <array>

#include "key_files/encoding/pem.hpp"
#include "provider/composite.hpp"
#include "provider/dispatch.hpp"
#include "provider/parameters.hpp"
#include "provider/text.hpp"

namespace girih::provider {
namespace {

enum class Structure { private_key_info, encrypted_private_key_info, public_key_info, text };
enum class Output { der, pem };

struct Encoding {
    Structure structure;
    Output output;
    const char* properties;
};

constexpr std::array<Encoding, 7> encodings{{
    {Structure::private_key_info, Output::der, "provider=girih,output=der,structure=PrivateKeyInfo"},
    {Structure::private_key_info, Output::pem, "provider=girih,output=pem,structure=PrivateKeyInfo"},
    {Structure::encrypted_private_key_info, Output::der,
     "provider=girih,output=der,structure=EncryptedPrivateKeyInfo"},
    {Structure::encrypted_private_key_info, Output::pem,
     "provider=girih,output=pem,structure=EncryptedPrivateKeyInfo"},
    {Structure::public_key_info, Output::der, "provider=girih,output=der,structure=SubjectPublicKeyInfo"},
    {Structure::public_key_info, Output::pem, "provider=girih,output=pem,structure=SubjectPublicKeyInfo"},
    {Structure::text, Output::pem, "provider=girih,output=text"},
}};

struct Encoder {
    const Provider& provider;
    std::string cipher = {};  ///< for an encrypted private key; empty if not encrypted
    std::string properties = {};
};

const OSSL_PARAM* settable(void*)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_CIPHER, nullptr, 0),
        OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_PROPERTIES, nullptr, 0),
        OSSL_PARAM_END,
    };
    return known;
}

int set_params(void* context, const OSSL_PARAM params[])
{
    auto& encoder = *static_cast<Encoder*>(context);
    return guarded(encoder.provider, [&] {
        const auto take = [&](const char* name, std::string& value) {
            const OSSL_PARAM* param = OSSL_PARAM_locate_const(params, name);
            if (param == nullptr) return true;
            const auto text = text_of(*param);
            if (!text)
                return encoder.provider.fail(Reason::parameter, std::string(name) + " is not text") == 1;
            value = *text;
            return true;
        };
        return take(OSSL_ENCODER_PARAM_CIPHER, encoder.cipher) &&
                       take(OSSL_ENCODER_PARAM_PROPERTIES, encoder.properties)
                   ? 1
                   : 0;
    });
}

struct Passphrase {
    OSSL_PASSPHRASE_CALLBACK* ask;
    void* argument;
};

/// EncryptedPrivateKeyInfo (RFC 5958, Section 3) of a PrivateKeyInfo, by OpenSSL's ciphers; empty,
/// with an error in the queue, on failure.
SecretBytes encrypted(const Encoder& encoder, const SecretBytes& der, const Passphrase& passphrase)
{
    const auto fail = [&](const std::string& what) {
        encoder.provider.fail(Reason::encryption, what);
        return SecretBytes();
    };
    if (encoder.cipher.empty()) return fail("no cipher is named");
    SecretBytes phrase(1024);
    std::size_t phrase_bytes = 0;
    if (passphrase.ask == nullptr || passphrase.ask(reinterpret_cast<char*>(phrase.data()), phrase.size(),
                                                    &phrase_bytes, nullptr, passphrase.argument) != 1)
        return fail("there is no passphrase");
    const Owned<EVP_CIPHER, EVP_CIPHER_free> cipher(
        EVP_CIPHER_fetch(encoder.provider.library(), encoder.cipher.c_str(), encoder.properties.c_str()));
    if (!cipher) return fail("there is no cipher " + encoder.cipher);
    const std::uint8_t* cursor = der.data();
    const Owned<PKCS8_PRIV_KEY_INFO, PKCS8_PRIV_KEY_INFO_free> info(
        d2i_PKCS8_PRIV_KEY_INFO(nullptr, &cursor, static_cast<long>(der.size())));
    if (!info) return fail("");
    const Owned<X509_SIG, X509_SIG_free> sealed(PKCS8_encrypt_ex(
        -1, cipher.get(), reinterpret_cast<const char*>(phrase.data()), static_cast<int>(phrase_bytes),
        nullptr, 0, 0, info.get(), encoder.provider.library(), encoder.properties.c_str()));
    if (!sealed) return fail(encoder.cipher);
    const int bytes = i2d_X509_SIG(sealed.get(), nullptr);
    if (bytes <= 0) return fail("");
    SecretBytes out(static_cast<std::size_t>(bytes));
    unsigned char* end = out.data();
    return i2d_X509_SIG(sealed.get(), &end) == bytes ? out : fail("");
}

int write_private(const Encoder& encoder, OSSL_CORE_BIO* out, const Encoding& encoding,
                  const KeyObject& object, const Passphrase& passphrase)
{
    const Key& key = *object.key;
    if (!key.has_private()) return encoder.provider.fail(Reason::no_private_key, "");
    auto der = key.composite.set != nullptr
                   ? composite_private_info(object.algorithm, key)
                   : key_files::write_private_key(key.parts, key.form, key_files::Format::der);
    if (!der) return encoder.provider.fail(Reason::malformed_key, der.error().message);
    const bool encrypts =
        encoding.structure == Structure::encrypted_private_key_info || !encoder.cipher.empty();
    SecretBytes content = encrypts ? encrypted(encoder, *der, passphrase) : std::move(*der);
    if (content.empty()) return 0;
    if (encoding.output == Output::pem)
        content = key_files::pem::encode(encrypts ? "ENCRYPTED PRIVATE KEY" : "PRIVATE KEY", content);
    return encoder.provider.write_all(out, content) ? 1 : 0;
}

int write_public(const Encoder& encoder, OSSL_CORE_BIO* out, const Encoding& encoding,
                 const KeyObject& object)
{
    const Key& key = *object.key;
    const SecretBytes der = key.composite.set != nullptr
                                ? composite_public_info(object.algorithm, key)
                                : key_files::encode_public_key_info({key.parts.alg, key.parts.public_key});
    const bool is_pem = encoding.output == Output::pem;
    return encoder.provider.write_all(out, is_pem ? key_files::pem::encode("PUBLIC KEY", der) : der) ? 1 : 0;
}

int write(const Encoder& encoder, OSSL_CORE_BIO* out, const Encoding& encoding, const KeyObject& object,
          int selection, const Passphrase& passphrase)
{
    if (!object.key) return encoder.provider.fail(Reason::no_key, "");
    switch (encoding.structure) {
        case Structure::private_key_info:
        case Structure::encrypted_private_key_info:
            return write_private(encoder, out, encoding, object, passphrase);
        case Structure::public_key_info:
            return write_public(encoder, out, encoding, object);
        case Structure::text:
            break;
    }
    const bool with_private = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
    return encoder.provider.write_all(out, as_text(object, with_private)) ? 1 : 0;
}

template <std::size_t encoding>
int encode(void* context, OSSL_CORE_BIO* out, const void* key, const OSSL_PARAM abstract[], int selection,
           OSSL_PASSPHRASE_CALLBACK* ask, void* argument)
{
    const auto& encoder = *static_cast<const Encoder*>(context);
    if (abstract != nullptr || key == nullptr)
        return encoder.provider.fail(Reason::parameter, "no key object");
    return guarded(encoder.provider, [&] {
        return write(encoder, out, encodings[encoding], *static_cast<const KeyObject*>(key), selection,
                     {ask, argument});
    });
}

/// A private key's structure may be requested for either selection, because it has both keys.
template <std::size_t encoding>
int does_selection(void*, int selection)
{
    constexpr int whole_key = OSSL_KEYMGMT_SELECT_KEYPAIR;
    constexpr int public_half = OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
    constexpr int private_half = OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
    switch (encodings[encoding].structure) {
        case Structure::text:
            return (selection & whole_key) != 0 ? 1 : 0;
        case Structure::public_key_info:
            return (selection & whole_key) == public_half || selection == 0 ? 1 : 0;
        default:
            return (selection & private_half) != 0 || selection == 0 ? 1 : 0;
    }
}

/// A key of another provider, imported for encoding.
template <std::size_t algorithm>
void* import_object(void* context, int selection, const OSSL_PARAM params[])
{
    const auto& encoder = *static_cast<const Encoder*>(context);
    return guarded(encoder.provider, [&]() -> void* {
        auto object = std::make_unique<KeyObject>(KeyObject{encoder.provider, algorithm_at(algorithm)});
        object->key = import_key(encoder.provider, object->algorithm, selection, params);
        return object->key ? object.release() : nullptr;
    });
}

template <std::size_t algorithm, std::size_t encoding>
const OSSL_DISPATCH* functions()
{
    static const OSSL_DISPATCH table[] = {
        entry<OSSL_FUNC_encoder_newctx_fn>(OSSL_FUNC_ENCODER_NEWCTX, make<Encoder>),
        entry<OSSL_FUNC_encoder_freectx_fn>(OSSL_FUNC_ENCODER_FREECTX, destroy<Encoder>),
        entry<OSSL_FUNC_encoder_settable_ctx_params_fn>(OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, settable),
        entry<OSSL_FUNC_encoder_set_ctx_params_fn>(OSSL_FUNC_ENCODER_SET_CTX_PARAMS, set_params),
        entry<OSSL_FUNC_encoder_does_selection_fn>(OSSL_FUNC_ENCODER_DOES_SELECTION,
                                                   does_selection<encoding>),
        entry<OSSL_FUNC_encoder_encode_fn>(OSSL_FUNC_ENCODER_ENCODE, encode<encoding>),
        entry<OSSL_FUNC_encoder_import_object_fn>(OSSL_FUNC_ENCODER_IMPORT_OBJECT, import_object<algorithm>),
        entry<OSSL_FUNC_encoder_free_object_fn>(OSSL_FUNC_ENCODER_FREE_OBJECT, destroy<KeyObject>),
        end_of_dispatch,
    };
    return table;
}

}  // namespace

const OSSL_ALGORITHM* encoders(const Provider& provider) noexcept
{
    static const auto table = rows_and_end<algorithm_count * encodings.size()>([](auto index) {
        constexpr std::size_t algorithm = index / encodings.size();
        constexpr std::size_t encoding = index % encodings.size();
        return row_of(algorithm_at(algorithm), functions<algorithm, encoding>(),
                      encodings[encoding].properties);
    });
    return known_rows(provider, table.data(), encodings.size());
}

}  // namespace girih::provider
