/// Falcon through the C interface and the typed header: keys, signatures in all formats, prepared
/// keys, batches, streams.
#include <girih/girih.h>
#include <gtest/gtest.h>
#include <girih/falcon.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "falcon/hash_to_point.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace girih::test {
namespace {

struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes{};
};

constexpr std::size_t salt_bytes = 40;
constexpr std::size_t sampler_seed_bytes = 48;

int sign(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> message, const girih_random* random,
         ByteString& signature)
{
    const girih_options options{nullptr, 0, nullptr, 0, random, 0, {}};
    signature.assign(girih_signature_bytes(alg), 0xA5);
    std::size_t bytes = 1;
    const int code = girih_sign(alg, secret_key.data(), secret_key.size(), message.data(), message.size(),
                                &options, signature.data(), signature.size(), &bytes);
    EXPECT_EQ(code == GIRIH_OK, bytes != 0);
    EXPECT_TRUE(is_zero(BytesIn<>{signature}.subspan(bytes)));
    signature.resize(bytes);
    return code;
}

ByteString good_signature(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> message, unsigned number)
{
    const ByteString random = Numbers{number}.bytes(salt_bytes + sampler_seed_bytes);
    const GivenBytes given{random};
    ByteString signature;
    EXPECT_EQ(sign(alg, secret_key, message, given.source(), signature), GIRIH_OK);
    EXPECT_TRUE(given.used_up());
    return signature;
}

class FalconApi : public testing::TestWithParam<const char*> {
  public:
    const girih_alg* alg = girih_algorithm(GetParam());
    const KeyPair keys = key_pair(alg, counting(girih_seed_bytes(alg)));
    const ByteString message = counting(77);

    [[nodiscard]] int verify(BytesIn<> signature) const
    {
        return test::verify(alg, keys.public_key, message, signature, {});
    }
    [[nodiscard]] bool is_of_one_length() const
    {
        return std::string{girih_name(alg)}.find('-') != std::string{girih_name(alg)}.rfind('-');
    }
};
INSTANTIATE_TEST_SUITE_P(Of, FalconApi, testing::ValuesIn(falcon_names), EveryAlgorithm::name);

TEST_P(FalconApi, VerifiesWhatItSigns)
{
    for (unsigned i = 0; i < 20; ++i) {
        const ByteString signature = good_signature(alg, keys.secret_key, message, i);
        EXPECT_EQ(verify(signature), GIRIH_OK);
        EXPECT_LE(signature.size(), girih_signature_bytes(alg));
        if (is_of_one_length()) {
            EXPECT_EQ(signature.size(), girih_signature_bytes(alg));
        }
    }
}

TEST_P(FalconApi, RefusesAnyChange)
{
    const ByteString signature = good_signature(alg, keys.secret_key, message, 1);
    for (std::size_t bit = 0; bit < 8 * signature.size(); bit += 7) {
        ByteString changed = signature;
        flip(changed, bit);
        ASSERT_EQ(verify(changed), GIRIH_ERROR_SIGNATURE) << bit;
    }
    EXPECT_EQ(test::verify(alg, keys.public_key, counting(76), signature, {}), GIRIH_ERROR_SIGNATURE);
    const KeyPair other = key_pair(alg, counting(girih_seed_bytes(alg), 1));
    EXPECT_EQ(test::verify(alg, other.public_key, message, signature, {}), GIRIH_ERROR_SIGNATURE);
}

TEST_P(FalconApi, RefusesEveryOtherLength)
{
    const ByteString signature = good_signature(alg, keys.secret_key, message, 2);
    for (std::size_t size = 0; size < signature.size(); ++size)
        ASSERT_EQ(verify(BytesIn<>{signature}.first(size)), GIRIH_ERROR_SIGNATURE) << size;
    for (const Byte next : std::array<Byte, 3>{0, 1, 0x80}) {
        ByteString longer = signature;
        longer.push_back(next);
        EXPECT_EQ(verify(longer), GIRIH_ERROR_SIGNATURE);
    }
}

TEST_P(FalconApi, DrawsSaltAndSeedOfEverySignature)
{
    std::set<ByteString> salts;
    for (int i = 0; i < 10; ++i) {
        ByteString signature;
        ASSERT_EQ(sign(alg, keys.secret_key, message, nullptr, signature), GIRIH_OK);
        salts.insert({signature.begin() + 1, signature.begin() + 1 + salt_bytes});
    }
    EXPECT_EQ(salts.size(), 10u);
    const ByteString short_of_one = counting(salt_bytes + sampler_seed_bytes - 1);
    const GivenBytes given{short_of_one};
    ByteString signature;
    EXPECT_EQ(sign(alg, keys.secret_key, message, given.source(), signature), GIRIH_ERROR_RANDOM);
}

TEST_P(FalconApi, HasNothingDeterministicNoContextsAndNoPreHashes)
{
    ByteString signature(girih_signature_bytes(alg));
    std::size_t bytes = 0;
    const auto sign_with = [&](const girih_options& options) {
        return girih_sign(alg, keys.secret_key.data(), keys.secret_key.size(), message.data(), message.size(),
                          &options, signature.data(), signature.size(), &bytes);
    };
    EXPECT_EQ(sign_with({nullptr, 0, nullptr, 1, nullptr, 0, {}}), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(sign_with({message.data(), 1, nullptr, 0, nullptr, 0, {}}), GIRIH_ERROR_CONTEXT);
    EXPECT_EQ(sign_with({nullptr, 0, "SHA2-256", 0, nullptr, 0, {}}), GIRIH_ERROR_PRE_HASH);
    EXPECT_EQ(girih_has_context(alg), 0);
    EXPECT_EQ(girih_has_mu(alg), 0);
    std::array<Byte, GIRIH_MU_BYTES> mu{};
    EXPECT_EQ(girih_sign_mu(alg, keys.secret_key.data(), keys.secret_key.size(), mu.data(), mu.size(),
                            nullptr, signature.data(), signature.size(), &bytes),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(verify_mu(alg, keys.public_key, mu, signature), GIRIH_ERROR_ARGUMENT);
}

TEST_P(FalconApi, ComputesThePublicKeyOfASecretKey)
{
    ByteString public_key(keys.public_key.size());
    EXPECT_EQ(girih_public_key(alg, keys.secret_key.data(), keys.secret_key.size(), public_key.data(),
                               public_key.size()),
              GIRIH_OK);
    EXPECT_EQ(public_key, keys.public_key);
}

/// Both prepared keys.
class Prepared {
  public:
    Prepared(const girih_alg* alg, const KeyPair& keys)
        : signing_memory_(girih_signing_key_size(alg) / sizeof(Line)),
          verifying_memory_(girih_verifying_key_size(alg) / sizeof(Line))
    {
        EXPECT_EQ(girih_prepare_signing_key(alg, keys.secret_key.data(), keys.secret_key.size(),
                                            signing_memory_.data(), signing_memory_.size() * sizeof(Line),
                                            &signing),
                  GIRIH_OK);
        EXPECT_EQ(girih_prepare_verifying_key(alg, keys.public_key.data(), keys.public_key.size(),
                                              verifying_memory_.data(),
                                              verifying_memory_.size() * sizeof(Line), &verifying),
                  GIRIH_OK);
    }

    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;
    [[nodiscard]] bool is_wiped() const
    {
        return is_zero(
            {reinterpret_cast<const Byte*>(signing_memory_.data()), signing_memory_.size() * sizeof(Line)});
    }

  private:
    std::vector<Line> signing_memory_;
    std::vector<Line> verifying_memory_;
};

TEST_P(FalconApi, PreparedKeysGiveTheSameBytes)
{
    const Prepared prepared{alg, keys};
    for (unsigned i = 0; i < 10; ++i) {
        const ByteString expected = good_signature(alg, keys.secret_key, message, i);
        const ByteString random = Numbers{i}.bytes(salt_bytes + sampler_seed_bytes);
        const GivenBytes given{random};
        const girih_options options{nullptr, 0, nullptr, 0, given.source(), 0, {}};
        ByteString signature(girih_signature_bytes(alg));
        std::size_t bytes = 0;
        ASSERT_EQ(girih_sign_prepared(prepared.signing, message.data(), message.size(), &options,
                                      signature.data(), signature.size(), &bytes),
                  GIRIH_OK);
        signature.resize(bytes);
        EXPECT_EQ(signature, expected);
        const auto verify_prepared = [&] {
            return girih_verify_prepared(prepared.verifying, message.data(), message.size(), nullptr,
                                         signature.data(), signature.size());
        };
        EXPECT_EQ(verify_prepared(), GIRIH_OK);
        flip(signature, 400);
        EXPECT_EQ(verify_prepared(), GIRIH_ERROR_SIGNATURE);
    }
    girih_wipe_signing_key(prepared.signing);
    EXPECT_TRUE(prepared.is_wiped());
}

/// A message in pieces, begun to be signed with the randomness of a number, and its end.
class SignedStream {
  public:
    SignedStream(const girih_alg* alg, unsigned number)
    {
        const ByteString random = Numbers{number}.bytes(salt_bytes + sampler_seed_bytes);
        const GivenBytes given{random};
        const girih_options options{nullptr, 0, nullptr, 0, given.source(), 0, {}};
        EXPECT_EQ(girih_message_begin_signing(&message_, alg, &options), GIRIH_OK);
        EXPECT_TRUE(given.used_up()) << "all that a signature takes is drawn at the beginning";
    }
    SignedStream& update(BytesIn<> piece)
    {
        EXPECT_EQ(girih_message_update(&message_, piece.data(), piece.size()), GIRIH_OK);
        return *this;
    }
    int end(const KeyPair& keys, ByteString& signature)
    {
        signature.assign(2000, 0);
        std::size_t bytes = 0;
        const int error = girih_message_sign(&message_, keys.secret_key.data(), keys.secret_key.size(),
                                             nullptr, signature.data(), signature.size(), &bytes);
        EXPECT_TRUE(is_zero(BytesIn<>{signature}.subspan(bytes)));
        signature.resize(bytes);
        return error;
    }
    [[nodiscard]] const girih_message& state() const { return message_; }

  private:
    girih_message message_;
};

BytesIn<> salt_of(const ByteString& signature) { return BytesIn<>{signature}.subspan(1, salt_bytes); }

/// Two signatures of one salt and message would give the key away: copies of a begun message
/// make one signature of one message; of different messages, signatures that have nothing but
/// the salt in common.
TEST_P(FalconApi, CopiesOfABegunMessageMakeOneSignature)
{
    for (unsigned number = 0; number < 4; ++number) {
        SignedStream begun{alg, number};
        SignedStream early = begun;  // as a fork would have it
        begun.update(message);
        SignedStream late = begun;
        ByteString one, two, three, other, again;
        ASSERT_EQ(begun.end(keys, one), GIRIH_OK);
        ASSERT_EQ(late.end(keys, two), GIRIH_OK);
        EXPECT_EQ(two, one);
        SignedStream early_too = early;
        early.update(BytesIn<>{message}.first(10)).update(BytesIn<>{message}.subspan(10));
        ASSERT_EQ(early.end(keys, three), GIRIH_OK);
        EXPECT_EQ(three, one);
        EXPECT_EQ(test::verify(alg, keys.public_key, message, one, {}), GIRIH_OK);

        early_too.update(BytesIn<>{message}.first(10));
        ASSERT_EQ(early_too.end(keys, other), GIRIH_OK);
        EXPECT_TRUE(std::ranges::equal(salt_of(other), salt_of(one)));
        EXPECT_EQ(test::verify(alg, keys.public_key, BytesIn<>{message}.first(10), other, {}), GIRIH_OK);
        ASSERT_EQ(late.end(keys, again), GIRIH_ERROR_ARGUMENT) << "ended";
    }
}

/// The sampler of a message in pieces is not seeded with what was drawn, but with its hash: a copy
/// that was given another message would otherwise sample from the same bytes.
TEST_P(FalconApi, StreamsSampleFromAHashOfTheirSeedAndMessage)
{
    const ByteString random = Numbers{5}.bytes(salt_bytes + sampler_seed_bytes);
    for (const std::size_t length : {std::size_t{0}, message.size()}) {
        const BytesIn<> part = BytesIn<>{message}.first(length);
        keccak::Shake256<isa::portable::Isa> point;
        point.absorb(BytesIn<>{random}.first(salt_bytes)).absorb(part);
        if (girih_public_key_bytes(alg) == 897) {
            falcon::ResiduePoly<512> c;
            falcon::hash_to_point_vartime<isa::portable::Isa>(point, c);
        } else {
            falcon::ResiduePoly<1024> c;
            falcon::hash_to_point_vartime<isa::portable::Isa>(point, c);
        }
        std::array<Byte, 64> beyond;
        point.squeeze(beyond);
        keccak::Shake256<isa::portable::Isa> derivation;
        derivation.absorb(BytesIn<>{random}.subspan(salt_bytes)).absorb(beyond);
        ByteString derived{random.begin(), random.begin() + salt_bytes};
        derived.resize(random.size());
        derivation.squeeze(BytesOut<>{derived}.subspan(salt_bytes));
        const GivenBytes given{derived};
        ByteString expected, streamed;
        ASSERT_EQ(sign(alg, keys.secret_key, part, given.source(), expected), GIRIH_OK);
        ASSERT_EQ(SignedStream(alg, 5).update(part).end(keys, streamed), GIRIH_OK);
        EXPECT_EQ(streamed, expected);
    }
}

TEST_P(FalconApi, StreamsAreSignedAndVerified)
{
    girih_message stream;
    const auto absorb = [&] {
        EXPECT_EQ(girih_message_update(&stream, message.data(), 33), GIRIH_OK);
        EXPECT_EQ(girih_message_update(&stream, message.data() + 33, message.size() - 33), GIRIH_OK);
    };
    ASSERT_EQ(girih_message_begin_signing(&stream, alg, nullptr), GIRIH_OK);
    absorb();
    girih_options checked{};
    checked.verify_after_sign = 1;
    ByteString signature(girih_signature_bytes(alg));
    std::size_t bytes = 0;
    const auto end_signing = [&] {
        return girih_message_sign(&stream, keys.secret_key.data(), keys.secret_key.size(), &checked,
                                  signature.data(), signature.size(), &bytes);
    };
    ASSERT_EQ(end_signing(), GIRIH_OK);
    const ByteString expected(signature.begin(), signature.begin() + static_cast<std::ptrdiff_t>(bytes));
    EXPECT_TRUE(is_zero({reinterpret_cast<const Byte*>(&stream), sizeof stream})) << "the seed is wiped";
    EXPECT_EQ(end_signing(), GIRIH_ERROR_ARGUMENT) << "a salt is for one signature";
    EXPECT_TRUE(is_zero(signature));

    const auto end_verifying = [&](const ByteString& of) {
        return girih_message_verify(&stream, keys.public_key.data(), keys.public_key.size(), of.data(),
                                    of.size());
    };
    ASSERT_EQ(girih_message_begin_verifying(&stream, alg, expected.data(), expected.size(), nullptr),
              GIRIH_OK);
    absorb();
    EXPECT_EQ(end_verifying(expected), GIRIH_OK);
    EXPECT_EQ(end_verifying(expected), GIRIH_ERROR_ARGUMENT);
    for (const std::size_t bit : std::array<std::size_t, 4>{0, 8, 100, 1000}) {
        ByteString changed = expected;
        flip(changed, bit);
        ASSERT_EQ(girih_message_begin_verifying(&stream, alg, expected.data(), expected.size(), nullptr),
                  GIRIH_OK);
        absorb();
        EXPECT_EQ(end_verifying(changed), GIRIH_ERROR_SIGNATURE) << bit;
    }
    std::array<Byte, GIRIH_MU_BYTES> mu;
    ASSERT_EQ(girih_message_begin_signing(&stream, alg, nullptr), GIRIH_OK);
    EXPECT_EQ(girih_message_mu(&stream, mu.data(), mu.size()), GIRIH_ERROR_ARGUMENT);
}

TEST_P(FalconApi, RowsOfABatchAreWhatTheyAreAlone)
{
    constexpr std::size_t count = 11;
    const Prepared prepared{alg, keys};
    std::vector<ByteString> random;
    std::vector<std::unique_ptr<GivenBytes>> given;
    std::vector<girih_options> options;
    std::vector<ByteString> signatures(count, ByteString(girih_signature_bytes(alg)));
    for (unsigned i = 0; i < count; ++i) random.push_back(Numbers{i}.bytes(salt_bytes + sampler_seed_bytes));
    for (unsigned i = 0; i < count; ++i) {
        given.push_back(std::make_unique<GivenBytes>(random[i]));
        options.push_back({nullptr, 0, nullptr, 0, given[i]->source(), 0, {}});
    }
    options[3].deterministic = 1;
    std::vector<girih_sign_row> rows;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_prepared = i % 2 == 0;
        rows.push_back({is_prepared ? prepared.signing : nullptr, keys.secret_key.data(),
                        keys.secret_key.size(), message.data(), message.size(), &options[i],
                        signatures[i].data(), signatures[i].size(), 0, GIRIH_OK});
    }
    EXPECT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_ERROR_ARGUMENT);
    std::vector<girih_verify_row> verifying;
    for (unsigned i = 0; i < count; ++i) {
        ASSERT_EQ(rows[i].result, i == 3 ? GIRIH_ERROR_ARGUMENT : GIRIH_OK);
        signatures[i].resize(rows[i].signature_bytes);
        if (i != 3) {
            EXPECT_EQ(signatures[i], good_signature(alg, keys.secret_key, message, i));
        }
        if (i == 5) flip(signatures[i], 500);
        verifying.push_back({i % 3 == 0 ? prepared.verifying : nullptr, keys.public_key.data(),
                             keys.public_key.size(), message.data(), message.size(), nullptr,
                             signatures[i].data(), signatures[i].size(), GIRIH_OK});
    }
    EXPECT_EQ(girih_verify_many(alg, verifying.data(), verifying.size()), GIRIH_ERROR_SIGNATURE);
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(verifying[i].result, i == 3 || i == 5 ? GIRIH_ERROR_SIGNATURE : GIRIH_OK) << i;

    std::vector<KeyPair> pairs(
        3, KeyPair{ByteString(keys.public_key.size()), ByteString(keys.secret_key.size())});
    std::vector<ByteString> seeds;
    for (unsigned i = 0; i < 3; ++i) seeds.push_back(counting(girih_seed_bytes(alg), i));
    std::vector<girih_keygen_row> making;
    for (std::size_t i = 0; i < 3; ++i)
        making.push_back({seeds[i].data(), seeds[i].size(), nullptr, pairs[i].public_key.data(),
                          pairs[i].public_key.size(), pairs[i].secret_key.data(), pairs[i].secret_key.size(),
                          1});
    EXPECT_EQ(girih_keygen_many(alg, making.data(), making.size()), GIRIH_OK);
    EXPECT_EQ(pairs[0].secret_key, keys.secret_key);
    EXPECT_EQ(pairs[2].public_key, key_pair(alg, seeds[2]).public_key);
}

TEST(FalconFormats, ShareKeysAndDifferInSignatures)
{
    const girih_alg* compressed = girih_algorithm("Falcon-512");
    const KeyPair keys = key_pair(compressed, counting(48));
    for (const char* name : {"Falcon-padded-512", "Falcon-CT-512"}) {
        const girih_alg* other = girih_algorithm(name);
        EXPECT_EQ(key_pair(other, counting(48)).secret_key, keys.secret_key);
        const ByteString signature = good_signature(other, keys.secret_key, {}, 1);
        EXPECT_EQ(test::verify(other, keys.public_key, {}, signature, {}), GIRIH_OK);
        EXPECT_EQ(test::verify(compressed, keys.public_key, {}, signature, {}), GIRIH_ERROR_SIGNATURE);
    }
}

TEST(FalconFormats, PaddedIsCompressedWithZerosBehind)
{
    const girih_alg* compressed = girih_algorithm("Falcon-512");
    const girih_alg* padded = girih_algorithm("Falcon-padded-512");
    const KeyPair keys = key_pair(compressed, counting(48));
    for (unsigned i = 0; i < 50; ++i) {
        ByteString a = good_signature(compressed, keys.secret_key, {}, i);
        ASSERT_LE(a.size(), girih_signature_bytes(padded));  // longer ones are one in many thousands
        a.resize(girih_signature_bytes(padded));
        EXPECT_EQ(a, good_signature(padded, keys.secret_key, {}, i));
    }
}

// ---- The typed header

template <class T>
class FalconCpp : public testing::Test {};
using Algorithms = testing::Types<falcon_512, falcon_1024, falcon_padded_512, falcon_padded_1024,
                                  falcon_ct_512, falcon_ct_1024>;
TYPED_TEST_SUITE(FalconCpp, Algorithms);

TYPED_TEST(FalconCpp, SignsAndVerifies)
{
    const girih_alg* alg = TypeParam::algorithm();
    ASSERT_NE(alg, nullptr);
    EXPECT_EQ(TypeParam::seed_bytes, girih_seed_bytes(alg));
    EXPECT_EQ(TypeParam::public_key_bytes, girih_public_key_bytes(alg));
    EXPECT_EQ(TypeParam::secret_key_bytes, girih_secret_key_bytes(alg));
    EXPECT_EQ(TypeParam::signature_bytes, girih_signature_bytes(alg));

    typename TypeParam::Seed seed{};
    const auto key = TypeParam::SigningKey::from_seed(seed);
    const std::string message = "a message";
    const auto signature = key.sign(message);
    EXPECT_TRUE(key.verifying_key().verify(message, signature));
    EXPECT_FALSE(key.verifying_key().verify("another", signature));
    const typename TypeParam::PreparedSigningKey signing{key};
    const typename TypeParam::PreparedVerifyingKey verifying{key.verifying_key()};
    EXPECT_TRUE(verifying.verify(message, signing.sign(message)));
    EXPECT_FALSE(verifying.verify("another", signing.sign(message)));
    EXPECT_TRUE(TypeParam::SigningKey::from_bytes(key.bytes()).has_value());
    auto bytes = key.bytes();
    bytes[0] ^= 1;
    EXPECT_FALSE(TypeParam::SigningKey::from_bytes(bytes).has_value());
    EXPECT_THROW((void)key.sign(message, {.deterministic = true}), Exception);
}

TEST(FalconReferenceKeygen, MakesOtherKeysThatAreAsGood)
{
    using Falcon = girih::falcon_512;
    const Falcon::Seed seed{1};
    const auto fast = Falcon::SigningKey::from_seed(seed);
    const auto reference = Falcon::SigningKey::from_seed(seed, KeyGenerator::reference);
    EXPECT_NE(fast.bytes(), reference.bytes());
    for (const auto& key : {fast, reference}) {
        const auto again = Falcon::SigningKey::from_bytes(key.bytes());
        ASSERT_TRUE(again);
        EXPECT_EQ(again->verifying_key(), key.verifying_key());
        const ByteString message = counting(33);
        EXPECT_TRUE(key.verifying_key().verify(message, key.sign(message)));
    }
}

TEST(FalconReferenceKeygen, IsOfNoOtherAlgorithm)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    const ByteString seed(girih_seed_bytes(alg));
    ByteString pk(girih_public_key_bytes(alg), 0xA5);
    ByteString sk(girih_secret_key_bytes(alg), 0xA5);
    EXPECT_EQ(girih_falcon_reference_keygen(alg, seed.data(), seed.size(), pk.data(), pk.size(), sk.data(),
                                            sk.size()),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(is_zero(sk));
}

}  // namespace
}  // namespace girih::test
