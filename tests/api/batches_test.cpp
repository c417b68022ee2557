/// Rows of batches that are not what they seem.
#include <gtest/gtest.h>
#include <girih/batch.hpp>
#include <girih/ml_dsa.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "support/bytes.hpp"
#include "support/overlap.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

/// Counts the requests, and what each asked for.
struct Requests {
    std::vector<std::size_t> sizes;

    static int fill(void* self, std::uint8_t* out, std::size_t bytes)
    {
        auto& requests = *static_cast<Requests*>(self);
        requests.sizes.push_back(bytes);
        for (std::size_t i = 0; i < bytes; ++i)
            out[i] = static_cast<std::uint8_t>(11 * i + requests.sizes.size());
        return 0;
    }
};

class SourcesOfKeygenRows : public test::EveryAlgorithm {
  public:
    ByteString pk = ByteString(girih_public_key_bytes(alg), 0xEE);
    ByteString sk = ByteString(girih_secret_key_bytes(alg), 0xEE);

    girih_keygen_row row(const Byte* seed, std::size_t seed_bytes, const girih_random* random)
    {
        return {seed, seed_bytes, random, pk.data(), pk.size(), sk.data(), sk.size(), 1};
    }
};
INSTANTIATE_TEST_SUITE_P(Of, SourcesOfKeygenRows,
                         testing::Values("ML-DSA-44", "Falcon-512", "ML-KEM-768", "sntrup761", "ntrulpr761"),
                         test::EveryAlgorithm::name);

TEST_P(SourcesOfKeygenRows, ASeedThatIsMissingIsNotDrawnInstead)
{
    girih_keygen_row bad = row(nullptr, girih_seed_bytes(alg), nullptr);
    EXPECT_EQ(girih_keygen_many(alg, &bad, 1), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(bad.result, GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(test::is_zero(pk) && test::is_zero(sk));
    const girih_random piecewise{Requests::fill, nullptr, 1};
    bad = row(nullptr, girih_seed_bytes(alg), &piecewise);
    EXPECT_EQ(girih_keygen_many(alg, &bad, 1), GIRIH_ERROR_ARGUMENT);
    bad = row(pk.data(), 0, nullptr);
    EXPECT_EQ(girih_keygen_many(alg, &bad, 1), GIRIH_ERROR_LENGTH);
}

TEST_P(SourcesOfKeygenRows, ASeedThatIsThereIsNotAskedFor)
{
    const ByteString seed = test::counting(girih_seed_bytes(alg));
    const test::KeyPair expected = test::key_pair(alg, seed);
    for (const int piecewise : {0, 1}) {
        Requests requests;
        const girih_random source{Requests::fill, &requests, piecewise};
        girih_keygen_row good = row(seed.data(), seed.size(), &source);
        EXPECT_EQ(girih_keygen_many(alg, &good, 1), GIRIH_OK);
        EXPECT_EQ(pk, expected.public_key);
        EXPECT_EQ(sk, expected.secret_key);
        EXPECT_TRUE(requests.sizes.empty());
    }
}

TEST_P(SourcesOfKeygenRows, NoKeyGoesIntoTheRows)
{
    const ByteString seed = test::counting(girih_seed_bytes(alg));
    std::vector<girih_keygen_row> rows(2 + std::max(pk.size(), sk.size()) / sizeof(girih_keygen_row));
    const auto memory = reinterpret_cast<Byte*>(rows.data());
    for (const bool is_secret : {false, true}) {
        rows[0] = row(seed.data(), seed.size(), nullptr);
        (is_secret ? rows[0].secret_key : rows[0].public_key) = memory + 8;
        EXPECT_EQ(girih_keygen_many(alg, rows.data(), 1), GIRIH_ERROR_OVERLAP);
        EXPECT_EQ(rows[0].result, GIRIH_ERROR_OVERLAP);
        EXPECT_EQ(rows[0].seed, seed.data()) << "the rows are what they were";
    }
}

/// Rows that are signed by themselves are checked as the others.
TEST(SigningRows, OfAnotherAlgorithmsKeyAreRefusedAlsoIfTheyAreVerified)
{
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        Byte bytes[GIRIH_PREPARED_ALIGNMENT];
    };
    for (const char* name : {"ML-DSA-65", "Falcon-512"}) {
        const girih_alg* const alg = girih_algorithm(name);
        const test::KeyPair keys = test::key_pair(alg, test::counting(girih_seed_bytes(alg)));
        std::vector<Line> memory(girih_signing_key_size(alg) / sizeof(Line));
        girih_signing_key* key = nullptr;
        ASSERT_EQ(girih_prepare_signing_key(alg, keys.secret_key.data(), keys.secret_key.size(),
                                            memory.data(), memory.size() * sizeof(Line), &key),
                  GIRIH_OK);
        ByteString signature(5000, 0xEE);
        girih_options options{};
        options.verify_after_sign = 1;
        for (const char* other : {"ML-DSA-44", "Falcon-padded-512"}) {
            girih_sign_row row{
                key, nullptr, 0, keys.public_key.data(), 10, &options, signature.data(), signature.size(),
                1,   1};
            EXPECT_EQ(girih_sign_many(girih_algorithm(other), &row, 1), GIRIH_ERROR_ARGUMENT)
                << name << other;
            EXPECT_TRUE(test::is_zero(signature));
            EXPECT_EQ(row.signature_bytes, 0U);
        }
    }
}

TEST_P(SourcesOfKeygenRows, ASourceIsAskedAsKeygenAsksIt)
{
    for (const int piecewise : {0, 1}) {
        Requests one, many;
        const girih_random source_of_one{Requests::fill, &one, piecewise};
        const girih_random source_of_many{Requests::fill, &many, piecewise};
        ByteString expected_pk(pk.size());
        ByteString expected_sk(sk.size());
        ASSERT_EQ(
            girih_keygen(alg, &source_of_one, expected_pk.data(), pk.size(), expected_sk.data(), sk.size()),
            GIRIH_OK);
        girih_keygen_row good = row(nullptr, 0, &source_of_many);
        ASSERT_EQ(girih_keygen_many(alg, &good, 1), GIRIH_OK);
        EXPECT_EQ(good.result, GIRIH_OK);
        EXPECT_EQ(many.sizes, one.sizes);
        EXPECT_EQ(pk, expected_pk);
        EXPECT_EQ(sk, expected_sk);
        EXPECT_EQ(one.sizes.size() > 1,
                  piecewise == 1 && std::string_view{GetParam()}.find("ntru") != std::string_view::npos);
    }
}

TEST_P(SourcesOfKeygenRows, OutputsThatAreMissingShareNoByte)
{
    const ByteString seed = test::counting(girih_seed_bytes(alg));
    girih_keygen_row bad = row(seed.data(), seed.size(), nullptr);
    bad.public_key = nullptr;
    bad.public_key_bytes = ~std::size_t{0};
    EXPECT_EQ(girih_keygen_many(alg, &bad, 1), GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(test::is_zero(sk));
    bad.secret_key = nullptr;
    EXPECT_EQ(girih_keygen_many(alg, &bad, 1), GIRIH_ERROR_ARGUMENT);
}

TEST_P(SourcesOfKeygenRows, NothingIsZeroedInTheRowsOfABatchThatIsRefused)
{
    const ByteString seed = test::counting(girih_seed_bytes(alg));
    std::vector<girih_keygen_row> rows(2 + std::max(pk.size(), sk.size()) / sizeof(girih_keygen_row));
    rows[0] = row(seed.data(), seed.size(), nullptr);
    rows[0].public_key = reinterpret_cast<Byte*>(&rows[1]);
    rows[1] = row(seed.data(), seed.size(), nullptr);
    EXPECT_EQ(girih_keygen_many(nullptr, rows.data(), 2), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(rows[0].result, GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(rows[1].result, GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(rows[1].seed, seed.data()) << "the rows are what they were";
    EXPECT_TRUE(test::is_zero(pk) && test::is_zero(sk));
}

/// A signature that is refused takes no randomness, by itself or in a batch.
TEST(SigningRows, AskASourceAsOneSignatureAtATimeDoes)
{
    for (const char* name : {"ML-DSA-44", "Dilithium3", "Falcon-512"}) {
        const girih_alg* const alg = girih_algorithm(name);
        const test::KeyPair keys = test::key_pair(alg, test::counting(girih_seed_bytes(alg)));
        const test::PreparedKey key{alg, keys.secret_key};
        const ByteString message = test::counting(20);
        const ByteString context(256);
        Requests requests;
        const girih_random source{Requests::fill, &requests, 0};
        std::array<girih_options, 3> options{};
        for (girih_options& each : options) each.random = &source;
        options[1].context = context.data();
        options[1].context_bytes = context.size();
        const auto sign_all = [&](auto sign_rows) {
            requests = {};
            std::vector<ByteString> signatures(3, ByteString(girih_signature_bytes(alg), 0xEE));
            std::array<girih_sign_row, 3> rows{};
            for (std::size_t i = 0; i < rows.size(); ++i)
                rows[i] = {key.get(),
                           nullptr,
                           0,
                           message.data(),
                           message.size(),
                           &options[i],
                           signatures[i].data(),
                           signatures[i].size(),
                           0,
                           1};
            sign_rows(rows);
            EXPECT_EQ(rows[0].result, GIRIH_OK) << name;
            EXPECT_EQ(rows[1].result, GIRIH_ERROR_CONTEXT) << name;
            EXPECT_EQ(rows[2].result, GIRIH_OK) << name;
            EXPECT_TRUE(test::is_zero(signatures[1])) << name;
            return signatures;
        };
        const auto many = sign_all([&](std::array<girih_sign_row, 3>& rows) {
            EXPECT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_ERROR_CONTEXT);
        });
        const std::vector<std::size_t> asked = requests.sizes;
        const auto single = sign_all([&](std::array<girih_sign_row, 3>& rows) {
            for (girih_sign_row& row : rows)
                row.result = girih_sign_prepared(row.key, row.message, row.message_bytes, row.options,
                                                 row.signature, row.signature_capacity, &row.signature_bytes);
        });
        EXPECT_EQ(requests.sizes, asked) << name;
        EXPECT_EQ(single, many) << name;
    }
}

// ---- Rows in C++

TEST(CppRows, OfAKeyThatWasMovedFromAreRefusedAsSuch)
{
    using Algorithm = girih::ml_dsa_44;
    const test::KeyPair keys = test::key_pair(Algorithm::algorithm(), test::counting(32));
    ByteString signature(Algorithm::signature_bytes);
    Algorithm::PreparedSigningKey signing{
        std::span<const Byte, Algorithm::secret_key_bytes>{keys.secret_key.data(), keys.secret_key.size()}};
    Algorithm::PreparedVerifyingKey verifying{
        std::span<const Byte, Algorithm::public_key_bytes>{keys.public_key.data(), keys.public_key.size()}};
    const auto taken = std::move(signing);
    const auto taken_too = std::move(verifying);
    std::array sign{girih::sign_row(signing, "message", signature)};        // NOLINT(bugprone-use-after-move)
    std::array verify{girih::verify_row(verifying, "message", signature)};  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(girih::sign_many<Algorithm>(sign), girih::Error::argument);
    EXPECT_EQ(girih::verify_many<Algorithm>(verify), girih::Error::argument);
}

/// Rows are cut into parts for threads, and outputs may not lie in any of them.
TEST(CppRows, NoKeyGoesIntoThoseOfAnotherThread)
{
    using Algorithm = girih::ml_dsa_44;
    const ByteString seed = test::counting(32);
    std::vector<test::KeyPair> keys(200);
    std::vector<girih::KeygenRow> rows;
    for (test::KeyPair& pair : keys) {
        pair.public_key.resize(Algorithm::public_key_bytes);
        pair.secret_key.resize(Algorithm::secret_key_bytes);
        rows.push_back(girih::keygen_row(pair.public_key, pair.secret_key, seed));
    }
    rows[0].public_key = reinterpret_cast<Byte*>(&rows[100]);
    for (const unsigned threads : {1U, 2U}) {
        EXPECT_EQ(girih::keygen_many<Algorithm>(rows, threads), girih::Error::overlap);
        EXPECT_EQ(rows[0].result, GIRIH_ERROR_OVERLAP);
        for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(rows[i].result, GIRIH_OK) << i;
    }
}

/// One fault, one code, whichever function meets it.
class MalformedKeys : public test::EveryAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, MalformedKeys, testing::Values("Falcon-512", "Falcon-1024", "Falcon-padded-512"),
                         test::EveryAlgorithm::name);

TEST_P(MalformedKeys, HaveTheSameCodeInEveryFunction)
{
    const test::KeyPair keys = test::key_pair(alg, test::counting(girih_seed_bytes(alg)));
    const std::size_t sk_bytes = keys.secret_key.size();
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        Byte bytes[GIRIH_PREPARED_ALIGNMENT];
    };
    std::vector<Line> memory(girih_signing_key_size(alg) / sizeof(Line));
    std::array<std::size_t, 2> seen{};
    test::Numbers numbers{8};
    for (int trial = 0; trial < 60; ++trial) {
        ByteString sk = keys.secret_key;
        if (trial == 0) {  // f = 1, g = F = 0, and so G = 0 and f G - g F = 0
            std::fill(sk.begin() + 1, sk.end(), Byte{0});
            sk[1] = static_cast<Byte>(1 << (sk_bytes < 2000 ? 8 - 6 : 8 - 5));
        } else
            test::flip(sk, static_cast<std::size_t>(
                               numbers.between(0, static_cast<std::int64_t>(8 * sk_bytes) - 1)));
        ByteString pk(keys.public_key.size());
        ByteString signature(girih_signature_bytes(alg));
        std::size_t length = 1;
        const int expected = girih_public_key(alg, sk.data(), sk_bytes, pk.data(), pk.size());
        if (expected == GIRIH_OK) continue;
        seen[expected == GIRIH_ERROR_KEY_MISMATCH ? 1 : 0] += 1;
        EXPECT_TRUE(expected == GIRIH_ERROR_KEY_MISMATCH || expected == GIRIH_ERROR_SECRET_KEY);
        EXPECT_EQ(girih_sign(alg, sk.data(), sk_bytes, pk.data(), pk.size(), nullptr, signature.data(),
                             signature.size(), &length),
                  expected);
        girih_signing_key* key = nullptr;
        EXPECT_EQ(girih_prepare_signing_key(alg, sk.data(), sk_bytes, memory.data(),
                                            memory.size() * sizeof(Line), &key),
                  expected);
        EXPECT_EQ(key, nullptr);
        girih_sign_row row{nullptr, sk.data(),        sk_bytes,         pk.data(), pk.size(),
                           nullptr, signature.data(), signature.size(), 1,         1};
        EXPECT_EQ(girih_sign_many(alg, &row, 1), expected);
        girih_message message;
        ASSERT_EQ(girih_message_begin_signing(&message, alg, nullptr), GIRIH_OK);
        EXPECT_EQ(girih_message_sign(&message, sk.data(), sk_bytes, nullptr, signature.data(),
                                     signature.size(), &length),
                  expected);
    }
    EXPECT_GT(seen[0], 0U);
    EXPECT_GT(seen[1], 0U);
}

}  // namespace
