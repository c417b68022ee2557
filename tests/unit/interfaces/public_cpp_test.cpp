/// The typed C++ headers: the same bytes as the C interface, lengths that are types,
/// errors that are thrown.
#include <gtest/gtest.h>
#include <girih/dilithium.hpp>
#include <girih/falcon.hpp>
#include <girih/ml_dsa.hpp>

#include <array>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/typed.hpp"

namespace {

using girih::test::AlgorithmNames;
using girih::test::counting_seed;

using Bytes = std::vector<std::uint8_t>;

template <class T>
class PublicCpp : public testing::Test {
  public:
    const typename T::SigningKey key = T::SigningKey::from_seed(counting_seed<T>());
    const std::string message = "a message";
};

using Algorithms = testing::Types<girih::ml_dsa_44, girih::ml_dsa_65, girih::ml_dsa_87, girih::dilithium2,
                                  girih::dilithium3, girih::dilithium5>;
TYPED_TEST_SUITE(PublicCpp, Algorithms, AlgorithmNames);

TYPED_TEST(PublicCpp, HasTheLengthsOfTheAlgorithm)
{
    const girih_alg* alg = TypeParam::algorithm();
    ASSERT_NE(alg, nullptr);
    EXPECT_STREQ(girih_name(alg), TypeParam::name);
    EXPECT_EQ(TypeParam::seed_bytes, girih_seed_bytes(alg));
    EXPECT_EQ(TypeParam::public_key_bytes, girih_public_key_bytes(alg));
    EXPECT_EQ(TypeParam::secret_key_bytes, girih_secret_key_bytes(alg));
    EXPECT_EQ(TypeParam::signature_bytes, girih_signature_bytes(alg));
}

TYPED_TEST(PublicCpp, MakesTheBytesOfTheCInterface)
{
    const auto seed = counting_seed<TypeParam>();
    typename TypeParam::PublicKey pk;
    typename TypeParam::SecretKey sk;
    ASSERT_EQ(girih_keygen_from_seed(TypeParam::algorithm(), seed.data(), seed.size(), pk.data(), pk.size(),
                                     sk.data(), sk.size()),
              GIRIH_OK);
    EXPECT_EQ(this->key.bytes(), sk);
    EXPECT_EQ(this->key.verifying_key().bytes(), pk);

    typename TypeParam::Signature signature;
    std::size_t size = 0;
    const girih_options deterministic{nullptr, 0, nullptr, 1, nullptr, 0, {}};
    ASSERT_EQ(girih_sign(TypeParam::algorithm(), sk.data(), sk.size(),
                         reinterpret_cast<const std::uint8_t*>(this->message.data()), this->message.size(),
                         &deterministic, signature.data(), signature.size(), &size),
              GIRIH_OK);
    EXPECT_EQ(this->key.sign(this->message, {.deterministic = true}), signature);

    typename TypeParam::PublicKey pk2;
    typename TypeParam::SecretKey sk2;
    typename TypeParam::Signature signature2;
    ASSERT_EQ(TypeParam::keygen(seed, pk2, sk2), girih::Error::none);
    ASSERT_EQ(TypeParam::sign(sk2, this->message, {.deterministic = true}, signature2), girih::Error::none);
    EXPECT_EQ(pk2, pk);
    EXPECT_EQ(sk2, sk);
    EXPECT_EQ(signature2, signature);
    EXPECT_EQ(TypeParam::verify(pk2, this->message, {}, signature2), girih::Error::none);
    ASSERT_EQ(TypeParam::public_key(sk2, pk2), girih::Error::none);
    EXPECT_EQ(pk2, pk);
}

TYPED_TEST(PublicCpp, SignsWithNewKeysAndVerifies)
{
    const auto fresh = TypeParam::SigningKey::generate();
    EXPECT_NE(fresh.bytes(), TypeParam::SigningKey::generate().bytes());
    auto signature = fresh.sign(this->message);
    EXPECT_TRUE(fresh.verifying_key().verify(this->message, signature));
    EXPECT_FALSE(fresh.verifying_key().verify("another message", signature));
    EXPECT_FALSE(this->key.verifying_key().verify(this->message, signature));
    signature[0] ^= 1;
    EXPECT_FALSE(fresh.verifying_key().verify(this->message, signature));
    EXPECT_FALSE(fresh.verifying_key().verify(this->message, Bytes(signature.size() - 1)));
    EXPECT_EQ(TypeParam::verify(fresh.verifying_key().bytes(), this->message, {}, Bytes{}),
              girih::Error::signature);

    typename TypeParam::PublicKey pk;
    typename TypeParam::SecretKey sk;
    ASSERT_EQ(TypeParam::keygen(pk, sk), girih::Error::none);
    ASSERT_TRUE(TypeParam::SigningKey::from_bytes(sk).has_value());
    EXPECT_EQ(TypeParam::SigningKey::from_bytes(sk)->verifying_key(), typename TypeParam::VerifyingKey{pk});
}

TYPED_TEST(PublicCpp, TakesAKeyFromItsBytesOnlyIfAllIsInOrder)
{
    auto bytes = this->key.bytes();
    const auto same = TypeParam::SigningKey::from_bytes(bytes);
    ASSERT_TRUE(same.has_value());
    EXPECT_EQ(same->bytes(), this->key.bytes());
    EXPECT_EQ(same->verifying_key(), this->key.verifying_key());
    bytes.back() ^= 1;
    EXPECT_FALSE(TypeParam::SigningKey::from_bytes(bytes).has_value());
}

TYPED_TEST(PublicCpp, ReadsMessagesInPieces)
{
    using Message = typename TypeParam::Message;
    typename TypeParam::Mu from_public;
    typename TypeParam::Mu from_secret;
    ASSERT_EQ(Message(this->key.verifying_key().bytes(), {}).update("a ").update("message").mu(from_public),
              girih::Error::none);
    ASSERT_EQ(Message(this->key.bytes(), {}).update(this->message).mu(from_secret), girih::Error::none);
    EXPECT_EQ(from_public, from_secret);

    typename TypeParam::Signature signature;
    ASSERT_EQ(TypeParam::sign_mu(this->key.bytes(), from_public, {.deterministic = true}, signature),
              girih::Error::none);
    EXPECT_EQ(signature, this->key.sign(this->message, {.deterministic = true}));
    EXPECT_EQ(TypeParam::verify_mu(this->key.verifying_key().bytes(), from_public, signature),
              girih::Error::none);
    from_public[0] ^= 1;
    EXPECT_EQ(TypeParam::verify_mu(this->key.verifying_key().bytes(), from_public, signature),
              girih::Error::signature);
}

TYPED_TEST(PublicCpp, KeepsAnErrorOfTheBeginningUntilMu)
{
    const Bytes context(256);
    typename TypeParam::Mu mu;
    mu.fill(0xEE);
    typename TypeParam::Message failed(this->key.bytes(), {.context = context});
    EXPECT_EQ(failed.update("anything").mu(mu), girih::Error::context);
    EXPECT_EQ(mu, typename TypeParam::Mu{});
}

TYPED_TEST(PublicCpp, ThrowsTheErrorWithItsText)
{
    const Bytes context(256);
    try {
        (void)this->key.sign(this->message, {.context = context});
        ADD_FAILURE() << "a context of 256 bytes was signed";
    } catch (const girih::Exception& exception) {
        EXPECT_EQ(exception.error(), girih::Error::context);
        EXPECT_STREQ(exception.what(), girih_error_text(GIRIH_ERROR_CONTEXT));
    }
    const girih_random broken{nullptr, nullptr, 0};
    EXPECT_THROW((void)TypeParam::SigningKey::generate(&broken), girih::Exception);
    EXPECT_THROW((void)this->key.sign(this->message, {.random = &broken}), girih::Exception);
    EXPECT_FALSE(
        this->key.verifying_key().verify(this->message, this->key.sign(this->message), {.context = context}));
}

TEST(PublicCppOptions, SeparateContextsAndPreHashes)
{
    const auto key = girih::ml_dsa_44::SigningKey::generate();
    const auto verifying = key.verifying_key();
    const auto in_context = key.sign("m", {.context = "a"});
    EXPECT_TRUE(verifying.verify("m", in_context, {.context = "a"}));
    EXPECT_FALSE(verifying.verify("m", in_context, {.context = "b"}));
    EXPECT_FALSE(verifying.verify("m", in_context));
    const auto hashed = key.sign("m", {.pre_hash = "SHA2-512"});
    EXPECT_TRUE(verifying.verify("m", hashed, {.pre_hash = "SHA2-512"}));
    EXPECT_FALSE(verifying.verify("m", hashed, {.pre_hash = "SHA3-512"}));
    EXPECT_FALSE(verifying.verify("m", hashed));
}

TEST(PublicCppViews, SeeTheBytesOfEveryKindOfContainer)
{
    const std::string text = "girih";
    const Bytes bytes(text.begin(), text.end());
    const std::array<std::uint8_t, 5> array{'g', 'i', 'r', 'i', 'h'};
    const auto same = [&](girih::BytesView view) {
        return std::string_view{reinterpret_cast<const char*>(view.data()), view.size()} == text;
    };
    EXPECT_TRUE(same(text));
    EXPECT_TRUE(same("girih"));
    EXPECT_TRUE(same(std::string_view{text}));
    EXPECT_TRUE(same(bytes));
    EXPECT_TRUE(same(array));
    EXPECT_TRUE(same(std::span{bytes}));
    EXPECT_TRUE(same(std::as_bytes(std::span{bytes})));
    EXPECT_EQ(girih::BytesView{}.size(), 0U);
}

TEST(PublicCppTypes, DoNotTakeOtherLengths)
{
    using Alg = girih::ml_dsa_44;
    static_assert(!std::is_constructible_v<Alg::VerifyingKey, girih::ml_dsa_65::PublicKey>);
    static_assert(std::is_constructible_v<Alg::VerifyingKey, Alg::PublicKey>);
    static_assert(!std::is_default_constructible_v<Alg::SigningKey>);
    static_assert(!std::is_invocable_v<decltype(&Alg::SigningKey::from_bytes), girih::ml_dsa_65::SecretKey>);
    static_assert(std::is_invocable_v<decltype(&Alg::SigningKey::from_bytes), Alg::SecretKey>);
}

template <class A, class B>
concept Comparable = requires(const A& a, const B& b) { a == b; };

TEST(PublicCppTypes, OfEqualLengthsAreOfDifferentAlgorithms)
{
    using One = girih::falcon_512;
    using Other = girih::falcon_padded_512;
    static_assert(std::is_same_v<One::PublicKey, Other::PublicKey> &&
                  std::is_same_v<One::SecretKey, Other::SecretKey>);
    static_assert(Comparable<One::VerifyingKey, One::VerifyingKey>);
    static_assert(!Comparable<One::VerifyingKey, Other::VerifyingKey>);
    static_assert(!std::is_constructible_v<Other::VerifyingKey, One::VerifyingKey>);
    static_assert(!std::is_constructible_v<Other::PreparedVerifyingKey, One::VerifyingKey>);
    static_assert(!std::is_constructible_v<Other::PreparedSigningKey, One::SigningKey>);
    static_assert(!std::is_assignable_v<Other::PreparedVerifyingKey&, One::PreparedVerifyingKey>);
    static_assert(!std::is_convertible_v<One::PublicKey, One::VerifyingKey>, "explicit");
    static_assert(std::is_nothrow_constructible_v<One::VerifyingKey, One::PublicKey>);
    static_assert(std::is_nothrow_copy_constructible_v<One::SigningKey> &&
                  std::is_nothrow_copy_assignable_v<One::SigningKey>);
}

TEST(PublicCppKeys, AreWipedWhenTheirLifeEnds)
{
    using Key = girih::ml_dsa_44::SigningKey;
    alignas(Key) std::array<unsigned char, sizeof(Key)> storage;
    Key* key = new (storage.data()) Key{Key::generate()};
    const auto secret = key->bytes();
    const auto at = static_cast<std::size_t>(reinterpret_cast<const unsigned char*>(key->bytes().data()) -
                                             storage.data());
    ASSERT_EQ(std::memcmp(storage.data() + at, secret.data(), secret.size()), 0);
    key->~Key();
    for (std::size_t i = 0; i < secret.size(); ++i) ASSERT_EQ(storage[at + i], 0) << i;
}

}  // namespace
