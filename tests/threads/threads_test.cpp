/// Many threads at once: the results of one, and (in a build with -fsanitize=thread) no two that
/// touch the same memory unordered.
#include <girih/girih.h>
#include <gtest/gtest.h>
#include <girih/batch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "support/bytes.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/signatures.hpp"

namespace girih::test {
namespace {

constexpr unsigned thread_count = 4;

/// Calls `function(number of the thread)` on every thread, as nearly at once as can be.
void at_once(const std::function<void(unsigned)>& function)
{
    std::atomic<unsigned> waiting{thread_count};
    std::vector<std::jthread> threads;
    for (unsigned number = 0; number < thread_count; ++number)
        threads.emplace_back([&, number] {
            // (Not a std::barrier: GCC 12's misses a wake-up now and then where there is no futex.)
            --waiting;
            while (waiting != 0) std::this_thread::yield();
            function(number);
        });
}

/// Memory of a prepared key.
struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes{};
};

/// What a message is signed with so that every thread makes the same of it: no randomness,
/// or always the same.
struct Repeatable {
    girih_random zeros{[](void*, Byte* out, std::size_t bytes) {
                           std::fill_n(out, bytes, Byte{0});
                           return 0;
                       },
                       nullptr, 0};
    girih_options options;

    explicit Repeatable(const girih_alg* alg)
        : options{nullptr, 0, nullptr, girih_has_mu(alg), girih_has_mu(alg) != 0 ? nullptr : &zeros, 0, {}}
    {
    }
    Repeatable(const Repeatable&) = delete;
    Repeatable& operator=(const Repeatable&) = delete;
};

/// A key pair that all threads use, prepared both ways.
struct SharedKeys {
    const girih_alg* alg;
    KeyPair pair;
    std::vector<Line> signing_memory = std::vector<Line>(girih_signing_key_size(alg) / sizeof(Line));
    std::vector<Line> verifying_memory = std::vector<Line>(girih_verifying_key_size(alg) / sizeof(Line));
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;

    explicit SharedKeys(const girih_alg* algorithm)
        : alg(algorithm), pair(key_pair(algorithm, ByteString(girih_seed_bytes(algorithm), 7)))
    {
        EXPECT_EQ(
            girih_prepare_signing_key(alg, pair.secret_key.data(), pair.secret_key.size(),
                                      signing_memory.data(), signing_memory.size() * sizeof(Line), &signing),
            GIRIH_OK);
        EXPECT_EQ(girih_prepare_verifying_key(alg, pair.public_key.data(), pair.public_key.size(),
                                              verifying_memory.data(), verifying_memory.size() * sizeof(Line),
                                              &verifying),
                  GIRIH_OK);
    }
};

/// A signature of the length that it has.
ByteString signature_by(const girih_alg* alg,
                        const std::function<int(Byte*, std::size_t, std::size_t*)>& sign)
{
    ByteString signature(girih_signature_bytes(alg));
    std::size_t size = 0;
    EXPECT_EQ(sign(signature.data(), signature.size(), &size), GIRIH_OK);
    signature.resize(size);
    return signature;
}

class Signing : public EveryAlgorithm {
  protected:
    SharedKeys keys{alg};
    Repeatable how{alg};
    ByteString message = counting(50);

    [[nodiscard]] ByteString signed_with_bytes() const
    {
        return signature_by(alg, [&](Byte* out, std::size_t capacity, std::size_t* size) {
            return girih_sign(alg, keys.pair.secret_key.data(), keys.pair.secret_key.size(), message.data(),
                              message.size(), &how.options, out, capacity, size);
        });
    }
    [[nodiscard]] ByteString signed_with_prepared_key() const
    {
        return signature_by(alg, [&](Byte* out, std::size_t capacity, std::size_t* size) {
            return girih_sign_prepared(keys.signing, message.data(), message.size(), &how.options, out,
                                       capacity, size);
        });
    }
    [[nodiscard]] int verified_with_prepared_key(const ByteString& signature) const
    {
        return girih_verify_prepared(keys.verifying, message.data(), message.size(), nullptr,
                                     signature.data(), signature.size());
    }
};

TEST_P(Signing, SharesKeysBetweenThreads)
{
    const ByteString expected = signed_with_bytes();
    at_once([&](unsigned) {
        EXPECT_EQ(signed_with_bytes(), expected);
        EXPECT_EQ(signed_with_prepared_key(), expected);
        EXPECT_EQ(verify(alg, keys.pair.public_key, message, expected, {}), GIRIH_OK);
        EXPECT_EQ(verified_with_prepared_key(expected), GIRIH_OK);
        ByteString public_key(keys.pair.public_key.size());
        EXPECT_EQ(girih_public_key(alg, keys.pair.secret_key.data(), keys.pair.secret_key.size(),
                                   public_key.data(), public_key.size()),
                  GIRIH_OK);
        EXPECT_EQ(public_key, keys.pair.public_key);
        EXPECT_EQ(key_pair(alg, ByteString(girih_seed_bytes(alg), 7)).secret_key, keys.pair.secret_key);
    });
}

TEST_P(Signing, SpreadsBatchesOverThreads)
{
    // Parts have 64 rows, so each of the threads gets one.
    constexpr std::size_t count = 64 * thread_count;
    const ByteString expected = signed_with_bytes();
    std::vector<ByteString> signatures(count, ByteString(girih_signature_bytes(alg)));
    std::vector<SignRow> sign_rows;
    for (ByteString& signature : signatures)
        sign_rows.push_back({keys.signing, nullptr, 0, message.data(), message.size(), &how.options,
                             signature.data(), signature.size(), 0, GIRIH_ERROR_ARGUMENT});
    EXPECT_EQ(sign_many(alg, sign_rows, thread_count), Error::none);

    std::vector<VerifyRow> verify_rows;
    for (std::size_t i = 0; i < count; ++i) {
        signatures[i].resize(sign_rows[i].signature_bytes);
        EXPECT_EQ(signatures[i], expected) << i;
        verify_rows.push_back({i % 2 == 0 ? keys.verifying : nullptr, keys.pair.public_key.data(),
                               keys.pair.public_key.size(), message.data(), message.size(), nullptr,
                               signatures[i].data(), signatures[i].size(), GIRIH_ERROR_ARGUMENT});
    }
    constexpr std::size_t bad = 100;
    signatures[bad].back() ^= 1;
    signatures[bad].front() ^= 1;
    EXPECT_EQ(verify_many(alg, verify_rows, thread_count), Error::signature);
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(verify_rows[i].result, i == bad ? GIRIH_ERROR_SIGNATURE : GIRIH_OK) << i;
}

INSTANTIATE_TEST_SUITE_P(Every, Signing,
                         testing::Values("ML-DSA-44", "ML-DSA-87", "Dilithium3", "Falcon-512",
                                         "Falcon-padded-512", "Falcon-CT-512"),
                         EveryAlgorithm::name);

class Keys : public EveryAlgorithm {};

TEST_P(Keys, AreMadeInBatchesOnManyThreads)
{
    // Falcon's take long: two parts.
    const std::size_t count = girih_has_mu(alg) != 0 || girih_is_kem(alg) != 0 ? 64 * thread_count : 65;
    std::vector<KeyPair> pairs(
        count, {ByteString(girih_public_key_bytes(alg)), ByteString(girih_secret_key_bytes(alg))});
    std::vector<ByteString> seeds;
    std::vector<KeygenRow> rows;
    for (std::size_t i = 0; i < count; ++i)
        seeds.emplace_back(girih_seed_bytes(alg), static_cast<Byte>(i % 4));
    for (std::size_t i = 0; i < count; ++i)
        rows.push_back(keygen_row(pairs[i].public_key, pairs[i].secret_key, seeds[i]));
    EXPECT_EQ(keygen_many(alg, rows, thread_count), Error::none);
    for (std::size_t i = 0; i < 4; ++i) {
        const KeyPair alone = key_pair(alg, seeds[i]);
        for (std::size_t j = i; j < count; j += 4) {
            EXPECT_EQ(pairs[j].public_key, alone.public_key) << j;
            EXPECT_EQ(pairs[j].secret_key, alone.secret_key) << j;
        }
    }
}

TEST_P(Keys, OfTheSystemsRandomnessAreDifferentOnEveryThread)
{
    std::vector<ByteString> keys(thread_count, ByteString(girih_public_key_bytes(alg)));
    at_once([&](unsigned number) {
        ByteString secret_key(girih_secret_key_bytes(alg));
        EXPECT_EQ(girih_keygen(alg, nullptr, keys[number].data(), keys[number].size(), secret_key.data(),
                               secret_key.size()),
                  GIRIH_OK);
    });
    std::ranges::sort(keys);
    EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

INSTANTIATE_TEST_SUITE_P(Every, Keys,
                         testing::Values("ML-DSA-65", "Dilithium2", "Falcon-512", "ML-KEM-512", "ML-KEM-768",
                                         "sntrup653", "ntrulpr653"),
                         EveryAlgorithm::name);

class Encapsulating : public EveryAlgorithm {};

TEST_P(Encapsulating, SharesKeysBetweenThreads)
{
    const KeyPair pair = key_pair(alg, ByteString(girih_seed_bytes(alg), 7));
    std::vector<ByteString> ciphertexts(thread_count, ByteString(girih_ciphertext_bytes(alg)));
    std::vector<ByteString> secrets(thread_count, ByteString(girih_shared_secret_bytes(alg)));
    const auto decapsulated = [&](const ByteString& ciphertext) {
        ByteString secret(girih_shared_secret_bytes(alg));
        EXPECT_EQ(girih_decapsulate(alg, pair.secret_key.data(), pair.secret_key.size(), ciphertext.data(),
                                    ciphertext.size(), secret.data(), secret.size()),
                  GIRIH_OK);
        return secret;
    };
    at_once([&](unsigned number) {
        EXPECT_EQ(girih_encapsulate(alg, nullptr, pair.public_key.data(), pair.public_key.size(),
                                    ciphertexts[number].data(), ciphertexts[number].size(),
                                    secrets[number].data(), secrets[number].size()),
                  GIRIH_OK);
        EXPECT_EQ(decapsulated(ciphertexts[number]), secrets[number]);
    });
    // And all threads the same ciphertext.
    at_once([&](unsigned) { EXPECT_EQ(decapsulated(ciphertexts[0]), secrets[0]); });
}

INSTANTIATE_TEST_SUITE_P(Every, Encapsulating,
                         testing::Values("ML-KEM-512", "ML-KEM-1024", "sntrup653", "sntrup761", "sntrup1277",
                                         "ntrulpr653", "ntrulpr1277"),
                         EveryAlgorithm::name);

class PreparedKeys : public EveryAlgorithm {};

TEST_P(PreparedKeys, OfEncapsulationServeManyThreads)
{
    const KeyPair pair = key_pair(alg, ByteString(girih_seed_bytes(alg), 7));
    const PreparedEncapsulationKey to{alg, pair.public_key};
    const PreparedDecapsulationKey by{alg, pair.secret_key};
    at_once([&](unsigned) {
        const auto made = to.encapsulate(nullptr);
        EXPECT_EQ(by.decapsulate(made.ciphertext), made.shared_secret);
    });
    constexpr std::size_t count = 64 * thread_count + 1;
    std::vector<ByteString> ciphertexts(count, ByteString(girih_ciphertext_bytes(alg)));
    std::vector<ByteString> sent(count, ByteString(girih_shared_secret_bytes(alg))), received = sent;
    std::vector<EncapsulateRow> sending;
    std::vector<DecapsulateRow> receiving;
    for (std::size_t i = 0; i < count; ++i) {
        sending.push_back(encapsulate_row(pair.public_key, ciphertexts[i], sent[i]));
        receiving.push_back(decapsulate_row(pair.secret_key, ciphertexts[i], received[i]));
        if (i % 2 == 0) continue;
        sending.back().key = to.get();
        receiving.back().key = by.get();
    }
    EXPECT_EQ(encapsulate_many(alg, sending, thread_count), Error::none);
    EXPECT_EQ(decapsulate_many(alg, receiving, thread_count), Error::none);
    EXPECT_EQ(sent, received);
    std::ranges::sort(sent);
    EXPECT_EQ(std::ranges::adjacent_find(sent), sent.end());
}

INSTANTIATE_TEST_SUITE_P(Every, PreparedKeys, testing::Values("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"),
                         EveryAlgorithm::name);

/// The engine is chosen by the first call of a process, whichever it is. (A death test of the style
/// "threadsafe" is a process that has done nothing yet.)
class FirstCallDeathTest : public testing::TestWithParam<const char*> {
  protected:
    FirstCallDeathTest() { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

int call(std::string_view function)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    if (function == "engine") return girih_engine() != nullptr && girih_engine_reason() != nullptr ? 0 : 1;
    if (function == "signing_key_size") return girih_signing_key_size(alg) != 0 ? 0 : 1;
    if (function == "keygen") {
        ByteString public_key(girih_public_key_bytes(alg));
        ByteString secret_key(girih_secret_key_bytes(alg));
        return girih_keygen(alg, nullptr, public_key.data(), public_key.size(), secret_key.data(),
                            secret_key.size());
    }
    return 2;
}

TEST_P(FirstCallDeathTest, IsMadeByAllThreadsAtOnce)
{
    EXPECT_EXIT(
        {
            std::vector<int> results(thread_count, 1);
            at_once([&](unsigned number) { results[number] = call(GetParam()); });
            // The thread sanitizer's verdict is in the exit status as well.
            std::exit(results == std::vector<int>(thread_count, 0) ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(Every, FirstCallDeathTest, testing::Values("engine", "signing_key_size", "keygen"),
                         [](const testing::TestParamInfo<const char*>& function) {
                             return std::string(function.param);
                         });

}  // namespace
}  // namespace girih::test
