/// Key encapsulation through the public interfaces: C++ and C.
#include <gtest/gtest.h>
#include <girih/ntru_prime.hpp>

#include <algorithm>
#include <array>
#include <string>

#include "engines/list.hpp"
#include "isa/portable/lanes.hpp"
#include "ntru_prime/hash.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/operations.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih;
using test::ByteString;
using Isa = isa::portable::Isa;
using ntru_prime::HashOf;
using ntru_prime::PrefixHash;

template <class T>
class Kem : public testing::Test {
  public:
    static typename T::Seed seed(unsigned first = 0)
    {
        typename T::Seed seed;
        std::ranges::copy(test::counting(seed.size(), first), seed.begin());
        return seed;
    }
    const typename T::DecapsulationKey key = T::DecapsulationKey::from_seed(seed());
};

class KemNames {
  public:
    template <class T>
    static std::string GetName(int)
    {
        return T::name;
    }
};
using Kems = testing::Types<girih::sntrup653, girih::sntrup761, girih::sntrup857, girih::sntrup953,
                            girih::sntrup1013, girih::sntrup1277, girih::ntrulpr653, girih::ntrulpr761,
                            girih::ntrulpr857, girih::ntrulpr953, girih::ntrulpr1013, girih::ntrulpr1277>;
TYPED_TEST_SUITE(Kem, Kems, KemNames);

TYPED_TEST(Kem, HasTheLengthsOfTheAlgorithm)
{
    const girih_alg* alg = TypeParam::algorithm();
    ASSERT_NE(alg, nullptr);
    EXPECT_STREQ(girih_name(alg), TypeParam::name);
    EXPECT_EQ(girih_is_kem(alg), 1);
    EXPECT_EQ(girih_seed_bytes(alg), TypeParam::seed_bytes);
    EXPECT_EQ(girih_public_key_bytes(alg), TypeParam::public_key_bytes);
    EXPECT_EQ(girih_secret_key_bytes(alg), TypeParam::secret_key_bytes);
    EXPECT_EQ(girih_ciphertext_bytes(alg), TypeParam::ciphertext_bytes);
    EXPECT_EQ(girih_shared_secret_bytes(alg), TypeParam::shared_secret_bytes);
    EXPECT_EQ(girih_signature_bytes(alg), 0u);
    EXPECT_EQ(girih_has_context(alg), 0);
}

TYPED_TEST(Kem, DecapsulatesWhatWasEncapsulated)
{
    const auto public_key = this->key.encapsulation_key();
    const auto first = public_key.encapsulate();
    const auto second = public_key.encapsulate();
    EXPECT_EQ(this->key.decapsulate(first.ciphertext), first.shared_secret);
    EXPECT_EQ(this->key.decapsulate(second.ciphertext), second.shared_secret);
    EXPECT_NE(first.ciphertext, second.ciphertext);
    EXPECT_NE(first.shared_secret, second.shared_secret);
}

TYPED_TEST(Kem, MakesOneKeyOfASeed)
{
    const auto again = TypeParam::DecapsulationKey::from_seed(this->seed());
    const auto other = TypeParam::DecapsulationKey::from_seed(this->seed(1));
    EXPECT_EQ(again.bytes(), this->key.bytes());
    EXPECT_NE(other.bytes(), this->key.bytes());
}

TYPED_TEST(Kem, TakesItsOwnSecretKeysAndFindsWhatIsWrongWithOthers)
{
    const auto taken = TypeParam::DecapsulationKey::from_bytes(this->key.bytes());
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->encapsulation_key(), this->key.encapsulation_key());

    typename TypeParam::PublicKey pk;
    const auto check = [&](std::size_t place, std::uint8_t byte) {
        auto changed = this->key.bytes();
        changed[place] = byte;
        return TypeParam::public_key(changed, pk);
    };
    const auto spoilt = static_cast<std::uint8_t>(this->key.bytes().back() ^ 1);
    EXPECT_EQ(check(0, 0xFF), Error::secret_key);  // 3 is no coefficient
    EXPECT_EQ(check(this->key.bytes().size() - 1, spoilt),
              Error::key_mismatch);  // the hash of the public key
    EXPECT_TRUE(std::ranges::all_of(pk, [](auto byte) { return byte == 0; }));
}

TYPED_TEST(Kem, HashesRhoForACiphertextThatWasChanged)
{
    const auto made = this->key.encapsulation_key().encapsulate();
    const auto& sk = this->key.bytes();
    const bool is_streamlined = std::string{TypeParam::name}.starts_with("sntrup");
    // rho lies before the last 32 bytes, encoded as what is encapsulated: a small
    // polynomial, or 256 bits.
    const std::size_t p = std::stoul(std::string{TypeParam::name}.substr(is_streamlined ? 6 : 7));
    const std::size_t rho_bytes = is_streamlined ? (p + 3) / 4 : 32;
    std::array<Byte, 32> rho{};
    const BytesIn<> encoded = BytesIn<>{sk}.subspan(sk.size() - 32 - rho_bytes, rho_bytes);
    if (is_streamlined) {
        constexpr std::size_t small_bytes =
            (TypeParam::secret_key_bytes - TypeParam::public_key_bytes - 32) / 3;
        PrefixHash<Isa, small_bytes>{HashOf::input, small_bytes}.append(encoded).finish(rho);
    } else {
        std::ranges::copy(encoded, rho.begin());
    }
    for (const std::size_t place : {std::size_t{0}, made.ciphertext.size() / 2, made.ciphertext.size() - 1}) {
        auto changed = made.ciphertext;
        changed[place] ^= 0x40;
        typename TypeParam::SharedSecret expected;
        PrefixHash<Isa, 32 + TypeParam::ciphertext_bytes>{HashOf::bad_session,
                                                          32 + TypeParam::ciphertext_bytes}
            .append(rho)
            .append(changed)
            .finish(expected);
        EXPECT_EQ(this->key.decapsulate(changed), expected);
    }
}

TYPED_TEST(Kem, AsksACallersSourceForOneSeedOrForEveryPiece)
{
    struct Requests {
        std::size_t count = 0;
        std::size_t bytes = 0;
    } requests;
    const auto fill = [](void* state, std::uint8_t* out, std::size_t bytes) {
        auto& seen = *static_cast<Requests*>(state);
        for (std::size_t i = 0; i < bytes; ++i)
            out[i] = static_cast<std::uint8_t>((seen.bytes + i) * 151 >> 2);
        ++seen.count;
        seen.bytes += bytes;
        return 0;
    };
    const girih_random at_once{fill, &requests, 0};
    const girih_random piecewise{fill, &requests, 1};
    (void)TypeParam::DecapsulationKey::generate(&at_once);
    EXPECT_EQ(requests.count, 1u);
    EXPECT_EQ(requests.bytes, 32u);
    requests = {};
    const auto drawn = TypeParam::DecapsulationKey::generate(&piecewise);
    EXPECT_GT(requests.count, 650u);
    requests = {};
    const auto made = drawn.encapsulation_key().encapsulate(&piecewise);
    const bool is_streamlined = std::string{TypeParam::name}.starts_with("sntrup");
    EXPECT_EQ(requests.bytes, is_streamlined ? 4 * requests.count : 32 * requests.count);
    EXPECT_EQ(drawn.decapsulate(made.ciphertext), made.shared_secret);
}

TYPED_TEST(Kem, GivesNothingWhenTheSourceFails)
{
    for (const int piecewise : {0, 1}) {
        int calls = 2;
        const girih_random failing{[](void* left, std::uint8_t* out, std::size_t bytes) {
                                       std::fill_n(out, bytes, std::uint8_t{1});
                                       return --*static_cast<int*>(left) > 0 ? 0 : -1;
                                   },
                                   &calls, piecewise};
        if (piecewise == 0) calls = 1;
        typename TypeParam::PublicKey pk;
        typename TypeParam::SecretKey sk;
        EXPECT_EQ(TypeParam::keygen(pk, sk, &failing), Error::random);
        EXPECT_TRUE(std::ranges::all_of(pk, [](auto byte) { return byte == 0; }));
        EXPECT_TRUE(std::ranges::all_of(sk, [](auto byte) { return byte == 0; }));
        typename TypeParam::Ciphertext ciphertext;
        typename TypeParam::SharedSecret secret;
        calls = 1;
        EXPECT_EQ(TypeParam::encapsulate(this->key.encapsulation_key().bytes(), ciphertext, secret, &failing),
                  Error::random);
        EXPECT_TRUE(std::ranges::all_of(ciphertext, [](auto byte) { return byte == 0; }));
        EXPECT_TRUE(std::ranges::all_of(secret, [](auto byte) { return byte == 0; }));
    }
}

TYPED_TEST(Kem, MakesTheSameKeysInBatches)
{
    constexpr std::size_t count = 11;
    std::array<typename TypeParam::Seed, count> seeds;
    std::vector<ByteString> pks(count, ByteString(TypeParam::public_key_bytes));
    std::vector<ByteString> sks(count, ByteString(TypeParam::secret_key_bytes));
    std::vector<girih_keygen_row> rows;
    for (std::size_t i = 0; i < count; ++i) {
        seeds[i] = this->seed(static_cast<unsigned>(i));
        rows.push_back({seeds[i].data(), seeds[i].size(), nullptr, pks[i].data(), pks[i].size(),
                        sks[i].data(), sks[i].size(), GIRIH_ERROR_ARGUMENT});
    }
    rows[3].secret_key_bytes -= 1;
    EXPECT_EQ(girih_keygen_many(TypeParam::algorithm(), rows.data(), rows.size()), GIRIH_ERROR_LENGTH);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(rows[i].result, i == 3 ? GIRIH_ERROR_LENGTH : GIRIH_OK);
        if (i == 3) continue;
        const auto alone = TypeParam::DecapsulationKey::from_seed(seeds[i]);
        EXPECT_TRUE(std::ranges::equal(alone.bytes(), sks[i]));
        EXPECT_TRUE(std::ranges::equal(alone.encapsulation_key().bytes(), pks[i]));
    }
}

TYPED_TEST(Kem, RefusesWrongLengthsAndKinds)
{
    const girih_alg* alg = TypeParam::algorithm();
    const girih_alg* signs = girih_algorithm("ML-DSA-44");
    auto pk = this->key.encapsulation_key().bytes();
    auto sk = this->key.bytes();
    typename TypeParam::Ciphertext ciphertext{1};
    typename TypeParam::SharedSecret secret{1};
    const auto encapsulate = [&](const girih_alg* a, const std::uint8_t* bytes, std::size_t bytes_of_key,
                                 std::size_t ciphertext_bytes, std::size_t secret_bytes) {
        return girih_encapsulate(a, nullptr, bytes, bytes_of_key, ciphertext.data(), ciphertext_bytes,
                                 secret.data(), secret_bytes);
    };
    EXPECT_EQ(encapsulate(nullptr, pk.data(), pk.size(), ciphertext.size(), 32), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(encapsulate(signs, pk.data(), pk.size(), ciphertext.size(), 32), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(encapsulate(alg, nullptr, pk.size(), ciphertext.size(), 32), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(encapsulate(alg, pk.data(), pk.size() - 1, ciphertext.size(), 32), GIRIH_ERROR_LENGTH);
    EXPECT_EQ(encapsulate(alg, pk.data(), pk.size(), ciphertext.size() - 1, 32), GIRIH_ERROR_LENGTH);
    EXPECT_EQ(encapsulate(alg, pk.data(), pk.size(), ciphertext.size(), 31), GIRIH_ERROR_LENGTH);
    EXPECT_EQ(ciphertext[0], 0);
    EXPECT_EQ(secret[0], 0);

    const auto decapsulate = [&](const girih_alg* a, const std::uint8_t* bytes, std::size_t bytes_of_key,
                                 std::size_t ciphertext_bytes, std::size_t secret_bytes) {
        secret.fill(1);
        return girih_decapsulate(a, bytes, bytes_of_key, ciphertext.data(), ciphertext_bytes, secret.data(),
                                 secret_bytes);
    };
    EXPECT_EQ(decapsulate(nullptr, sk.data(), sk.size(), ciphertext.size(), 32), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(decapsulate(signs, sk.data(), sk.size(), ciphertext.size(), 32), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(decapsulate(alg, nullptr, sk.size(), ciphertext.size(), 32), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(decapsulate(alg, sk.data(), sk.size() + 1, ciphertext.size(), 32), GIRIH_ERROR_LENGTH);
    EXPECT_EQ(decapsulate(alg, sk.data(), sk.size(), ciphertext.size() - 1, 32), GIRIH_ERROR_LENGTH);
    EXPECT_EQ(decapsulate(alg, sk.data(), sk.size(), ciphertext.size(), 31), GIRIH_ERROR_LENGTH);
    EXPECT_EQ(secret[0], 0);

    // Nothing signs with it, and nothing is prepared of it.
    std::array<std::uint8_t, 64> mu{};
    std::size_t signature_bytes = 1;
    EXPECT_EQ(girih_sign(alg, sk.data(), sk.size(), mu.data(), mu.size(), nullptr, ciphertext.data(),
                         ciphertext.size(), &signature_bytes),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_verify(alg, pk.data(), pk.size(), mu.data(), mu.size(), nullptr, ciphertext.data(),
                           ciphertext.size()),
              GIRIH_ERROR_ARGUMENT);
    girih_message message;
    EXPECT_EQ(girih_message_begin(&message, alg, pk.data(), pk.size(), nullptr), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_message_begin_secret(&message, alg, sk.data(), sk.size(), nullptr), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_signing_key_size(alg), 0u);
    EXPECT_EQ(girih_verifying_key_size(alg), 0u);
    girih_sign_row sign_row{};
    EXPECT_EQ(girih_sign_many(alg, &sign_row, 1), GIRIH_ERROR_ARGUMENT);
    girih_verify_row verify_row{};
    EXPECT_EQ(girih_verify_many(alg, &verify_row, 1), GIRIH_ERROR_ARGUMENT);
}

/// Sanitizers make the reference slower still.
#if defined(GIRIH_CHECK_BOUNDS)
constexpr bool checked_build = true;
#else
constexpr bool checked_build = false;
#endif

/// Every flip of one bit of a ciphertext, under ten keys of sntrup761.
class Flips : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Key, Flips, testing::Range(0U, 10U));

TEST_P(Flips, DecapsulateToTheHashOfRhoAndToWhatTheReferenceGives)
{
    using T = girih::sntrup761;
    const girih_alg* alg = T::algorithm();
    const auto candidates = engines::candidates();
    const auto& reference = *std::ranges::find_if(
        candidates, [](const auto& candidate) { return candidate.engine->name == "reference"; });
    const auto& by_specification = test::ntru_prime_on(*reference.engine, 1);  // after sntrup653
    const test::KeyPair key = test::key_pair(alg, test::counting(32, GetParam()));
    const test::Encapsulation made = test::encapsulate(alg, key.public_key);
    std::array<Byte, 32> rho;
    constexpr std::size_t rho_bytes = (761 + 3) / 4;
    PrefixHash<Isa, rho_bytes>{HashOf::input, rho_bytes}
        .append(BytesIn<>{key.secret_key}.subspan(key.secret_key.size() - 32 - rho_bytes, rho_bytes))
        .finish(rho);

    // The reference takes a thousand times as long as the hash, which is what it gives.
    const std::size_t reference_step = test::are_exhaustive() ? 1 : checked_build ? 512 : 16;
    ByteString changed = made.ciphertext;
    ASSERT_EQ(8 * changed.size(), 8312u);
    for (std::size_t bit = 0; bit < 8 * changed.size(); ++bit) {
        changed[bit / 8] = static_cast<Byte>(changed[bit / 8] ^ 1 << bit % 8);
        ByteString expected(32);
        PrefixHash<Isa, 32 + T::ciphertext_bytes>{HashOf::bad_session, 32 + T::ciphertext_bytes}
            .append(rho)
            .append(changed)
            .finish(BytesOut<32>{expected.data(), 32});
        ASSERT_EQ(test::decapsulate(alg, key.secret_key, changed), expected) << "bit " << bit;
        if (bit % reference_step == GetParam() % reference_step) {
            ByteString from_reference(32);
            by_specification.decapsulate(key.secret_key.data(), changed.data(), from_reference.data());
            ASSERT_EQ(from_reference, expected) << "bit " << bit;
        }
        changed[bit / 8] = made.ciphertext[bit / 8];
    }
    EXPECT_EQ(test::decapsulate(alg, key.secret_key, changed), made.shared_secret);
}

}  // namespace
