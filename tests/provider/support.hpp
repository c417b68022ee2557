/// OpenSSL with girih's provider beside its own, for tests.
#pragma once

#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "provider/owned.hpp"

namespace girih::tests {

using Bytes = std::vector<std::uint8_t>;

using provider::Owned;
using Key = Owned<EVP_PKEY, EVP_PKEY_free>;
using KeyContext = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using DigestContext = Owned<EVP_MD_CTX, EVP_MD_CTX_free>;
using Exported = Owned<OSSL_PARAM, OSSL_PARAM_free>;
using Stream = Owned<BIO, BIO_free>;
using Module = Owned<OSSL_PROVIDER, OSSL_PROVIDER_unload>;
using Library = Owned<OSSL_LIB_CTX, OSSL_LIB_CTX_free>;

inline constexpr const char* from_girih = "provider=girih";

// In programs that tools/mutate builds, the provider is linked into the tests.
#pragma weak OSSL_provider_init

/// A library's context that finds girih's provider, with none loaded.
inline Library new_library()
{
    Library context(OSSL_LIB_CTX_new());
    OSSL_PROVIDER_set_default_search_path(context.get(), GIRIH_PROVIDER_FOLDER);
    if (OSSL_provider_init != nullptr)
        OSSL_PROVIDER_add_builtin(context.get(), "girih-provider", OSSL_provider_init);
    return context;
}

/// The context with both providers, and settings of girih's in a configuration; null if that is
/// refused.
inline Library configured(const std::string& settings)
{
    static std::atomic<int> count = 0;
    const std::string path =
        testing::TempDir() + "girih-" + std::to_string(getpid()) + "-" + std::to_string(count++) + ".cnf";
    std::ofstream(path) << "openssl_conf = init\n[init]\nproviders = all\n[all]\ndefault = standard\n"
                           "girih-provider = girih\n[standard]\nactivate = 1\n[girih]\nactivate = 1\n"
                        << settings << "\n";
    Library context = new_library();
    const bool is_read = OSSL_LIB_CTX_load_config(context.get(), path.c_str()) == 1;
    std::filesystem::remove(path);
    return is_read ? std::move(context) : nullptr;
}

/// The context with both providers and everything that girih's has, made once.
struct Loaded {
    Library context = configured("composites = on");
    Module girih{OSSL_PROVIDER_load(context.get(), "girih-provider")};
    Loaded()
    {
        if (!girih) ERR_print_errors_fp(stderr), std::abort();
    }
};
inline const Loaded& loaded()
{
    static const Loaded once;
    return once;
}
inline OSSL_LIB_CTX* library() { return loaded().context.get(); }
inline OSSL_PROVIDER* girih() { return loaded().girih.get(); }

// ---- Results of a call

/// Takes the error queue: each error's reason and line, one after another. Functions have their
/// plain names.
inline std::string errors()
{
    std::string all;
    const char* data = nullptr;
    const char* function = nullptr;
    int flags = 0;
    while (const unsigned long code = ERR_get_error_all(nullptr, nullptr, &function, &data, &flags)) {
        if (function != nullptr && std::string_view{function}.find_first_of(":( ") != std::string_view::npos)
            ADD_FAILURE() << function;
        const char* reason = ERR_reason_error_string(code);
        all += std::string(reason != nullptr ? reason : "?") + ": " + (data != nullptr ? data : "") + "\n";
    }
    return all;
}

inline bool succeeded(int code) { return code == 1; }
inline bool succeeded(const Bytes& bytes) { return !bytes.empty(); }
template <class T, auto free>
bool succeeded(const Owned<T, free>& made)
{
    return made != nullptr;
}

template <class Outcome>
testing::AssertionResult works(const Outcome& outcome)
{
    const std::string all = errors();
    return succeeded(outcome) ? testing::AssertionSuccess() : testing::AssertionFailure() << all;
}

/// Fails, and says why in the error queue.
template <class Outcome>
testing::AssertionResult fails(const Outcome& outcome, const std::string& why)
{
    const std::string all = errors();
    if (succeeded(outcome)) return testing::AssertionFailure() << "it succeeded";
    if (all.find(why) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no '" << why << "' in the errors:\n" << all;
}

// ---- Keys

/// Params().octets("seed", seed).number("mu", 1), and so on.
class Params {
  public:
    Params& octets(const char* name, const Bytes& bytes, unsigned type = OSSL_PARAM_OCTET_STRING)
    {
        values_.push_back(std::make_shared<Bytes>(bytes));
        values_.back()->push_back(0);  // a NUL, and a place for no bytes
        return add({name, type, values_.back()->data(), bytes.size(), OSSL_PARAM_UNMODIFIED});
    }
    Params& text(const char* name, std::string_view text)
    {
        return octets(name, Bytes(text.begin(), text.end()), OSSL_PARAM_UTF8_STRING);
    }
    Params& number(const char* name, int value)
    {
        Bytes bytes(sizeof value);
        std::memcpy(bytes.data(), &value, sizeof value);
        return octets(name, bytes, OSSL_PARAM_INTEGER);
    }
    Params& add(OSSL_PARAM param)
    {
        params_.insert(params_.end() - 1, param);
        return *this;
    }
    operator const OSSL_PARAM*() const { return params_.data(); }

  private:
    std::vector<std::shared_ptr<Bytes>> values_;
    std::vector<OSSL_PARAM> params_{OSSL_PARAM_construct_end()};
};

inline KeyContext context_of(const Key& key)
{
    return KeyContext(EVP_PKEY_CTX_new_from_pkey(library(), key.get(), from_girih));
}
inline KeyContext context_of(const char* algorithm, OSSL_LIB_CTX* context = library())
{
    return KeyContext(EVP_PKEY_CTX_new_from_name(context, algorithm, from_girih));
}

/// A new key; null if there is none.
inline Key generated(const char* algorithm, const Params& params = {}, OSSL_LIB_CTX* in = library())
{
    const KeyContext context = context_of(algorithm, in);
    EVP_PKEY* key = nullptr;
    if (context && EVP_PKEY_keygen_init(context.get()) == 1 &&
        EVP_PKEY_CTX_set_params(context.get(), params) == 1)
        (void)EVP_PKEY_generate(context.get(), &key);
    return Key(key);
}

/// A key from parameters; null if they do not hold one.
inline Key imported(const char* algorithm, const OSSL_PARAM* params, int selection = EVP_PKEY_KEYPAIR)
{
    const KeyContext context = context_of(algorithm);
    EVP_PKEY* key = nullptr;
    EXPECT_EQ(EVP_PKEY_fromdata_init(context.get()), 1);
    (void)EVP_PKEY_fromdata(context.get(), &key, selection, const_cast<OSSL_PARAM*>(params));
    return Key(key);
}

inline Exported exported(const Key& key, int selection = EVP_PKEY_KEYPAIR)
{
    OSSL_PARAM* params = nullptr;
    return EVP_PKEY_todata(key.get(), selection, &params) == 1 ? Exported(params) : nullptr;
}

inline bool same(const Key& a, const Key& b) { return EVP_PKEY_eq(a.get(), b.get()) == 1; }

inline Bytes octets(const Key& key, const char* name)
{
    Bytes bytes(16384);
    std::size_t count = 0;
    if (EVP_PKEY_get_octet_string_param(key.get(), name, bytes.data(), bytes.size(), &count) != 1) return {};
    bytes.resize(count);
    return bytes;
}

// ---- Files

struct Encoding {
    int selection;
    const char* format = "DER";
    const char* structure = nullptr;
    const char* passphrase = nullptr;
};

inline Bytes encoded(const Key& key, const Encoding& how, const Params& params = {})
{
    const Owned<OSSL_ENCODER_CTX, OSSL_ENCODER_CTX_free> encoder(
        OSSL_ENCODER_CTX_new_for_pkey(key.get(), how.selection, how.format, how.structure, nullptr));
    const auto* phrase = reinterpret_cast<const unsigned char*>(how.passphrase);
    unsigned char* data = nullptr;
    std::size_t bytes = 0;
    if (!encoder ||
        (phrase != nullptr &&
         OSSL_ENCODER_CTX_set_passphrase(encoder.get(), phrase, std::strlen(how.passphrase)) != 1) ||
        OSSL_ENCODER_CTX_set_params(encoder.get(), params) != 1 ||
        OSSL_ENCODER_to_data(encoder.get(), &data, &bytes) != 1)
        return {};
    EXPECT_NE(bytes, 0u) << "an encoder that writes nothing has failed";
    Bytes file(data, data + bytes);
    OPENSSL_free(data);
    return file;
}
inline Bytes private_der(const Key& key) { return encoded(key, {EVP_PKEY_KEYPAIR, "DER", "PrivateKeyInfo"}); }
inline Bytes public_der(const Key& key)
{
    return encoded(key, {EVP_PKEY_PUBLIC_KEY, "DER", "SubjectPublicKeyInfo"});
}

/// To read from; the bytes live longer.
inline Stream stream_of(const Bytes& bytes)
{
    return Stream(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

/// A key in DER or PEM, which OpenSSL's own provider parses; null if it is malformed.
inline Key decoded(BIO* file, int selection, const char* algorithm = nullptr, const char* format = nullptr)
{
    EVP_PKEY* key = nullptr;
    const Owned<OSSL_DECODER_CTX, OSSL_DECODER_CTX_free> decoder(
        OSSL_DECODER_CTX_new_for_pkey(&key, format, nullptr, algorithm, selection, library(), from_girih));
    if (decoder && file != nullptr) (void)OSSL_DECODER_from_bio(decoder.get(), file);
    return Key(key);
}
inline Key decoded(const Bytes& file, int selection, const char* algorithm = nullptr)
{
    return decoded(stream_of(file).get(), selection, algorithm);
}

/// The public half of a key by itself.
inline Key public_half_of(const Key& key) { return decoded(public_der(key), EVP_PKEY_PUBLIC_KEY); }

inline Bytes contents(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The bytes of base64, padded.
inline Bytes from_base64(const std::string& text)
{
    Bytes bytes(text.size());
    const int count = EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(text.data()),
                                      static_cast<int>(text.size()));
    bytes.resize(static_cast<std::size_t>(count) - text.size() + text.find_last_not_of('=') + 1);
    return bytes;
}

// ---- Signatures

inline const Bytes message(5000, 'm');

inline Params context_string(const Bytes& bytes) { return Params().octets("context-string", bytes); }
inline const Params as_mu = Params().number("mu", 1);

/// Begins signing or verification; null if it is refused.
inline DigestContext begun(const Key& key, bool signs, const Params& params = {},
                           const char* digest = nullptr)
{
    DigestContext context(EVP_MD_CTX_new());
    const auto begin = signs ? EVP_DigestSignInit_ex : EVP_DigestVerifyInit_ex;
    const bool is_done =
        context && begin(context.get(), nullptr, digest, library(), from_girih, key.get(), params) == 1;
    return is_done ? std::move(context) : nullptr;
}

inline bool take(const DigestContext& context, const Bytes& piece)
{
    return EVP_DigestSignUpdate(context.get(), piece.data(), piece.size()) == 1;
}

/// A signature by a function that writes it and its length; empty if there is none.
template <class Sign>
Bytes signature_by(Sign sign)
{
    Bytes signature(8000);
    std::size_t bytes = signature.size();
    if (sign(signature.data(), &bytes) != 1) return {};
    signature.resize(bytes);
    return signature;
}

/// The signature of the pieces that have come.
inline Bytes ended(const DigestContext& context)
{
    return signature_by([&](auto... out) { return EVP_DigestSignFinal(context.get(), out...); });
}

inline Bytes of_whole(const DigestContext& context, const Bytes& text)
{
    return signature_by(
        [&](auto... out) { return EVP_DigestSign(context.get(), out..., text.data(), text.size()); });
}

inline Bytes sign(const Key& key, const Bytes& text, const Params& params = {})
{
    const auto context = begun(key, true, params);
    return context ? of_whole(context, text) : Bytes();
}

inline bool verifies(const Key& key, const Bytes& signature, const Bytes& text, const Params& params = {})
{
    const auto context = begun(key, false, params);
    return context &&
           EVP_DigestVerify(context.get(), signature.data(), signature.size(), text.data(), text.size()) == 1;
}

// ---- Algorithms

inline constexpr std::array composites{"MLDSA44-Ed25519-SHA512", "MLDSA65-ECDSA-P256-SHA512",
                                       "MLDSA65-Ed25519-SHA512", "MLDSA87-ECDSA-P384-SHA512"};
inline constexpr std::array signature_algorithms{
    "ML-DSA-44",          "ML-DSA-65",   "ML-DSA-87",   "Falcon-512",  "Falcon-1024", "Falcon-padded-512",
    "Falcon-padded-1024", composites[0], composites[1], composites[2], composites[3]};
inline constexpr std::array kem_algorithms{"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "sntrup761", "X-Wing"};

/// For INSTANTIATE_TEST_SUITE_P of algorithms' names.
inline std::string name_of(const testing::TestParamInfo<const char*>& set)
{
    std::string name = set.param;
    std::erase(name, '-');
    return name;
}

}  // namespace girih::tests
