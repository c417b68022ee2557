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
#include "support/c_call.hpp"
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
    KeyPair pair = key_pair(alg, ByteString(girih_seed_bytes(alg), 7));
    KeyMemory signing_memory{girih_signing_key_size(alg)};
    KeyMemory verifying_memory{girih_verifying_key_size(alg)};
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;

    explicit SharedKeys(const girih_alg* algorithm) : alg(algorithm)
    {
        EXPECT_EQ(call(girih_prepare_signing_key, alg, pair.secret_key, signing_memory, &signing), GIRIH_OK);
        EXPECT_EQ(call(girih_prepare_verifying_key, alg, pair.public_key, verifying_memory, &verifying),
                  GIRIH_OK);
    }
};

class Signing : public EveryAlgorithm {
  protected:
    SharedKeys keys{alg};
    Repeatable how{alg};
    ByteString message = counting(50);

    /// By sign_with(room, &size), of the length that it has.
    [[nodiscard]] ByteString signed_by(const auto& sign_with) const
    {
        ByteString signature(girih_signature_bytes(alg));
        std::size_t size = 0;
        EXPECT_EQ(sign_with(signature, &size), GIRIH_OK);
        signature.resize(size);
        return signature;
    }
    [[nodiscard]] ByteString signed_with_bytes() const
    {
        return signed_by([&](ByteString& out, std::size_t* size) {
            return call(girih_sign, alg, keys.pair.secret_key, message, &how.options, out, size);
        });
    }
    [[nodiscard]] ByteString signed_with_prepared_key() const
    {
        return signed_by([&](ByteString& out, std::size_t* size) {
            return call(girih_sign_prepared, keys.signing, message, &how.options, out, size);
        });
    }
    [[nodiscard]] int verified_with_prepared_key(const ByteString& signature) const
    {
        return call(girih_verify_prepared, keys.verifying, message, nullptr, signature);
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
        EXPECT_EQ(call(girih_public_key, alg, keys.pair.secret_key, public_key), GIRIH_OK);
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
        sign_rows.push_back(
            row_of<SignRow>(keys.signing, BytesIn<>{}, message, &how.options, signature, std::size_t{0}));
    EXPECT_EQ(sign_many(alg, sign_rows, thread_count), Error::none);

    std::vector<VerifyRow> verify_rows;
    for (std::size_t i = 0; i < count; ++i) {
        signatures[i].resize(sign_rows[i].signature_bytes);
        EXPECT_EQ(signatures[i], expected) << i;
        verify_rows.push_back(row_of<VerifyRow>(i % 2 == 0 ? keys.verifying : nullptr, keys.pair.public_key,
                                                message, nullptr, signatures[i]));
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
        EXPECT_EQ(call(girih_keygen, alg, nullptr, keys[number], secret_key), GIRIH_OK);
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
    std::vector<Encapsulation> made(thread_count);
    at_once([&](unsigned number) {
        made[number] = encapsulate(alg, pair.public_key);
        EXPECT_EQ(decapsulate(alg, pair.secret_key, made[number].ciphertext), made[number].shared_secret);
    });
    // And all threads the same ciphertext.
    at_once([&](unsigned) {
        EXPECT_EQ(decapsulate(alg, pair.secret_key, made[0].ciphertext), made[0].shared_secret);
    });
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

int first_call(std::string_view function)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    if (function == "engine") return girih_engine() != nullptr && girih_engine_reason() != nullptr ? 0 : 1;
    if (function == "signing_key_size") return girih_signing_key_size(alg) != 0 ? 0 : 1;
    if (function == "keygen") {
        ByteString public_key(girih_public_key_bytes(alg));
        ByteString secret_key(girih_secret_key_bytes(alg));
        return call(girih_keygen, alg, nullptr, public_key, secret_key);
    }
    return 2;
}

TEST_P(FirstCallDeathTest, IsMadeByAllThreadsAtOnce)
{
    EXPECT_EXIT(
        {
            std::vector<int> results(thread_count, 1);
            at_once([&](unsigned number) { results[number] = first_call(GetParam()); });
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
