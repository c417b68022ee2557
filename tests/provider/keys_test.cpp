/// Keys through OpenSSL's functions: made, written, read, and refused.

#include <openssl/pem.h>

#include <algorithm>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

class ProviderKeys : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override
    {
        ERR_clear_error();
        key_ = generated(GetParam());
        ASSERT_TRUE(key_) << errors();
    }
    Key key_;
};

TEST_P(ProviderKeys, AreTheSameAfterTheirFiles)
{
    const Key secret = decoded(private_der(key_), EVP_PKEY_KEYPAIR);
    const Key shown = decoded(public_der(key_), EVP_PKEY_PUBLIC_KEY);
    ASSERT_TRUE(secret && shown) << errors();
    EXPECT_EQ(EVP_PKEY_eq(key_.get(), secret.get()), 1);
    EXPECT_EQ(EVP_PKEY_eq(key_.get(), shown.get()), 1);
    EXPECT_EQ(octets(key_, "priv"), octets(secret, "priv"));
    EXPECT_EQ(octets(shown, "priv"), Bytes());
    EXPECT_EQ(private_der(shown), Bytes());
    EXPECT_TRUE(says("the key has no private half"));
}

TEST_P(ProviderKeys, AreTheSameAfterTheirParameters)
{
    OSSL_PARAM* params = nullptr;
    ASSERT_EQ(EVP_PKEY_todata(key_.get(), EVP_PKEY_KEYPAIR, &params), 1) << errors();
    const Key copy = imported(GetParam(), params);
    OSSL_PARAM_free(params);
    ASSERT_TRUE(copy) << errors();
    EXPECT_EQ(EVP_PKEY_eq(key_.get(), copy.get()), 1);
    EXPECT_EQ(octets(key_, "seed"), octets(copy, "seed"));
    const Key duplicate(EVP_PKEY_dup(key_.get()));
    EXPECT_EQ(octets(key_, "priv"), octets(duplicate, "priv"));
}

TEST_P(ProviderKeys, GiveOtherProvidersTheHalfThatThereIs)
{
    const Key shown = decoded(public_der(key_), EVP_PKEY_PUBLIC_KEY);
    OSSL_PARAM* params = nullptr;
    ASSERT_EQ(EVP_PKEY_todata(shown.get(), EVP_PKEY_KEYPAIR, &params), 1) << errors();
    EXPECT_EQ(OSSL_PARAM_locate(params, "priv"), nullptr);
    EXPECT_EQ(OSSL_PARAM_locate(params, "seed"), nullptr);
    const Key copy = imported(GetParam(), params);
    OSSL_PARAM_free(params);
    ASSERT_TRUE(copy) << errors();
    EXPECT_EQ(EVP_PKEY_eq(shown.get(), copy.get()), 1);
    params = nullptr;
    EXPECT_NE(EVP_PKEY_todata(shown.get(), OSSL_KEYMGMT_SELECT_PRIVATE_KEY, &params), 1);
    OSSL_PARAM_free(params);
}

TEST_P(ProviderKeys, StayWhatTheyAreWhereAnotherIsRefused)
{
    const Bytes junk(5, 1);
    EXPECT_NE(EVP_PKEY_set1_encoded_public_key(key_.get(), junk.data(), junk.size()), 1);
    const Key read = decoded(private_der(key_), EVP_PKEY_KEYPAIR);
    ASSERT_TRUE(read) << errors();
    EXPECT_EQ(octets(read, "priv"), octets(key_, "priv"));
}

TEST_P(ProviderKeys, CutShortAreNone)
{
    for (const Bytes& der : {private_der(key_), public_der(key_)}) {
        const int selection = der == public_der(key_) ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR;
        for (std::size_t bytes = 0; bytes < der.size(); bytes += 1 + der.size() / 64)
            EXPECT_FALSE(
                decoded(Bytes(der.begin(), der.begin() + static_cast<std::ptrdiff_t>(bytes)), selection))
                << bytes;
    }
}

TEST_P(ProviderKeys, ThatAreMalformedAreNamed)
{
    Bytes secret = private_der(key_);
    const std::size_t head = secret[1] < 0x80 ? 2 : 2 + (secret[1] & 0x7Fu);
    secret[head + 2] = 5;
    ERR_clear_error();
    EXPECT_FALSE(decoded(secret, EVP_PKEY_KEYPAIR));
    EXPECT_TRUE(says("the version of the private key is neither 0 nor 1"));
    Bytes shown = public_der(key_);
    const std::size_t algorithm = 4;  // after the head of SubjectPublicKeyInfo
    const std::size_t bits = algorithm + 2 + shown[algorithm + 1] + 4;
    shown[bits] = 1;  // an unused bit
    EXPECT_FALSE(decoded(shown, EVP_PKEY_PUBLIC_KEY));
    EXPECT_TRUE(says("malformed key"));
}

TEST_P(ProviderKeys, OfWrongLengthsAreNone)
{
    for (const char* name : {"pub", "priv", "seed"}) {
        Bytes bytes = octets(key_, name);
        if (bytes.empty()) continue;
        bytes.pop_back();
        const OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(name, bytes.data(), bytes.size()),
                                     OSSL_PARAM_construct_end()};
        ERR_clear_error();
        EXPECT_FALSE(imported(GetParam(), params));
        EXPECT_TRUE(says("wrong length of a key")) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderKeys,
                         testing::Values("ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Falcon-512", "Falcon-1024",
                                         "Falcon-padded-512", "Falcon-padded-1024", "ML-KEM-512",
                                         "ML-KEM-768", "ML-KEM-1024", "sntrup761"),
                         name_of);

TEST(ProviderKeyFiles, OfTheRfcsAreReadInEveryFormAndWrittenTheSame)
{
    if (vectors().empty()) GTEST_SKIP() << "GIRIH_VECTORS names no folder";
    int read = 0;
    for (const char* folder : {"rfc9881", "rfc9935"}) {
        for (const auto& entry : std::filesystem::directory_iterator(vectors() / folder)) {
            const std::string name = entry.path().filename();
            if (!name.ends_with(".priv")) continue;
            const Bytes pem = contents(entry.path());
            ERR_clear_error();
            const Key key = decoded(pem, EVP_PKEY_KEYPAIR);
            if (name.starts_with("bad-")) {
                EXPECT_FALSE(key) << name;
                EXPECT_TRUE(says("malformed key")) << name;
                continue;
            }
            ASSERT_TRUE(key) << name << errors();
            ++read;
            const std::string set = name.substr(0, name.rfind('-'));
            const Key shown = decoded(contents(vectors() / folder / (set + ".pub")), EVP_PKEY_PUBLIC_KEY);
            EXPECT_EQ(EVP_PKEY_eq(key.get(), shown.get()), 1) << name;
            const Stream out(BIO_new(BIO_s_mem()));
            EXPECT_EQ(PEM_write_bio_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr),
                      1);
            char* text = nullptr;
            const long bytes = BIO_get_mem_data(out.get(), &text);
            const std::string file(pem.begin(), pem.end());
            EXPECT_NE(file.find(std::string(text, static_cast<std::size_t>(bytes))), std::string::npos)
                << name;
        }
    }
    EXPECT_EQ(read, 18);
}

/// A certificate in PEM; null if it is none.
Certificate certificate_in(const std::filesystem::path& path)
{
    const Bytes pem = contents(path);
    X509* read = X509_new_ex(library(), "?provider=girih");
    return Certificate(PEM_read_bio_X509(stream_of(pem).get(), &read, nullptr, nullptr));
}

TEST(ProviderKeyFiles, CertificatesOfRfc9881Verify)
{
    if (vectors().empty()) GTEST_SKIP() << "GIRIH_VECTORS names no folder";
    for (const char* name : {"ML-DSA-44.crt", "ML-DSA-65.crt", "ML-DSA-87.crt"}) {
        const Certificate certificate = certificate_in(vectors() / "rfc9881" / name);
        ASSERT_TRUE(certificate) << errors();
        EXPECT_EQ(X509_verify(certificate.get(), X509_get0_pubkey(certificate.get())), 1) << name << errors();
    }
}

/// A certificate, and a message in CMS (RFC 9882) with it, both by OpenSSL 3.5.9's own ML-DSA-44.
TEST(ProviderCms, OfOpenSslItselfVerifiesAndChangedDoesNot)
{
    const std::filesystem::path folder = GIRIH_PROVIDER_FILES;
    const Certificate root = certificate_in(folder / "root.pem");
    ASSERT_TRUE(root) << errors();
    const Owned<X509_STORE, X509_STORE_free> store(X509_STORE_new());
    EXPECT_EQ(X509_STORE_add_cert(store.get(), root.get()), 1);
    EXPECT_EQ(X509_STORE_set_purpose(store.get(), X509_PURPOSE_ANY), 1);

    const Bytes pem = contents(folder / "message.cms");
    CMS_ContentInfo* message = CMS_ContentInfo_new_ex(library(), "?provider=girih");
    ASSERT_NE(PEM_read_bio_CMS(stream_of(pem).get(), &message, nullptr, nullptr), nullptr) << errors();
    const Owned<CMS_ContentInfo, CMS_ContentInfo_free> owned(message);
    EXPECT_EQ(CMS_verify(message, nullptr, store.get(), nullptr, nullptr, CMS_BINARY), 1) << errors();

    ASN1_OCTET_STRING* signature =
        CMS_SignerInfo_get0_signature(sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(message), 0));
    Bytes changed(ASN1_STRING_get0_data(signature),
                  ASN1_STRING_get0_data(signature) + ASN1_STRING_length(signature));
    changed[100] ^= 1;
    EXPECT_EQ(ASN1_STRING_set(signature, changed.data(), static_cast<int>(changed.size())), 1);
    ERR_clear_error();
    EXPECT_NE(CMS_verify(message, nullptr, store.get(), nullptr, nullptr, CMS_BINARY), 1);
    EXPECT_TRUE(says("the signature does not verify"));
}

TEST(ProviderKeyFiles, HalvesOfTwoKeysAreNone)
{
    const Key first = generated("ML-DSA-44");
    const Key second = generated("ML-DSA-44");
    Bytes seed = octets(first, "seed");
    Bytes expanded = octets(second, "priv");
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("seed", seed.data(), seed.size()),
                           OSSL_PARAM_construct_octet_string("priv", expanded.data(), expanded.size()),
                           OSSL_PARAM_construct_end()};
    ERR_clear_error();
    EXPECT_FALSE(imported("ML-DSA-44", params));
    EXPECT_TRUE(says("the expanded key is not the one that the seed beside it expands to"));
}

TEST(ProviderKeyParts, AreEnoughByThemselvesAndCheckedTogether)
{
    const Key key = generated("ML-DSA-44");
    Bytes seed = octets(key, "seed");
    Bytes expanded = octets(key, "priv");
    Bytes shown = octets(key, "pub");
    const auto of = [](const char* name, Bytes& bytes) {
        return OSSL_PARAM_construct_octet_string(name, bytes.data(), bytes.size());
    };
    const OSSL_PARAM by_seed[] = {of("seed", seed), OSSL_PARAM_construct_end()};
    const OSSL_PARAM by_expanded[] = {of("priv", expanded), OSSL_PARAM_construct_end()};
    EXPECT_EQ(octets(imported("ML-DSA-44", by_seed), "priv"), expanded);
    EXPECT_EQ(octets(imported("ML-DSA-44", by_expanded), "pub"), shown);
    shown.pop_back();
    const OSSL_PARAM of_wrong_length[] = {of("seed", seed), of("pub", shown), OSSL_PARAM_construct_end()};
    ERR_clear_error();
    EXPECT_FALSE(imported("ML-DSA-44", of_wrong_length));
    EXPECT_TRUE(says("the public key of ML-DSA-44 has 1311 bytes, and should have 1312"));
    for (const char* name : {"seed", "priv", "pub"}) {
        OSSL_PARAM wrong[] = {of("seed", seed), of("priv", expanded), of("pub", shown),
                              OSSL_PARAM_construct_end()};
        OSSL_PARAM_locate(wrong, name)->data_type = OSSL_PARAM_UTF8_STRING;
        EXPECT_FALSE(imported("ML-DSA-44", wrong));
        EXPECT_TRUE(says(std::string(name) + " is no octet string"));
    }
}

TEST(ProviderSeeds, OfNoBytesAreNone)
{
    std::uint8_t nothing = 0;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("seed", &nothing, 0),
                                 OSSL_PARAM_construct_end()};
    ERR_clear_error();
    EXPECT_FALSE(generated("ML-DSA-44", params));
    EXPECT_TRUE(says("seed has 0 bytes"));
}

TEST(ProviderKeyFiles, OfAnotherAlgorithmAreNotTaken)
{
    const Bytes der = private_der(generated("ML-DSA-44"));
    EXPECT_FALSE(decoded(der, EVP_PKEY_KEYPAIR, "ML-DSA-65"));
    EXPECT_TRUE(decoded(der, EVP_PKEY_KEYPAIR, "ML-DSA-44"));
    EXPECT_NE(EVP_PKEY_eq(generated("ML-DSA-44").get(), generated("ML-DSA-65").get()), 1);
}

}  // namespace
}  // namespace girih::tests
