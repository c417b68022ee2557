#include "ssh/classical.hpp"

namespace girih::test::ssh {
namespace {

struct FreeContext {
    void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, FreeContext>;
using HashContext = std::unique_ptr<EVP_MD_CTX, FreeContext>;

void check(bool good, const char* what)
{
    if (!good) throw Error(std::string("OpenSSL: ") + what);
}

Key public_key(int type, BytesIn<> bytes)
{
    Key key(EVP_PKEY_new_raw_public_key(type, nullptr, bytes.data(), bytes.size()));
    check(key != nullptr, "public key");
    return key;
}

}  // namespace

Key generate(int type)
{
    const KeyContext context(EVP_PKEY_CTX_new_id(type, nullptr));
    EVP_PKEY* key = nullptr;
    check(context != nullptr && EVP_PKEY_keygen_init(context.get()) == 1, "keygen_init");
    check(EVP_PKEY_keygen(context.get(), &key) == 1, "keygen");
    return Key(key);
}

ByteString public_bytes(const Key& key)
{
    ByteString bytes(32);
    std::size_t size = bytes.size();
    check(EVP_PKEY_get_raw_public_key(key.get(), bytes.data(), &size) == 1, "get_raw_public_key");
    return bytes;
}

ByteString x25519(const Key& own, BytesIn<> peer)
{
    const Key other = public_key(EVP_PKEY_X25519, peer);
    const KeyContext context(EVP_PKEY_CTX_new(own.get(), nullptr));
    ByteString shared(32);
    std::size_t size = shared.size();
    check(context != nullptr && EVP_PKEY_derive_init(context.get()) == 1, "derive_init");
    check(EVP_PKEY_derive_set_peer(context.get(), other.get()) == 1, "derive_set_peer");
    check(EVP_PKEY_derive(context.get(), shared.data(), &size) == 1, "derive");
    return shared;
}

ByteString ed25519_sign(const Key& key, BytesIn<> message)
{
    const HashContext context(EVP_MD_CTX_new());
    ByteString signature(64);
    std::size_t size = signature.size();
    check(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1, "DigestSignInit");
    check(EVP_DigestSign(context.get(), signature.data(), &size, message.data(), message.size()) == 1,
          "DigestSign");
    return signature;
}

bool ed25519_verify(BytesIn<> public_bytes, BytesIn<> message, BytesIn<> signature)
{
    const Key key = public_key(EVP_PKEY_ED25519, public_bytes);
    const HashContext context(EVP_MD_CTX_new());
    check(EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1, "DigestVerifyInit");
    return EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(),
                            message.size()) == 1;
}

ByteString sha512(BytesIn<> message)
{
    ByteString digest(64);
    check(EVP_Digest(message.data(), message.size(), digest.data(), nullptr, EVP_sha512(), nullptr) == 1,
          "Digest");
    return digest;
}

std::string base64(BytesIn<> bytes)
{
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
    const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                                     static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

}  // namespace girih::test::ssh
