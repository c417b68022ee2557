/// The provider's own functions, which OpenSSL's shield from some orders of calls.

#include <openssl/core_dispatch.h>

#include <tuple>
#include <utility>

#include "provider/signing.hpp"

namespace girih::tests {
namespace {

/// An object of one of the provider's operations, whose functions are called by OpenSSL's types for
/// them.
class Object {
  public:
    Object(int operation, const char* algorithm) : operation_(operation), algorithm_(algorithm) {}
    Object(Object&& other) noexcept
        : operation_(other.operation_),
          algorithm_(other.algorithm_),
          object_(std::exchange(other.object_, nullptr))
    {
    }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    [[nodiscard]] void* get() const { return object_; }

  protected:
    ~Object() = default;

    template <class Function, class... Arguments>
    auto call(int identity, Arguments... arguments) const
    {
        int no_cache = 0;
        const OSSL_ALGORITHM* row = OSSL_PROVIDER_query_operation(girih(), operation_, &no_cache);
        while (!std::string_view(row->algorithm_names).starts_with(algorithm_)) ++row;
        const OSSL_DISPATCH* entry = row->implementation;
        while (entry->function_id != identity) ++entry;
        return reinterpret_cast<Function*>(entry->function)(arguments...);
    }

    int operation_;
    const char* algorithm_;
    void* object_ = nullptr;
    void* const provider_ = OSSL_PROVIDER_get0_provider_ctx(girih());
};

/// A key as the provider has it: empty, or with what is imported.
class KeyObject : public Object {
  public:
    explicit KeyObject(const char* algorithm) : Object(OSSL_OP_KEYMGMT, algorithm)
    {
        object_ = call<OSSL_FUNC_keymgmt_new_fn>(OSSL_FUNC_KEYMGMT_NEW, provider_);
    }
    KeyObject(const char* algorithm, const Key& key, int selection) : KeyObject(algorithm)
    {
        const Exported params = exported(key);
        EXPECT_EQ(
            call<OSSL_FUNC_keymgmt_import_fn>(OSSL_FUNC_KEYMGMT_IMPORT, object_, selection, params.get()), 1);
    }
    KeyObject(KeyObject&&) noexcept = default;
    ~KeyObject() { call<OSSL_FUNC_keymgmt_free_fn>(OSSL_FUNC_KEYMGMT_FREE, object_); }

    /// Generated; the parameters are those that generation begins with.
    static KeyObject made(const char* algorithm, const OSSL_PARAM* params = nullptr)
    {
        KeyObject key(algorithm);
        void* const generation = key.call<OSSL_FUNC_keymgmt_gen_init_fn>(
            OSSL_FUNC_KEYMGMT_GEN_INIT, key.provider_, OSSL_KEYMGMT_SELECT_KEYPAIR, params);
        key.replace(generation == nullptr ? nullptr
                                          : key.call<OSSL_FUNC_keymgmt_gen_fn>(OSSL_FUNC_KEYMGMT_GEN,
                                                                               generation, nullptr, nullptr));
        key.call<OSSL_FUNC_keymgmt_gen_cleanup_fn>(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, generation);
        return key;
    }
    [[nodiscard]] KeyObject copy(int selection) const
    {
        KeyObject other(algorithm_);
        other.replace(call<OSSL_FUNC_keymgmt_dup_fn>(OSSL_FUNC_KEYMGMT_DUP, object_, selection));
        return other;
    }
    [[nodiscard]] bool has(int selection) const
    {
        return call<OSSL_FUNC_keymgmt_has_fn>(OSSL_FUNC_KEYMGMT_HAS, object_, selection) == 1;
    }
    [[nodiscard]] bool takes(const Params& params) const
    {
        return call<OSSL_FUNC_keymgmt_set_params_fn>(OSSL_FUNC_KEYMGMT_SET_PARAMS, object_, params.get()) ==
               1;
    }
    [[nodiscard]] Bytes share() const
    {
        Bytes bytes(2000);
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_octet_string("encoded-pub-key", bytes.data(), bytes.size()),
            OSSL_PARAM_construct_end()};
        if (call<OSSL_FUNC_keymgmt_get_params_fn>(OSSL_FUNC_KEYMGMT_GET_PARAMS, object_, params) != 1 ||
            OSSL_PARAM_modified(params) != 1)
            return {};
        bytes.resize(params[0].return_size);
        return bytes;
    }
    [[nodiscard]] bool matches(const KeyObject& other, int selection) const
    {
        return call<OSSL_FUNC_keymgmt_match_fn>(OSSL_FUNC_KEYMGMT_MATCH, object_, other.object_, selection) ==
               1;
    }
    [[nodiscard]] bool is_valid(int selection) const
    {
        return call<OSSL_FUNC_keymgmt_validate_fn>(OSSL_FUNC_KEYMGMT_VALIDATE, object_, selection,
                                                   OSSL_KEYMGMT_VALIDATE_FULL_CHECK) == 1;
    }

  private:
    void replace(void* object)
    {
        call<OSSL_FUNC_keymgmt_free_fn>(OSSL_FUNC_KEYMGMT_FREE, std::exchange(object_, object));
    }
};

constexpr int public_half = OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
constexpr int private_half = OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
constexpr int both_halves = OSSL_KEYMGMT_SELECT_KEYPAIR;
constexpr int neither = OSSL_KEYMGMT_SELECT_ALL_PARAMETERS;

class ProviderKeyObjects : public testing::Test {
  protected:
    void SetUp() override { errors(); }

    Key key_ = generated("ML-DSA-44");
    KeyObject none_{"ML-DSA-44"};
    KeyObject shown_{"ML-DSA-44", key_, public_half};
    KeyObject whole_{"ML-DSA-44", key_, both_halves};
};

TEST_F(ProviderKeyObjects, HaveTheHalvesThatTheyWereGiven)
{
    const auto expect = [](const KeyObject& key, bool has_public, bool has_private) {
        EXPECT_TRUE(key.has(neither) && key.is_valid(neither));
        EXPECT_EQ(key.has(public_half), has_public);
        EXPECT_EQ(key.is_valid(public_half), has_public);
        EXPECT_EQ(key.has(private_half), has_private);
        EXPECT_EQ(key.has(both_halves), has_private);
        EXPECT_EQ(key.is_valid(both_halves), has_private);
    };
    expect(none_, false, false);
    expect(shown_, true, false);
    expect(whole_, true, true);
}

TEST_F(ProviderKeyObjects, MatchInTheHalvesThatAreAskedFor)
{
    const KeyObject other("ML-DSA-44", generated("ML-DSA-44"), both_halves);
    for (const int selection : {public_half, both_halves}) {
        EXPECT_TRUE(whole_.matches(shown_, selection) && shown_.matches(whole_, selection));
        EXPECT_FALSE(whole_.matches(other, selection) || whole_.matches(none_, selection));
        EXPECT_FALSE(none_.matches(whole_, selection) || none_.matches(none_, selection));
    }
    EXPECT_TRUE(whole_.matches(whole_, private_half));
    EXPECT_FALSE(whole_.matches(shown_, private_half) || shown_.matches(whole_, private_half));
    EXPECT_FALSE(shown_.matches(shown_, private_half) || whole_.matches(other, private_half));
    EXPECT_TRUE(whole_.matches(other, neither) && none_.matches(none_, neither));
    EXPECT_FALSE(none_.matches(KeyObject("ML-DSA-65"), neither));
}

TEST_F(ProviderKeyObjects, AreCopiedInTheHalvesThatAreAskedFor)
{
    const KeyObject shown = whole_.copy(public_half);
    EXPECT_TRUE(whole_.copy(both_halves).has(both_halves));
    EXPECT_TRUE(shown.has(public_half) && shown.matches(whole_, public_half));
    EXPECT_FALSE(shown.has(private_half) || shown.copy(both_halves).has(private_half));
    EXPECT_FALSE(whole_.copy(neither).has(public_half) || none_.copy(public_half).has(public_half));
}

TEST_F(ProviderKeyObjects, AreGeneratedAsTheirParametersSay)
{
    const Params seed = Params().octets("seed", Bytes(32));
    const KeyObject one = KeyObject::made("ML-DSA-44", seed.get());
    EXPECT_TRUE(one.matches(KeyObject::made("ML-DSA-44", seed.get()), both_halves));
    EXPECT_FALSE(one.matches(KeyObject::made("ML-DSA-44"), both_halves));
    const Params text = Params().octets("seed", Bytes(32), OSSL_PARAM_UTF8_STRING);
    const KeyObject no_object = KeyObject::made("ML-DSA-44", text.get());
    EXPECT_EQ(no_object.get(), nullptr);
    EXPECT_FALSE(no_object.has(neither));
}

TEST(ProviderShares, AreOfOctetsAndNothingElse)
{
    for (const char* algorithm : {"ML-KEM-768", "X25519MLKEM768"}) {
        const KeyObject own = KeyObject::made(algorithm);
        const KeyObject peer(algorithm);
        const Bytes share = own.share();
        EXPECT_TRUE(peer.takes({}));
        EXPECT_FALSE(peer.has(public_half));
        EXPECT_EQ(peer.share(), Bytes());
        EXPECT_FALSE(peer.takes(Params().octets("encoded-pub-key", share, OSSL_PARAM_UTF8_STRING)));
        EXPECT_FALSE(own.matches(peer, public_half) || peer.matches(own, public_half));
        const auto takes = [&peer](const Bytes& bytes) {
            return peer.takes(Params().octets("encoded-pub-key", bytes));
        };
        EXPECT_TRUE(works(takes(share))) << algorithm;
        EXPECT_EQ(peer.share(), share);
        EXPECT_TRUE(peer.has(public_half) && own.has(both_halves));
        EXPECT_FALSE(peer.has(private_half) || peer.has(both_halves));
        EXPECT_TRUE(peer.matches(own, public_half));
        for (const std::size_t at : {std::size_t{0}, 1190 % share.size()}) {  // of ML-KEM's half, of X25519's
            Bytes changed = share;
            changed[at] ^= 1;
            EXPECT_TRUE(works(takes(changed))) << algorithm;
            EXPECT_FALSE(peer.matches(own, public_half));
            EXPECT_TRUE(peer.matches(own, neither));
        }
    }
}

/// A signature operation as the provider has it.
class SignatureObject : public Object {
  public:
    SignatureObject() : Object(OSSL_OP_SIGNATURE, "ML-DSA-44")
    {
        object_ = call<OSSL_FUNC_signature_newctx_fn>(OSSL_FUNC_SIGNATURE_NEWCTX, provider_, nullptr);
    }
    ~SignatureObject() { call<OSSL_FUNC_signature_freectx_fn>(OSSL_FUNC_SIGNATURE_FREECTX, object_); }

    bool begin_signing(void* key)
    {
        return call<OSSL_FUNC_signature_digest_sign_init_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, object_,
                                                             "", key, nullptr) == 1;
    }
    bool begin_verifying(void* key)
    {
        return call<OSSL_FUNC_signature_digest_verify_init_fn>(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT,
                                                               object_, "SHA512", key, nullptr) == 1;
    }
    bool update(const Bytes& piece)
    {
        return call<OSSL_FUNC_signature_digest_sign_update_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE,
                                                               object_, piece.data(), piece.size()) == 1;
    }
    bool end(unsigned char* signature, std::size_t* bytes, std::size_t room)
    {
        return call<OSSL_FUNC_signature_digest_sign_final_fn>(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, object_,
                                                              signature, bytes, room) == 1;
    }
    bool verify(const Bytes& signature, const Bytes& text)
    {
        return call<OSSL_FUNC_signature_digest_verify_fn>(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, object_,
                                                          signature.data(), signature.size(), text.data(),
                                                          text.size()) == 1;
    }
};

class ProviderSignatureObjects : public ProviderKeyObjects {
  protected:
    bool end() { return operation_.end(signature_.data(), &bytes_, signature_.size()); }

    SignatureObject operation_;
    std::size_t bytes_ = 0;
    Bytes signature_ = Bytes(2420);
};

TEST_F(ProviderSignatureObjects, NeedAKey)
{
    EXPECT_FALSE(operation_.begin_signing(nullptr));
    EXPECT_FALSE(operation_.begin_signing(none_.get()));
    EXPECT_TRUE(fails(operation_.update({'a'}), "no key is set"));
    EXPECT_FALSE(end());
    EXPECT_TRUE(fails(operation_.verify(signature_, {'a'}), "no key is set"));
}

TEST_F(ProviderSignatureObjects, KeepTheirKeyWhereAnotherIsRefused)
{
    const KeyObject shown("ML-DSA-44", generated("ML-DSA-44"), public_half);
    const KeyObject other("ML-DSA-65", generated("ML-DSA-65"), both_halves);
    ASSERT_TRUE(works(operation_.begin_signing(whole_.get())));
    EXPECT_TRUE(fails(operation_.begin_signing(shown.get()), "the key has no private half"));
    EXPECT_TRUE(fails(operation_.begin_signing(other.get()), "the key is of another algorithm"));
    EXPECT_TRUE(fails(operation_.begin_verifying(none_.get()), "no key is set"));
    ASSERT_TRUE(operation_.update({'a'}));
    ASSERT_TRUE(works(end()));
    EXPECT_TRUE(works(verifies(key_, signature_, {'a'})));
}

TEST_F(ProviderSignatureObjects, ThatVerifySignNothing)
{
    ASSERT_TRUE(works(operation_.begin_verifying(whole_.get())));
    EXPECT_TRUE(works(operation_.verify(sign(key_, {'a'}), {'a'})));
    EXPECT_TRUE(fails(end(), "the key has no private half"));
}

TEST_F(ProviderSignatureObjects, KeepTheMessageUntilTheySignIt)
{
    ASSERT_TRUE(works(operation_.begin_signing(whole_.get())));
    ASSERT_TRUE(operation_.update({'a'}));
    EXPECT_TRUE(works(operation_.end(nullptr, &bytes_, 0)));
    EXPECT_EQ(bytes_, signature_.size());
    EXPECT_TRUE(fails(operation_.end(signature_.data(), &bytes_, signature_.size() - 1),
                      "a signature can have 2420 bytes, and there is room for 2419"));
    EXPECT_TRUE(fails(operation_.end(signature_.data(), nullptr, signature_.size()),
                      "no place for a signature's length"));
    EXPECT_EQ(signature_, Bytes(2420));
    ASSERT_TRUE(works(end()));
    EXPECT_TRUE(works(verifies(key_, signature_, {'a'})));
}

/// A key encapsulation as the provider has it, of ML-KEM-768 or of the hybrid group.
class KemObject : public Object {
  public:
    explicit KemObject(const char* algorithm) : Object(OSSL_OP_KEM, algorithm)
    {
        object_ = call<OSSL_FUNC_kem_newctx_fn>(OSSL_FUNC_KEM_NEWCTX, provider_);
    }
    ~KemObject() { call<OSSL_FUNC_kem_freectx_fn>(OSSL_FUNC_KEM_FREECTX, object_); }

    bool begin(int identity, void* key)
    {
        return call<OSSL_FUNC_kem_encapsulate_init_fn>(identity, object_, key, nullptr) == 1;
    }
    bool encapsulate(unsigned char* ciphertext, std::size_t* ciphertext_bytes, unsigned char* secret,
                     std::size_t* secret_bytes)
    {
        return call<OSSL_FUNC_kem_encapsulate_fn>(OSSL_FUNC_KEM_ENCAPSULATE, object_, ciphertext,
                                                  ciphertext_bytes, secret, secret_bytes) == 1;
    }
    bool decapsulate(unsigned char* secret, std::size_t* secret_bytes, const Bytes& ciphertext)
    {
        return call<OSSL_FUNC_kem_decapsulate_fn>(OSSL_FUNC_KEM_DECAPSULATE, object_, secret, secret_bytes,
                                                  ciphertext.data(), ciphertext.size()) == 1;
    }
};

/// An algorithm, and the bytes of its ciphertexts and secrets.
class ProviderKemObjects : public testing::TestWithParam<std::tuple<const char*, std::size_t, std::size_t>> {
  protected:
    void SetUp() override { errors(); }

    const char* algorithm_ = std::get<0>(GetParam());
    std::size_t ciphertext_bytes_ = std::get<1>(GetParam()), secret_bytes_ = std::get<2>(GetParam());
    Bytes ciphertext_ = Bytes(ciphertext_bytes_), secret_ = Bytes(secret_bytes_);
    KemObject operation_{algorithm_};
};

TEST_P(ProviderKemObjects, NeedAKey)
{
    const KeyObject none(algorithm_);
    for (const int identity : {OSSL_FUNC_KEM_ENCAPSULATE_INIT, OSSL_FUNC_KEM_DECAPSULATE_INIT})
        for (void* key : {static_cast<void*>(nullptr), none.get()})
            EXPECT_TRUE(fails(operation_.begin(identity, key), "no key is set"));
    EXPECT_FALSE(
        operation_.encapsulate(ciphertext_.data(), &ciphertext_bytes_, secret_.data(), &secret_bytes_));
    EXPECT_FALSE(operation_.decapsulate(secret_.data(), &secret_bytes_, ciphertext_));
    EXPECT_EQ(secret_, Bytes(secret_bytes_));
    EXPECT_FALSE(operation_.encapsulate(ciphertext_.data(), &ciphertext_bytes_, nullptr, &secret_bytes_));
}

TEST_P(ProviderKemObjects, WriteNothingWhereOneOutputIsTooSmall)
{
    const KeyObject key = KeyObject::made(algorithm_);
    ASSERT_TRUE(works(operation_.begin(OSSL_FUNC_KEM_ENCAPSULATE_INIT, key.get())));
    for (const auto& [less_ciphertext, less_secret] : {std::pair{1u, 0u}, std::pair{0u, 1u}}) {
        std::size_t ciphertext_room = ciphertext_bytes_ - less_ciphertext;
        std::size_t secret_room = secret_bytes_ - less_secret;
        EXPECT_TRUE(
            fails(operation_.encapsulate(ciphertext_.data(), &ciphertext_room, secret_.data(), &secret_room),
                  "the output buffer is too small"));
        EXPECT_EQ(ciphertext_, Bytes(ciphertext_bytes_));
        EXPECT_EQ(secret_, Bytes(secret_bytes_));
    }
    EXPECT_TRUE(fails(operation_.encapsulate(ciphertext_.data(), nullptr, nullptr, nullptr), "no secret"));
    std::size_t little = 1;
    EXPECT_TRUE(works(operation_.encapsulate(nullptr, &little, nullptr, &little)));
    ASSERT_TRUE(works(operation_.encapsulate(ciphertext_.data(), nullptr, secret_.data(), nullptr)));

    ASSERT_TRUE(works(operation_.begin(OSSL_FUNC_KEM_DECAPSULATE_INIT, nullptr)));
    Bytes received(secret_bytes_);
    little = secret_bytes_ - 1;
    EXPECT_TRUE(fails(operation_.decapsulate(received.data(), &little, ciphertext_),
                      "the output buffer is too small"));
    EXPECT_EQ(received, Bytes(secret_bytes_));
    EXPECT_TRUE(works(operation_.decapsulate(nullptr, &little, ciphertext_)));
    EXPECT_EQ(little, secret_bytes_);
    ASSERT_TRUE(works(operation_.decapsulate(received.data(), nullptr, ciphertext_)));
    EXPECT_EQ(received, secret_);
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderKemObjects,
                         testing::Values(std::tuple{"ML-KEM-768", 1088u, 32u},
                                         std::tuple{"X25519MLKEM768", 1120u, 64u}));

}  // namespace
}  // namespace girih::tests
