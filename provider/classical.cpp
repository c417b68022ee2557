#include "provider/classical.hpp"

#include <openssl/core_names.h>

#include <array>

#include "provider/parameters.hpp"

namespace girih::provider {
namespace {

using KeyContext = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using DigestContext = Owned<EVP_MD_CTX, EVP_MD_CTX_free>;

bool is_ec(const Classical& classical) { return std::string_view(classical.key_type) == "EC"; }

/// Null, with an error in the queue, if OpenSSL lacks the algorithm.
KeyContext context_of(const Provider& provider, const Classical& classical)
{
    KeyContext context(EVP_PKEY_CTX_new_from_name(provider.library(), classical.key_type, nullptr));
    if (!context)
        provider.fail(Reason::classical, std::string("OpenSSL offers no ") + classical.curve +
                                             "; is its default provider loaded?");
    return context;
}

/// An elliptic curve's scalar from 1 to the order - 1.
bool is_in_range(const Provider& provider, const ClassicalKey& key)
{
    const KeyContext context(EVP_PKEY_CTX_new_from_pkey(provider.library(), key.get(), nullptr));
    return context && EVP_PKEY_private_check(context.get()) == 1;
}

ClassicalKey read_private(const Provider& provider, const Classical& classical, BytesIn<> bytes)
{
    if (!is_ec(classical))
        return ClassicalKey(EVP_PKEY_new_raw_private_key_ex(provider.library(), classical.key_type, nullptr,
                                                            bytes.data(), bytes.size()));
    const Byte* cursor = bytes.data();
    return ClassicalKey(d2i_PrivateKey_ex(EVP_PKEY_EC, nullptr, &cursor, static_cast<long>(bytes.size()),
                                          provider.library(), nullptr));
}

}  // namespace

ClassicalKey new_classical_key(const Provider& provider, const Classical& classical)
{
    const KeyContext context = context_of(provider, classical);
    if (!context) return nullptr;
    EVP_PKEY* key = nullptr;
    if (EVP_PKEY_keygen_init(context.get()) == 1 &&
        (!is_ec(classical) || EVP_PKEY_CTX_set_group_name(context.get(), classical.curve) == 1))
        (void)EVP_PKEY_generate(context.get(), &key);
    if (key == nullptr)
        provider.fail(Reason::classical, std::string("no key of ") + classical.curve + " was made");
    return ClassicalKey(key);
}

ClassicalKey classical_public(const Provider& provider, const Classical& classical, const char* name,
                              BytesIn<> bytes)
{
    constexpr Byte uncompressed = 4;
    const KeyContext context = context_of(provider, classical);
    if (!context) return nullptr;
    std::array params{text(OSSL_PKEY_PARAM_GROUP_NAME, classical.curve),
                      octets(OSSL_PKEY_PARAM_PUB_KEY, bytes), OSSL_PARAM_construct_end()};
    EVP_PKEY* key = nullptr;
    if (bytes.size() == classical.public_bytes && (!is_ec(classical) || bytes[0] == uncompressed) &&
        EVP_PKEY_fromdata_init(context.get()) == 1)
        (void)EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.data());
    if (key == nullptr)
        provider.fail(Reason::classical, std::string(name) + " is not " +
                                             (is_ec(classical) ? "an uncompressed point of " : "a key of ") +
                                             classical.curve);
    return ClassicalKey(key);
}

ClassicalKey classical_private(const Provider& provider, const Classical& classical, BytesIn<> bytes)
{
    if (!context_of(provider, classical)) return nullptr;
    ClassicalKey key = read_private(provider, classical, bytes);
    // OpenSSL reads other forms of ECPrivateKey as well, and writes the version that it read.
    constexpr std::size_t version = 4;
    const bool is_version_1 = !is_ec(classical) || bytes[version] == 1;
    SecretBytes again(bytes.size());
    if (key && is_version_1 && is_in_range(provider, key) && write_private(classical, key, again) &&
        CRYPTO_memcmp(again.data(), bytes.data(), bytes.size()) == 0)
        return key;
    provider.fail(Reason::classical,
                  std::string("the private key's classical half is not a key of ") + classical.curve +
                      (is_ec(classical) ? ": not an ECPrivateKey without public key" : ""));
    return nullptr;
}

bool write_public(const ClassicalKey& key, BytesOut<> bytes)
{
    std::size_t written = 0;
    return EVP_PKEY_get_octet_string_param(key.get(), OSSL_PKEY_PARAM_PUB_KEY, bytes.data(), bytes.size(),
                                           &written) == 1 &&
           written == bytes.size();
}

bool write_private(const Classical& classical, const ClassicalKey& key, BytesOut<> bytes)
{
    std::size_t written = bytes.size();
    if (!is_ec(classical))
        return EVP_PKEY_get_raw_private_key(key.get(), bytes.data(), &written) == 1 &&
               written == bytes.size();
    Byte* end = bytes.data();
    return EVP_PKEY_set_int_param(key.get(), OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, 0) == 1 &&
           i2d_PrivateKey(key.get(), nullptr) == static_cast<int>(bytes.size()) &&
           i2d_PrivateKey(key.get(), &end) > 0;
}

bool agree(const Provider& provider, const ClassicalKey& own, const ClassicalKey& peer, BytesOut<> secret)
{
    const KeyContext context(EVP_PKEY_CTX_new_from_pkey(provider.library(), own.get(), nullptr));
    std::size_t bytes = secret.size();
    if (context && EVP_PKEY_derive_init(context.get()) == 1 &&
        EVP_PKEY_derive_set_peer(context.get(), peer.get()) == 1 &&
        EVP_PKEY_derive(context.get(), secret.data(), &bytes) == 1 && bytes == secret.size())
        return true;
    provider.fail(Reason::classical, "no secret was agreed on");
    return false;
}

std::size_t classical_sign(const Provider& provider, const Classical& classical, const ClassicalKey& key,
                           BytesIn<> message, BytesOut<> signature)
{
    const DigestContext context(EVP_MD_CTX_new());
    std::size_t bytes = signature.size();
    if (context &&
        EVP_DigestSignInit_ex(context.get(), nullptr, classical.digest, provider.library(), nullptr,
                              key.get(), nullptr) == 1 &&
        EVP_DigestSign(context.get(), signature.data(), &bytes, message.data(), message.size()) == 1)
        return bytes;
    provider.fail(Reason::classical, std::string("no signature of ") + classical.curve + " was made");
    return 0;
}

std::optional<bool> classical_verify(const Provider& provider, const Classical& classical,
                                     const ClassicalKey& key, BytesIn<> message, BytesIn<> signature)
{
    const DigestContext context(EVP_MD_CTX_new());
    if (!context || EVP_DigestVerifyInit_ex(context.get(), nullptr, classical.digest, provider.library(),
                                            nullptr, key.get(), nullptr) != 1) {
        provider.fail(Reason::classical, std::string("no signature of ") + classical.curve + " was verified");
        return {};
    }
    return EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(),
                            message.size()) == 1;
}

}  // namespace girih::provider
