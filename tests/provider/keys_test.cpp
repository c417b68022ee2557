/// Keys through OpenSSL's functions: made, written, read, and refused.

#include <openssl/pem.h>

#include <openssl/cms.h>  // declares CMS in PEM where pem.h comes first

#include <algorithm>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

class ProviderKeys : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override { ASSERT_TRUE(works(key_)); }

    Key key_ = generated(GetParam());
    Bytes secret_ = private_der(key_);
    Bytes shown_ = public_der(key_);
};

TEST_P(ProviderKeys, AreTheSameAfterTheirFiles)
{
    const Key secret = decoded(secret_, EVP_PKEY_KEYPAIR);
    const Key shown = decoded(shown_, EVP_PKEY_PUBLIC_KEY);
    EXPECT_TRUE(same(key_, secret) && same(key_, shown)) << errors();
    EXPECT_EQ(octets(key_, "priv"), octets(secret, "priv"));
    EXPECT_EQ(octets(shown, "priv"), Bytes());
    EXPECT_TRUE(fails(private_der(shown), "the key has no private half"));
}

TEST_P(ProviderKeys, AreTheSameAfterTheirParameters)
{
    const Key copy = imported(GetParam(), exported(key_).get());
    EXPECT_TRUE(same(key_, copy)) << errors();
    EXPECT_EQ(octets(key_, "seed"), octets(copy, "seed"));
    EXPECT_EQ(octets(key_, "priv"), octets(Key(EVP_PKEY_dup(key_.get())), "priv"));
}

TEST_P(ProviderKeys, GiveOtherProvidersTheHalfThatThereIs)
{
    const Key shown = public_half_of(key_);
    const Exported params = exported(shown);
    EXPECT_EQ(OSSL_PARAM_locate(params.get(), "priv"), nullptr);
    EXPECT_EQ(OSSL_PARAM_locate(params.get(), "seed"), nullptr);
    EXPECT_TRUE(same(shown, imported(GetParam(), params.get()))) << errors();
    EXPECT_FALSE(exported(shown, OSSL_KEYMGMT_SELECT_PRIVATE_KEY));
}

TEST_P(ProviderKeys, CutShortAreNone)
{
    for (const auto& [der, selection] :
         {std::pair{secret_, EVP_PKEY_KEYPAIR}, std::pair{shown_, EVP_PKEY_PUBLIC_KEY}})
        for (std::size_t bytes = 0; bytes < der.size(); bytes += 1 + der.size() / 64)
            EXPECT_FALSE(decoded(Bytes(der.data(), der.data() + bytes), selection)) << bytes;
}

TEST_P(ProviderKeys, ThatAreMalformedAreNamedAndReplaceNone)
{
    errors();
    const Bytes secret = secret_, junk(5, 1);
    const std::size_t head = secret_[1] < 0x80 ? 2 : 2 + (secret_[1] & 0x7Fu);
    secret_[head + 2] = 5;
    EXPECT_TRUE(
        fails(decoded(secret_, EVP_PKEY_KEYPAIR), "the version of the private key is neither 0 nor 1"));
    const std::size_t algorithm = 4;  // after the head of SubjectPublicKeyInfo
    const std::size_t bits = algorithm + 2 + shown_[algorithm + 1] + 4;
    shown_[bits] = 1;  // an unused bit
    EXPECT_TRUE(fails(decoded(shown_, EVP_PKEY_PUBLIC_KEY), "malformed key"));
    EXPECT_NE(EVP_PKEY_set1_encoded_public_key(key_.get(), junk.data(), junk.size()), 1);
    EXPECT_EQ(private_der(key_), secret);
}

TEST_P(ProviderKeys, OfWrongLengthsAreNone)
{
    for (const char* name : {"pub", "priv", "seed"}) {
        Bytes bytes = octets(key_, name);
        if (bytes.empty()) continue;
        bytes.pop_back();
        errors();
        EXPECT_TRUE(fails(imported(GetParam(), Params().octets(name, bytes)), "wrong length of a key"));
    }
}

INSTANTIATE_TEST_SUITE_P(Signature, ProviderKeys, testing::ValuesIn(signature_algorithms), name_of);
INSTANTIATE_TEST_SUITE_P(Kem, ProviderKeys, testing::ValuesIn(kem_algorithms), name_of);

// ---- Parts of keys

class ProviderKeyParts : public testing::Test {
  protected:
    void SetUp() override { errors(); }
    static Key of(const OSSL_PARAM* params, int selection = EVP_PKEY_KEYPAIR)
    {
        return imported("ML-DSA-44", params, selection);
    }

    Key key_ = generated("ML-DSA-44");
    Bytes seed_ = octets(key_, "seed"), expanded_ = octets(key_, "priv"), shown_ = octets(key_, "pub");
};

TEST_F(ProviderKeyParts, AreEnoughByThemselves)
{
    EXPECT_EQ(octets(of(Params().octets("seed", seed_)), "priv"), expanded_);
    EXPECT_EQ(octets(of(Params().octets("priv", expanded_)), "pub"), shown_);
}

TEST_F(ProviderKeyParts, AreCheckedTogether)
{
    const Bytes other = octets(generated("ML-DSA-44"), "priv");
    EXPECT_TRUE(fails(of(Params().octets("seed", seed_).octets("priv", other)),
                      "the expanded key is not the one that the seed beside it expands to"));
    shown_.pop_back();
    EXPECT_TRUE(fails(of(Params().octets("seed", seed_).octets("pub", shown_)),
                      "the public key of ML-DSA-44 has 1311 bytes, but should have 1312"));
}

TEST_F(ProviderKeyParts, AreOctetStrings)
{
    const std::string why = " is not an octet string";
    for (const unsigned type : std::array<unsigned, 2>{OSSL_PARAM_UTF8_STRING, OSSL_PARAM_INTEGER}) {
        EXPECT_TRUE(fails(of(Params().octets("seed", seed_, type)), "seed" + why));
        EXPECT_TRUE(fails(of(Params().octets("priv", expanded_, type)), "priv" + why));
        EXPECT_TRUE(fails(of(Params().octets("pub", shown_, type)), "pub" + why));
        EXPECT_FALSE(generated("ML-DSA-44", Params().octets("seed", seed_, type)));
    }
    EXPECT_TRUE(fails(of(Params().add({"seed", OSSL_PARAM_OCTET_STRING, nullptr, 32, 0})), "seed" + why));
    EXPECT_TRUE(fails(generated("ML-DSA-44", Params().octets("seed", {})), "seed has 0 bytes"));
}

TEST_F(ProviderKeyParts, ThatArePrivateAreNotImportedWithThePublicHalf)
{
    const Exported params = exported(key_);
    const Key shown = of(params.get(), EVP_PKEY_PUBLIC_KEY);
    EXPECT_EQ(octets(shown, "pub"), shown_);
    EXPECT_EQ(octets(shown, "priv"), Bytes());
    EXPECT_EQ(octets(shown, "seed"), Bytes());
    EXPECT_EQ(octets(of(params.get(), OSSL_KEYMGMT_SELECT_PRIVATE_KEY), "priv"), expanded_);
    EXPECT_TRUE(fails(of(Params().octets("seed", seed_), EVP_PKEY_PUBLIC_KEY), "the public key is empty"));
}

TEST_F(ProviderKeyParts, ThatAreSelectedAreExported)
{
    const auto names = [&](int selection) {
        std::string all;
        const auto note = [](const OSSL_PARAM params[], void* argument) {
            for (const OSSL_PARAM* p = params; p->key != nullptr; ++p)
                *static_cast<std::string*>(argument) += std::string(p->key) + " ";
            return 1;
        };
        return EVP_PKEY_export(key_.get(), selection, note, &all) == 1 ? all : "nothing";
    };
    EXPECT_EQ(names(EVP_PKEY_KEYPAIR), "pub priv seed ");
    EXPECT_EQ(names(OSSL_KEYMGMT_SELECT_PUBLIC_KEY), "pub ");
    EXPECT_EQ(names(OSSL_KEYMGMT_SELECT_PRIVATE_KEY), "priv seed ");
    EXPECT_EQ(names(OSSL_KEYMGMT_SELECT_ALL_PARAMETERS), "nothing");
}

TEST_F(ProviderKeyParts, NeedRoom)
{
    for (const char* name : {"pub", "priv", "seed", "encoded-pub-key"}) {
        std::uint8_t byte = 0;
        OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(name, &byte, 1), OSSL_PARAM_construct_end()};
        EXPECT_NE(EVP_PKEY_get_params(key_.get(), params), 1) << name;
        EXPECT_EQ(byte, 0) << name;
    }
}

// ---- Files of others

/// The examples of RFC 9881 and RFC 9935.
class ProviderExamples : public testing::Test {
  protected:
    void SetUp() override
    {
        if (folder_ == nullptr) GTEST_SKIP() << "GIRIH_VECTORS names no folder";
    }
    [[nodiscard]] std::filesystem::path folder() const { return folder_; }

  private:
    const char* folder_ = std::getenv("GIRIH_VECTORS");
};

TEST_F(ProviderExamples, OfKeysAreReadInEveryFormAndWrittenTheSame)
{
    int read = 0;
    for (const char* standard : {"rfc9881", "rfc9935"})
        for (const auto& entry : std::filesystem::directory_iterator(folder() / standard)) {
            const std::string name = entry.path().filename();
            if (!name.ends_with(".priv")) continue;
            const Bytes pem = contents(entry.path());
            const Key key = decoded(pem, EVP_PKEY_KEYPAIR);
            if (name.starts_with("bad-")) {
                EXPECT_TRUE(fails(key, "malformed key")) << name;
                continue;
            }
            ASSERT_TRUE(works(key)) << name;
            ++read;
            const Bytes shown = contents(folder() / standard / (name.substr(0, name.rfind('-')) + ".pub"));
            EXPECT_TRUE(same(key, decoded(shown, EVP_PKEY_PUBLIC_KEY))) << name;
            const Bytes written = encoded(key, {EVP_PKEY_KEYPAIR, "PEM", "PrivateKeyInfo"});
            EXPECT_FALSE(std::ranges::search(pem, written).empty()) << name;
        }
    EXPECT_EQ(read, 18);
}

TEST(ProviderKeyFiles, OfAnotherAlgorithmAreNotTaken)
{
    const Bytes der = private_der(generated("ML-DSA-44"));
    EXPECT_FALSE(decoded(der, EVP_PKEY_KEYPAIR, "ML-DSA-65"));
    EXPECT_TRUE(decoded(der, EVP_PKEY_KEYPAIR, "ML-DSA-44"));
    EXPECT_FALSE(same(generated("ML-DSA-44"), generated("ML-DSA-65")));
}

TEST(ProviderKeyFiles, WithoutEndAreGivenUp)
{
    const Bytes endless(std::size_t{64} << 20, 'x');
    const Stream stream = stream_of(endless);
    EXPECT_FALSE(decoded(stream.get(), 0, "ML-DSA-44", "DER"));
    EXPECT_GE(BIO_number_read(stream.get()), std::size_t{1} << 20);
    EXPECT_LE(BIO_number_read(stream.get()), std::size_t{4} << 20);
}

using Certificate = Owned<X509, X509_free>;

/// A certificate in PEM; null if it is malformed.
Certificate certificate_in(const std::filesystem::path& path)
{
    const Bytes pem = contents(path);
    X509* read = X509_new_ex(library(), "?provider=girih");
    return Certificate(PEM_read_bio_X509(stream_of(pem).get(), &read, nullptr, nullptr));
}

TEST_F(ProviderExamples, OfCertificatesVerify)
{
    for (const char* name : {"ML-DSA-44.crt", "ML-DSA-65.crt", "ML-DSA-87.crt"}) {
        const Certificate certificate = certificate_in(folder() / "rfc9881" / name);
        ASSERT_TRUE(works(certificate));
        EXPECT_TRUE(works(X509_verify(certificate.get(), X509_get0_pubkey(certificate.get())))) << name;
    }
}

/// A certificate, and a message in CMS (RFC 9882) with it, both by OpenSSL 3.5.9's own ML-DSA-44.
TEST(ProviderCms, OfOpenSslItselfVerifiesAndChangedDoesNot)
{
    const std::filesystem::path folder = std::filesystem::path(GIRIH_PROVIDER_FILES) / "openssl_3_5";
    const Certificate root = certificate_in(folder / "root.pem");
    ASSERT_TRUE(works(root));
    const Owned<X509_STORE, X509_STORE_free> store(X509_STORE_new());
    EXPECT_EQ(X509_STORE_add_cert(store.get(), root.get()), 1);
    EXPECT_EQ(X509_STORE_set_purpose(store.get(), X509_PURPOSE_ANY), 1);
    EXPECT_EQ(X509_STORE_set_flags(store.get(), X509_V_FLAG_NO_CHECK_TIME), 1);

    const Bytes pem = contents(folder / "message.cms");
    CMS_ContentInfo* message = CMS_ContentInfo_new_ex(library(), "?provider=girih");
    ASSERT_NE(PEM_read_bio_CMS(stream_of(pem).get(), &message, nullptr, nullptr), nullptr) << errors();
    const Owned<CMS_ContentInfo, CMS_ContentInfo_free> owned(message);
    const auto verify = [&] {
        return CMS_verify(message, nullptr, store.get(), nullptr, nullptr, CMS_BINARY);
    };
    EXPECT_TRUE(works(verify()));

    ASN1_OCTET_STRING* signature =
        CMS_SignerInfo_get0_signature(sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(message), 0));
    const unsigned char* data = ASN1_STRING_get0_data(signature);
    Bytes changed(data, data + ASN1_STRING_length(signature));
    changed[100] ^= 1;
    EXPECT_EQ(ASN1_STRING_set(signature, changed.data(), static_cast<int>(changed.size())), 1);
    EXPECT_TRUE(fails(verify(), "the signature does not verify"));
}

}  // namespace
}  // namespace girih::tests
