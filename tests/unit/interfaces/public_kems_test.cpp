/// The typed C++ headers of key encapsulation: the same bytes as the C interface, prepared keys
/// where there are any, and batches on threads.
#include <gtest/gtest.h>
#include <girih/batch.hpp>
#include <girih/ml_kem.hpp>
#include <girih/ntru_prime.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "support/kems.hpp"
#include "support/typed.hpp"

namespace {

using girih::test::AlgorithmNames;
using girih::test::counting_seed;
using girih::test::GivenBytes;
using girih::test::thrown_by;

template <class T>
class PublicKems : public testing::Test {
  public:
    const typename T::DecapsulationKey key = T::DecapsulationKey::from_seed(counting_seed<T>());
    const typename T::EncapsulationKey public_key = key.encapsulation_key();
    const std::array<std::uint8_t, 32> m{1, 2, 3};
};
using Algorithms = testing::Types<girih::ml_kem_512, girih::ml_kem_768, girih::ml_kem_1024, girih::sntrup653,
                                  girih::sntrup761, girih::sntrup857, girih::sntrup953, girih::sntrup1013,
                                  girih::sntrup1277, girih::ntrulpr653, girih::ntrulpr761, girih::ntrulpr857,
                                  girih::ntrulpr953, girih::ntrulpr1013, girih::ntrulpr1277>;
TYPED_TEST_SUITE(PublicKems, Algorithms, AlgorithmNames);

template <class Algorithm>
concept HasPreparedKeys = requires {
    typename Algorithm::PreparedEncapsulationKey;
    typename Algorithm::PreparedDecapsulationKey;
};

TYPED_TEST(PublicKems, HaveTheLengthsOfTheAlgorithm)
{
    const girih_alg* alg = TypeParam::algorithm();
    ASSERT_NE(alg, nullptr);
    EXPECT_STREQ(girih_name(alg), TypeParam::name);
    EXPECT_EQ(TypeParam::seed_bytes, girih_seed_bytes(alg));
    EXPECT_EQ(TypeParam::public_key_bytes, girih_public_key_bytes(alg));
    EXPECT_EQ(TypeParam::secret_key_bytes, girih_secret_key_bytes(alg));
    EXPECT_EQ(TypeParam::ciphertext_bytes, girih_ciphertext_bytes(alg));
    EXPECT_EQ(TypeParam::shared_secret_bytes, girih_shared_secret_bytes(alg));
    EXPECT_EQ(HasPreparedKeys<TypeParam>, girih_encapsulation_key_size(alg) != 0);
    EXPECT_EQ(HasPreparedKeys<TypeParam>, girih_decapsulation_key_size(alg) != 0);
}

TYPED_TEST(PublicKems, MakeTheBytesOfTheCInterface)
{
    const girih_alg* alg = TypeParam::algorithm();
    const auto keys = girih::test::key_pair(alg, counting_seed<TypeParam>());
    EXPECT_TRUE(std::ranges::equal(this->key.bytes(), keys.secret_key));
    EXPECT_TRUE(std::ranges::equal(this->public_key.bytes(), keys.public_key));
    const GivenBytes given{this->m}, given_again{this->m}, given_last{this->m};
    const auto expected = girih::test::encapsulate(alg, keys.public_key, given.source());
    const auto made = this->public_key.encapsulate(given_again.source());
    EXPECT_TRUE(std::ranges::equal(made.ciphertext, expected.ciphertext));
    EXPECT_TRUE(std::ranges::equal(made.shared_secret, expected.shared_secret));
    EXPECT_EQ(this->key.decapsulate(made.ciphertext), made.shared_secret);

    typename TypeParam::PublicKey pk;
    typename TypeParam::SecretKey sk;
    ASSERT_EQ(TypeParam::keygen(counting_seed<TypeParam>(), pk, sk), girih::Error::none);
    EXPECT_EQ(sk, this->key.bytes());
    typename TypeParam::Ciphertext ciphertext;
    typename TypeParam::SharedSecret secret, received;
    ASSERT_EQ(TypeParam::encapsulate(pk, ciphertext, secret, given_last.source()), girih::Error::none);
    EXPECT_EQ(ciphertext, made.ciphertext);
    EXPECT_EQ(secret, made.shared_secret);
    ASSERT_EQ(TypeParam::decapsulate(sk, ciphertext, received), girih::Error::none);
    EXPECT_EQ(received, secret);
    ciphertext[5] ^= 1;
    EXPECT_NE(this->key.decapsulate(ciphertext), secret);
}

TYPED_TEST(PublicKems, TakeAKeyFromItsBytesOnlyIfAllIsInOrder)
{
    const auto fresh = TypeParam::DecapsulationKey::generate();
    EXPECT_NE(fresh.bytes(), this->key.bytes());
    const auto same = TypeParam::DecapsulationKey::from_bytes(fresh.bytes());
    ASSERT_TRUE(same.has_value());
    EXPECT_EQ(same->encapsulation_key(), fresh.encapsulation_key());
    auto bytes = fresh.bytes();
    bytes[0] ^= 0xFF;
    EXPECT_FALSE(TypeParam::DecapsulationKey::from_bytes(bytes).has_value());
}

TYPED_TEST(PublicKems, AreUsedWithRangesOfBytes)
{
    using girih::test::expect_copies_of;
    const auto made = this->public_key.encapsulate();
    expect_copies_of<typename TypeParam::DecapsulationKey>(this->key.bytes(), TypeParam::secret_key_bytes - 1,
                                                           girih::Error::secret_key_length);
    expect_copies_of<typename TypeParam::EncapsulationKey>(
        this->public_key.bytes(), TypeParam::public_key_bytes + 1, girih::Error::public_key_length);
    expect_copies_of<typename TypeParam::Ciphertext>(made.ciphertext, TypeParam::ciphertext_bytes - 1);
    std::vector<std::uint8_t> ciphertext{made.ciphertext.begin(), made.ciphertext.end()};
    EXPECT_EQ(this->key.decapsulate(ciphertext), made.shared_secret);
    ciphertext.pop_back();
    EXPECT_EQ(thrown_by([&] { (void)this->key.decapsulate(ciphertext); }), girih::Error::length);
}

/// Every second row has the bytes of a key, the others a prepared one.
TEST(PublicKemBatches, AreSpreadOverThreads)
{
    using Kem = girih::ml_kem_512;
    const auto key = Kem::DecapsulationKey::generate();
    const auto pk = key.encapsulation_key().bytes();
    const Kem::PreparedEncapsulationKey to{pk};
    const Kem::PreparedDecapsulationKey by{key};
    constexpr std::size_t count = 300;
    std::vector<Kem::Ciphertext> ciphertexts(count);
    std::vector<Kem::SharedSecret> sent(count), received(count);
    std::vector<girih::EncapsulateRow> sending;
    std::vector<girih::DecapsulateRow> receiving;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_prepared = i % 2 == 0;
        sending.push_back(is_prepared ? girih::encapsulate_row(to, ciphertexts[i], sent[i])
                                      : girih::encapsulate_row(pk, ciphertexts[i], sent[i]));
        receiving.push_back(is_prepared ? girih::decapsulate_row(by, ciphertexts[i], received[i])
                                        : girih::decapsulate_row(key.bytes(), ciphertexts[i], received[i]));
    }
    EXPECT_EQ(sending[7].result, GIRIH_ERROR_ARGUMENT) << "not run yet";
    EXPECT_EQ(girih::encapsulate_many<Kem>(sending, 3), girih::Error::none);
    EXPECT_EQ(girih::decapsulate_many<Kem>(receiving, 3), girih::Error::none);
    EXPECT_EQ(sent, received);
    EXPECT_NE(sent[0], sent[1]);
    sending[count - 1].ciphertext_bytes -= 1;
    EXPECT_EQ(girih::encapsulate_many(Kem::algorithm(), std::span{sending}, 2), girih::Error::length);
    receiving[count - 1].ciphertext = nullptr;
    EXPECT_EQ(girih::decapsulate_many(Kem::algorithm(), std::span{receiving}, 2), girih::Error::argument);
}

template <class T>
class PreparedKems : public PublicKems<T> {};
using Preparing = testing::Types<girih::ml_kem_512, girih::ml_kem_768, girih::ml_kem_1024>;
TYPED_TEST_SUITE(PreparedKems, Preparing, AlgorithmNames);

TYPED_TEST(PreparedKems, MakeTheSameBytes)
{
    const typename TypeParam::PreparedEncapsulationKey to{this->public_key};
    const typename TypeParam::PreparedDecapsulationKey by{this->key};
    const GivenBytes given{this->m}, given_again{this->m};
    const auto expected = this->public_key.encapsulate(given.source());
    const auto made = to.encapsulate(given_again.source());
    EXPECT_EQ(made.ciphertext, expected.ciphertext);
    EXPECT_EQ(made.shared_secret, expected.shared_secret);
    EXPECT_EQ(by.decapsulate(made.ciphertext), made.shared_secret);
    auto changed = made.ciphertext;
    changed.back() ^= 1;
    EXPECT_EQ(by.decapsulate(changed), this->key.decapsulate(changed)) << "implicit rejection";
    EXPECT_NE(by.decapsulate(changed), made.shared_secret);
}

TYPED_TEST(PreparedKems, RefuseWhatIsNoKey)
{
    using Error = girih::Error;
    typename TypeParam::PublicKey pk = this->public_key.bytes();
    pk[0] = 0xFF;
    pk[1] |= 0x0F;  // the first coefficient is 4095
    const typename TypeParam::EncapsulationKey unchecked{pk};
    EXPECT_EQ(thrown_by([&] { (void)unchecked.encapsulate(); }), Error::public_key);
    EXPECT_EQ(thrown_by([&] { (void)typename TypeParam::PreparedEncapsulationKey{unchecked}; }),
              Error::public_key);

    typename TypeParam::SecretKey sk = this->key.bytes();
    sk[TypeParam::secret_key_bytes - 64] ^= 1;  // the hash of the public key
    EXPECT_EQ(thrown_by([&] { (void)typename TypeParam::PreparedDecapsulationKey{sk}; }),
              Error::key_mismatch);
    typename TypeParam::SharedSecret secret;
    secret.fill(0xEE);
    EXPECT_EQ(TypeParam::decapsulate(sk, typename TypeParam::Ciphertext{}, secret), Error::key_mismatch);
    EXPECT_EQ(secret, typename TypeParam::SharedSecret{});
}

TYPED_TEST(PreparedKems, ThrowWhatTheSourceOfRandomnessFailsWith)
{
    using Error = girih::Error;
    const girih_random broken{nullptr, nullptr, 0};
    const typename TypeParam::PreparedEncapsulationKey to{this->public_key};
    EXPECT_EQ(thrown_by([&] { (void)to.encapsulate(&broken); }), Error::random);
    EXPECT_EQ(thrown_by([&] { (void)this->public_key.encapsulate(&broken); }), Error::random);
    EXPECT_EQ(thrown_by([&] { (void)TypeParam::DecapsulationKey::generate(&broken); }), Error::random);
}

TEST(PublicKemTypes, OfOtherAlgorithmsAreOtherTypes)
{
    using One = girih::ml_kem_512;
    using Other = girih::ml_kem_768;
    static_assert(!HasPreparedKeys<girih::sntrup761> && !HasPreparedKeys<girih::ntrulpr761>);
    static_assert(!std::is_constructible_v<One::PreparedEncapsulationKey, Other::EncapsulationKey>);
    static_assert(!std::is_constructible_v<One::PreparedDecapsulationKey, Other::SecretKey>);
    static_assert(!std::is_assignable_v<One::PreparedDecapsulationKey&, Other::PreparedDecapsulationKey>);
    static_assert(!std::is_convertible_v<One::SecretKey, One::PreparedDecapsulationKey>, "explicit");
    static_assert(!std::is_constructible_v<One::EncapsulationKey, Other::PublicKey>);
    static_assert(!std::is_default_constructible_v<One::DecapsulationKey>);
}

}  // namespace
