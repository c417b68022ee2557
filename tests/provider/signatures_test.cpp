/// Signatures through OpenSSL's functions: of whole messages, of messages in pieces, and of mu;
/// operations that are begun again, copied or configured at a wrong time.

#include <openssl/x509.h>

#include <algorithm>
#include <thread>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

class ProviderSignatures : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override { ASSERT_TRUE(works(key_)); }

    Key key_ = generated(GetParam());
};

TEST_P(ProviderSignatures, VerifyAndNoOthersDo)
{
    const Bytes signature = sign(key_, message);
    EXPECT_TRUE(works(verifies(key_, signature, message)));
    for (std::size_t i = 0; i < signature.size(); i += 1 + signature.size() / 40) {
        Bytes wrong = signature;
        wrong[i] ^= 1;
        EXPECT_FALSE(verifies(key_, wrong, message)) << i;
    }
    errors();
    const Bytes shorter(signature.begin(), signature.end() - 1);
    EXPECT_TRUE(fails(verifies(key_, shorter, message), "the signature does not verify"));
    EXPECT_TRUE(fails(verifies(key_, signature, Bytes(5000, 'n')), "the signature does not verify"));
    EXPECT_TRUE(fails(verifies(key_, Bytes(8000), message),
                      "it has 8000 bytes, but one of " + std::string(GetParam()) + " at most"));
    EXPECT_FALSE(verifies(generated(GetParam()), signature, message));
}

TEST_P(ProviderSignatures, OfPiecesAreThoseOfTheWhole)
{
    const auto signing = begun(key_, true);
    const auto verifying = begun(key_, false);
    for (std::size_t i = 0; i < message.size(); i += 1000) {
        EXPECT_TRUE(take(signing, Bytes(1000, 'm')));
        EXPECT_EQ(EVP_DigestVerifyUpdate(verifying.get(), message.data() + i, 1000), 1);
    }
    const Bytes signature = ended(signing);
    EXPECT_TRUE(works(verifies(key_, signature, message)));
    EXPECT_TRUE(works(EVP_DigestVerifyFinal(verifying.get(), signature.data(), signature.size())));
}

TEST_P(ProviderSignatures, NeedAPrivateKeyRoomAndNoDigest)
{
    EXPECT_TRUE(fails(begun(public_half_of(key_), true), "the key has no private half"));
    EXPECT_TRUE(fails(begun(key_, true, {}, "SHA512"), "the algorithm takes no digest"));
    Bytes little(100);
    std::size_t bytes = little.size();
    EXPECT_TRUE(fails(EVP_DigestSign(begun(key_, true).get(), little.data(), &bytes, little.data(), 1),
                      "the output buffer is too small"));
}

/// CMS without signed attributes would have a digest signed, where RFC 9882 signs the content.
TEST_P(ProviderSignatures, AreNotOfDigests)
{
    const Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free> context(
        EVP_PKEY_CTX_new_from_pkey(library(), key_.get(), from_girih));
    EXPECT_LT(EVP_PKEY_sign_init(context.get()), 1);
    EXPECT_NE(errors(), "");
}

/// OpenSSL compares these bits with a security level.
TEST_P(ProviderSignatures, OfCertificatesAreAsStrongAsTheirKeys)
{
    const Owned<X509, X509_free> certificate(X509_new_ex(library(), from_girih));
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 60);
    ASSERT_EQ(X509_set_pubkey(certificate.get(), key_.get()), 1);
    ASSERT_GT(X509_sign(certificate.get(), key_.get(), nullptr), 0) << errors();
    EXPECT_TRUE(works(X509_verify(certificate.get(), key_.get())));
    int bits = 0;
    EXPECT_EQ(X509_get_signature_info(certificate.get(), nullptr, nullptr, &bits, nullptr), 1);
    EXPECT_EQ(bits, EVP_PKEY_get_security_bits(key_.get()));
}

TEST_P(ProviderSignatures, OnManyThreads)
{
    std::array<std::thread, 4> threads;
    std::array<bool, 4> good{};
    for (std::size_t t = 0; t < threads.size(); ++t)
        threads[t] = std::thread([&, t] {
            good[t] = true;
            for (int i = 0; i < 10; ++i) good[t] = good[t] && verifies(key_, sign(key_, message), message);
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(std::count(good.begin(), good.end(), true), 4);
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderSignatures, testing::ValuesIn(signature_algorithms), name_of);

// ---- Settings from before, and settings that come too late

class ProviderMessages : public testing::TestWithParam<const char*> {
  protected:
    Key key_ = generated(GetParam());
};

/// Begins again with the same key, and keeps the settings.
bool begin_again(const DigestContext& context)
{
    return EVP_DigestSignInit_ex(context.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == 1;
}

/// Settings for an operation that has been begun.
bool set(const DigestContext& context, const Params& params)
{
    return EVP_PKEY_CTX_set_params(EVP_MD_CTX_get_pkey_ctx(context.get()), params) == 1;
}

TEST_P(ProviderMessages, AreForgottenWhereAnotherBegins)
{
    const auto context = begun(key_, true);
    ASSERT_TRUE(take(context, {'a'}));
    ASSERT_TRUE(begin_again(context));
    ASSERT_TRUE(take(context, {'b'}));
    EXPECT_TRUE(works(verifies(key_, ended(context), {'b'})));
    ASSERT_TRUE(begin_again(context));
    EXPECT_TRUE(works(verifies(key_, ended(context), {})));
    ASSERT_TRUE(begin_again(context));
    EXPECT_TRUE(works(verifies(key_, of_whole(context, {'c'}), {'c'})));
}

TEST_P(ProviderMessages, GoOnByThemselvesInACopy)
{
    const auto context = begun(key_, true);
    ASSERT_TRUE(take(context, {'a'}));
    const DigestContext copy(EVP_MD_CTX_new());
    ASSERT_TRUE(works(EVP_MD_CTX_copy_ex(copy.get(), context.get())));
    ASSERT_TRUE(take(copy, {'b'}));
    ASSERT_TRUE(take(context, {'c'}));
    EXPECT_TRUE(works(verifies(key_, ended(copy), {'a', 'b'})));
    EXPECT_TRUE(works(verifies(key_, ended(context), {'a', 'c'})));
}

TEST_P(ProviderMessages, InPiecesAreNotSignedOrVerifiedWhole)
{
    const auto signing = begun(key_, true);
    ASSERT_TRUE(take(signing, {'a'}));
    EXPECT_TRUE(fails(of_whole(signing, {'b'}), "the message has begun in pieces"));
    const Bytes text{'b'};
    const Bytes signature = sign(key_, text);
    const auto verifying = begun(key_, false);
    ASSERT_EQ(EVP_DigestVerifyUpdate(verifying.get(), "a", 1), 1);
    EXPECT_TRUE(fails(EVP_DigestVerify(verifying.get(), signature.data(), signature.size(), text.data(), 1),
                      "the message has begun in pieces"));
}

TEST_P(ProviderMessages, ThatHaveBegunKeepTheirSettings)
{
    const auto context = begun(key_, true);
    ASSERT_TRUE(take(context, {'a'}));
    EXPECT_TRUE(fails(set(context, Params().number("mu", 0)), "set it before any of the message"));
    EXPECT_TRUE(fails(set(context, as_mu), "set it before any of the message"));
    EXPECT_TRUE(fails(set(context, context_string({})), "set the context before the message"));
    EXPECT_TRUE(works(verifies(key_, ended(context), {'a'})));
}

TEST_P(ProviderMessages, HaveContextsAndSignaturesOfOctets)
{
    const auto context = begun(key_, false);
    EXPECT_TRUE(
        fails(set(context, Params().text("context-string", "c")), "context-string is not an octet string"));
    EXPECT_TRUE(fails(set(context, Params().text("signature", "c")), "wrong parameter: signature"));
    EXPECT_TRUE(works(set(context, Params().octets("signature", {'c'}))));
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderMessages, testing::Values("ML-DSA-44", "Falcon-512"), name_of);

// ---- Contexts, mu and flags of ML-DSA

class ProviderMlDsa : public testing::Test {
  protected:
    Key key_ = generated("ML-DSA-44");
    const Bytes mu_ = Bytes(64, 7);
};

TEST_F(ProviderMlDsa, ContextsArePartOfTheMessage)
{
    const Params longest = context_string(Bytes(255, 'c'));
    const Bytes signature = sign(key_, message, longest);
    EXPECT_TRUE(works(verifies(key_, signature, message, longest)));
    EXPECT_FALSE(verifies(key_, signature, message));
    EXPECT_FALSE(verifies(key_, signature, message, context_string(Bytes(254, 'c'))));
    errors();
    EXPECT_TRUE(fails(begun(key_, true, context_string(Bytes(256, 'c'))),
                      "it has 256 bytes, but at most 255 are allowed"));
    EXPECT_TRUE(fails(begun(generated("Falcon-512"), true, context_string({'c'})), "wrong context"));
}

TEST_F(ProviderMlDsa, ContextsStayWhereAnotherMessageBeginsAndMuDoesNot)
{
    const auto with_context = begun(key_, true, context_string({'c'}));
    ASSERT_TRUE(begin_again(with_context));
    EXPECT_TRUE(works(verifies(key_, of_whole(with_context, message), message, context_string({'c'}))));
    const auto with_mu = begun(key_, true, as_mu);
    ASSERT_TRUE(begin_again(with_mu));
    EXPECT_TRUE(works(verifies(key_, of_whole(with_mu, mu_), mu_)));
}

TEST_F(ProviderMlDsa, MuIsSignedAsItIsWholeOrInPieces)
{
    const Bytes signature = sign(key_, mu_, as_mu);
    EXPECT_TRUE(works(verifies(key_, signature, mu_, as_mu)));
    EXPECT_FALSE(verifies(key_, signature, mu_));
    EXPECT_EQ(sign(key_, Bytes(63), as_mu), Bytes());
    const auto context = begun(key_, true, as_mu);
    ASSERT_TRUE(take(context, Bytes(60, 7)));
    ASSERT_TRUE(take(context, Bytes(4, 7)));
    EXPECT_TRUE(works(verifies(key_, ended(context), mu_, as_mu)));
}

TEST_F(ProviderMlDsa, MuThatIsRefusedChangesNothing)
{
    EXPECT_TRUE(fails(begun(key_, true, context_string({'c'}).number("mu", 1)), "a context is part of mu"));
    const auto context = begun(key_, true);
    ASSERT_TRUE(set(context, context_string({'c'})));
    EXPECT_TRUE(fails(set(context, as_mu), "a context is part of mu"));
    EXPECT_TRUE(works(verifies(key_, of_whole(context, mu_), mu_, context_string({'c'}))));
}

TEST_F(ProviderMlDsa, FlagsAreNoughtOrOneAndOneIsForMlDsa)
{
    const auto falcon = begun(generated("Falcon-512"), true);
    const auto ml_dsa = begun(key_, true);
    for (const std::string name : {"deterministic", "mu"}) {
        const auto flag = [&name](int value) { return Params().number(name.c_str(), value); };
        EXPECT_TRUE(fails(set(falcon, flag(1)), name + " must be 0 or 1, and 1 only with ML-DSA"));
        EXPECT_TRUE(works(set(falcon, flag(0))));
        for (const int value : {0, 1}) EXPECT_TRUE(works(set(ml_dsa, flag(value)))) << name;
        for (const int value : {2, -1}) EXPECT_FALSE(set(ml_dsa, flag(value))) << name;
        EXPECT_FALSE(set(ml_dsa, Params().text(name.c_str(), "1"))) << name;
    }
    const Params deterministic = Params().number("deterministic", 1);
    EXPECT_EQ(sign(key_, message, deterministic), sign(key_, message, deterministic));
    EXPECT_NE(sign(key_, message), sign(key_, message));
}

}  // namespace
}  // namespace girih::tests
