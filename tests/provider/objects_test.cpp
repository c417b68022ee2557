/// The provider's own functions, which OpenSSL's shield from some orders of calls.

#include <openssl/core_dispatch.h>

#include <utility>

#include "provider/support.hpp"
#include "support/c_call.hpp"

namespace girih::tests {
namespace {

/// A function of the provider: its number, and OpenSSL's function that takes it from an entry.
template <class Typed>
struct Function {
    int number;
    Typed* typed;
};

constexpr Function new_key{OSSL_FUNC_KEYMGMT_NEW, OSSL_FUNC_keymgmt_new};
constexpr Function free_key{OSSL_FUNC_KEYMGMT_FREE, OSSL_FUNC_keymgmt_free};
constexpr Function import_key{OSSL_FUNC_KEYMGMT_IMPORT, OSSL_FUNC_keymgmt_import};
constexpr Function begin_generation{OSSL_FUNC_KEYMGMT_GEN_INIT, OSSL_FUNC_keymgmt_gen_init};
constexpr Function generate{OSSL_FUNC_KEYMGMT_GEN, OSSL_FUNC_keymgmt_gen};
constexpr Function end_generation{OSSL_FUNC_KEYMGMT_GEN_CLEANUP, OSSL_FUNC_keymgmt_gen_cleanup};
constexpr Function copy_key{OSSL_FUNC_KEYMGMT_DUP, OSSL_FUNC_keymgmt_dup};
constexpr Function has_half{OSSL_FUNC_KEYMGMT_HAS, OSSL_FUNC_keymgmt_has};
constexpr Function validate{OSSL_FUNC_KEYMGMT_VALIDATE, OSSL_FUNC_keymgmt_validate};
constexpr Function match{OSSL_FUNC_KEYMGMT_MATCH, OSSL_FUNC_keymgmt_match};
constexpr Function set_key{OSSL_FUNC_KEYMGMT_SET_PARAMS, OSSL_FUNC_keymgmt_set_params};
constexpr Function get_key{OSSL_FUNC_KEYMGMT_GET_PARAMS, OSSL_FUNC_keymgmt_get_params};

constexpr Function new_signature{OSSL_FUNC_SIGNATURE_NEWCTX, OSSL_FUNC_signature_newctx};
constexpr Function free_signature{OSSL_FUNC_SIGNATURE_FREECTX, OSSL_FUNC_signature_freectx};
constexpr Function signs{OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, OSSL_FUNC_signature_digest_sign_init};
constexpr Function verifies_with{OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT,
                                 OSSL_FUNC_signature_digest_verify_init};
constexpr Function update{OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, OSSL_FUNC_signature_digest_sign_update};
constexpr Function sign_final{OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, OSSL_FUNC_signature_digest_sign_final};
constexpr Function verify{OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, OSSL_FUNC_signature_digest_verify};

constexpr Function new_kem{OSSL_FUNC_KEM_NEWCTX, OSSL_FUNC_kem_newctx};
constexpr Function free_kem{OSSL_FUNC_KEM_FREECTX, OSSL_FUNC_kem_freectx};
constexpr Function encapsulates{OSSL_FUNC_KEM_ENCAPSULATE_INIT, OSSL_FUNC_kem_encapsulate_init};
constexpr Function decapsulates{OSSL_FUNC_KEM_DECAPSULATE_INIT, OSSL_FUNC_kem_decapsulate_init};
constexpr Function encapsulate{OSSL_FUNC_KEM_ENCAPSULATE, OSSL_FUNC_kem_encapsulate};
constexpr Function decapsulate{OSSL_FUNC_KEM_DECAPSULATE, OSSL_FUNC_kem_decapsulate};

/// An object of one of the provider's operations: a key, or a signature or key encapsulation.
class Object {
  public:
    /// The result of a function, which gets byte strings as addresses and lengths.
    template <class Typed, class... Arguments>
    auto call(Function<Typed> function, Arguments&&... arguments) const
    {
        const OSSL_DISPATCH* entry = functions_;
        while (entry->function_id != function.number) ++entry;
        return test::call(function.typed(entry), arguments...);
    }
    /// Whether a function succeeds on the object.
    template <class Typed, class... Arguments>
    bool run(Function<Typed> function, Arguments&&... arguments) const
    {
        return call(function, object_, arguments...) == 1;
    }

    Object(int operation, const char* algorithm) : operation_(operation)
    {
        int no_cache = 0;
        const OSSL_ALGORITHM* row = OSSL_PROVIDER_query_operation(girih(), operation, &no_cache);
        while (!std::string_view(row->algorithm_names).starts_with(algorithm)) ++row;
        functions_ = row->implementation;
        object_ = is(OSSL_OP_KEYMGMT) ? call(new_key, provider_)
                  : is(OSSL_OP_KEM)   ? call(new_kem, provider_)
                                      : call(new_signature, provider_, nullptr);
    }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    ~Object()
    {
        is(OSSL_OP_KEYMGMT) ? call(free_key, object_)
        : is(OSSL_OP_KEM)   ? call(free_kem, object_)
                            : call(free_signature, object_);
    }

    void* get() const { return object_; }

  protected:
    void* const provider_ = OSSL_PROVIDER_get0_provider_ctx(girih());
    void* object_ = nullptr;

  private:
    bool is(int operation) const { return operation_ == operation; }

    int operation_;
    const OSSL_DISPATCH* functions_ = nullptr;
};

constexpr int public_half = OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
constexpr int private_half = OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
constexpr int both_halves = OSSL_KEYMGMT_SELECT_KEYPAIR;
constexpr int neither = OSSL_KEYMGMT_SELECT_ALL_PARAMETERS;

class KeyObject : public Object {
  public:
    explicit KeyObject(const char* algorithm) : Object(OSSL_OP_KEYMGMT, algorithm) {}
    /// A key that is imported.
    KeyObject(const char* algorithm, const Key& key, int selection) : KeyObject(algorithm)
    {
        const Exported params = exported(key);
        EXPECT_TRUE(run(import_key, selection, params.get()));
    }
    /// A key that is generated with these parameters.
    KeyObject(const char* algorithm, const OSSL_PARAM* params) : KeyObject(algorithm)
    {
        void* const generation = call(begin_generation, provider_, both_halves, params);
        replace(generation == nullptr ? nullptr : call(generate, generation, nullptr, nullptr));
        call(end_generation, generation);
    }
    /// A copy of a key of ML-DSA-44.
    KeyObject(const KeyObject& of, int selection) : KeyObject("ML-DSA-44")
    {
        replace(call(copy_key, of.object_, selection));
    }

    bool has(int selection) const { return run(has_half, selection); }
    bool is_valid(int selection) const { return run(validate, selection, OSSL_KEYMGMT_VALIDATE_FULL_CHECK); }
    bool matches(const KeyObject& other, int selection) const { return run(match, other.object_, selection); }
    /// The public key as TLS sends it; empty if there is none.
    Bytes share() const
    {
        Bytes bytes(2000);
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_octet_string("encoded-pub-key", bytes.data(), bytes.size()),
            OSSL_PARAM_construct_end()};
        const bool is_there = run(get_key, params) && OSSL_PARAM_modified(params) == 1;
        bytes.resize(is_there ? params[0].return_size : 0);
        return bytes;
    }

  private:
    void replace(void* object) { call(free_key, std::exchange(object_, object)); }
};

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
    const KeyObject shown(whole_, public_half);
    EXPECT_TRUE(KeyObject(whole_, both_halves).has(both_halves));
    EXPECT_TRUE(shown.has(public_half) && shown.matches(whole_, public_half));
    EXPECT_FALSE(shown.has(private_half) || KeyObject(shown, both_halves).has(private_half));
    EXPECT_FALSE(KeyObject(whole_, neither).has(public_half) ||
                 KeyObject(none_, public_half).has(public_half));
}

TEST_F(ProviderKeyObjects, AreGeneratedAsTheirParametersSay)
{
    const Params seed = Params().octets("seed", Bytes(32));
    const KeyObject one("ML-DSA-44", seed);
    EXPECT_TRUE(one.matches(KeyObject("ML-DSA-44", seed), both_halves));
    EXPECT_FALSE(one.matches(KeyObject("ML-DSA-44", nullptr), both_halves));
    const KeyObject no_object("ML-DSA-44", Params().octets("seed", Bytes(32), OSSL_PARAM_UTF8_STRING));
    EXPECT_EQ(no_object.get(), nullptr);
    EXPECT_FALSE(no_object.has(neither));
}

TEST(ProviderShares, AreOfOctetsAndNothingElse)
{
    for (const std::string_view algorithm : {"ML-KEM-768", "X25519MLKEM768", "SecP384r1MLKEM1024"}) {
        SCOPED_TRACE(algorithm);
        const KeyObject own(algorithm.data(), nullptr), peer(algorithm.data());
        const Bytes share = own.share();
        EXPECT_TRUE(peer.run(set_key, Params()));
        EXPECT_FALSE(peer.has(public_half));
        EXPECT_EQ(peer.share(), Bytes());
        EXPECT_FALSE(peer.run(set_key, Params().octets("encoded-pub-key", share, OSSL_PARAM_UTF8_STRING)));
        EXPECT_FALSE(own.matches(peer, public_half) || peer.matches(own, public_half));
        EXPECT_TRUE(works(peer.run(set_key, Params().octets("encoded-pub-key", share))));
        EXPECT_EQ(peer.share(), share);
        EXPECT_TRUE(peer.has(public_half) && own.has(both_halves));
        EXPECT_FALSE(peer.has(private_half) || peer.has(both_halves));
        EXPECT_TRUE(peer.matches(own, public_half));
        // Bytes of ML-KEM's seed, whose every value is valid, or of X25519.
        for (const std::size_t from_end : {1u, algorithm.starts_with("X25519") ? 33u : 2u}) {
            Bytes changed = share;
            changed[share.size() - from_end] ^= 1;
            EXPECT_TRUE(works(peer.run(set_key, Params().octets("encoded-pub-key", changed))));
            EXPECT_FALSE(peer.matches(own, public_half));
            EXPECT_TRUE(peer.matches(own, neither));
        }
    }
}

/// Messages in pieces: ML-DSA hashes the pieces as they come, Falcon holds them.
class ProviderSignatureObjects : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override { errors(); }
    /// The signature of the pieces so far; empty if there is none.
    Bytes end()
    {
        std::size_t bytes = 0;
        Bytes signature(longest_);
        const bool is_made = operation_.run(sign_final, signature.data(), &bytes, longest_);
        signature.resize(is_made ? bytes : 0);
        return signature;
    }

    Key key_ = generated(GetParam());
    std::size_t longest_ = static_cast<std::size_t>(EVP_PKEY_get_size(key_.get()));
    KeyObject none_{GetParam()};
    KeyObject whole_{GetParam(), key_, both_halves};
    Object operation_{OSSL_OP_SIGNATURE, GetParam()};
};

TEST_P(ProviderSignatureObjects, NeedAKey)
{
    EXPECT_FALSE(operation_.run(signs, "", nullptr, nullptr));
    EXPECT_FALSE(operation_.run(signs, "", none_.get(), nullptr));
    EXPECT_TRUE(fails(operation_.run(verify, Bytes(longest_), Bytes{'a'}), "no key is set"));
    const bool is_hashed = std::string_view(GetParam()) == "ML-DSA-44";
    EXPECT_EQ(operation_.run(update, Bytes{'a'}), !is_hashed);
    EXPECT_TRUE(fails(end(), is_hashed ? "no key is set" : "the key has no private half"));
}

TEST_P(ProviderSignatureObjects, KeepTheirKeyWhereAnotherIsRefused)
{
    const KeyObject shown(GetParam(), generated(GetParam()), public_half);
    const KeyObject other("ML-DSA-65", generated("ML-DSA-65"), both_halves);
    ASSERT_TRUE(works(operation_.run(signs, "", whole_.get(), nullptr)));
    EXPECT_TRUE(fails(operation_.run(signs, "", shown.get(), nullptr), "the key has no private half"));
    EXPECT_TRUE(fails(operation_.run(signs, "", other.get(), nullptr), "the key is of another algorithm"));
    EXPECT_TRUE(fails(operation_.run(verifies_with, "SHA512", none_.get(), nullptr), "no key is set"));
    ASSERT_TRUE(operation_.run(update, Bytes{'a'}));
    EXPECT_TRUE(works(verifies(key_, end(), {'a'})));
}

TEST_P(ProviderSignatureObjects, ThatVerifySignNothing)
{
    ASSERT_TRUE(works(operation_.run(verifies_with, "SHA512", whole_.get(), nullptr)));
    EXPECT_TRUE(works(operation_.run(verify, sign(key_, {'a'}), Bytes{'a'})));
    EXPECT_TRUE(fails(end(), "the key has no private half"));
}

TEST_P(ProviderSignatureObjects, KeepTheMessageUntilTheySignItAndForgetItThen)
{
    std::size_t bytes = 0;
    Bytes little(longest_ - 1);
    ASSERT_TRUE(works(operation_.run(signs, "", whole_.get(), nullptr)));
    ASSERT_TRUE(operation_.run(update, Bytes{'a'}));
    EXPECT_TRUE(works(operation_.run(sign_final, nullptr, &bytes, 0)));
    EXPECT_EQ(bytes, longest_);
    EXPECT_TRUE(fails(operation_.run(sign_final, little.data(), &bytes, little.size()),
                      "a signature can have " + std::to_string(longest_) + " bytes, but there is room for " +
                          std::to_string(longest_ - 1)));
    EXPECT_TRUE(fails(operation_.run(sign_final, little.data(), nullptr, longest_),
                      "no place for a signature's length"));
    EXPECT_EQ(little, Bytes(longest_ - 1));
    EXPECT_TRUE(works(verifies(key_, end(), {'a'})));
    ASSERT_TRUE(operation_.run(update, Bytes{'b'}));
    EXPECT_TRUE(works(verifies(key_, end(), {'b'})));
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderSignatureObjects, testing::Values("ML-DSA-44", "Falcon-512"), name_of);

class ProviderKemObjects : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override { errors(); }

    std::string_view name_ = GetParam();
    bool is_small_ = name_ == "ML-KEM-768", is_x25519_ = name_ == "X25519MLKEM768";
    std::size_t ciphertext_bytes_ = is_small_ ? 1088 : is_x25519_ ? 1120 : 1665;
    std::size_t secret_bytes_ = is_small_ ? 32 : is_x25519_ ? 64 : 80;
    Bytes ciphertext_ = Bytes(ciphertext_bytes_), secret_ = Bytes(secret_bytes_);
    Object operation_{OSSL_OP_KEM, GetParam()};
};

TEST_P(ProviderKemObjects, NeedAKey)
{
    const KeyObject none(GetParam());
    for (const Function begin : {encapsulates, decapsulates})
        for (void* key : {static_cast<void*>(nullptr), none.get()})
            EXPECT_TRUE(fails(operation_.run(begin, key, nullptr), "no key is set"));
    EXPECT_FALSE(
        operation_.run(encapsulate, ciphertext_.data(), &ciphertext_bytes_, secret_.data(), &secret_bytes_));
    EXPECT_FALSE(operation_.run(decapsulate, secret_.data(), &secret_bytes_, ciphertext_));
    EXPECT_EQ(secret_, Bytes(secret_bytes_));
    EXPECT_FALSE(
        operation_.run(encapsulate, ciphertext_.data(), &ciphertext_bytes_, nullptr, &secret_bytes_));
}

TEST_P(ProviderKemObjects, WriteNothingWhereOneOutputIsTooSmall)
{
    const KeyObject key(GetParam(), nullptr);
    ASSERT_TRUE(works(operation_.run(encapsulates, key.get(), nullptr)));
    for (const auto& [less_ciphertext, less_secret] : {std::pair{1u, 0u}, std::pair{0u, 1u}}) {
        std::size_t ciphertext_room = ciphertext_bytes_ - less_ciphertext;
        std::size_t secret_room = secret_bytes_ - less_secret;
        EXPECT_TRUE(fails(
            operation_.run(encapsulate, ciphertext_.data(), &ciphertext_room, secret_.data(), &secret_room),
            "the output buffer is too small"));
        EXPECT_EQ(ciphertext_, Bytes(ciphertext_bytes_));
        EXPECT_EQ(secret_, Bytes(secret_bytes_));
    }
    EXPECT_TRUE(
        fails(operation_.run(encapsulate, ciphertext_.data(), nullptr, nullptr, nullptr), "no secret"));
    std::size_t little = 1;
    EXPECT_TRUE(works(operation_.run(encapsulate, nullptr, &little, nullptr, &little)));
    ASSERT_TRUE(works(operation_.run(encapsulate, ciphertext_.data(), nullptr, secret_.data(), nullptr)));

    ASSERT_TRUE(works(operation_.run(decapsulates, nullptr, nullptr)));
    Bytes received(secret_bytes_);
    little = secret_bytes_ - 1;
    EXPECT_TRUE(fails(operation_.run(decapsulate, received.data(), &little, ciphertext_),
                      "the output buffer is too small"));
    EXPECT_EQ(received, Bytes(secret_bytes_));
    EXPECT_TRUE(works(operation_.run(decapsulate, nullptr, &little, ciphertext_)));
    EXPECT_EQ(little, secret_bytes_);
    ASSERT_TRUE(works(operation_.run(decapsulate, received.data(), nullptr, ciphertext_)));
    EXPECT_EQ(received, secret_);
}

/// OpenSSL requires callers to state the sizes of their buffers here.
TEST_P(ProviderKemObjects, HaveNoRoomInBuffersOfNoBytes)
{
    const KeyObject key(GetParam(), nullptr);
    ASSERT_TRUE(works(operation_.run(encapsulates, key.get(), nullptr)));
    std::size_t none = 0;
    const bool is_made = operation_.run(encapsulate, ciphertext_.data(), nullptr, secret_.data(), &none);
    EXPECT_EQ(is_made, OpenSSL_version_num() < 0x30500000);
    EXPECT_EQ(secret_ == Bytes(secret_bytes_), !is_made);
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderKemObjects,
                         testing::Values("ML-KEM-768", "X25519MLKEM768", "SecP384r1MLKEM1024"), name_of);

}  // namespace
}  // namespace girih::tests
