/// Operations that are begun again, copied, asked in a wrong order or for nothing, and keys that
/// change.

#include <openssl/core_dispatch.h>

#include <algorithm>
#include <array>
#include <string_view>

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

// ---- Functions of the provider itself, which OpenSSL's own shield from some orders of calls

OSSL_PROVIDER* girih()
{
    static const Owned<OSSL_PROVIDER, OSSL_PROVIDER_unload> loaded(
        OSSL_PROVIDER_load(library(), "girih-provider"));
    return loaded.get();
}

/// A function of an algorithm's table, by the type that OpenSSL declares for it.
template <class Function>
Function* function_of(int operation, std::string_view algorithm, int identity)
{
    int no_cache = 0;
    const OSSL_ALGORITHM* row = OSSL_PROVIDER_query_operation(girih(), operation, &no_cache);
    while (!std::string_view(row->algorithm_names).starts_with(algorithm)) ++row;
    const OSSL_DISPATCH* entry = row->implementation;
    while (entry->function_id != identity) ++entry;
    return reinterpret_cast<Function*>(entry->function);
}

/// A key as the provider has it: empty, or with what is imported.
class KeyObject {
  public:
    explicit KeyObject(const char* algorithm) : algorithm_(algorithm)
    {
        object_ =
            of<OSSL_FUNC_keymgmt_new_fn>(OSSL_FUNC_KEYMGMT_NEW)(OSSL_PROVIDER_get0_provider_ctx(girih()));
    }
    KeyObject(const char* algorithm, const Key& key, int selection) : KeyObject(algorithm)
    {
        OSSL_PARAM* params = nullptr;
        EXPECT_EQ(EVP_PKEY_todata(key.get(), EVP_PKEY_KEYPAIR, &params), 1);
        EXPECT_EQ(of<OSSL_FUNC_keymgmt_import_fn>(OSSL_FUNC_KEYMGMT_IMPORT)(object_, selection, params), 1);
        OSSL_PARAM_free(params);
    }
    KeyObject(const KeyObject&) = delete;
    KeyObject& operator=(const KeyObject&) = delete;
    ~KeyObject() { of<OSSL_FUNC_keymgmt_free_fn>(OSSL_FUNC_KEYMGMT_FREE)(object_); }

    [[nodiscard]] void* get() const { return object_; }
    [[nodiscard]] bool has(int selection) const
    {
        return of<OSSL_FUNC_keymgmt_has_fn>(OSSL_FUNC_KEYMGMT_HAS)(object_, selection) == 1;
    }
    [[nodiscard]] bool matches(const KeyObject& other, int selection) const
    {
        const auto match = of<OSSL_FUNC_keymgmt_match_fn>(OSSL_FUNC_KEYMGMT_MATCH);
        return match(object_, other.object_, selection) == 1;
    }
    [[nodiscard]] bool is_valid(int selection) const
    {
        const auto validate = of<OSSL_FUNC_keymgmt_validate_fn>(OSSL_FUNC_KEYMGMT_VALIDATE);
        return validate(object_, selection, OSSL_KEYMGMT_VALIDATE_FULL_CHECK) == 1;
    }

  private:
    template <class Function>
    [[nodiscard]] Function* of(int identity) const
    {
        return function_of<Function>(OSSL_OP_KEYMGMT, algorithm_, identity);
    }
    const char* algorithm_;
    void* object_;
};

constexpr int public_half = OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
constexpr int private_half = OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
constexpr int both_halves = OSSL_KEYMGMT_SELECT_KEYPAIR;
constexpr int neither = OSSL_KEYMGMT_SELECT_ALL_PARAMETERS;

TEST(ProviderKeyObjects, HaveTheHalvesThatTheyWereGiven)
{
    const Key key = generated("ML-DSA-44");
    const KeyObject none("ML-DSA-44");
    const KeyObject shown("ML-DSA-44", key, public_half);
    const KeyObject whole("ML-DSA-44", key, both_halves);
    EXPECT_TRUE(none.has(neither) && shown.has(neither) && whole.has(neither));
    EXPECT_TRUE(!none.has(public_half) && shown.has(public_half) && whole.has(public_half));
    EXPECT_TRUE(!none.has(private_half) && !shown.has(private_half) && whole.has(private_half));
    EXPECT_TRUE(!none.has(both_halves) && !shown.has(both_halves) && whole.has(both_halves));
    EXPECT_TRUE(none.is_valid(neither) && shown.is_valid(neither) && whole.is_valid(neither));
    EXPECT_TRUE(!none.is_valid(public_half) && shown.is_valid(public_half) && whole.is_valid(public_half));
    EXPECT_TRUE(!none.is_valid(both_halves) && !shown.is_valid(both_halves) && whole.is_valid(both_halves));
    const auto has =
        function_of<OSSL_FUNC_keymgmt_has_fn>(OSSL_OP_KEYMGMT, "ML-DSA-44", OSSL_FUNC_KEYMGMT_HAS);
    EXPECT_EQ(has(nullptr, neither), 0);
}

TEST(ProviderKeyObjects, MatchInTheHalvesThatAreAskedFor)
{
    const Key key = generated("ML-DSA-44");
    const KeyObject none("ML-DSA-44");
    const KeyObject other("ML-DSA-44", generated("ML-DSA-44"), both_halves);
    const KeyObject shown("ML-DSA-44", key, public_half);
    const KeyObject whole("ML-DSA-44", key, both_halves);
    for (const int selection : {public_half, both_halves}) {
        EXPECT_TRUE(whole.matches(shown, selection) && shown.matches(whole, selection));
        EXPECT_FALSE(whole.matches(other, selection) || whole.matches(none, selection));
        EXPECT_FALSE(none.matches(whole, selection) || none.matches(none, selection));
    }
    EXPECT_TRUE(whole.matches(whole, private_half));
    EXPECT_FALSE(whole.matches(shown, private_half) || shown.matches(whole, private_half));
    EXPECT_FALSE(shown.matches(shown, private_half) || whole.matches(other, private_half));
    EXPECT_TRUE(whole.matches(other, neither) && none.matches(none, neither));
}

/// A signature operation as the provider has it.
class SignatureObject {
  public:
    SignatureObject()
        : object_(of<OSSL_FUNC_signature_newctx_fn>(OSSL_FUNC_SIGNATURE_NEWCTX)(
              OSSL_PROVIDER_get0_provider_ctx(girih()), nullptr))
    {
    }
    SignatureObject(const SignatureObject&) = delete;
    SignatureObject& operator=(const SignatureObject&) = delete;
    ~SignatureObject() { of<OSSL_FUNC_signature_freectx_fn>(OSSL_FUNC_SIGNATURE_FREECTX)(object_); }

    bool begin_signing(void* key)
    {
        const auto begin = of<OSSL_FUNC_signature_digest_sign_init_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT);
        return begin(object_, "", key, nullptr) == 1;
    }
    bool begin_verifying(void* key)
    {
        const auto begin =
            of<OSSL_FUNC_signature_digest_verify_init_fn>(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT);
        return begin(object_, "SHA512", key, nullptr) == 1;
    }
    bool update(const Bytes& piece)
    {
        const auto take =
            of<OSSL_FUNC_signature_digest_sign_update_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE);
        return take(object_, piece.data(), piece.size()) == 1;
    }
    bool end(unsigned char* signature, std::size_t* bytes, std::size_t room)
    {
        const auto finish =
            of<OSSL_FUNC_signature_digest_sign_final_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL);
        return finish(object_, signature, bytes, room) == 1;
    }
    bool verify(const Bytes& signature, const Bytes& text)
    {
        const auto check = of<OSSL_FUNC_signature_digest_verify_fn>(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY);
        return check(object_, signature.data(), signature.size(), text.data(), text.size()) == 1;
    }

  private:
    template <class Function>
    static Function* of(int identity)
    {
        return function_of<Function>(OSSL_OP_SIGNATURE, "ML-DSA-44", identity);
    }
    void* object_;
};

TEST(ProviderSignatureObjects, NeedAKey)
{
    SignatureObject operation;
    std::size_t bytes = 0;
    Bytes signature(2420);
    EXPECT_FALSE(operation.begin_signing(nullptr));
    EXPECT_FALSE(operation.begin_signing(KeyObject("ML-DSA-44").get()));
    EXPECT_FALSE(operation.update({'a'}));
    EXPECT_TRUE(says("no key is set"));
    EXPECT_FALSE(operation.end(signature.data(), &bytes, signature.size()));
    EXPECT_FALSE(operation.verify(signature, {'a'}));
    EXPECT_TRUE(says("no key is set"));
}

TEST(ProviderSignatureObjects, KeepTheirKeyWhereAnotherIsRefused)
{
    const Key key = generated("ML-DSA-44");
    const KeyObject whole("ML-DSA-44", key, both_halves);
    const KeyObject shown("ML-DSA-44", generated("ML-DSA-44"), public_half);
    const KeyObject other("ML-DSA-65", generated("ML-DSA-65"), both_halves);
    SignatureObject operation;
    ASSERT_TRUE(operation.begin_signing(whole.get())) << errors();
    EXPECT_FALSE(operation.begin_signing(shown.get()));
    EXPECT_TRUE(says("the key has no private half"));
    EXPECT_FALSE(operation.begin_signing(other.get()));
    EXPECT_TRUE(says("the key is of another algorithm"));
    EXPECT_FALSE(operation.begin_verifying(KeyObject("ML-DSA-44").get()));
    EXPECT_TRUE(says("no key is set"));
    std::size_t bytes = 0;
    Bytes signature(2420);
    ASSERT_TRUE(operation.update({'a'}));
    ASSERT_TRUE(operation.end(signature.data(), &bytes, signature.size())) << errors();
    EXPECT_TRUE(verifies(key, signature, {'a'})) << errors();
}

TEST(ProviderSignatureObjects, ThatVerifySignNothing)
{
    const Key key = generated("ML-DSA-44");
    const KeyObject whole("ML-DSA-44", key, both_halves);
    SignatureObject operation;
    ASSERT_TRUE(operation.begin_verifying(whole.get())) << errors();
    EXPECT_TRUE(operation.verify(sign(key, {'a'}), {'a'})) << errors();
    std::size_t bytes = 0;
    Bytes signature(2420);
    EXPECT_FALSE(operation.end(signature.data(), &bytes, signature.size()));
    EXPECT_TRUE(says("the key has no private half"));
}

TEST(ProviderSignatureObjects, KeepTheMessageUntilTheySignIt)
{
    const Key key = generated("ML-DSA-44");
    const KeyObject whole("ML-DSA-44", key, both_halves);
    SignatureObject operation;
    std::size_t bytes = 0;
    Bytes signature(2420);
    ASSERT_TRUE(operation.begin_signing(whole.get())) << errors();
    ASSERT_TRUE(operation.update({'a'}));
    EXPECT_TRUE(operation.end(nullptr, &bytes, 0)) << errors();
    EXPECT_EQ(bytes, signature.size());
    EXPECT_FALSE(operation.end(signature.data(), &bytes, signature.size() - 1));
    EXPECT_TRUE(says("a signature can have 2420 bytes, and there is room for 2419"));
    EXPECT_FALSE(operation.end(signature.data(), nullptr, signature.size()));
    EXPECT_TRUE(says("no place for a signature's length"));
    EXPECT_EQ(signature, Bytes(2420));
    ASSERT_TRUE(operation.end(signature.data(), &bytes, signature.size())) << errors();
    EXPECT_TRUE(verifies(key, signature, {'a'})) << errors();
}

/// A key encapsulation as the provider has it, of ML-KEM-768 or of the hybrid group.
class KemObject {
  public:
    explicit KemObject(const char* algorithm) : algorithm_(algorithm)
    {
        object_ = of<OSSL_FUNC_kem_newctx_fn>(OSSL_FUNC_KEM_NEWCTX)(OSSL_PROVIDER_get0_provider_ctx(girih()));
    }
    KemObject(const KemObject&) = delete;
    KemObject& operator=(const KemObject&) = delete;
    ~KemObject() { of<OSSL_FUNC_kem_freectx_fn>(OSSL_FUNC_KEM_FREECTX)(object_); }

    bool begin(bool decapsulates, void* key)
    {
        return decapsulates ? of<OSSL_FUNC_kem_decapsulate_init_fn>(OSSL_FUNC_KEM_DECAPSULATE_INIT)(
                                  object_, key, nullptr) == 1
                            : of<OSSL_FUNC_kem_encapsulate_init_fn>(OSSL_FUNC_KEM_ENCAPSULATE_INIT)(
                                  object_, key, nullptr) == 1;
    }
    bool encapsulate(unsigned char* ciphertext, std::size_t* ciphertext_bytes, unsigned char* secret,
                     std::size_t* secret_bytes)
    {
        const auto function = of<OSSL_FUNC_kem_encapsulate_fn>(OSSL_FUNC_KEM_ENCAPSULATE);
        return function(object_, ciphertext, ciphertext_bytes, secret, secret_bytes) == 1;
    }
    bool decapsulate(unsigned char* secret, std::size_t* secret_bytes, const Bytes& ciphertext)
    {
        const auto function = of<OSSL_FUNC_kem_decapsulate_fn>(OSSL_FUNC_KEM_DECAPSULATE);
        return function(object_, secret, secret_bytes, ciphertext.data(), ciphertext.size()) == 1;
    }

  private:
    template <class Function>
    [[nodiscard]] Function* of(int identity) const
    {
        return function_of<Function>(OSSL_OP_KEM, algorithm_, identity);
    }
    const char* algorithm_;
    void* object_;
};

TEST(ProviderKemObjects, NeedAKeyAndPlacesForBothOutputs)
{
    for (const char* algorithm : {"ML-KEM-768", "X25519MLKEM768"}) {
        Bytes ciphertext(1088 + 32);
        Bytes secret(64);
        std::size_t ciphertext_bytes = ciphertext.size();
        std::size_t secret_bytes = secret.size();
        ERR_clear_error();
        KemObject operation(algorithm);
        const KeyObject none(algorithm);
        for (const bool decapsulates : {false, true})
            for (void* key : {static_cast<void*>(nullptr), none.get()}) {
                EXPECT_FALSE(operation.begin(decapsulates, key));
                EXPECT_TRUE(says("no key is set")) << algorithm;
            }
        EXPECT_FALSE(
            operation.encapsulate(ciphertext.data(), &ciphertext_bytes, secret.data(), &secret_bytes));
        EXPECT_FALSE(operation.decapsulate(secret.data(), &secret_bytes, Bytes(ciphertext_bytes)));
        EXPECT_EQ(secret, Bytes(64));
        errors();
        EXPECT_FALSE(operation.encapsulate(ciphertext.data(), &ciphertext_bytes, nullptr, &secret_bytes));
    }
    const KeyObject whole("ML-KEM-768", generated("ML-KEM-768"), both_halves);
    KemObject operation("ML-KEM-768");
    Bytes ciphertext(1088);
    Bytes secret(32);
    std::size_t ciphertext_bytes = 0;
    std::size_t secret_bytes = 0;
    ASSERT_TRUE(operation.begin(false, whole.get()));
    EXPECT_FALSE(operation.encapsulate(ciphertext.data(), nullptr, nullptr, nullptr));
    EXPECT_TRUE(says("no secret"));
    EXPECT_TRUE(operation.encapsulate(nullptr, &ciphertext_bytes, nullptr, nullptr));
    EXPECT_TRUE(operation.encapsulate(nullptr, nullptr, nullptr, &secret_bytes));
    EXPECT_EQ(ciphertext_bytes, ciphertext.size());
    EXPECT_EQ(secret_bytes, secret.size());
    ASSERT_TRUE(operation.encapsulate(ciphertext.data(), nullptr, secret.data(), nullptr)) << errors();
    ASSERT_TRUE(operation.begin(true, nullptr));
    Bytes received(32);
    secret_bytes = 0;
    EXPECT_TRUE(operation.decapsulate(nullptr, &secret_bytes, ciphertext));
    EXPECT_EQ(secret_bytes, received.size());
    EXPECT_TRUE(operation.decapsulate(received.data(), nullptr, ciphertext)) << errors();
    EXPECT_EQ(received, secret);
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
