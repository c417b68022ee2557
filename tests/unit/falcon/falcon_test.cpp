/// Falcon through the C interface and the typed header: keys, signatures in all formats, prepared
/// keys, batches, messages in pieces.
#include <girih/girih.h>
#include <gtest/gtest.h>
#include <girih/falcon.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "falcon/hash_to_point.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace girih::test {
namespace {

constexpr std::size_t salt_bytes = 40;
constexpr std::size_t sampler_seed_bytes = 48;

/// The randomness of the signature with a number, as options that give it.
class Randomness {
  public:
    explicit Randomness(unsigned number) : Randomness(Numbers{number}.bytes(salt_bytes + sampler_seed_bytes))
    {
    }
    explicit Randomness(ByteString bytes) : bytes_(std::move(bytes)) {}

    [[nodiscard]] const girih_options* options() const { return &options_; }
    [[nodiscard]] bool used_up() const { return given_.used_up(); }

  private:
    ByteString bytes_;
    GivenBytes given_{bytes_};
    girih_options options_{nullptr, 0, nullptr, 0, given_.source(), 0, {}};
};

/// A signature that f(out, capacity, size) makes; what is behind it is zeroed.
template <class F>
ByteString signature_of(const girih_alg* alg, F f)
{
    ByteString signature(girih_signature_bytes(alg), 0xA5);
    std::size_t size = 0;
    EXPECT_EQ(f(signature.data(), signature.size(), &size), GIRIH_OK);
    EXPECT_TRUE(is_zero(BytesIn<>{signature}.subspan(size)));
    signature.resize(size);
    return signature;
}

ByteString sign(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> message, const Randomness& random)
{
    const ByteString signature = signature_of(alg, [&](Byte* out, std::size_t capacity, std::size_t* size) {
        return girih_sign(alg, secret_key.data(), secret_key.size(), message.data(), message.size(),
                          random.options(), out, capacity, size);
    });
    EXPECT_TRUE(random.used_up());
    return signature;
}

class FalconApi : public EveryAlgorithm {
  public:
    const KeyPair keys = key_pair(alg, counting(girih_seed_bytes(alg)));
    const ByteString message = counting(77);

    [[nodiscard]] ByteString signature(unsigned number) const
    {
        return sign(alg, keys.secret_key, message, Randomness{number});
    }
    [[nodiscard]] int verify(BytesIn<> signature) const
    {
        return test::verify(alg, keys.public_key, message, signature, {});
    }
};
INSTANTIATE_TEST_SUITE_P(Of, FalconApi, testing::ValuesIn(falcon_names), EveryAlgorithm::name);

TEST_P(FalconApi, VerifiesWhatItSigns)
{
    const std::string name = girih_name(alg);
    const bool is_of_one_length = name.find('-') != name.rfind('-');
    for (unsigned i = 0; i < 20; ++i) {
        const ByteString made = signature(i);
        EXPECT_EQ(verify(made), GIRIH_OK);
        EXPECT_EQ(made.size() == girih_signature_bytes(alg), is_of_one_length);
    }
}

TEST_P(FalconApi, RefusesAnyChangeAndEveryOtherLength)
{
    const ByteString good = signature(1);
    for (std::size_t size = 0; size < good.size(); ++size)
        ASSERT_EQ(verify(BytesIn<>{good}.first(size)), GIRIH_ERROR_SIGNATURE) << size;
    for (std::size_t bit = 0; bit < 8 * good.size(); bit += 7) {
        ByteString changed = good;
        flip(changed, bit);
        ASSERT_EQ(verify(changed), GIRIH_ERROR_SIGNATURE) << bit;
    }
    EXPECT_EQ(test::verify(alg, keys.public_key, counting(76), good, {}), GIRIH_ERROR_SIGNATURE);
    const KeyPair other = key_pair(alg, counting(girih_seed_bytes(alg), 1));
    EXPECT_EQ(test::verify(alg, other.public_key, message, good, {}), GIRIH_ERROR_SIGNATURE);
}

BytesIn<> salt_of(BytesIn<> signature) { return signature.subspan(1, salt_bytes); }

TEST_P(FalconApi, DrawsSaltAndSeedOfEverySignature)
{
    std::set<ByteString> salts;
    for (int i = 0; i < 10; ++i) {
        const BytesIn<> message_bytes = message;
        const ByteString made = signature_of(alg, [&](Byte* out, std::size_t capacity, std::size_t* size) {
            return girih_sign(alg, keys.secret_key.data(), keys.secret_key.size(), message.data(),
                              message.size(), nullptr, out, capacity, size);
        });
        salts.insert({salt_of(made).begin(), salt_of(made).end()});
    }
    EXPECT_EQ(salts.size(), 10u);
    const Randomness short_of_one{counting(salt_bytes + sampler_seed_bytes - 1)};
    ByteString out(girih_signature_bytes(alg), 0xA5);
    std::size_t size = 1;
    EXPECT_EQ(girih_sign(alg, keys.secret_key.data(), keys.secret_key.size(), message.data(), message.size(),
                         short_of_one.options(), out.data(), out.size(), &size),
              GIRIH_ERROR_RANDOM);
    EXPECT_EQ(size, 0U);
    EXPECT_TRUE(is_zero(out));
}

TEST_P(FalconApi, ComputesThePublicKeyOfASecretKey)
{
    ByteString public_key(keys.public_key.size());
    EXPECT_EQ(girih_public_key(alg, keys.secret_key.data(), keys.secret_key.size(), public_key.data(),
                               public_key.size()),
              GIRIH_OK);
    EXPECT_EQ(public_key, keys.public_key);
}

// ---- Prepared keys and batches

/// Both prepared keys.
class Prepared {
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes{};
    };
    std::vector<Line> signing_memory_;
    std::vector<Line> verifying_memory_;

  public:
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;

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
    [[nodiscard]] bool is_wiped() const
    {
        return is_zero({signing_memory_[0].bytes.data(), signing_memory_.size() * sizeof(Line)});
    }
};

TEST_P(FalconApi, PreparedKeysGiveTheSameBytes)
{
    const Prepared prepared{alg, keys};
    for (unsigned i = 0; i < 10; ++i) {
        const Randomness random{i};
        ByteString made = signature_of(alg, [&](Byte* out, std::size_t capacity, std::size_t* size) {
            return girih_sign_prepared(prepared.signing, message.data(), message.size(), random.options(),
                                       out, capacity, size);
        });
        EXPECT_EQ(made, signature(i));
        const auto verify_prepared = [&] {
            return girih_verify_prepared(prepared.verifying, message.data(), message.size(), nullptr,
                                         made.data(), made.size());
        };
        EXPECT_EQ(verify_prepared(), GIRIH_OK);
        flip(made, 400);
        EXPECT_EQ(verify_prepared(), GIRIH_ERROR_SIGNATURE);
    }
    girih_wipe_signing_key(prepared.signing);
    EXPECT_TRUE(prepared.is_wiped());
}

TEST_P(FalconApi, RowsOfABatchAreWhatTheyAreAlone)
{
    constexpr unsigned count = 11;
    constexpr unsigned refused = 3;
    constexpr unsigned changed = 5;
    const Prepared prepared{alg, keys};
    std::vector<std::unique_ptr<Randomness>> random;
    std::vector<ByteString> signatures(count, ByteString(girih_signature_bytes(alg)));
    std::vector<girih_sign_row> signing;
    for (unsigned i = 0; i < count; ++i) {
        random.push_back(std::make_unique<Randomness>(i));
        signing.push_back({i % 2 == 0 ? prepared.signing : nullptr, keys.secret_key.data(),
                           keys.secret_key.size(), message.data(), message.size(),
                           i == refused ? &deterministic : random[i]->options(), signatures[i].data(),
                           signatures[i].size(), 0, GIRIH_OK});
    }
    EXPECT_EQ(girih_sign_many(alg, signing.data(), count), GIRIH_ERROR_ARGUMENT);
    std::vector<girih_verify_row> verifying;
    for (unsigned i = 0; i < count; ++i) {
        ASSERT_EQ(signing[i].result, i == refused ? GIRIH_ERROR_ARGUMENT : GIRIH_OK);
        signatures[i].resize(signing[i].signature_bytes);
        EXPECT_EQ(signatures[i], i == refused ? ByteString{} : signature(i));
        if (i == changed) flip(signatures[i], 500);
        verifying.push_back({i % 3 == 0 ? prepared.verifying : nullptr, keys.public_key.data(),
                             keys.public_key.size(), message.data(), message.size(), nullptr,
                             signatures[i].data(), signatures[i].size(), GIRIH_OK});
    }
    EXPECT_EQ(girih_verify_many(alg, verifying.data(), count), GIRIH_ERROR_SIGNATURE);
    for (unsigned i = 0; i < count; ++i)
        EXPECT_EQ(verifying[i].result, i == refused || i == changed ? GIRIH_ERROR_SIGNATURE : GIRIH_OK) << i;
}

TEST_P(FalconApi, KeysOfABatchAreWhatTheyAreAlone)
{
    std::vector<ByteString> seeds;
    std::vector<KeyPair> pairs(3, {ByteString(keys.public_key.size()), ByteString(keys.secret_key.size())});
    std::vector<girih_keygen_row> rows;
    for (unsigned i = 0; i < 3; ++i) seeds.push_back(counting(girih_seed_bytes(alg), i));
    for (std::size_t i = 0; i < 3; ++i)
        rows.push_back({seeds[i].data(), seeds[i].size(), nullptr, pairs[i].public_key.data(),
                        pairs[i].public_key.size(), pairs[i].secret_key.data(), pairs[i].secret_key.size(),
                        1});
    EXPECT_EQ(girih_keygen_many(alg, rows.data(), rows.size()), GIRIH_OK);
    for (std::size_t i = 0; i < 3; ++i) {
        const KeyPair alone = key_pair(alg, seeds[i]);
        EXPECT_EQ(pairs[i].public_key, alone.public_key);
        EXPECT_EQ(pairs[i].secret_key, alone.secret_key);
    }
}

// ---- Messages in pieces

/// A message in pieces, begun to be signed with the randomness of a number, and its end.
class SignedStream {
  public:
    SignedStream(const girih_alg* alg, unsigned number) : alg_(alg)
    {
        const Randomness random{number};
        EXPECT_EQ(girih_message_begin_signing(&message_, alg, random.options()), GIRIH_OK);
        EXPECT_TRUE(random.used_up()) << "all that a signature takes is drawn at the beginning";
    }
    SignedStream& update(BytesIn<> piece)
    {
        EXPECT_EQ(girih_message_update(&message_, piece.data(), piece.size()), GIRIH_OK);
        return *this;
    }
    ByteString end(const KeyPair& keys)
    {
        girih_options checked{};
        checked.verify_after_sign = 1;
        const auto sign = [&](Byte* out, std::size_t capacity, std::size_t* size) {
            return girih_message_sign(&message_, keys.secret_key.data(), keys.secret_key.size(), &checked,
                                      out, capacity, size);
        };
        const ByteString made = signature_of(alg_, sign);
        EXPECT_TRUE(is_zero({reinterpret_cast<const Byte*>(&message_), sizeof message_}))
            << "the seed is wiped";
        ByteString again(girih_signature_bytes(alg_), 0xEE);
        std::size_t size = 1;
        EXPECT_EQ(sign(again.data(), again.size(), &size), GIRIH_ERROR_ARGUMENT)
            << "a salt is for one signature";
        EXPECT_TRUE(is_zero(again));
        return made;
    }

  private:
    const girih_alg* alg_;
    girih_message message_;
};

/// Two signatures of one salt and message would give the key away: copies of a begun message
/// make one signature of one message; of different messages, signatures that have nothing but
/// the salt in common.
TEST_P(FalconApi, CopiesOfABegunMessageMakeOneSignature)
{
    const BytesIn<> whole = message;
    for (unsigned number = 0; number < 4; ++number) {
        SignedStream begun{alg, number};
        SignedStream early = begun;  // as a fork would have it
        SignedStream other = begun;
        begun.update(whole);
        SignedStream late = begun;
        const ByteString made = begun.end(keys);
        EXPECT_EQ(verify(made), GIRIH_OK);
        EXPECT_EQ(late.end(keys), made);
        EXPECT_EQ(early.update(whole.first(10)).update(whole.subspan(10)).end(keys), made);

        const ByteString of_less = other.update(whole.first(10)).end(keys);
        EXPECT_TRUE(std::ranges::equal(salt_of(of_less), salt_of(made)));
        EXPECT_EQ(test::verify(alg, keys.public_key, whole.first(10), of_less, {}), GIRIH_OK);
    }
}

template <std::size_t n>
void squeeze_behind_the_point(keccak::Shake256<isa::portable::Isa>& source, BytesOut<> beyond)
{
    falcon::ResiduePoly<n> c;
    falcon::hash_to_point_vartime<isa::portable::Isa>(source, c);
    source.squeeze(beyond);
}

/// The sampler of a message in pieces is not seeded with what was drawn, but with its hash: a copy
/// that was given another message would otherwise sample from the same bytes.
TEST_P(FalconApi, StreamsSampleFromAHashOfTheirSeedAndMessage)
{
    const ByteString random = Numbers{5}.bytes(salt_bytes + sampler_seed_bytes);
    for (const std::size_t length : {std::size_t{0}, message.size()}) {
        const BytesIn<> part = BytesIn<>{message}.first(length);
        keccak::Shake256<isa::portable::Isa> point, derivation;
        point.absorb(BytesIn<>{random}.first(salt_bytes)).absorb(part);
        std::array<Byte, 64> beyond;
        if (girih_public_key_bytes(alg) == 897) {
            squeeze_behind_the_point<512>(point, beyond);
        } else {
            squeeze_behind_the_point<1024>(point, beyond);
        }
        derivation.absorb(BytesIn<>{random}.subspan(salt_bytes)).absorb(beyond);
        ByteString derived{random.begin(), random.begin() + salt_bytes};
        derived.resize(random.size());
        derivation.squeeze(BytesOut<>{derived}.subspan(salt_bytes));
        EXPECT_EQ(SignedStream(alg, 5).update(part).end(keys),
                  sign(alg, keys.secret_key, part, Randomness{derived}));
    }
}

TEST_P(FalconApi, StreamsAreVerified)
{
    const ByteString good = signature(3);
    girih_message stream;
    const auto begin = [&] {
        ASSERT_EQ(girih_message_begin_verifying(&stream, alg, good.data(), good.size(), nullptr), GIRIH_OK);
        EXPECT_EQ(girih_message_update(&stream, message.data(), 33), GIRIH_OK);
        EXPECT_EQ(girih_message_update(&stream, message.data() + 33, message.size() - 33), GIRIH_OK);
    };
    const auto end = [&](const ByteString& of) {
        return girih_message_verify(&stream, keys.public_key.data(), keys.public_key.size(), of.data(),
                                    of.size());
    };
    begin();
    EXPECT_EQ(end(good), GIRIH_OK);
    EXPECT_EQ(end(good), GIRIH_ERROR_ARGUMENT) << "has ended";
    for (const std::size_t bit : std::array<std::size_t, 4>{0, 8, 100, 1000}) {
        ByteString changed = good;
        flip(changed, bit);
        begin();
        EXPECT_EQ(end(changed), GIRIH_ERROR_SIGNATURE) << bit;
    }
    std::array<Byte, GIRIH_MU_BYTES> mu;
    ASSERT_EQ(girih_message_begin_signing(&stream, alg, nullptr), GIRIH_OK);
    EXPECT_EQ(girih_message_mu(&stream, mu.data(), mu.size()), GIRIH_ERROR_ARGUMENT);
}

// ---- Formats

TEST(FalconFormats, ShareKeysAndDifferInSignatures)
{
    const girih_alg* compressed = girih_algorithm("Falcon-512");
    const KeyPair keys = key_pair(compressed, counting(48));
    for (const char* name : {"Falcon-padded-512", "Falcon-CT-512"}) {
        const girih_alg* other = girih_algorithm(name);
        EXPECT_EQ(key_pair(other, counting(48)).secret_key, keys.secret_key);
        const ByteString signature = sign(other, keys.secret_key, {}, Randomness{1});
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
        ByteString a = sign(compressed, keys.secret_key, {}, Randomness{i});
        ASSERT_LE(a.size(), girih_signature_bytes(padded));  // longer ones are one in many thousands
        a.resize(girih_signature_bytes(padded));
        EXPECT_EQ(a, sign(padded, keys.secret_key, {}, Randomness{i}));
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

}  // namespace
}  // namespace girih::test
