/// Falcon through the C interface: the promises of its salts, formats and messages in pieces,
/// beyond those of every algorithm.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "falcon/sampling/hash_to_point.hpp"
#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/c_call.hpp"
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

/// A signature that f(out, size) makes; the rest of the buffer is zeroed.
template <class F>
ByteString signature_of(const girih_alg* alg, F f)
{
    ByteString signature(girih_signature_bytes(alg), 0xA5);
    std::size_t size = 0;
    EXPECT_EQ(f(signature, &size), GIRIH_OK);
    EXPECT_TRUE(is_zero(BytesIn<>{signature}.subspan(size)));
    signature.resize(size);
    return signature;
}

ByteString sign(const girih_alg* alg, const ByteString& secret_key, BytesIn<> message,
                const girih_options* options)
{
    return signature_of(alg, [&](ByteString& out, std::size_t* size) {
        return call(girih_sign, alg, secret_key, message, options, out, size);
    });
}

BytesIn<> salt_of(BytesIn<> signature) { return signature.subspan(1, salt_bytes); }

class FalconApi : public EveryAlgorithm {
  public:
    const KeyPair keys = key_pair(alg, counting(girih_seed_bytes(alg)));
    const ByteString message = counting(77);

    [[nodiscard]] int verify(BytesIn<> signature) const
    {
        return test::verify(alg, keys.public_key, message, signature, {});
    }
};
INSTANTIATE_TEST_SUITE_P(Of, FalconApi, testing::ValuesIn(falcon_names), EveryAlgorithm::name);

TEST_P(FalconApi, RefusesAnyChangeAndEveryOtherLength)
{
    ByteString changed = sign(alg, keys.secret_key, message, nullptr);
    for (std::size_t size = 0; size < changed.size(); ++size)
        ASSERT_EQ(verify(BytesIn<>{changed}.first(size)), GIRIH_ERROR_SIGNATURE) << size;
    for (std::size_t bit = 0; bit < 8 * changed.size(); bit += 7) {
        flip(changed, bit);
        ASSERT_EQ(verify(changed), GIRIH_ERROR_SIGNATURE) << bit;
        flip(changed, bit);
    }
    EXPECT_EQ(verify(changed), GIRIH_OK);
}

TEST_P(FalconApi, DrawsASaltForEverySignatureAndHasOneLengthWhereItsFormatSaysSo)
{
    const std::string name = GetParam();
    const bool is_of_one_length = name.find('-') != name.rfind('-');
    std::set<ByteString> salts;
    for (int i = 0; i < 20; ++i) {
        const ByteString made = sign(alg, keys.secret_key, message, nullptr);
        EXPECT_EQ(verify(made), GIRIH_OK);
        EXPECT_EQ(made.size() == girih_signature_bytes(alg), is_of_one_length);
        salts.insert({salt_of(made).begin(), salt_of(made).end()});
    }
    EXPECT_EQ(salts.size(), 20U);
}

TEST(FalconFormats, ShareKeysAndDifferInSignatures)
{
    const girih_alg* compressed = girih_falcon_512();
    const KeyPair keys = key_pair(compressed, counting(48));
    for (const girih_alg* other : {girih_falcon_padded_512(), girih_falcon_ct_512()}) {
        EXPECT_EQ(key_pair(other, counting(48)).secret_key, keys.secret_key);
        const ByteString signature = sign(other, keys.secret_key, {}, nullptr);
        EXPECT_EQ(verify(other, keys.public_key, {}, signature, {}), GIRIH_OK);
        EXPECT_EQ(verify(compressed, keys.public_key, {}, signature, {}), GIRIH_ERROR_SIGNATURE);
    }
}

TEST(FalconFormats, PaddedIsCompressedWithZerosBehind)
{
    const girih_alg* padded = girih_falcon_padded_512();
    const KeyPair keys = key_pair(padded, counting(48));
    for (unsigned i = 0; i < 50; ++i) {
        const Randomness random{i};
        const Randomness random_again{i};
        ByteString made = sign(girih_falcon_512(), keys.secret_key, {}, random.options());
        ASSERT_LE(made.size(), girih_signature_bytes(padded));  // longer ones are one in many thousands
        made.resize(girih_signature_bytes(padded));
        EXPECT_EQ(made, sign(padded, keys.secret_key, {}, random_again.options()));
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
        EXPECT_EQ(call(girih_message_update, &message_, piece), GIRIH_OK);
        return *this;
    }
    ByteString end(const KeyPair& keys)
    {
        girih_options checked{};
        checked.verify_after_sign = 1;
        const auto sign = [&](ByteString& out, std::size_t* size) {
            return call(girih_message_sign, &message_, keys.secret_key, &checked, out, size);
        };
        const ByteString made = signature_of(alg_, sign);
        EXPECT_TRUE(is_zero({reinterpret_cast<const Byte*>(&message_), sizeof message_}))
            << "the seed is wiped";
        ByteString again(girih_signature_bytes(alg_), 0xEE);
        std::size_t size = 1;
        EXPECT_EQ(sign(again, &size), GIRIH_ERROR_MESSAGE) << "a salt is for one signature";
        EXPECT_TRUE(is_zero(again));
        return made;
    }

  private:
    const girih_alg* alg_;
    girih_message message_;
};

/// Two signatures of one salt and message would reveal the key: copies of a begun message make the
/// same signature of the same message; for different messages, their signatures have only the salt
/// in common.
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
        if (girih_public_key_bytes(alg) == 897)
            squeeze_behind_the_point<512>(point, beyond);
        else
            squeeze_behind_the_point<1024>(point, beyond);
        derivation.absorb(BytesIn<>{random}.subspan(salt_bytes)).absorb(beyond);
        ByteString derived = random;
        derivation.squeeze(BytesOut<>{derived}.subspan(salt_bytes));
        const Randomness of_derived{derived};
        EXPECT_EQ(SignedStream(alg, 5).update(part).end(keys),
                  sign(alg, keys.secret_key, part, of_derived.options()));
    }
}

TEST_P(FalconApi, StreamsAreVerified)
{
    const ByteString good = sign(alg, keys.secret_key, message, Randomness{3}.options());
    girih_message stream;
    const auto begin = [&] {
        ASSERT_EQ(call(girih_message_begin_verifying, &stream, alg, good, nullptr), GIRIH_OK);
        EXPECT_EQ(call(girih_message_update, &stream, BytesIn<>{message}.first(33)), GIRIH_OK);
        EXPECT_EQ(call(girih_message_update, &stream, BytesIn<>{message}.subspan(33)), GIRIH_OK);
    };
    const auto end = [&](const ByteString& of) {
        return call(girih_message_verify, &stream, keys.public_key, of);
    };
    begin();
    EXPECT_EQ(end(good), GIRIH_OK);
    EXPECT_EQ(end(good), GIRIH_ERROR_MESSAGE) << "has ended";
    for (const std::size_t bit : std::array<std::size_t, 4>{0, 8, 100, 1000}) {
        begin();
        EXPECT_EQ(end(flipped(good, bit)), GIRIH_ERROR_SIGNATURE) << bit;
    }
    std::array<Byte, GIRIH_MU_BYTES> mu;
    ASSERT_EQ(call(girih_message_begin_signing, &stream, alg, nullptr), GIRIH_OK);
    EXPECT_EQ(call(girih_message_mu, &stream, mu), GIRIH_ERROR_MESSAGE);
}

}  // namespace
}  // namespace girih::test
