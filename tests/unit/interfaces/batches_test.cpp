/// Prepared keys and batches: the bytes and verdicts of one operation at a time, and rows that do
/// not spoil each other.
#include <gtest/gtest.h>
#include <girih/batch.hpp>
#include <girih/dilithium.hpp>
#include <girih/ml_dsa.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/bytes.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/signatures.hpp"

namespace girih::test {
namespace {

/// A key pair, prepared both ways.
struct Keys {
    const girih_alg* alg;
    KeyPair pair;
    PreparedMemory signing_memory{girih_signing_key_size(alg)};
    PreparedMemory verifying_memory{girih_verifying_key_size(alg)};
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;

    Keys(const girih_alg* algorithm, Byte number)
        : alg(algorithm), pair(key_pair(algorithm, ByteString(32, number)))
    {
        EXPECT_EQ(girih_prepare_signing_key(alg, pair.secret_key.data(), pair.secret_key.size(),
                                            signing_memory.data(), signing_memory.size(), &signing),
                  GIRIH_OK);
        EXPECT_EQ(girih_prepare_verifying_key(alg, pair.public_key.data(), pair.public_key.size(),
                                              verifying_memory.data(), verifying_memory.size(), &verifying),
                  GIRIH_OK);
    }
};

girih_sign_row signing_row(const girih_signing_key* key, BytesIn<> message, ByteString& signature,
                           const girih_options* options = &deterministic)
{
    return {key,
            nullptr,
            0,
            message.data(),
            message.size(),
            options,
            signature.data(),
            signature.size(),
            0,
            GIRIH_ERROR_ARGUMENT};
}

girih_verify_row verifying_row(const girih_verifying_key* key, BytesIn<> message, BytesIn<> signature,
                               const girih_options* options = nullptr)
{
    return {key,
            nullptr,
            0,
            message.data(),
            message.size(),
            options,
            signature.data(),
            signature.size(),
            GIRIH_ERROR_ARGUMENT};
}

girih_verify_row verifying_row(const ByteString& public_key, BytesIn<> message, BytesIn<> signature)
{
    girih_verify_row row = verifying_row(nullptr, message, signature);
    row.public_key = public_key.data();
    row.public_key_bytes = public_key.size();
    return row;
}

class Batches : public testing::TestWithParam<const char*> {
  public:
    const girih_alg* alg = girih_algorithm(GetParam());
    Keys keys{alg, 1};
    Numbers numbers{17};

    /// Messages of many lengths: shorter than a block, longer, and far longer than the others.
    std::vector<ByteString> messages(std::size_t count)
    {
        std::vector<ByteString> all;
        for (std::size_t i = 0; i < count; ++i) all.push_back(numbers.bytes(i % 7 == 3 ? 5000 + i : 31 * i));
        return all;
    }
};
INSTANTIATE_TEST_SUITE_P(Of, Batches, testing::ValuesIn(algorithm_names), [](const auto& name) {
    std::string text = name.param;
    std::erase(text, '-');
    return text;
});

TEST_P(Batches, SignWhatOneSignatureAtATimeSigns)
{
    const Keys other{alg, 2};
    for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 40U}) {
        const std::vector<ByteString> all = messages(count);
        std::vector<ByteString> signatures(count, ByteString(girih_signature_bytes(alg)));
        std::vector<girih_sign_row> rows;
        for (std::size_t i = 0; i < count; ++i)
            rows.push_back(signing_row(i % 3 == 1 ? other.signing : keys.signing, all[i], signatures[i]));
        if (count > 5) {  // and one that has no prepared key
            rows[5].key = nullptr;
            rows[5].secret_key = keys.pair.secret_key.data();
            rows[5].secret_key_bytes = keys.pair.secret_key.size();
        }
        ASSERT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_OK);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(rows[i].result, GIRIH_OK);
            EXPECT_EQ(rows[i].signature_bytes, signatures[i].size());
            EXPECT_EQ(signatures[i], sign(alg, (i % 3 == 1 ? other : keys).pair.secret_key, all[i]))
                << i << " of " << count;
        }
    }
}

TEST_P(Batches, SignWithFreshRandomnessUnlessToldOtherwise)
{
    const ByteString message = numbers.bytes(10);
    std::vector<ByteString> signatures(20, ByteString(girih_signature_bytes(alg)));
    std::vector<girih_sign_row> rows;
    for (ByteString& signature : signatures)
        rows.push_back(signing_row(keys.signing, message, signature, nullptr));
    ASSERT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_OK);
    for (std::size_t i = 0; i < signatures.size(); ++i) {
        EXPECT_EQ(girih_verify_prepared(keys.verifying, message.data(), message.size(), nullptr,
                                        signatures[i].data(), signatures[i].size()),
                  GIRIH_OK);
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(signatures[i], signatures[j]);
    }
}

TEST_P(Batches, VerifyWhatOneVerificationAtATimeAccepts)
{
    const Keys other{alg, 2};
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 25U}) {
        const std::vector<ByteString> all = messages(count);
        std::vector<ByteString> signatures;
        std::vector<girih_verify_row> rows;
        for (std::size_t i = 0; i < count; ++i) {
            const Keys& key = i % 3 == 1 ? other : keys;
            signatures.push_back(sign(alg, key.pair.secret_key, all[i]));
            if (i % 5 == 2) flip(signatures[i], 8 * (97 * i % signatures[i].size()));
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Keys& key = i % 3 == 1 ? other : keys;
            rows.push_back(i % 2 == 0 ? verifying_row(key.verifying, all[i], signatures[i])
                                      : verifying_row(key.pair.public_key, all[i], signatures[i]));
        }
        EXPECT_EQ(girih_verify_many(alg, rows.data(), rows.size()),
                  count > 2 ? GIRIH_ERROR_SIGNATURE : GIRIH_OK);
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(rows[i].result, i % 5 == 2 ? GIRIH_ERROR_SIGNATURE : GIRIH_OK) << i << " of " << count;
    }
}

TEST_P(Batches, MakeTheKeysThatOneAtATimeAreMade)
{
    constexpr std::size_t count = 19;
    std::vector<KeyPair> pairs(count);
    std::vector<ByteString> seeds;
    std::vector<girih_keygen_row> rows;
    for (std::size_t i = 0; i < count; ++i) {
        seeds.push_back(numbers.bytes(32));
        pairs[i] = {ByteString(girih_public_key_bytes(alg)), ByteString(girih_secret_key_bytes(alg))};
    }
    for (std::size_t i = 0; i < count; ++i)
        rows.push_back({i == 4 ? nullptr : seeds[i].data(), i == 4 ? 0 : seeds[i].size(), nullptr,
                        pairs[i].public_key.data(), pairs[i].public_key.size(), pairs[i].secret_key.data(),
                        pairs[i].secret_key.size(), GIRIH_ERROR_ARGUMENT});
    ASSERT_EQ(girih_keygen_many(alg, rows.data(), rows.size()), GIRIH_OK);
    for (std::size_t i = 0; i < count; ++i) {
        if (i == 4) {  // drawn
            ByteString public_key(pairs[i].public_key.size());
            EXPECT_EQ(girih_public_key(alg, pairs[i].secret_key.data(), pairs[i].secret_key.size(),
                                       public_key.data(), public_key.size()),
                      GIRIH_OK);
            EXPECT_EQ(public_key, pairs[i].public_key);
            continue;
        }
        const KeyPair expected = key_pair(alg, seeds[i]);
        EXPECT_EQ(pairs[i].public_key, expected.public_key) << i;
        EXPECT_EQ(pairs[i].secret_key, expected.secret_key) << i;
    }
}

/// More rows than an engine takes at once, so that one follows another in its place.
TEST_P(Batches, KeepTheirPreHashesToThemselves)
{
    if (girih_has_context(alg) == 0) return;
    const girih_options pre_hash = with_context({}, "SHA2-256");
    const ByteString message = numbers.bytes(40);
    std::vector<ByteString> signatures(50, ByteString(girih_signature_bytes(alg)));
    std::vector<girih_sign_row> rows;
    for (ByteString& signature : signatures)
        rows.push_back(
            signing_row(keys.signing, message, signature, rows.size() < 25 ? &pre_hash : &deterministic));
    EXPECT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_OK);
    const ByteString hashed = sign(alg, keys.pair.secret_key, message, pre_hash);
    const ByteString plain = sign(alg, keys.pair.secret_key, message);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(signatures[i], i < 25 ? hashed : plain) << i;
}

TEST_P(Batches, AreTheSameOnManyThreads)
{
    const std::vector<ByteString> all = messages(300);
    std::vector<ByteString> signatures(all.size(), ByteString(girih_signature_bytes(alg)));
    std::vector<SignRow> signing;
    for (std::size_t i = 0; i < all.size(); ++i)
        signing.push_back(signing_row(keys.signing, all[i], signatures[i]));
    ASSERT_EQ(detail::on_threads<SignRow>(alg, signing, 3, girih_sign_many), Error::none);
    std::vector<VerifyRow> verifying;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 50 == 49) flip(signatures[i], i);
        verifying.push_back(verifying_row(keys.verifying, all[i], signatures[i]));
    }
    EXPECT_EQ(detail::on_threads<VerifyRow>(alg, verifying, 3, girih_verify_many), Error::signature);
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(verifying[i].result, i % 50 == 49 ? GIRIH_ERROR_SIGNATURE : GIRIH_OK) << i;
}

TEST(PreparedKeys, LeaveNothingWhereTheyAreWiped)
{
    Keys keys{girih_algorithm("ML-DSA-44"), 1};
    girih_wipe_signing_key(keys.signing);
    EXPECT_TRUE(is_zero({static_cast<const Byte*>(keys.signing_memory.data()), keys.signing_memory.size()}));

    const girih_alg* const kem = girih_algorithm("ML-KEM-512");
    const KeyPair pair = key_pair(kem, counting(girih_seed_bytes(kem)));
    const PreparedMemory memory{girih_decapsulation_key_size(kem)};
    girih_decapsulation_key* key = nullptr;
    ASSERT_EQ(girih_prepare_decapsulation_key(kem, pair.secret_key.data(), pair.secret_key.size(),
                                              memory.data(), memory.size(), &key),
              GIRIH_OK);
    girih_wipe_decapsulation_key(key);
    EXPECT_TRUE(is_zero({static_cast<const Byte*>(memory.data()), memory.size()}));
}

TEST(PreparedCppKeys, SignAndVerifyInBatches)
{
    using Algorithm = girih::ml_dsa_65;
    const auto key = Algorithm::SigningKey::generate();
    const Algorithm::PreparedSigningKey signing{key};
    const Algorithm::PublicKey public_key = key.verifying_key().bytes();
    const Algorithm::PreparedVerifyingKey verifying{public_key};
    const auto signature = signing.sign("a message", {.context = "release"});
    EXPECT_TRUE(verifying.verify("a message", signature, {.context = "release"}));
    EXPECT_FALSE(verifying.verify("a message", signature, {.context = "debug"}));

    std::vector<std::string> messages(10);
    std::vector<Algorithm::Signature> signatures(messages.size());
    std::vector<SignRow> to_sign;
    std::vector<VerifyRow> to_verify;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        messages[i] = std::to_string(i);
        to_sign.push_back(sign_row(signing, messages[i], signatures[i]));
    }
    EXPECT_EQ(sign_many<Algorithm>(to_sign), Error::none);
    for (std::size_t i = 0; i < messages.size(); ++i)
        to_verify.push_back(i % 2 == 0 ? verify_row(verifying, messages[i], signatures[i])
                                       : verify_row(public_key, messages[i], signatures[i]));
    EXPECT_EQ(verify_many<Algorithm>(to_verify, 2), Error::none);
}

}  // namespace
}  // namespace girih::test
