/// Many threads at once give the results of one, and (in a build with -fsanitize=thread) no two of
/// them touch the same memory without order.
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

/// Calls `function(number of the thread)` on every thread, as simultaneously as possible.
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

/// Randomness that is always the same.
constexpr girih_random zeros{[](void*, Byte* out, std::size_t bytes) {
                                 std::fill_n(out, bytes, Byte{0});
                                 return 0;
                             },
                             nullptr, 0};

/// A key pair that all threads use, prepared both ways, and a message that all of them sign alike.
class Signing : public EveryAlgorithm {
  protected:
    const ByteString seed = ByteString(girih_seed_bytes(alg), 7);
    const KeyPair keys = key_pair(alg, seed);
    const ByteString message = counting(50);
    girih_options options{};

    void SetUp() override
    {
        options.deterministic = girih_has_mu(alg);
        options.random = &zeros;
        EXPECT_EQ(call(girih_prepare_signing_key, alg, keys.secret_key, signing_memory_, &signing), GIRIH_OK);
        EXPECT_EQ(call(girih_prepare_verifying_key, alg, keys.public_key, verifying_memory_, &verifying),
                  GIRIH_OK);
    }
    [[nodiscard]] ByteString signature() const
    {
        return signature_by(girih_sign, alg, alg, keys.secret_key, message, &options);
    }

    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;

  private:
    KeyMemory signing_memory_{girih_signing_key_size(alg)};
    KeyMemory verifying_memory_{girih_verifying_key_size(alg)};
};

TEST_P(Signing, SharesKeysBetweenThreads)
{
    const ByteString expected = signature();
    at_once([&](unsigned) {
        EXPECT_EQ(signature(), expected);
        EXPECT_EQ(signature_by(girih_sign_prepared, alg, signing, message, &options), expected);
        EXPECT_EQ(verify(alg, keys.public_key, message, expected, {}), GIRIH_OK);
        EXPECT_EQ(call(girih_verify_prepared, verifying, message, nullptr, expected), GIRIH_OK);
        ByteString public_key(keys.public_key.size());
        EXPECT_EQ(call(girih_public_key, alg, keys.secret_key, public_key), GIRIH_OK);
        EXPECT_EQ(public_key, keys.public_key);
        EXPECT_EQ(key_pair(alg, seed), keys);
    });
}

TEST_P(Signing, SpreadsBatchesOverThreads)
{
    // Parts have 64 rows, so each of the threads gets one.
    constexpr std::size_t count = 64 * thread_count;
    const ByteString expected = signature();
    std::vector<ByteString> signatures(count, ByteString(girih_signature_bytes(alg)));
    std::vector<SignRow> sign_rows;
    for (ByteString& signature : signatures)
        sign_rows.push_back(
            row_of<SignRow>(signing, BytesIn<>{}, message, &options, signature, std::size_t{0}));
    EXPECT_EQ(sign_many(alg, sign_rows, thread_count), Error::none);

    std::vector<VerifyRow> verify_rows;
    for (std::size_t i = 0; i < count; ++i) {
        signatures[i].resize(sign_rows[i].signature_bytes);
        EXPECT_EQ(signatures[i], expected) << i;
        verify_rows.push_back(row_of<VerifyRow>(i % 2 == 0 ? verifying : nullptr, keys.public_key, message,
                                                nullptr, signatures[i]));
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
    std::vector<KeyPair> pairs(count, room_for_keys(alg));
    std::vector<ByteString> seeds;
    std::vector<KeygenRow> rows;
    for (Byte i = 0; i < 4; ++i) seeds.emplace_back(girih_seed_bytes(alg), i);
    for (std::size_t i = 0; i < count; ++i)
        rows.push_back(keygen_row(pairs[i].public_key, pairs[i].secret_key, seeds[i % 4]));
    EXPECT_EQ(keygen_many(alg, rows, thread_count), Error::none);
    for (std::size_t i = 0; i < 4; ++i) {
        const KeyPair alone = key_pair(alg, seeds[i]);
        for (std::size_t j = i; j < count; j += 4) EXPECT_EQ(pairs[j], alone) << j;
    }
}

TEST_P(Keys, OfTheSystemsRandomnessAreDifferentOnEveryThread)
{
    std::vector<ByteString> keys(thread_count);
    at_once([&](unsigned number) {
        keys[number] = keys_by(girih_keygen, alg, static_cast<const girih_random*>(nullptr)).public_key;
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

/// The first call of a process chooses the engine, whichever call it is. (A death test of the style
/// "threadsafe" is a process that has done nothing yet.)
class FirstCallDeathTest : public testing::TestWithParam<const char*> {
  protected:
    FirstCallDeathTest() { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

/// Whether it did what it should.
bool call_first(std::string_view function)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    if (function == "engine") return girih_engine() != nullptr && girih_engine_reason() != nullptr;
    if (function == "signing_key_size") return girih_signing_key_size(alg) != 0;
    auto [public_key, secret_key] = room_for_keys(alg);
    return call(girih_keygen, alg, nullptr, public_key, secret_key) == GIRIH_OK;
}

TEST_P(FirstCallDeathTest, IsMadeByAllThreadsAtOnce)
{
    EXPECT_EXIT(
        {
            std::atomic<unsigned> good{0};
            at_once([&](unsigned) { good += call_first(GetParam()) ? 1U : 0U; });
            // The thread sanitizer's verdict is in the exit status as well.
            std::exit(good == thread_count ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(Every, FirstCallDeathTest, testing::Values("engine", "signing_key_size", "keygen"),
                         [](const auto& function) { return std::string(function.param); });

}  // namespace
}  // namespace girih::test
