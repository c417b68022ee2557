/// Batches, beyond what the table says about each row (functions_test.cpp): the order of requests
/// for randomness, rows of C++, and threads.
#include <gtest/gtest.h>
#include <girih/batch.hpp>
#include <girih/ml_dsa.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "api/call.hpp"
#include "support/kems.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;
using test::Call;
using test::Content;
using test::Subject;

/// Counts the requests and the bytes of each.
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

class KeygenRows : public test::EveryAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, KeygenRows,
                         testing::Values("ML-DSA-44", "Falcon-512", "ML-KEM-768", "sntrup761", "ntrulpr761"),
                         test::EveryAlgorithm::name);

TEST_P(KeygenRows, AskASourceAsKeygenAsksIt)
{
    for (const int piecewise : {0, 1}) {
        Requests one, many;
        const girih_random source_of_one{Requests::fill, &one, piecewise};
        const girih_random source_of_many{Requests::fill, &many, piecewise};
        test::KeyPair keys = test::room_for_keys(alg);
        auto row =
            test::row_of<girih_keygen_row>(BytesIn<>{}, &source_of_many, keys.public_key, keys.secret_key);
        ASSERT_EQ(girih_keygen_many(alg, &row, 1), GIRIH_OK);
        EXPECT_EQ(keys, test::random_key_pair(alg, source_of_one));
        EXPECT_EQ(many.sizes, one.sizes);
        const bool is_asked_for_pieces =
            piecewise == 1 && std::string_view{GetParam()}.find("ntru") != std::string_view::npos;
        EXPECT_EQ(one.sizes.size() > 1, is_asked_for_pieces);
        EXPECT_TRUE(is_asked_for_pieces || one.sizes[0] == girih_seed_bytes(alg));
    }
}

/// A word of 2^29 is a coefficient 0: the first g is 0, and has no reciprocal.
TEST(PiecesOfKems, ThatGiveAGWithoutAReciprocalGiveAnother)
{
    const girih_alg* const alg = girih_algorithm("sntrup653");
    struct Source {
        std::size_t zeros;
        test::Numbers numbers;
    } state{653, test::Numbers{5}};
    const auto fill = [](void* at, std::uint8_t* out, std::size_t bytes) {
        auto& source = *static_cast<Source*>(at);
        std::ranges::copy(source.zeros > 0 ? ByteString{0, 0, 0, 0x20} : source.numbers.bytes(bytes), out);
        source.zeros -= source.zeros > 0 ? 1 : 0;
        return 0;
    };
    const girih_random random{fill, &state, 1};
    const test::KeyPair keys = test::random_key_pair(alg, random);
    EXPECT_EQ(state.zeros, 0U);
    const test::Encapsulation made = test::encapsulate(alg, keys.public_key, &random);
    EXPECT_EQ(test::decapsulate(alg, keys.secret_key, made.ciphertext), made.shared_secret);
    EXPECT_EQ(test::import_error(alg, keys.secret_key), GIRIH_OK);
}

TEST(PiecesOfKems, OfASourceThatFailsAndWouldGiveTheSameForEverAreAnError)
{
    const girih_alg* const alg = girih_algorithm("sntrup653");
    const girih_random endless{[](void*, std::uint8_t* out, std::size_t bytes) {
                                   for (std::size_t i = 0; i < bytes; ++i) out[i] = i % 4 == 3 ? 0x20 : 0;
                                   return 1;
                               },
                               nullptr, 1};
    test::KeyPair keys = test::room_for_keys(alg);
    keys.secret_key.assign(keys.secret_key.size(), 0xEE);
    EXPECT_EQ(test::call(girih_keygen, alg, &endless, keys.public_key, keys.secret_key), GIRIH_ERROR_RANDOM);
    EXPECT_TRUE(test::is_zero(keys.secret_key));
}

/// A refused signature takes no randomness, alone or in a batch.
TEST(SigningRows, AskASourceAsOneSignatureAtATimeDoes)
{
    const auto is_row = [](const test::Function& f) {
        return f.batch != nullptr && f.roles[1].content == Content::signing_key;
    };
    const test::Function& many = *std::ranges::find_if(test::functions, is_row);
    const test::Function& one =
        *std::ranges::find(test::functions, "girih_sign_prepared", &test::Function::name);
    for (const girih_alg* const alg : {girih_ml_dsa_44(), girih_dilithium3(), girih_falcon_512()}) {
        const Subject subject{alg};
        const ByteString context(256);
        const auto sign_all = [&](const test::Function& function) {
            Requests requests;
            const girih_random source{Requests::fill, &requests, 0};
            std::vector<Call> calls;
            for (std::size_t i = 0; i < 3; ++i)
                calls.emplace_back(subject, function).options().random = &source;
            calls[1].options().context = context.data();
            calls[1].options().context_bytes = context.size();
            EXPECT_EQ(test::make_all(function, calls), GIRIH_ERROR_CONTEXT) << subject.name();
            return std::pair{requests.sizes, std::array{calls[0].made(), calls[1].made(), calls[2].made()}};
        };
        EXPECT_EQ(sign_all(many), sign_all(one)) << subject.name();
    }
}

/// If there are two errors, a key's comes before a missing message's, and that before the length or
/// capacity of a signature.
TEST(Rows, TellTheFirstOfTwoErrors)
{
    const Subject subject{girih_ml_dsa_44()};
    for (const test::Function& function : test::functions) {
        const bool is_of_messages =
            function.batch != nullptr && std::ranges::any_of(function.roles, [](const test::Role& role) {
                return role.content == Content::message;
            });
        if (!is_of_messages) continue;
        Call call{subject, function};
        const auto word_of = [&](Content content) {
            return std::ranges::find(call.regions, content,
                                     [](const test::Region& r) { return r.role.content; })
                ->word;
        };
        call.words[word_of(Content::signature) + 1] = subject.size(Content::signature) - 1;
        call.words[word_of(Content::message)] = nullptr;
        EXPECT_EQ(call.make(), GIRIH_ERROR_ARGUMENT) << function.name;
        if (function.roles[1].use != test::Use::absent) continue;
        call.words[3] = std::size_t{1};  // the key's length
        const bool is_secret = function.roles[2].content == Content::secret_key;
        EXPECT_EQ(call.make(), is_secret ? GIRIH_ERROR_SECRET_KEY_LENGTH : GIRIH_ERROR_PUBLIC_KEY_LENGTH)
            << function.name;
    }
}

/// Expects every function that takes a secret key to return `expected`.
void expect_error_of_key(const Subject& subject, const ByteString& sk, int expected)
{
    for (const test::Function& function : test::functions) {
        if (!subject.can(function.ability)) continue;
        Call call{subject, function};
        for (const test::Region& region : call.regions)
            if (region.role.use == test::Use::input && region.role.content == Content::secret_key) {
                std::ranges::copy(sk, region.place);
                EXPECT_EQ(call.make(), expected) << function.name;
            }
    }
}

/// One fault has one code in every function.
TEST(MalformedKeys, OfFalconHaveOneCodeInEveryFunction)
{
    test::Numbers numbers{8};
    std::map<int, int> seen;
    for (const girih_alg* const alg : {girih_falcon_512(), girih_falcon_1024(), girih_falcon_padded_512()}) {
        const Subject subject{alg};
        const auto last_bit = static_cast<std::int64_t>(8 * subject.size(Content::secret_key)) - 1;
        for (int trial = 0; trial < 60; ++trial) {
            ByteString sk = subject.bytes(Content::secret_key);
            if (trial == 0) {  // f = 1, g = F = 0, and so G = 0 and f G - g F = 0
                sk = ByteString{sk[0]};
                sk.resize(subject.size(Content::secret_key));
                sk[1] = sk.size() < 2000 ? 1 << 2 : 1 << 3;
            } else {
                test::flip(sk, static_cast<std::size_t>(numbers.between(0, last_bit)));
            }
            const int expected = test::import_error(alg, sk);
            ++seen[expected];
            if (expected != GIRIH_OK) expect_error_of_key(subject, sk, expected);
        }
    }
    seen.erase(GIRIH_OK);
    EXPECT_EQ(seen.size(), 2U);
    EXPECT_TRUE(seen.contains(GIRIH_ERROR_KEY_MISMATCH) && seen.contains(GIRIH_ERROR_SECRET_KEY));
}

// ---- Rows in C++

TEST(CppRows, OfAKeyThatWasMovedFromAreRefusedAsSuch)
{
    using Algorithm = girih::ml_dsa_44;
    const auto key = Algorithm::SigningKey::generate();
    Algorithm::PreparedSigningKey signing{key};
    Algorithm::PreparedVerifyingKey verifying{key.verifying_key()};
    const auto taken = std::move(signing);
    const auto taken_too = std::move(verifying);
    ByteString signature(Algorithm::signature_bytes);
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
    std::vector<test::KeyPair> keys(200, test::room_for_keys(Algorithm::algorithm()));
    std::vector<girih::KeygenRow> rows;
    for (test::KeyPair& pair : keys)
        rows.push_back(girih::keygen_row(pair.public_key, pair.secret_key, seed));
    rows[0].public_key = reinterpret_cast<Byte*>(&rows[100]);
    for (const unsigned threads : {1U, 2U}) {
        EXPECT_EQ(girih::keygen_many<Algorithm>(rows, threads), girih::Error::overlap);
        EXPECT_EQ(rows[0].result, GIRIH_ERROR_OVERLAP);
        for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(rows[i].result, GIRIH_OK) << i;
    }
}

}  // namespace
