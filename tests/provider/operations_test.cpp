/// Signatures, key encapsulation and the hybrid group through OpenSSL's functions.

#include <array>
#include <map>
#include <thread>

#include "provider/signing.hpp"

namespace girih::tests {
namespace {

class ProviderSignatures : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override
    {
        key_ = generated(GetParam());
        ASSERT_TRUE(key_) << errors();
        ERR_clear_error();
    }
    Key key_;
};

TEST_P(ProviderSignatures, VerifyAndNoOthersDo)
{
    const Bytes signature = sign(key_, message);
    EXPECT_TRUE(verifies(key_, signature, message)) << errors();
    for (std::size_t i = 0; i < signature.size(); i += 1 + signature.size() / 40) {
        Bytes wrong = signature;
        wrong[i] ^= 1;
        EXPECT_FALSE(verifies(key_, wrong, message)) << i;
    }
    ERR_clear_error();
    EXPECT_FALSE(verifies(key_, Bytes(signature.begin(), signature.end() - 1), message));
    EXPECT_TRUE(says("the signature does not verify"));
    EXPECT_FALSE(verifies(key_, Bytes(8000), message));
    EXPECT_TRUE(says("it has 8000 bytes, and one of " + std::string(GetParam()) + " at most"));
    EXPECT_FALSE(verifies(key_, signature, Bytes(5000, 'n')));
    EXPECT_TRUE(says("the signature does not verify"));
    EXPECT_FALSE(verifies(generated(GetParam()), signature, message));
}

TEST_P(ProviderSignatures, OfPiecesAreThoseOfTheWhole)
{
    const auto signing = begun(key_, true);
    const auto verifying = begun(key_, false);
    for (std::size_t i = 0; i < message.size(); i += 1000) {
        EXPECT_EQ(EVP_DigestSignUpdate(signing.get(), message.data() + i, 1000), 1);
        EXPECT_EQ(EVP_DigestVerifyUpdate(verifying.get(), message.data() + i, 1000), 1);
    }
    std::size_t bytes = 0;
    EXPECT_EQ(EVP_DigestSignFinal(signing.get(), nullptr, &bytes), 1);
    Bytes signature(bytes);
    EXPECT_EQ(EVP_DigestSignFinal(signing.get(), signature.data(), &bytes), 1) << errors();
    signature.resize(bytes);
    EXPECT_TRUE(verifies(key_, signature, message));
    EXPECT_EQ(EVP_DigestVerifyFinal(verifying.get(), signature.data(), signature.size()), 1) << errors();
}

TEST_P(ProviderSignatures, OfPiecesWaitForRoom)
{
    const auto context = begun(key_, true);
    EVP_MD_CTX_set_flags(context.get(), EVP_MD_CTX_FLAG_FINALISE);  // no copy is made for the end
    ASSERT_EQ(EVP_DigestSignUpdate(context.get(), message.data(), message.size()), 1);
    Bytes signature(8000);
    std::size_t bytes = 10;
    EXPECT_NE(EVP_DigestSignFinal(context.get(), signature.data(), &bytes), 1);
    EXPECT_TRUE(says("the output buffer is too small"));
    bytes = signature.size();
    // Versions of OpenSSL may end a context for good where its end failed.
    if (EVP_DigestSignFinal(context.get(), signature.data(), &bytes) != 1) return;
    signature.resize(bytes);
    EXPECT_TRUE(verifies(key_, signature, message)) << errors();
}

TEST_P(ProviderSignatures, OfPiecesForgetThemAtTheEnd)
{
    const auto context = begun(key_, true);
    EVP_MD_CTX_set_flags(context.get(), EVP_MD_CTX_FLAG_FINALISE);
    for (const Bytes& text : {Bytes{'a'}, Bytes{'b'}}) {
        // Versions of OpenSSL may end a context for good.
        if (EVP_DigestSignUpdate(context.get(), text.data(), text.size()) != 1) return;
        Bytes signature(8000);
        std::size_t bytes = signature.size();
        ASSERT_EQ(EVP_DigestSignFinal(context.get(), signature.data(), &bytes), 1) << errors();
        signature.resize(bytes);
        EXPECT_TRUE(verifies(key_, signature, text)) << errors();
    }
}

TEST_P(ProviderSignatures, NeedAPlaceForTheirLength)
{
    const auto context = begun(key_, true);
    EXPECT_NE(EVP_DigestSign(context.get(), nullptr, nullptr, message.data(), message.size()), 1);
}

TEST_P(ProviderSignatures, AreNotOfDigests)
{
    EXPECT_FALSE(begun(key_, true, {}, "SHA512"));
    EXPECT_TRUE(says("the algorithm takes no digest"));
}

TEST_P(ProviderSignatures, NeedAPrivateKeyAndRoom)
{
    EXPECT_FALSE(begun(decoded(public_der(key_), EVP_PKEY_PUBLIC_KEY), true));
    EXPECT_TRUE(says("the key has no private half"));
    const auto context = begun(key_, true);
    Bytes little(100);
    std::size_t bytes = little.size();
    EXPECT_NE(EVP_DigestSign(context.get(), little.data(), &bytes, message.data(), message.size()), 1);
    EXPECT_TRUE(says("the output buffer is too small"));
}

/// What OpenSSL compares with a security level.
TEST_P(ProviderSignatures, OfCertificatesAreAsStrongAsTheirKeys)
{
    const Certificate certificate(X509_new_ex(library(), from_girih));
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 60);
    ASSERT_EQ(X509_set_pubkey(certificate.get(), key_.get()), 1);
    ASSERT_GT(X509_sign(certificate.get(), key_.get(), nullptr), 0) << errors();
    EXPECT_EQ(X509_verify(certificate.get(), key_.get()), 1) << errors();
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
    for (const bool all : good) EXPECT_TRUE(all);
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderSignatures,
                         testing::Values("ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Falcon-512", "Falcon-1024",
                                         "Falcon-padded-512", "Falcon-padded-1024"),
                         name_of);

TEST(ProviderContexts, ArePartOfTheMessage)
{
    const Key key = generated("ML-DSA-65");
    const Options options{.context = Bytes(255, 'c')};
    const Bytes signature = sign(key, message, options);
    EXPECT_TRUE(verifies(key, signature, message, options));
    EXPECT_FALSE(verifies(key, signature, message));
    EXPECT_FALSE(verifies(key, signature, message, {.context = Bytes(254, 'c')}));
    ERR_clear_error();
    EXPECT_FALSE(begun(key, true, {.context = Bytes(256, 'c')}));
    EXPECT_TRUE(says("it has 256 bytes, and 255 at most"));
    EXPECT_FALSE(begun(generated("Falcon-512"), true, {.context = Bytes(1, 'c')}));
    EXPECT_TRUE(says("wrong context"));
}

TEST(ProviderMu, IsSignedAsItIs)
{
    const Key key = generated("ML-DSA-44");
    const Bytes mu(64, 7);
    const Bytes signature = sign(key, mu, {.context = {}, .mu = 1});
    EXPECT_TRUE(verifies(key, signature, mu, {.context = {}, .mu = 1}));
    EXPECT_FALSE(verifies(key, signature, mu));
    EXPECT_EQ(sign(key, Bytes(63), {.context = {}, .mu = 1}), Bytes());
    EXPECT_FALSE(begun(key, true, {.context = Bytes(1, 'c'), .mu = 1}));
    EXPECT_TRUE(says("a context is part of mu"));
}

TEST(ProviderMu, ThatIsRefusedChangesNothing)
{
    const Key key = generated("ML-DSA-44");
    const Options options{.context = Bytes(1, 'c')};
    const Bytes text(64, 7);
    EVP_PKEY_CTX* settings = nullptr;
    const DigestContext context(EVP_MD_CTX_new());
    ASSERT_EQ(
        EVP_DigestSignInit_ex(context.get(), &settings, nullptr, library(), from_girih, key.get(), nullptr),
        1);
    Bytes label = options.context;
    int mu = 1;
    const std::array good{OSSL_PARAM_construct_octet_string("context-string", label.data(), label.size()),
                          OSSL_PARAM_construct_end()};
    const std::array bad{OSSL_PARAM_construct_int("mu", &mu), OSSL_PARAM_construct_end()};
    ASSERT_EQ(EVP_PKEY_CTX_set_params(settings, good.data()), 1);
    EXPECT_NE(EVP_PKEY_CTX_set_params(settings, bad.data()), 1);
    EXPECT_TRUE(says("a context is part of mu"));
    Bytes signature(8000);
    std::size_t bytes = signature.size();
    ASSERT_EQ(EVP_DigestSign(context.get(), signature.data(), &bytes, text.data(), text.size()), 1)
        << errors();
    signature.resize(bytes);
    EXPECT_TRUE(verifies(key, signature, text, options));
}

TEST(ProviderSignaturesOfOthers, AreOfAnotherAlgorithm)
{
    const Bytes signature = sign(generated("ML-DSA-44"), message);
    EXPECT_FALSE(verifies(generated("ML-DSA-65"), signature, message));
    EXPECT_FALSE(begun(generated("ML-KEM-768"), true));
}

// ---- Key encapsulation

struct Encapsulated {
    Bytes ciphertext;
    Bytes secret;
};

Encapsulated encapsulate(const Key& key)
{
    const KeyContext context(EVP_PKEY_CTX_new_from_pkey(library(), key.get(), from_girih));
    std::size_t ciphertext = 0;
    std::size_t secret = 0;
    if (EVP_PKEY_encapsulate_init(context.get(), nullptr) != 1 ||
        EVP_PKEY_encapsulate(context.get(), nullptr, &ciphertext, nullptr, &secret) != 1)
        return {};
    Encapsulated made{Bytes(ciphertext), Bytes(secret)};
    if (EVP_PKEY_encapsulate(context.get(), made.ciphertext.data(), &ciphertext, made.secret.data(),
                             &secret) != 1)
        return {};
    return made;
}

Bytes decapsulate(const Key& key, const Bytes& ciphertext)
{
    const KeyContext context(EVP_PKEY_CTX_new_from_pkey(library(), key.get(), from_girih));
    std::size_t bytes = 64;
    Bytes secret(bytes);
    if (EVP_PKEY_decapsulate_init(context.get(), nullptr) != 1 ||
        EVP_PKEY_decapsulate(context.get(), secret.data(), &bytes, ciphertext.data(), ciphertext.size()) != 1)
        return {};
    secret.resize(bytes);
    return secret;
}

class ProviderKems : public testing::TestWithParam<const char*> {};

TEST_P(ProviderKems, RejectImplicitly)
{
    const Key key = generated(GetParam());
    const auto [ciphertext, secret] = encapsulate(decoded(public_der(key), EVP_PKEY_PUBLIC_KEY));
    ASSERT_FALSE(secret.empty()) << errors();
    EXPECT_EQ(decapsulate(key, ciphertext), secret) << errors();
    for (std::size_t i = 0; i < ciphertext.size(); i += 37) {
        Bytes wrong = ciphertext;
        wrong[i] ^= 0x10;
        const Bytes other = decapsulate(key, wrong);
        EXPECT_EQ(other.size(), secret.size()) << errors();
        EXPECT_NE(other, secret);
        EXPECT_EQ(other, decapsulate(key, wrong));
    }
    ERR_clear_error();
    EXPECT_EQ(decapsulate(key, Bytes(ciphertext.begin(), ciphertext.end() - 1)), Bytes());
    EXPECT_TRUE(says("wrong length of a ciphertext"));
    EXPECT_EQ(decapsulate(decoded(public_der(key), EVP_PKEY_PUBLIC_KEY), ciphertext), Bytes());
    EXPECT_TRUE(says("the key has no private half"));
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderKems,
                         testing::Values("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "sntrup761"), name_of);

/// A buffer of no bytes is too small, where OpenSSL has callers say how large theirs are.
TEST(ProviderRoom, OfNoBytesIsNone)
{
    const Key key = generated("ML-KEM-768");
    const KeyContext context(EVP_PKEY_CTX_new_from_pkey(library(), key.get(), from_girih));
    Bytes ciphertext(2000);
    Bytes secret(64);
    std::size_t ciphertext_bytes = ciphertext.size();
    std::size_t secret_bytes = 0;
    ASSERT_EQ(EVP_PKEY_encapsulate_init(context.get(), nullptr), 1);
    const bool is_made = EVP_PKEY_encapsulate(context.get(), ciphertext.data(), &ciphertext_bytes,
                                              secret.data(), &secret_bytes) == 1;
    EXPECT_EQ(is_made, OpenSSL_version_num() < 0x30500000);
    EXPECT_EQ(secret == Bytes(64), !is_made);
}

// ---- The hybrid group, as TLS uses it

constexpr std::size_t ml_kem_share = 1184;

/// The server's object for the client's share; null if it refuses the share.
Key peer_with(const Bytes& share)
{
    const KeyContext context(EVP_PKEY_CTX_new_from_name(library(), "X25519MLKEM768", from_girih));
    EVP_PKEY* key = nullptr;
    EXPECT_EQ(EVP_PKEY_paramgen_init(context.get()), 1);
    EXPECT_EQ(EVP_PKEY_paramgen(context.get(), &key), 1) << errors();
    Key owned(key);
    return EVP_PKEY_set1_encoded_public_key(key, share.data(), share.size()) == 1 ? std::move(owned)
                                                                                  : nullptr;
}

TEST(ProviderHybrid, AgreesAndRejects)
{
    const Key client = generated("X25519MLKEM768");
    ASSERT_TRUE(client) << errors();
    const Bytes share = octets(client, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    EXPECT_EQ(share.size(), ml_kem_share + 32);
    const auto [answer, secret] = encapsulate(peer_with(share));
    EXPECT_EQ(answer.size(), 1088u + 32);
    EXPECT_EQ(secret.size(), 64u) << errors();
    EXPECT_EQ(decapsulate(client, answer), secret) << errors();

    Bytes wrong = answer;
    wrong[5] ^= 1;  // of ML-KEM's ciphertext: its secret is another, X25519's is the same
    const Bytes other = decapsulate(client, wrong);
    EXPECT_FALSE(std::equal(other.begin(), other.begin() + 32, secret.begin()));
    EXPECT_TRUE(std::equal(other.begin() + 32, other.end(), secret.begin() + 32));
    ERR_clear_error();
    EXPECT_EQ(decapsulate(client, Bytes(answer.begin(), answer.end() - 1)), Bytes());
    EXPECT_TRUE(says("wrong length of a ciphertext"));
    EXPECT_FALSE(peer_with(Bytes(share.begin(), share.end() - 1)));
    EXPECT_TRUE(says("wrong length of a key"));
}

TEST(ProviderHybrid, RefusesAShareOfSmallOrderAndCoefficientsThatAreNone)
{
    const Bytes share = octets(generated("X25519MLKEM768"), OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    Bytes zero = share;
    std::fill(zero.begin() + ml_kem_share, zero.end(), std::uint8_t{0});
    ERR_clear_error();
    EXPECT_EQ(encapsulate(peer_with(zero)).secret, Bytes());
    EXPECT_TRUE(says("no secret was agreed on"));
    const Key client = generated("X25519MLKEM768");
    Bytes answer = encapsulate(peer_with(octets(client, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY))).ciphertext;
    ASSERT_EQ(answer.size(), 1088u + 32);
    std::fill(answer.end() - 32, answer.end(), std::uint8_t{0});
    EXPECT_EQ(decapsulate(client, answer), Bytes());
    EXPECT_TRUE(says("no secret was agreed on"));
    Bytes large = share;
    large[0] = large[1] = 0xFF;
    EXPECT_EQ(encapsulate(peer_with(large)).secret, Bytes());
    EXPECT_TRUE(says("malformed key"));
}

TEST(ProviderHybrid, WritesNoFurtherThanThereIsRoom)
{
    const Key client = generated("X25519MLKEM768");
    const KeyContext context(EVP_PKEY_CTX_new_from_pkey(library(), client.get(), from_girih));
    Bytes share(2000);
    Bytes secret(64);
    std::size_t share_bytes = 1119;
    std::size_t secret_bytes = 64;
    ASSERT_EQ(EVP_PKEY_encapsulate_init(context.get(), nullptr), 1);
    EXPECT_NE(EVP_PKEY_encapsulate(context.get(), share.data(), &share_bytes, secret.data(), &secret_bytes),
              1);
    EXPECT_TRUE(says("the output buffer is too small"));
    EXPECT_EQ(share, Bytes(2000));
    secret_bytes = 63;
    ASSERT_EQ(EVP_PKEY_decapsulate_init(context.get(), nullptr), 1);
    EXPECT_NE(EVP_PKEY_decapsulate(context.get(), secret.data(), &secret_bytes, share.data(), 1120), 1);
    EXPECT_TRUE(says("the output buffer is too small"));
    EXPECT_EQ(secret, Bytes(64));
}

// ---- What TLS is told

using CodePoints = std::map<std::string, unsigned int>;

/// The code points of a capability, by the names that TLS has for them.
CodePoints code_points(const char* capability, const char* name, const char* code_point)
{
    struct Reader {
        const char* name;
        const char* code_point;
        CodePoints found;
    } reader{name, code_point, {}};
    const auto note = [](const OSSL_PARAM params[], void* argument) {
        auto& into = *static_cast<Reader*>(argument);
        const OSSL_PARAM* text = OSSL_PARAM_locate_const(params, into.name);
        unsigned int value = 0;
        if (OSSL_PARAM_get_uint(OSSL_PARAM_locate_const(params, into.code_point), &value) != 1) return 0;
        into.found[static_cast<const char*>(text->data)] = value;
        return 1;
    };
    const Owned<OSSL_PROVIDER, OSSL_PROVIDER_unload> girih(OSSL_PROVIDER_load(library(), "girih-provider"));
    EXPECT_EQ(OSSL_PROVIDER_get_capabilities(girih.get(), capability, note, &reader), 1);
    return reader.found;
}

TEST(ProviderTls, HasIanasNumbers)
{
    EXPECT_EQ(
        code_points("TLS-GROUP", "tls-group-name", "tls-group-id"),
        (CodePoints{
            {"MLKEM512", 0x0200}, {"MLKEM768", 0x0201}, {"MLKEM1024", 0x0202}, {"X25519MLKEM768", 0x11EC}}));
    EXPECT_EQ(code_points("TLS-SIGALG", "tls-sigalg-iana-name", "tls-sigalg-code-point"),
              (CodePoints{{"mldsa44", 0x0904}, {"mldsa65", 0x0905}, {"mldsa87", 0x0906}}));
}

}  // namespace
}  // namespace girih::tests
