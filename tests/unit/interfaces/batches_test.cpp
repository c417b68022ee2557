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
#include "support/signatures.hpp"

namespace girih::test {
namespace {

/// Memory of a prepared key.
class PreparedMemory {
  public:
    explicit PreparedMemory(std::size_t size) : words_(size / sizeof(Line)) {}
    [[nodiscard]] void* data() { return words_.data(); }
    [[nodiscard]] std::size_t size() const { return words_.size() * sizeof(Line); }

  private:
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes{};
    };
    std::vector<Line> words_;
};

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

TEST_P(Batches, PreparedKeysMakeAndAcceptTheSameSignatures)
{
    const ByteString message = numbers.bytes(100);
    const ByteString expected = sign(alg, keys.pair.secret_key, message);
    ByteString signature(expected.size());
    std::size_t bytes = 0;
    ASSERT_EQ(girih_sign_prepared(keys.signing, message.data(), message.size(), &deterministic,
                                  signature.data(), signature.size(), &bytes),
              GIRIH_OK);
    EXPECT_EQ(bytes, expected.size());
    EXPECT_EQ(signature, expected);
    EXPECT_EQ(girih_verify_prepared(keys.verifying, message.data(), message.size(), nullptr, signature.data(),
                                    signature.size()),
              GIRIH_OK);
    flip(signature, 1000);
    EXPECT_EQ(girih_verify_prepared(keys.verifying, message.data(), message.size(), nullptr, signature.data(),
                                    signature.size()),
              GIRIH_ERROR_SIGNATURE);
    EXPECT_EQ(girih_verify_prepared(keys.verifying, message.data(), message.size(), nullptr, expected.data(),
                                    expected.size() - 1),
              GIRIH_ERROR_SIGNATURE);

    const ByteString mu = numbers.bytes(GIRIH_MU_BYTES);
    ASSERT_EQ(girih_sign_mu_prepared(keys.signing, mu.data(), mu.size(), &deterministic, signature.data(),
                                     signature.size(), &bytes),
              GIRIH_OK);
    EXPECT_EQ(signature, sign_mu(alg, keys.pair.secret_key, mu));
    EXPECT_EQ(
        girih_verify_mu_prepared(keys.verifying, mu.data(), mu.size(), signature.data(), signature.size()),
        GIRIH_OK);
}

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

TEST_P(Batches, GiveEachBadRowItsOwnErrorAndTheOthersTheirSignatures)
{
    const Keys foreign{
        girih_algorithm(std::string_view{GetParam()} == "ML-DSA-44" ? "ML-DSA-65" : "ML-DSA-44"), 3};
    const std::vector<ByteString> all = messages(12);
    std::vector<ByteString> signatures(all.size(), ByteString(girih_signature_bytes(alg), 0xEE));
    std::vector<girih_sign_row> rows;
    for (std::size_t i = 0; i < all.size(); ++i)
        rows.push_back(signing_row(keys.signing, all[i], signatures[i]));
    const ByteString long_context(256);
    const girih_options too_long = with_context(long_context);
    const girih_random broken{[](void*, std::uint8_t*, std::size_t) { return 1; }, nullptr, 0};
    const girih_options unlucky{nullptr, 0, nullptr, 0, &broken, 0, {}};
    rows[1].options = &too_long;
    rows[2].signature_capacity -= 1;
    rows[3].key = foreign.signing;
    rows[4].options = &unlucky;
    rows[6].message = nullptr;
    rows[8].key = nullptr;
    EXPECT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_ERROR_CONTEXT);
    const std::vector<int> expected{GIRIH_OK,
                                    GIRIH_ERROR_CONTEXT,
                                    GIRIH_ERROR_LENGTH,
                                    GIRIH_ERROR_ARGUMENT,
                                    GIRIH_ERROR_RANDOM,
                                    GIRIH_OK,
                                    GIRIH_ERROR_ARGUMENT,
                                    GIRIH_OK,
                                    GIRIH_ERROR_LENGTH,
                                    GIRIH_OK,
                                    GIRIH_OK,
                                    GIRIH_OK};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].result, expected[i]) << i;
        if (expected[i] == GIRIH_OK) {
            EXPECT_EQ(signatures[i], sign(alg, keys.pair.secret_key, all[i])) << i;
        } else {
            EXPECT_EQ(rows[i].signature_bytes, 0U);
            EXPECT_EQ(std::count(signatures[i].begin(), signatures[i].end(), 0xEE), i == 2 ? 1 : 0) << i;
        }
    }
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

TEST(BatchArguments, ThatAreMissingAreRefusedAndEveryRowSaysSo)
{
    ByteString signature(10, 0xEE);
    girih_sign_row row = signing_row(nullptr, {}, signature);
    EXPECT_EQ(girih_sign_many(nullptr, &row, 1), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(row.result, GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(signature, ByteString(10));
    EXPECT_EQ(girih_sign_many(girih_algorithm("ML-DSA-44"), nullptr, 1), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_verify_many(girih_algorithm("ML-DSA-44"), nullptr, 0), GIRIH_OK);
}

TEST(PreparedKeys, NeedMemoryOfTheirSizeAndAlignmentAndAKeyThatIsOne)
{
    const girih_alg* const alg = girih_algorithm("ML-DSA-44");
    Keys keys{alg, 1};
    PreparedMemory memory{girih_signing_key_size(alg)};
    const auto prepare = [&](void* at, std::size_t bytes, std::size_t key_bytes) {
        girih_signing_key* key = keys.signing;
        const int error =
            girih_prepare_signing_key(alg, keys.pair.secret_key.data(), key_bytes, at, bytes, &key);
        EXPECT_EQ(key == nullptr, error != GIRIH_OK);
        return error;
    };
    const std::size_t key_bytes = keys.pair.secret_key.size();
    EXPECT_EQ(prepare(memory.data(), memory.size(), key_bytes), GIRIH_OK);
    EXPECT_EQ(prepare(nullptr, memory.size(), key_bytes), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(prepare(static_cast<Byte*>(memory.data()) + 8, memory.size(), key_bytes), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(prepare(memory.data(), memory.size() - 1, key_bytes), GIRIH_ERROR_LENGTH);
    EXPECT_EQ(prepare(memory.data(), memory.size(), key_bytes - 1), GIRIH_ERROR_LENGTH);
    keys.pair.secret_key[128] = 0xFF;  // a coefficient of s1 beyond eta
    EXPECT_EQ(prepare(memory.data(), memory.size(), key_bytes), GIRIH_ERROR_SECRET_KEY);
    const auto* const bytes = static_cast<const Byte*>(memory.data());
    EXPECT_EQ(std::count(bytes, bytes + memory.size(), 0), static_cast<std::ptrdiff_t>(memory.size()));

    girih_wipe_signing_key(keys.signing);
    const auto* const wiped = static_cast<const Byte*>(keys.signing_memory.data());
    EXPECT_EQ(std::count(wiped, wiped + keys.signing_memory.size(), 0),
              static_cast<std::ptrdiff_t>(keys.signing_memory.size()));
    girih_wipe_signing_key(nullptr);
    EXPECT_EQ(girih_signing_key_size(nullptr), 0U);
    EXPECT_EQ(girih_verifying_key_size(nullptr), 0U);
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
