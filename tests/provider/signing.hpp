/// Signatures through OpenSSL's functions, for tests.
#pragma once

#include "provider/support.hpp"

namespace girih::tests {

inline const Bytes message(5000, 'm');

using DigestContext = Owned<EVP_MD_CTX, EVP_MD_CTX_free>;

inline Params context_string(const Bytes& bytes) { return Params().octets("context-string", bytes); }
inline const Params as_mu = Params().number("mu", 1);

/// Begins signing or verification; null if it is refused.
inline DigestContext begun(const Key& key, bool signs, const Params& params = {},
                           const char* digest = nullptr)
{
    DigestContext context(EVP_MD_CTX_new());
    const auto begin = signs ? EVP_DigestSignInit_ex : EVP_DigestVerifyInit_ex;
    const int done = begin(context.get(), nullptr, digest, library(), from_girih, key.get(), params.get());
    return done == 1 ? std::move(context) : nullptr;
}

inline bool take(const DigestContext& context, const Bytes& piece)
{
    return EVP_DigestSignUpdate(context.get(), piece.data(), piece.size()) == 1;
}

/// A signature by a function that is given a place for it and its length; empty if there is none.
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

}  // namespace girih::tests
