/// OpenSSL with girih's provider beside its own, for tests.
#pragma once

#include <gtest/gtest.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/x509.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "provider/owned.hpp"

namespace girih::tests {

using Bytes = std::vector<std::uint8_t>;

using provider::Owned;
using Key = Owned<EVP_PKEY, EVP_PKEY_free>;
using KeyContext = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using Certificate = Owned<X509, X509_free>;
using Stream = Owned<BIO, BIO_free>;

inline constexpr const char* from_girih = "provider=girih";

// In programs that tools/mutate builds, the provider is linked into the tests.
#pragma weak OSSL_provider_init

inline void find_girih(OSSL_LIB_CTX* context)
{
    OSSL_PROVIDER_set_default_search_path(context, GIRIH_PROVIDER_FOLDER);
    if (OSSL_provider_init != nullptr)
        OSSL_PROVIDER_add_builtin(context, "girih-provider", OSSL_provider_init);
}

/// The library's context with both providers, made once.
inline OSSL_LIB_CTX* library()
{
    struct Loaded {
        Owned<OSSL_LIB_CTX, OSSL_LIB_CTX_free> context{OSSL_LIB_CTX_new()};
        Owned<OSSL_PROVIDER, OSSL_PROVIDER_unload> standard;
        Owned<OSSL_PROVIDER, OSSL_PROVIDER_unload> girih;
        Loaded()
        {
            find_girih(context.get());
            standard.reset(OSSL_PROVIDER_load(context.get(), "default"));
            girih.reset(OSSL_PROVIDER_load(context.get(), "girih-provider"));
            if (!standard || !girih) ERR_print_errors_fp(stderr), std::abort();
        }
    };
    static const Loaded loaded;
    return loaded.context.get();
}

/// Takes the error queue: each error's reason and line, one after another.
inline std::string errors()
{
    std::string all;
    const char* data = nullptr;
    int flags = 0;
    while (const unsigned long code = ERR_get_error_all(nullptr, nullptr, nullptr, &data, &flags)) {
        const char* reason = ERR_reason_error_string(code);
        all += std::string(reason != nullptr ? reason : "?") + ": " + (data != nullptr ? data : "") + "\n";
    }
    return all;
}

inline testing::AssertionResult says(const std::string& what)
{
    const std::string all = errors();
    if (all.find(what) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no '" << what << "' in the errors:\n" << all;
}

inline Key generated(const char* algorithm, const OSSL_PARAM* params = nullptr)
{
    const KeyContext context(EVP_PKEY_CTX_new_from_name(library(), algorithm, from_girih));
    EVP_PKEY* key = nullptr;
    if (!context || EVP_PKEY_keygen_init(context.get()) != 1) return nullptr;
    if (params != nullptr && EVP_PKEY_CTX_set_params(context.get(), params) != 1) return nullptr;
    (void)EVP_PKEY_generate(context.get(), &key);
    return Key(key);
}

/// A key from parameters; null if they are none.
inline Key imported(const char* algorithm, const OSSL_PARAM* params, int selection = EVP_PKEY_KEYPAIR)
{
    const KeyContext context(EVP_PKEY_CTX_new_from_name(library(), algorithm, from_girih));
    EVP_PKEY* key = nullptr;
    EXPECT_EQ(EVP_PKEY_fromdata_init(context.get()), 1);
    (void)EVP_PKEY_fromdata(context.get(), &key, selection, const_cast<OSSL_PARAM*>(params));
    return Key(key);
}

inline Bytes encoded(const Key& key, int selection, const char* structure)
{
    const Owned<OSSL_ENCODER_CTX, OSSL_ENCODER_CTX_free> encoder(
        OSSL_ENCODER_CTX_new_for_pkey(key.get(), selection, "DER", structure, nullptr));
    unsigned char* data = nullptr;
    std::size_t bytes = 0;
    if (OSSL_ENCODER_to_data(encoder.get(), &data, &bytes) != 1) return {};
    Bytes der(data, data + bytes);
    OPENSSL_free(data);
    return der;
}
inline Bytes private_der(const Key& key) { return encoded(key, EVP_PKEY_KEYPAIR, "PrivateKeyInfo"); }
inline Bytes public_der(const Key& key) { return encoded(key, EVP_PKEY_PUBLIC_KEY, "SubjectPublicKeyInfo"); }

/// To read from; the bytes live longer.
inline Stream stream_of(const Bytes& bytes)
{
    return Stream(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

/// A key in DER or PEM; null if it is none.
inline Key decoded(const Bytes& file, int selection, const char* algorithm = nullptr)
{
    EVP_PKEY* key = nullptr;
    const Owned<OSSL_DECODER_CTX, OSSL_DECODER_CTX_free> decoder(
        OSSL_DECODER_CTX_new_for_pkey(&key, nullptr, nullptr, algorithm, selection, library(), from_girih));
    // PEM is taken apart by OpenSSL's own provider.
    (void)OSSL_DECODER_from_bio(decoder.get(), stream_of(file).get());
    return Key(key);
}

inline Bytes octets(const Key& key, const char* name)
{
    Bytes bytes(16384);
    std::size_t count = 0;
    if (EVP_PKEY_get_octet_string_param(key.get(), name, bytes.data(), bytes.size(), &count) != 1) return {};
    bytes.resize(count);
    return bytes;
}

/// For INSTANTIATE_TEST_SUITE_P of algorithms' names.
inline std::string name_of(const testing::TestParamInfo<const char*>& set)
{
    std::string name = set.param;
    std::erase(name, '-');
    return name;
}

/// The folder of vectors, or an empty path.
inline std::filesystem::path vectors()
{
    const char* folder = std::getenv("GIRIH_VECTORS");
    return folder != nullptr ? folder : "";
}

inline Bytes contents(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace girih::tests
