/// Operations that are begun again, copied or told something at a wrong time; keys that change.

#include <algorithm>
#include <array>

#include "provider/signing.hpp"

namespace girih::tests {
namespace {

// ---- Signatures

class ProviderMessages : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override
    {
        key_ = generated(GetParam());
        ASSERT_TRUE(key_) << errors();
        ERR_clear_error();
    }
    Key key_;
};

bool take(const DigestContext& context, const Bytes& piece)
{
    return EVP_DigestSignUpdate(context.get(), piece.data(), piece.size()) == 1;
}

/// The signature of the pieces that have come; empty if there is none.
Bytes ended(const DigestContext& context)
{
    Bytes signature(8000);
    std::size_t bytes = signature.size();
    if (EVP_DigestSignFinal(context.get(), signature.data(), &bytes) != 1) return {};
    signature.resize(bytes);
    return signature;
}

Bytes of_whole(const DigestContext& context, const Bytes& text)
{
    Bytes signature(8000);
    std::size_t bytes = signature.size();
    if (EVP_DigestSign(context.get(), signature.data(), &bytes, text.data(), text.size()) != 1) return {};
    signature.resize(bytes);
    return signature;
}

/// Begins again with the same key, and keeps what the operation was told.
bool begin_again(const DigestContext& context, const OSSL_PARAM* params = nullptr)
{
    return EVP_DigestSignInit_ex(context.get(), nullptr, nullptr, nullptr, nullptr, nullptr, params) == 1;
}

/// Settings of one number or of bytes, for an operation that has been begun.
bool set(const DigestContext& context, OSSL_PARAM param)
{
    const std::array params{param, OSSL_PARAM_construct_end()};
    return EVP_PKEY_CTX_set_params(EVP_MD_CTX_get_pkey_ctx(context.get()), params.data()) == 1;
}

TEST_P(ProviderMessages, AreForgottenWhereAnotherBegins)
{
    const auto context = begun(key_, true);
    ASSERT_TRUE(take(context, {'a'}));
    ASSERT_TRUE(begin_again(context)) << errors();
    ASSERT_TRUE(take(context, {'b'}));
    EXPECT_TRUE(verifies(key_, ended(context), {'b'})) << errors();
    ASSERT_TRUE(begin_again(context)) << errors();
    EXPECT_TRUE(verifies(key_, ended(context), {})) << errors();
    ASSERT_TRUE(begin_again(context)) << errors();
    EXPECT_TRUE(verifies(key_, of_whole(context, {'c'}), {'c'})) << errors();
}

TEST_P(ProviderMessages, GoOnByThemselvesInACopy)
{
    const auto context = begun(key_, true);
    ASSERT_TRUE(take(context, {'a'}));
    const DigestContext copy(EVP_MD_CTX_new());
    ASSERT_EQ(EVP_MD_CTX_copy_ex(copy.get(), context.get()), 1) << errors();
    ASSERT_TRUE(take(copy, {'b'}));
    ASSERT_TRUE(take(context, {'c'}));
    EXPECT_TRUE(verifies(key_, ended(copy), {'a', 'b'})) << errors();
    EXPECT_TRUE(verifies(key_, ended(context), {'a', 'c'})) << errors();
}

TEST_P(ProviderMessages, InPiecesAreNotSignedOrVerifiedWhole)
{
    const auto signing = begun(key_, true);
    ASSERT_TRUE(take(signing, {'a'}));
    EXPECT_EQ(of_whole(signing, {'b'}), Bytes());
    EXPECT_TRUE(says("the message has begun in pieces"));
    const Bytes signature = sign(key_, {'b'});
    const auto verifying = begun(key_, false);
    ASSERT_EQ(EVP_DigestVerifyUpdate(verifying.get(), "a", 1), 1);
    EXPECT_NE(EVP_DigestVerify(verifying.get(), signature.data(), signature.size(),
                               reinterpret_cast<const unsigned char*>("b"), 1),
              1);
    EXPECT_TRUE(says("the message has begun in pieces"));
}

TEST_P(ProviderMessages, ThatHaveBegunKeepTheirSettings)
{
    const auto context = begun(key_, true);
    ASSERT_TRUE(take(context, {'a'}));
    int no = 0;
    std::uint8_t label = 'c';
    EXPECT_FALSE(set(context, OSSL_PARAM_construct_int("mu", &no)));
    EXPECT_TRUE(says("it is named before the message"));
    EXPECT_FALSE(set(context, OSSL_PARAM_construct_octet_string("context-string", &label, 0)));
    EXPECT_TRUE(says("it comes before the message"));
    EXPECT_TRUE(verifies(key_, ended(context), {'a'})) << errors();
}

TEST_P(ProviderMessages, HaveContextsAndSignaturesOfOctets)
{
    const auto context = begun(key_, false);
    char text[] = "c";
    EXPECT_FALSE(set(context, OSSL_PARAM_construct_utf8_string("context-string", text, 0)));
    EXPECT_TRUE(says("context-string is no octet string"));
    EXPECT_FALSE(set(context, OSSL_PARAM_construct_utf8_string("signature", text, 0)));
    EXPECT_TRUE(says("wrong parameter: signature"));
    EXPECT_TRUE(set(context, OSSL_PARAM_construct_octet_string("signature", text, 1))) << errors();
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderMessages, testing::Values("ML-DSA-44", "Falcon-512"), name_of);

TEST(ProviderMu, IsForgottenWhereAnotherMessageBegins)
{
    const Key key = generated("ML-DSA-44");
    const Bytes text(64, 7);
    const auto context = begun(key, true, {.context = {}, .mu = 1});
    ASSERT_TRUE(begin_again(context)) << errors();
    EXPECT_TRUE(verifies(key, of_whole(context, text), text)) << errors();
}

TEST(ProviderMu, InPiecesIsThatOfTheWhole)
{
    const Key key = generated("ML-DSA-44");
    const Options options{.context = {}, .mu = 1};
    const auto context = begun(key, true, options);
    ASSERT_TRUE(take(context, Bytes(60, 7)));
    ASSERT_TRUE(take(context, Bytes(4, 7)));
    EXPECT_TRUE(verifies(key, ended(context), Bytes(64, 7), options)) << errors();
}

TEST(ProviderMu, IsNamedBeforeTheMessage)
{
    const Key key = generated("ML-DSA-44");
    const auto context = begun(key, true);
    ASSERT_TRUE(take(context, Bytes(64, 7)));
    int yes = 1;
    EXPECT_FALSE(set(context, OSSL_PARAM_construct_int("mu", &yes)));
    EXPECT_TRUE(says("it is named before the message"));
    EXPECT_TRUE(verifies(key, ended(context), Bytes(64, 7))) << errors();
}

TEST(ProviderContexts, StayWhereAnotherMessageBegins)
{
    const Key key = generated("ML-DSA-44");
    const Options options{.context = Bytes(3, 'c')};
    const auto context = begun(key, true, options);
    ASSERT_TRUE(begin_again(context)) << errors();
    EXPECT_TRUE(verifies(key, of_whole(context, message), message, options)) << errors();
}

TEST(ProviderFlags, AreNoughtOrOneAndOneIsForMlDsa)
{
    const auto falcon = begun(generated("Falcon-512"), true);
    const Key key = generated("ML-DSA-44");
    const auto ml_dsa = begun(key, true);
    for (const char* name : {"deterministic", "mu"}) {
        int value = 1;
        const OSSL_PARAM param = OSSL_PARAM_construct_int(name, &value);
        EXPECT_FALSE(set(falcon, param)) << name;
        EXPECT_TRUE(says(std::string(name) + " is 0 or 1, and 1 is for ML-DSA"));
        EXPECT_TRUE(set(ml_dsa, param)) << name << errors();
        value = 2;
        EXPECT_FALSE(set(ml_dsa, param)) << name;
        value = -1;
        EXPECT_FALSE(set(ml_dsa, param)) << name;
        value = 0;
        EXPECT_TRUE(set(falcon, param)) << name << errors();
        EXPECT_TRUE(set(ml_dsa, param)) << name << errors();
        char text[] = "1";
        EXPECT_FALSE(set(ml_dsa, OSSL_PARAM_construct_utf8_string(name, text, 0))) << name;
    }
    const auto twice = [&] {
        const auto context = begun(key, true);
        int value = 1;
        EXPECT_TRUE(set(context, OSSL_PARAM_construct_int("deterministic", &value)));
        return of_whole(context, message);
    };
    EXPECT_EQ(twice(), twice());
    EXPECT_NE(sign(key, message), sign(key, message));
}

// ---- The hybrid group

TEST(ProviderHybridKeys, LoseTheirPrivateHalfToAPeersShare)
{
    const Key own = generated("X25519MLKEM768");
    const Key peer = generated("X25519MLKEM768");
    const auto begins_decapsulation = [](const Key& key) {
        const KeyContext context(EVP_PKEY_CTX_new_from_pkey(library(), key.get(), from_girih));
        return EVP_PKEY_decapsulate_init(context.get(), nullptr) == 1;
    };
    EXPECT_TRUE(begins_decapsulation(own)) << errors();
    EXPECT_NE(EVP_PKEY_eq(own.get(), peer.get()), 1);
    const Bytes share = octets(peer, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    ASSERT_EQ(EVP_PKEY_set1_encoded_public_key(own.get(), share.data(), share.size()), 1) << errors();
    EXPECT_EQ(octets(own, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY), share);
    EXPECT_EQ(EVP_PKEY_eq(own.get(), peer.get()), 1);
    ERR_clear_error();
    EXPECT_FALSE(begins_decapsulation(own));
    EXPECT_TRUE(says("the key has no private half"));
}

// ---- Files

/// A stream of one byte over and over, which counts what is read of it and ends after 64 MiB.
class LongStream {
  public:
    LongStream()
    {
        BIO_meth_set_read_ex(method_.get(), [](BIO* bio, char* out, std::size_t bytes, std::size_t* read) {
            auto& stream = *static_cast<LongStream*>(BIO_get_data(bio));
            *read = stream.read_ < std::size_t{64} << 20 ? bytes : 0;
            stream.read_ += *read;
            std::fill_n(out, *read, 'x');
            return *read != 0 ? 1 : 0;
        });
        bio_.reset(BIO_new(method_.get()));
        BIO_set_data(bio_.get(), this);
        BIO_set_init(bio_.get(), 1);
    }
    [[nodiscard]] BIO* get() const { return bio_.get(); }
    [[nodiscard]] std::size_t read() const { return read_; }

  private:
    Owned<BIO_METHOD, BIO_meth_free> method_{
        BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "long")};
    Stream bio_;
    std::size_t read_ = 0;
};

TEST(ProviderFiles, WithoutEndAreGivenUp)
{
    const LongStream endless;
    EVP_PKEY* key = nullptr;
    const Owned<OSSL_DECODER_CTX, OSSL_DECODER_CTX_free> decoder(
        OSSL_DECODER_CTX_new_for_pkey(&key, "DER", nullptr, "ML-DSA-44", 0, library(), from_girih));
    EXPECT_NE(OSSL_DECODER_from_bio(decoder.get(), endless.get()), 1);
    EXPECT_EQ(key, nullptr);
    EXPECT_GE(endless.read(), std::size_t{1} << 20);
    EXPECT_LE(endless.read(), std::size_t{4} << 20);
}

}  // namespace
}  // namespace girih::tests
