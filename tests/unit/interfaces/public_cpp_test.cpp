/// The typed C++ headers of signatures: the same bytes as the C interface, lengths that are types,
/// errors that are thrown.
#include <gtest/gtest.h>
#include <girih/batch.hpp>
#include <girih/dilithium.hpp>
#include <girih/falcon.hpp>
#include <girih/ml_dsa.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/c_call.hpp"
#include "support/signatures.hpp"
#include "support/typed.hpp"

namespace {

using girih::test::AlgorithmNames;
using girih::test::ByteString;
using girih::test::counting_seed;
using girih::test::GivenBytes;

template <class T>
class PublicCpp : public testing::Test {
  public:
    const typename T::SigningKey key = T::SigningKey::from_seed(counting_seed<T>());
    const std::string message = "a message";
};
using Algorithms =
    testing::Types<girih::ml_dsa_44, girih::ml_dsa_65, girih::ml_dsa_87, girih::dilithium2, girih::dilithium3,
                   girih::dilithium5, girih::falcon_512, girih::falcon_1024, girih::falcon_padded_512,
                   girih::falcon_padded_1024, girih::falcon_ct_512, girih::falcon_ct_1024>;
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
    const girih_alg* alg = TypeParam::algorithm();
    const auto expected = girih::test::key_pair(alg, counting_seed<TypeParam>());
    EXPECT_TRUE(std::ranges::equal(this->key.bytes(), expected.secret_key));
    EXPECT_TRUE(std::ranges::equal(this->key.verifying_key().bytes(), expected.public_key));
    typename TypeParam::PublicKey pk, pk_again;
    typename TypeParam::SecretKey sk;
    ASSERT_EQ(TypeParam::keygen(counting_seed<TypeParam>(), pk, sk), girih::Error::none);
    EXPECT_EQ(sk, this->key.bytes());
    EXPECT_EQ(pk, this->key.verifying_key().bytes());
    ASSERT_EQ(TypeParam::public_key(sk, pk_again), girih::Error::none);
    EXPECT_EQ(pk_again, pk);

    const ByteString random = girih::test::counting(88);  // as much as any of them draws
    const GivenBytes given{random}, given_again{random}, given_last{random};
    const ByteString text{this->message.begin(), this->message.end()};
    const girih_options options{nullptr, 0, nullptr, 0, given.source(), 0, {}};
    ByteString signature(TypeParam::signature_bytes);
    std::size_t size = 0;
    ASSERT_EQ(girih::test::call(girih_sign, alg, sk, text, &options, signature, &size), GIRIH_OK);
    signature.resize(size);
    const typename TypeParam::PreparedSigningKey prepared{this->key};
    EXPECT_TRUE(
        std::ranges::equal(this->key.sign(this->message, {.random = given_again.source()}), signature));
    EXPECT_TRUE(std::ranges::equal(prepared.sign(this->message, {.random = given_last.source()}), signature));
}

TYPED_TEST(PublicCpp, SignsWithNewKeysAndVerifies)
{
    const auto fresh = TypeParam::SigningKey::generate();
    EXPECT_NE(fresh.bytes(), TypeParam::SigningKey::generate().bytes());
    const auto signature = fresh.sign(this->message);
    const auto public_key = fresh.verifying_key();
    EXPECT_TRUE(public_key.verify(this->message, signature));
    EXPECT_FALSE(public_key.verify("another message", signature));
    EXPECT_FALSE(this->key.verifying_key().verify(this->message, signature));
    EXPECT_FALSE(public_key.verify(this->message, ByteString(signature.size() - 1)));
    const typename TypeParam::PreparedVerifyingKey prepared{public_key};
    EXPECT_TRUE(prepared.verify(this->message, signature));
    EXPECT_FALSE(prepared.verify("another message", signature));
    ByteString changed{signature.begin(), signature.end()};
    EXPECT_TRUE(prepared.verify(this->message, changed));
    changed[0] ^= 1;
    EXPECT_FALSE(public_key.verify(this->message, changed));
}

TYPED_TEST(PublicCpp, TakesAKeyFromItsBytesOnlyIfAllIsInOrder)
{
    typename TypeParam::PublicKey pk;
    typename TypeParam::SecretKey sk;
    ASSERT_EQ(TypeParam::keygen(pk, sk), girih::Error::none);
    const auto same = TypeParam::SigningKey::from_bytes(sk);
    ASSERT_TRUE(same.has_value());
    EXPECT_EQ(same->bytes(), sk);
    EXPECT_EQ(same->verifying_key(), typename TypeParam::VerifyingKey{pk});
    sk.back() ^= 1;
    EXPECT_FALSE(TypeParam::SigningKey::from_bytes(sk).has_value());
}

TYPED_TEST(PublicCpp, IsUsedWithRangesOfBytes)
{
    using girih::test::expect_copies_of;
    const auto public_key = this->key.verifying_key();
    const auto signature = this->key.sign(this->message);
    expect_copies_of<typename TypeParam::SigningKey>(this->key.bytes(), TypeParam::secret_key_bytes - 1,
                                                     girih::Error::secret_key_length);
    expect_copies_of<typename TypeParam::VerifyingKey>(public_key.bytes(), TypeParam::public_key_bytes + 1,
                                                       girih::Error::public_key_length);
    expect_copies_of<typename TypeParam::Signature>(signature, TypeParam::signature_bytes + 1);
    const auto bytes = std::as_bytes(std::span{this->message});
    const std::vector<std::byte> text{bytes.begin(), bytes.end()};
    EXPECT_TRUE(public_key.verify(text, this->key.sign(text)));
    EXPECT_TRUE(public_key.verify(text, signature));
    const ByteString seed(TypeParam::seed_bytes - 1);
    EXPECT_EQ(girih::test::thrown_by([&] { (void)TypeParam::SigningKey::from_seed(seed); }),
              girih::Error::length);
}

TYPED_TEST(PublicCpp, ThrowsTheErrorWithItsText)
{
    const ByteString context(256);
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
}

// ---- What only ML-DSA (and Dilithium) has

template <class T>
class PublicCppMessages : public PublicCpp<T> {};
using WithMu = testing::Types<girih::ml_dsa_44, girih::ml_dsa_65, girih::ml_dsa_87, girih::dilithium2,
                              girih::dilithium3, girih::dilithium5>;
TYPED_TEST_SUITE(PublicCppMessages, WithMu, AlgorithmNames);

TYPED_TEST(PublicCppMessages, AreSignedAndVerifiedInPieces)
{
    using Message = typename TypeParam::Message;
    const auto& sk = this->key.bytes();
    const auto pk = this->key.verifying_key().bytes();
    typename TypeParam::Mu from_public, from_secret;
    ASSERT_EQ(Message(pk, {}).update("a ").update("message").mu(from_public), girih::Error::none);
    ASSERT_EQ(Message(sk, {}).update(this->message).mu(from_secret), girih::Error::none);
    EXPECT_EQ(from_public, from_secret);
    ASSERT_EQ(Message(this->key, {}).update(this->message).mu(from_secret), girih::Error::none);
    EXPECT_EQ(from_public, from_secret);

    typename TypeParam::Signature signature, of_mu;
    ASSERT_EQ(TypeParam::sign_mu(sk, from_public, {.deterministic = true}, of_mu), girih::Error::none);
    ASSERT_EQ(TypeParam::sign(sk, this->message, {.deterministic = true}, signature), girih::Error::none);
    EXPECT_EQ(of_mu, signature);
    EXPECT_EQ(this->key.sign_mu(from_public, {.deterministic = true}), signature);
    EXPECT_TRUE(this->key.verifying_key().verify_mu(from_public, signature));
    EXPECT_EQ(TypeParam::verify(pk, this->message, {}, signature), girih::Error::none);
    EXPECT_EQ(TypeParam::verify(pk, this->message, {}, ByteString{}), girih::Error::signature);
    EXPECT_EQ(TypeParam::verify_mu(pk, from_public, signature), girih::Error::none);
    from_public[0] ^= 1;
    EXPECT_EQ(TypeParam::verify_mu(pk, from_public, signature), girih::Error::signature);
    EXPECT_FALSE(this->key.verifying_key().verify_mu(from_public, signature));
}

TYPED_TEST(PublicCppMessages, KeepAnErrorOfTheBeginningUntilMu)
{
    const ByteString context(256);
    typename TypeParam::Mu mu;
    mu.fill(0xEE);
    typename TypeParam::Message failed(this->key.bytes(), {.context = context});
    EXPECT_EQ(failed.update("anything").mu(mu), girih::Error::context);
    EXPECT_EQ(mu, typename TypeParam::Mu{});
    EXPECT_FALSE(
        this->key.verifying_key().verify(this->message, this->key.sign(this->message), {.context = context}));
}

TEST(PublicCppOptions, SeparateContextsAndPreHashes)
{
    const auto key = girih::ml_dsa_44::SigningKey::generate();
    const auto verifying = key.verifying_key();
    const girih::ml_dsa_44::PreparedVerifyingKey prepared{verifying};
    const std::array<girih::Options, 5> all{
        {{}, {.context = "a"}, {.context = "b"}, {.pre_hash = "SHA2-512"}, {.pre_hash = "SHA3-512"}}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto signature = key.sign("m", all[i]);
        for (std::size_t j = 0; j < all.size(); ++j) {
            EXPECT_EQ(verifying.verify("m", signature, all[j]), i == j) << i << ", " << j;
            EXPECT_EQ(prepared.verify("m", signature, all[j]), i == j) << i << ", " << j;
        }
    }
}

TEST(PublicCppBatches, AreOfPreparedKeysAndOfBytes)
{
    using Algorithm = girih::ml_dsa_65;
    const auto key = Algorithm::SigningKey::generate();
    const Algorithm::PreparedSigningKey signing{key};
    const Algorithm::PublicKey public_key = key.verifying_key().bytes();
    const Algorithm::PreparedVerifyingKey verifying{public_key};
    constexpr std::array messages{"one", "two"};
    std::array<Algorithm::Signature, 2> signatures;
    std::array to_sign{girih::sign_row(signing, messages[0], signatures[0]),
                       girih::sign_row(signing, messages[1], signatures[1])};
    EXPECT_EQ(girih::sign_many<Algorithm>(to_sign), girih::Error::none);
    std::array to_verify{girih::verify_row(verifying, messages[0], signatures[0]),
                         girih::verify_row(public_key, messages[1], signatures[1])};
    EXPECT_EQ(girih::verify_many<Algorithm>(to_verify, 2), girih::Error::none);
}

// ---- What only Falcon has

TEST(PublicCppFalcon, HasNoDeterministicSignatures)
{
    const auto key = girih::falcon_512::SigningKey::from_seed(counting_seed<girih::falcon_512>());
    EXPECT_THROW((void)key.sign("a message", {.deterministic = true}), girih::Exception);
}

TEST(PublicCppFalcon, MakesOtherKeysThatAreAsGoodAsTheReferenceDoes)
{
    using Falcon = girih::falcon_512;
    const Falcon::Seed seed{1};
    const auto fast = Falcon::SigningKey::from_seed(seed);
    const auto reference = Falcon::SigningKey::from_seed(seed, girih::KeyGenerator::reference);
    EXPECT_NE(fast.bytes(), reference.bytes());
    const auto again = Falcon::SigningKey::from_bytes(reference.bytes());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->verifying_key(), reference.verifying_key());
    EXPECT_TRUE(again->verifying_key().verify("a message", reference.sign("a message")));
}

// ---- Types

TEST(PublicCppViews, SeeTheBytesOfEveryKindOfContainer)
{
    const std::string text = "girih";
    const ByteString bytes(text.begin(), text.end());
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
    EXPECT_TRUE(same(std::vector<char>(text.begin(), text.end())));
    EXPECT_TRUE(same(girih::BytesView{bytes.data(), bytes.size()}));
    const char unended[]{'g', 'i', 'r', 'i', 'h'}, ended[10]{"girih"};
    EXPECT_TRUE(same(unended) && same(ended));
    const unsigned char with_zero[]{'g', 0, 'r'};
    EXPECT_EQ(girih::BytesView{with_zero}.size(), 3U);
    EXPECT_EQ(girih::BytesView{}.size(), 0U);
}

template <class A, class B>
concept Comparable = requires(const A& a, const B& b) { a == b; };

TEST(PublicCppTypes, OfOtherLengthsOrAlgorithmsAreOthers)
{
    using Alg = girih::ml_dsa_44;
    static_assert(!std::is_constructible_v<Alg::VerifyingKey, girih::ml_dsa_65::PublicKey>);
    static_assert(std::is_constructible_v<Alg::VerifyingKey, Alg::PublicKey>);
    static_assert(!std::is_default_constructible_v<Alg::SigningKey>);
    static_assert(!std::is_invocable_v<decltype(&Alg::SigningKey::from_bytes), girih::ml_dsa_65::SecretKey>);
    static_assert(std::is_invocable_v<decltype(&Alg::SigningKey::from_bytes), Alg::SecretKey>);
    static_assert(!std::is_constructible_v<Alg::Signature, girih::ml_dsa_65::Signature>);
    static_assert(!std::is_convertible_v<ByteString, Alg::VerifyingKey>, "explicit");
    static_assert(!girih::ByteRange<std::vector<int>> && !girih::ByteRange<Alg::VerifyingKey>);
    static_assert(girih::fixed_size<Alg::Signature> == Alg::signature_bytes);

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

}  // namespace
