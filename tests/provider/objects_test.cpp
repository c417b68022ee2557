/// The provider's own functions, which OpenSSL's shield from some orders of calls.

#include <openssl/core_dispatch.h>

#include <string_view>
#include <tuple>
#include <utility>

#include "provider/signing.hpp"

namespace girih::tests {
namespace {

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
    /// Generated; the parameters are those that generation begins with.
    static KeyObject made(const char* algorithm, const OSSL_PARAM* params = nullptr)
    {
        KeyObject key(algorithm);
        void* const generation = key.of<OSSL_FUNC_keymgmt_gen_init_fn>(OSSL_FUNC_KEYMGMT_GEN_INIT)(
            OSSL_PROVIDER_get0_provider_ctx(girih()), OSSL_KEYMGMT_SELECT_KEYPAIR, params);
        key.of<OSSL_FUNC_keymgmt_free_fn>(OSSL_FUNC_KEYMGMT_FREE)(key.object_);
        key.object_ = nullptr;
        if (generation == nullptr) return key;
        key.object_ = key.of<OSSL_FUNC_keymgmt_gen_fn>(OSSL_FUNC_KEYMGMT_GEN)(generation, nullptr, nullptr);
        key.of<OSSL_FUNC_keymgmt_gen_cleanup_fn>(OSSL_FUNC_KEYMGMT_GEN_CLEANUP)(generation);
        return key;
    }
    KeyObject(const char* algorithm, const Key& key, int selection) : KeyObject(algorithm)
    {
        OSSL_PARAM* params = nullptr;
        EXPECT_EQ(EVP_PKEY_todata(key.get(), EVP_PKEY_KEYPAIR, &params), 1);
        EXPECT_EQ(of<OSSL_FUNC_keymgmt_import_fn>(OSSL_FUNC_KEYMGMT_IMPORT)(object_, selection, params), 1);
        OSSL_PARAM_free(params);
    }
    KeyObject(KeyObject&& other) noexcept
        : algorithm_(other.algorithm_), object_(std::exchange(other.object_, nullptr))
    {
    }
    KeyObject(const KeyObject&) = delete;
    KeyObject& operator=(const KeyObject&) = delete;
    ~KeyObject() { of<OSSL_FUNC_keymgmt_free_fn>(OSSL_FUNC_KEYMGMT_FREE)(object_); }

    [[nodiscard]] void* get() const { return object_; }
    [[nodiscard]] bool has(int selection) const
    {
        return of<OSSL_FUNC_keymgmt_has_fn>(OSSL_FUNC_KEYMGMT_HAS)(object_, selection) == 1;
    }
    [[nodiscard]] KeyObject copy(int selection) const
    {
        KeyObject other(algorithm_);
        other.of<OSSL_FUNC_keymgmt_free_fn>(OSSL_FUNC_KEYMGMT_FREE)(other.object_);
        other.object_ = of<OSSL_FUNC_keymgmt_dup_fn>(OSSL_FUNC_KEYMGMT_DUP)(object_, selection);
        return other;
    }
    [[nodiscard]] bool takes(const OSSL_PARAM* params) const
    {
        const auto set = of<OSSL_FUNC_keymgmt_set_params_fn>(OSSL_FUNC_KEYMGMT_SET_PARAMS);
        return set(object_, params) == 1;
    }
    [[nodiscard]] Bytes share() const
    {
        Bytes bytes(2000);
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_octet_string("encoded-pub-key", bytes.data(), bytes.size()),
            OSSL_PARAM_construct_end()};
        const auto get = of<OSSL_FUNC_keymgmt_get_params_fn>(OSSL_FUNC_KEYMGMT_GET_PARAMS);
        if (get(object_, params) != 1 || OSSL_PARAM_modified(params) != 1) return {};
        bytes.resize(params[0].return_size);
        return bytes;
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

TEST(ProviderKeyObjects, AreCopiedInTheHalvesThatAreAskedFor)
{
    const KeyObject whole = KeyObject::made("ML-DSA-44");
    const KeyObject shown = whole.copy(public_half);
    EXPECT_TRUE(whole.copy(both_halves).has(both_halves));
    EXPECT_TRUE(shown.has(public_half) && shown.matches(whole, public_half));
    EXPECT_FALSE(shown.has(private_half) || shown.copy(both_halves).has(private_half));
    EXPECT_FALSE(whole.copy(neither).has(public_half));
    EXPECT_FALSE(KeyObject("ML-DSA-44").copy(public_half).has(public_half));
}

TEST(ProviderKeyObjects, MatchNoneOfAnotherAlgorithm)
{
    EXPECT_FALSE(KeyObject("ML-DSA-44").matches(KeyObject("ML-DSA-65"), neither));
}

TEST(ProviderKeyObjects, AreGeneratedAsTheirParametersSay)
{
    Bytes seed(32);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("seed", seed.data(), seed.size()),
                           OSSL_PARAM_construct_end()};
    const KeyObject one = KeyObject::made("ML-DSA-44", params);
    const KeyObject again = KeyObject::made("ML-DSA-44", params);
    EXPECT_TRUE(one.matches(again, both_halves));
    EXPECT_FALSE(one.matches(KeyObject::made("ML-DSA-44"), both_halves));
    params[0].data_type = OSSL_PARAM_UTF8_STRING;
    EXPECT_EQ(KeyObject::made("ML-DSA-44", params).get(), nullptr);
}

TEST(ProviderKeyObjects, TakeSharesOfOctetsAndNothingElse)
{
    for (const char* algorithm : {"ML-KEM-768", "X25519MLKEM768"}) {
        const KeyObject own = KeyObject::made(algorithm);
        const KeyObject peer(algorithm);
        Bytes share = own.share();
        const OSSL_PARAM none[] = {OSSL_PARAM_construct_end()};
        EXPECT_TRUE(peer.takes(none));
        EXPECT_FALSE(peer.has(public_half));
        EXPECT_EQ(peer.share(), Bytes());
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_octet_string("encoded-pub-key", share.data(), share.size()),
            OSSL_PARAM_construct_end()};
        params[0].data_type = OSSL_PARAM_UTF8_STRING;
        EXPECT_FALSE(peer.takes(params)) << algorithm;
        params[0].data_type = OSSL_PARAM_OCTET_STRING;
        EXPECT_FALSE(own.matches(peer, public_half) || peer.matches(own, public_half));
        EXPECT_TRUE(peer.takes(params)) << algorithm << errors();
        EXPECT_EQ(peer.share(), share);
        EXPECT_TRUE(peer.has(public_half) && own.has(both_halves));
        EXPECT_FALSE(peer.has(private_half) || peer.has(both_halves));
        EXPECT_TRUE(peer.matches(own, public_half));
        share[0] ^= 1;  // of ML-KEM's half
        EXPECT_TRUE(peer.takes(params)) << algorithm << errors();
        EXPECT_FALSE(peer.matches(own, public_half));
        share[0] ^= 1;
        share[1190 % share.size()] ^= 1;  // of X25519's
        EXPECT_TRUE(peer.takes(params)) << algorithm << errors();
        EXPECT_FALSE(peer.matches(own, public_half));
        EXPECT_TRUE(peer.matches(own, neither));
    }
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

TEST(ProviderKemObjects, NeedAKey)
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
}

TEST(ProviderKemObjects, WriteNothingWhereOneOutputIsTooSmall)
{
    for (const auto& [algorithm, in_ciphertext, in_secret] :
         {std::tuple{"ML-KEM-768", 1088u, 32u}, std::tuple{"X25519MLKEM768", 1120u, 64u}}) {
        const KeyObject key = KeyObject::made(algorithm);
        KemObject operation(algorithm);
        Bytes ciphertext(in_ciphertext);
        Bytes secret(in_secret);
        ASSERT_TRUE(operation.begin(false, key.get())) << errors();
        for (const bool short_secret : {false, true}) {
            std::size_t ciphertext_bytes = in_ciphertext - (short_secret ? 0 : 1);
            std::size_t secret_bytes = in_secret - (short_secret ? 1 : 0);
            EXPECT_FALSE(
                operation.encapsulate(ciphertext.data(), &ciphertext_bytes, secret.data(), &secret_bytes));
            EXPECT_TRUE(says("the output buffer is too small")) << algorithm;
            EXPECT_EQ(ciphertext, Bytes(in_ciphertext));
            EXPECT_EQ(secret, Bytes(in_secret));
        }
        EXPECT_FALSE(operation.encapsulate(ciphertext.data(), nullptr, nullptr, nullptr));
        EXPECT_TRUE(says("no secret")) << algorithm;
        std::size_t little = 1;
        EXPECT_TRUE(operation.encapsulate(nullptr, &little, nullptr, &little)) << errors();
        ASSERT_TRUE(operation.encapsulate(ciphertext.data(), nullptr, secret.data(), nullptr)) << errors();
        ASSERT_TRUE(operation.begin(true, nullptr)) << errors();
        Bytes received(in_secret);
        little = in_secret - 1;
        EXPECT_FALSE(operation.decapsulate(received.data(), &little, ciphertext));
        EXPECT_TRUE(says("the output buffer is too small")) << algorithm;
        EXPECT_EQ(received, Bytes(in_secret));
        EXPECT_TRUE(operation.decapsulate(nullptr, &little, ciphertext)) << errors();
        EXPECT_EQ(little, in_secret);
        ASSERT_TRUE(operation.decapsulate(received.data(), nullptr, ciphertext)) << errors();
        EXPECT_EQ(received, secret);
    }
}

}  // namespace
}  // namespace girih::tests
