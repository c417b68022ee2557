/// Signatures through OpenSSL's functions, for tests.
#pragma once

#include <openssl/params.h>

#include "provider/support.hpp"

namespace girih::tests {

inline const Bytes message(5000, 'm');

using DigestContext = Owned<EVP_MD_CTX, EVP_MD_CTX_free>;

struct Options {
    Bytes context{};
    int mu = 0;
};

/// Begins signing or verification; null if it is refused.
inline DigestContext begun(const Key& key, bool signs, const Options& options = {},
                           const char* digest = nullptr)
{
    DigestContext context(EVP_MD_CTX_new());
    Bytes bytes = options.context;
    int mu = options.mu;
    std::vector<OSSL_PARAM> params;
    if (!bytes.empty())
        params.push_back(OSSL_PARAM_construct_octet_string("context-string", bytes.data(), bytes.size()));
    if (mu != 0) params.push_back(OSSL_PARAM_construct_int("mu", &mu));
    params.push_back(OSSL_PARAM_construct_end());
    const int done = signs ? EVP_DigestSignInit_ex(context.get(), nullptr, digest, library(), from_girih,
                                                   key.get(), params.data())
                           : EVP_DigestVerifyInit_ex(context.get(), nullptr, digest, library(), from_girih,
                                                     key.get(), params.data());
    return done == 1 ? std::move(context) : nullptr;
}

inline Bytes sign(const Key& key, const Bytes& text, const Options& options = {})
{
    const auto context = begun(key, true, options);
    std::size_t bytes = 0;
    if (!context || EVP_DigestSign(context.get(), nullptr, &bytes, text.data(), text.size()) != 1) return {};
    Bytes signature(bytes);
    if (EVP_DigestSign(context.get(), signature.data(), &bytes, text.data(), text.size()) != 1) return {};
    signature.resize(bytes);
    return signature;
}

inline bool verifies(const Key& key, const Bytes& signature, const Bytes& text, const Options& options = {})
{
    const auto context = begun(key, false, options);
    return context &&
           EVP_DigestVerify(context.get(), signature.data(), signature.size(), text.data(), text.size()) == 1;
}

}  // namespace girih::tests
