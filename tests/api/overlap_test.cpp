/// Inputs that lie in outputs: every pair of every function, wholly, in part, and by one byte. And
/// outputs that lie in outputs, which nothing can be written to.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

/// A piece of memory that a function reads or writes.
struct Region {
    std::string name;
    ByteString content;  ///< of an input
    std::size_t size;    ///< at least as long as the content
    bool is_output = false;
    std::size_t alignment = 1;  ///< of a structure, a length or a pointer
};

Region input(std::string name, ByteString content, std::size_t alignment = 1)
{
    const std::size_t size = content.size();
    return {std::move(name), std::move(content), size, false, alignment};
}
Region output(std::string name, std::size_t size, std::size_t alignment = 1)
{
    return {std::move(name), {}, size, true, alignment};
}
template <class T>
Region structure(std::string name, const T& object)
{
    ByteString bytes(sizeof object);
    std::memcpy(bytes.data(), &object, sizeof object);
    return input(std::move(name), std::move(bytes), alignof(T));
}

/// Where the regions are, in their order.
using Places = std::vector<Byte*>;

/// A function under test: its regions, and a call of it with all of them in their places.
struct Function {
    std::vector<Region> regions;
    std::function<int(const Places&)> call;
    /// What an output is worth comparing of; by default all.
    std::function<ByteString(const Region&, const Byte*)> visible =
        [](const Region& region, const Byte* place) { return ByteString(place, place + region.size); };
};

/// Memory with room for all regions, each 4 KB from the next, which are filled as if
/// nothing had run yet.
class Arena {
  public:
    explicit Arena(const std::vector<Region>& regions) : regions_(regions)
    {
        std::size_t bytes = 64;
        for (const Region& region : regions) {
            offsets_.push_back(bytes);
            bytes += (region.size + 4096 + 63) / 64 * 64;
        }
        memory_.resize(bytes + 4096 + 64);
    }

    /// Region i at that distance from region j.
    void move(std::size_t i, std::size_t j, std::ptrdiff_t distance)
    {
        offsets_[i] = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(offsets_[j]) + distance);
    }

    Places places()
    {
        Byte* const base = memory_.data() + (64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64) % 64;
        Places places;
        for (const std::size_t offset : offsets_) places.push_back(base + offset);
        std::fill(memory_.begin(), memory_.end(), Byte{0xEE});
        for (std::size_t i = 0; i < regions_.size(); ++i)
            std::copy(regions_[i].content.begin(), regions_[i].content.end(), places[i]);
        return places;
    }
    [[nodiscard]] const ByteString& memory() const { return memory_; }

  private:
    const std::vector<Region>& regions_;
    std::vector<std::size_t> offsets_;
    ByteString memory_;
};

/// How far from a region of `b` bytes one of `a` bytes begins where they share all they can, a
/// part, or one byte.
std::vector<std::ptrdiff_t> distances(const Region& a, const Region& b)
{
    const auto a_bytes = static_cast<std::ptrdiff_t>(a.size);
    const auto b_bytes = static_cast<std::ptrdiff_t>(b.size);
    const auto step = static_cast<std::ptrdiff_t>(std::max(a.alignment, b.alignment));
    std::vector<std::ptrdiff_t> found{0,           b_bytes - a_bytes, b_bytes / 2, -a_bytes / 2,
                                      b_bytes - 1, 1 - a_bytes};
    for (std::ptrdiff_t& distance : found) distance = distance / step * step;
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase_if(found, [&](std::ptrdiff_t d) { return d >= b_bytes || d <= -a_bytes || d < -4000; });
    return found;
}

void expect_in_place(const Function& function)
{
    const auto outputs_of = [&](const Places& places, std::size_t but) {
        std::vector<ByteString> outputs;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (function.regions[i].is_output && i != but)
                outputs.push_back(function.visible(function.regions[i], places[i]));
        return outputs;
    };
    const auto none = function.regions.size();
    Arena apart{function.regions};
    const Places usual = apart.places();
    ASSERT_EQ(function.call(usual), GIRIH_OK);
    const auto expected = outputs_of(usual, none);
    std::size_t tried = 0;
    for (std::size_t i = 0; i < function.regions.size(); ++i)
        for (std::size_t j = 0; j < function.regions.size(); ++j) {
            const Region& a = function.regions[i];
            const Region& b = function.regions[j];
            if (i == j || !b.is_output || (a.is_output && j < i)) continue;
            for (const std::ptrdiff_t distance : distances(a, b)) {
                Arena arena{function.regions};
                arena.move(i, j, distance);
                const Places places = arena.places();
                const ByteString before = arena.memory();
                const std::string what = a.name + " at " + std::to_string(distance) + " in " + b.name;
                if (a.is_output) {
                    EXPECT_EQ(function.call(places), GIRIH_ERROR_OVERLAP) << what;
                    EXPECT_EQ(arena.memory(), before) << what;
                } else {
                    EXPECT_EQ(function.call(places), GIRIH_OK) << what;
                    EXPECT_EQ(outputs_of(places, none), expected) << what;
                }
                ++tried;
            }
        }
    EXPECT_GT(tried, 0U);
}

template <class T>
T* as(Byte* place)
{
    return reinterpret_cast<T*>(place);
}

/// Bytes without end that are the same in every call.
int fill_counting(void*, std::uint8_t* out, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(7 * i + 1);
    return 0;
}
constexpr girih_random counting_source{fill_counting, nullptr, 0};

class InPlace : public test::EveryAlgorithm {
  public:
    const std::size_t pk_bytes = girih_public_key_bytes(alg);
    const std::size_t sk_bytes = girih_secret_key_bytes(alg);
    const std::size_t signature_bytes = girih_signature_bytes(alg);
    const ByteString seed = test::counting(girih_seed_bytes(alg));
    const test::KeyPair keys = test::key_pair(alg, seed);
    const ByteString message = test::counting(200, 3);

    /// Region 0 of a function that signs: its options, with counted randomness.
    [[nodiscard]] static Region options(const girih_random* random)
    {
        girih_options made{};
        made.random = random;
        return structure("options", made);
    }
};

class InPlaceOfAll : public InPlace {};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfAll,
                         testing::Values("ML-DSA-44", "ML-DSA-87", "Dilithium3", "Falcon-512",
                                         "Falcon-padded-1024", "sntrup761", "ntrulpr653"),
                         test::EveryAlgorithm::name);

TEST_P(InPlaceOfAll, AKeyIsMadeFromASeedInIt)
{
    expect_in_place({{input("seed", seed), output("public key", pk_bytes), output("secret key", sk_bytes)},
                     [&](const Places& at) {
                         return girih_keygen_from_seed(alg, at[0], seed.size(), at[1], pk_bytes, at[2],
                                                       sk_bytes);
                     }});
}

TEST_P(InPlaceOfAll, AKeyIsMadeFromASourceInIt)
{
    for (const bool is_checked : {false, true})
        expect_in_place({{structure("random", counting_source), output("public key", pk_bytes),
                          output("secret key", sk_bytes)},
                         [&](const Places& at) {
                             const auto keygen = is_checked ? girih_keygen_checked : girih_keygen;
                             return keygen(alg, as<girih_random>(at[0]), at[1], pk_bytes, at[2], sk_bytes);
                         }});
}

TEST_P(InPlaceOfAll, APublicKeyReplacesItsSecretKey)
{
    expect_in_place(
        {{input("secret key", keys.secret_key), output("public key", pk_bytes)},
         [&](const Places& at) { return girih_public_key(alg, at[0], sk_bytes, at[1], pk_bytes); }});
}

TEST_P(InPlaceOfAll, ARowsKeyIsMadeFromASeedInIt)
{
    expect_in_place({{input("seed", seed), output("public key", pk_bytes), output("secret key", sk_bytes)},
                     [&](const Places& at) {
                         girih_keygen_row row{at[0],    seed.size(), nullptr,  at[1],
                                              pk_bytes, at[2],       sk_bytes, 1};
                         const int error = girih_keygen_many(alg, &row, 1);
                         EXPECT_EQ(row.result, error);
                         return error;
                     }});
}

class InPlaceOfSignatures : public InPlace {
  public:
    /// Only the first bytes of a signature's place, as many as `length` says, and the
    /// zeros behind them.
    [[nodiscard]] std::vector<Region> signing_regions() const
    {
        return {options(&counting_source), input("secret key", keys.secret_key), input("message", message),
                output("signature", signature_bytes + 5),
                output("length", sizeof(std::size_t), alignof(std::size_t))};
    }
};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfSignatures,
                         testing::Values("ML-DSA-44", "ML-DSA-65", "Dilithium5", "Falcon-512",
                                         "Falcon-CT-1024"),
                         test::EveryAlgorithm::name);

TEST_P(InPlaceOfSignatures, AMessageIsSignedInIt)
{
    expect_in_place({signing_regions(), [&](const Places& at) {
                         return girih_sign(alg, at[1], sk_bytes, at[2], message.size(),
                                           as<girih_options>(at[0]), at[3], signature_bytes + 5,
                                           as<std::size_t>(at[4]));
                     }});
}

/// A prepared signing key in memory of its own.
class PreparedKey {
  public:
    PreparedKey(const girih_alg* alg, BytesIn<> secret_key)
        : memory_(girih_signing_key_size(alg) / sizeof(Line))
    {
        EXPECT_EQ(girih_prepare_signing_key(alg, secret_key.data(), secret_key.size(), memory_.data(),
                                            memory_.size() * sizeof(Line), &key_),
                  GIRIH_OK);
    }
    [[nodiscard]] girih_signing_key* get() const { return key_; }

  private:
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        Byte bytes[GIRIH_PREPARED_ALIGNMENT];
    };
    std::vector<Line> memory_;
    girih_signing_key* key_ = nullptr;
};

TEST_P(InPlaceOfSignatures, AMessageIsSignedInItByAPreparedKey)
{
    const PreparedKey key{alg, keys.secret_key};
    std::vector<Region> regions = signing_regions();
    regions.erase(regions.begin() + 1);
    expect_in_place({regions, [&](const Places& at) {
                         return girih_sign_prepared(key.get(), at[1], message.size(),
                                                    as<girih_options>(at[0]), at[2], signature_bytes + 5,
                                                    as<std::size_t>(at[3]));
                     }});
}

TEST_P(InPlaceOfSignatures, AMessageIsSignedInItInABatch)
{
    const PreparedKey key{alg, keys.secret_key};
    std::vector<Region> regions = signing_regions();
    regions.pop_back();  // a row has a length of its own
    for (const bool is_prepared : {true, false})
        for (const int verify : {0, 1})
            expect_in_place({regions, [&](const Places& at) {
                                 as<girih_options>(at[0])->verify_after_sign = verify;
                                 girih_sign_row row{is_prepared ? key.get() : nullptr,
                                                    at[1],
                                                    sk_bytes,
                                                    at[2],
                                                    message.size(),
                                                    as<girih_options>(at[0]),
                                                    at[3],
                                                    signature_bytes + 5,
                                                    1,
                                                    1};
                                 const int error = girih_sign_many(alg, &row, 1);
                                 EXPECT_EQ(row.result, error);
                                 return error;
                             }});
}

TEST_P(InPlaceOfSignatures, NoSignatureGoesIntoAKeyOrTheRowsOfItsBatch)
{
    const PreparedKey key{alg, keys.secret_key};
    const auto into = [&](Byte* place, girih_sign_row& row) {
        row = {key.get(), nullptr, 0, message.data(), message.size(), nullptr, place, signature_bytes, 1, 1};
        return girih_sign_many(alg, &row, 1);
    };
    std::vector<girih_sign_row> rows(2 + signature_bytes / sizeof(girih_sign_row));
    EXPECT_EQ(into(reinterpret_cast<Byte*>(key.get()), rows[0]), GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(rows[0].result, GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(into(reinterpret_cast<Byte*>(key.get()) + girih_signing_key_size(alg) - 1, rows[0]),
              GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(into(reinterpret_cast<Byte*>(&rows[0]), rows[0]), GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(into(reinterpret_cast<Byte*>(&rows[0]) - signature_bytes + 1, rows[0]), GIRIH_ERROR_OVERLAP);
    ByteString signature(signature_bytes);
    EXPECT_EQ(into(signature.data(), rows[0]), GIRIH_OK) << "the key was left alone";
}

TEST_P(InPlaceOfSignatures, AKeyIsPreparedInMemoryThatItLiesIn)
{
    const std::size_t key_bytes = girih_signing_key_size(alg);
    const std::size_t verifying_bytes = girih_verifying_key_size(alg);
    ByteString signature(signature_bytes);
    std::size_t length = 0;
    girih_options options{};
    options.random = &counting_source;
    const auto nothing = [](const Region&, const Byte*) { return ByteString{}; };
    expect_in_place(
        {{input("secret key", keys.secret_key), output("memory", key_bytes, GIRIH_PREPARED_ALIGNMENT),
          output("key", sizeof(void*), alignof(void*))},
         [&](const Places& at) {
             auto* const key = as<girih_signing_key*>(at[2]);
             const int error = girih_prepare_signing_key(alg, at[0], sk_bytes, at[1], key_bytes, key);
             if (error != GIRIH_OK) return error;
             return girih_sign_prepared(*key, message.data(), message.size(), &options, signature.data(),
                                        signature.size(), &length);
         },
         nothing});
    signature.resize(length);
    expect_in_place(
        {{input("public key", keys.public_key), output("memory", verifying_bytes, GIRIH_PREPARED_ALIGNMENT),
          output("key", sizeof(void*), alignof(void*))},
         [&](const Places& at) {
             auto* const key = as<girih_verifying_key*>(at[2]);
             const int error = girih_prepare_verifying_key(alg, at[0], pk_bytes, at[1], verifying_bytes, key);
             if (error != GIRIH_OK) return error;
             return girih_verify_prepared(*key, message.data(), message.size(), nullptr, signature.data(),
                                          signature.size());
         },
         nothing});
}

// ---- Messages in pieces

class InPlaceOfMu : public InPlace {
  public:
    const ByteString context = test::counting(100);
    const ByteString mu = test::counting(GIRIH_MU_BYTES);

    /// Of a message's storage nothing is worth comparing: what it leads to is.
    static ByteString but_storage(const Region& region, const Byte* place)
    {
        return region.name == "storage" ? ByteString{} : ByteString(place, place + region.size);
    }
    static Region storage() { return output("storage", sizeof(girih_message), alignof(girih_message)); }
};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfMu, testing::Values("ML-DSA-44", "ML-DSA-87"),
                         test::EveryAlgorithm::name);

TEST_P(InPlaceOfMu, ARepresentativeIsSignedInIt)
{
    const PreparedKey key{alg, keys.secret_key};
    const std::vector<Region> regions{options(&counting_source), input("secret key", keys.secret_key),
                                      input("mu", mu), output("signature", signature_bytes),
                                      output("length", sizeof(std::size_t), alignof(std::size_t))};
    expect_in_place({regions, [&](const Places& at) {
                         return girih_sign_mu(alg, at[1], sk_bytes, at[2], mu.size(),
                                              as<girih_options>(at[0]), at[3], signature_bytes,
                                              as<std::size_t>(at[4]));
                     }});
    expect_in_place({regions, [&](const Places& at) {
                         return girih_sign_mu_prepared(key.get(), at[2], mu.size(), as<girih_options>(at[0]),
                                                       at[3], signature_bytes, as<std::size_t>(at[4]));
                     }});
}

TEST_P(InPlaceOfMu, AContextAndAPreHashAreReadBeforeTheSignatureIsWritten)
{
    const ByteString name{'S', 'H', 'A', '3', '-', '5', '1', '2', 0};
    expect_in_place({{input("secret key", keys.secret_key), input("context", context),
                      input("pre-hash", name), output("signature", signature_bytes)},
                     [&](const Places& at) {
                         const girih_options options{
                             at[1], context.size(), reinterpret_cast<const char*>(at[2]), 1, nullptr, 0};
                         std::size_t length = 0;
                         return girih_sign(alg, at[0], sk_bytes, message.data(), message.size(), &options,
                                           at[3], signature_bytes, &length);
                     }});
}

TEST_P(InPlaceOfMu, AMessageIsBegunAndEndedInItsStorage)
{
    for (const bool is_secret : {false, true}) {
        const ByteString& key = is_secret ? keys.secret_key : keys.public_key;
        ByteString mu_of(GIRIH_MU_BYTES);
        Function function{{input("key", key), input("context", context), storage()},
                          [&](const Places& at) {
                              const girih_options options{at[1], context.size(), nullptr, 1, nullptr, 0};
                              const auto begin = is_secret ? girih_message_begin_secret : girih_message_begin;
                              auto* const message_state = as<girih_message>(at[2]);
                              const int error = begin(message_state, alg, at[0], key.size(), &options);
                              if (error != GIRIH_OK) return error;
                              EXPECT_EQ(girih_message_update(message_state, message.data(), 100), GIRIH_OK);
                              const ByteString previous = mu_of;
                              EXPECT_EQ(girih_message_mu(message_state, mu_of.data(), mu_of.size()),
                                        GIRIH_OK);
                              EXPECT_TRUE(test::is_zero(previous) || previous == mu_of);
                              return int{GIRIH_OK};
                          },
                          but_storage};
        expect_in_place(function);

        girih_message state;
        for (const std::size_t at : {0UL, 8UL, sizeof state - GIRIH_MU_BYTES}) {
            ASSERT_EQ(girih_message_begin(&state, alg, keys.public_key.data(), pk_bytes, nullptr), GIRIH_OK);
            girih_message copy = state;
            Byte* const inside = reinterpret_cast<Byte*>(&state) + at;
            ASSERT_EQ(girih_message_mu(&state, inside, GIRIH_MU_BYTES), GIRIH_OK);
            ASSERT_EQ(girih_message_mu(&copy, mu_of.data(), mu_of.size()), GIRIH_OK);
            EXPECT_EQ(ByteString(inside, inside + GIRIH_MU_BYTES), mu_of);

            ASSERT_EQ(girih_message_begin(&state, alg, keys.public_key.data(), pk_bytes, nullptr), GIRIH_OK);
            EXPECT_EQ(girih_message_mu(&state, inside, GIRIH_MU_BYTES - 1), GIRIH_ERROR_LENGTH);
            EXPECT_EQ(girih_message_update(&state, message.data(), 1), GIRIH_ERROR_ARGUMENT)
                << "what was zeroed in part is no message";
        }
    }
}

TEST_P(InPlaceOfMu, APieceOfAMessageIsNotItsStorage)
{
    girih_message state;
    ASSERT_EQ(girih_message_begin(&state, alg, keys.public_key.data(), pk_bytes, nullptr), GIRIH_OK);
    const girih_message before = state;
    const auto* const inside = reinterpret_cast<const Byte*>(&state);
    EXPECT_EQ(girih_message_update(&state, inside, sizeof state), GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(girih_message_update(&state, inside + sizeof state - 1, 2), GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(girih_message_update(&state, inside - 1, 2), GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(std::memcmp(&state, &before, sizeof state), 0);
    EXPECT_EQ(girih_message_update(&state, inside, 0), GIRIH_OK);
}

// ---- Falcon's messages

class InPlaceOfFalcon : public InPlace {};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfFalcon, testing::Values("Falcon-512", "Falcon-1024"),
                         test::EveryAlgorithm::name);

TEST_P(InPlaceOfFalcon, AMessageInPiecesIsSignedAndVerifiedInItsStorage)
{
    expect_in_place(
        {{options(&counting_source), input("secret key", keys.secret_key),
          output("signature", signature_bytes), output("length", sizeof(std::size_t), alignof(std::size_t))},
         [&](const Places& at) {
             girih_message state;
             EXPECT_EQ(girih_message_begin_signing(&state, alg, as<girih_options>(at[0])), GIRIH_OK);
             EXPECT_EQ(girih_message_update(&state, message.data(), message.size()), GIRIH_OK);
             return girih_message_sign(&state, at[1], sk_bytes, as<girih_options>(at[0]), at[2],
                                       signature_bytes, as<std::size_t>(at[3]));
         }});
    girih_options given{};
    given.random = &counting_source;
    ByteString signature(signature_bytes);
    std::size_t length = 0;
    // The signature over the storage that it is made from, and the options in it.
    alignas(girih_message) std::array<Byte, sizeof(girih_message) + 2000> memory{};
    auto* const state = reinterpret_cast<girih_message*>(memory.data());
    std::memcpy(memory.data(), &given, sizeof given);
    ASSERT_EQ(girih_message_begin_signing(state, alg, reinterpret_cast<const girih_options*>(memory.data())),
              GIRIH_OK);
    girih_message copy = *state;
    for (girih_message* each : {state, &copy})
        ASSERT_EQ(girih_message_update(each, message.data(), message.size()), GIRIH_OK);
    ASSERT_EQ(girih_message_sign(&copy, keys.secret_key.data(), sk_bytes, nullptr, signature.data(),
                                 signature_bytes, &length),
              GIRIH_OK);
    std::size_t length_in_place = 0;
    ASSERT_EQ(girih_message_sign(state, keys.secret_key.data(), sk_bytes, nullptr, memory.data(),
                                 signature_bytes, &length_in_place),
              GIRIH_OK);
    EXPECT_EQ(length_in_place, length);
    EXPECT_TRUE(std::equal(signature.begin(), signature.end(), memory.begin()));

    // The signature to be verified, in the storage.
    std::copy(signature.begin(), signature.begin() + static_cast<std::ptrdiff_t>(length), memory.begin());
    ASSERT_EQ(girih_message_begin_verifying(state, alg, memory.data(), length, nullptr), GIRIH_OK);
    ASSERT_EQ(girih_message_update(state, message.data(), message.size()), GIRIH_OK);
    EXPECT_EQ(girih_message_verify(state, keys.public_key.data(), pk_bytes, signature.data(), length),
              GIRIH_OK);
}

TEST_P(InPlaceOfFalcon, SignedMessagesAreMadeAndOpenedInPlace)
{
    const std::size_t most = message.size() + signature_bytes + 2;
    expect_in_place(
        {{options(&counting_source), input("secret key", keys.secret_key), input("message", message),
          output("signed message", most), output("length", sizeof(std::size_t), alignof(std::size_t))},
         [&](const Places& at) {
             return girih_crypto_sign(alg, at[1], sk_bytes, at[2], message.size(), as<girih_options>(at[0]),
                                      at[3], most, as<std::size_t>(at[4]));
         }});
    girih_options given{};
    given.random = &counting_source;
    ByteString signed_message(most);
    std::size_t length = 0;
    ASSERT_EQ(girih_crypto_sign(alg, keys.secret_key.data(), sk_bytes, message.data(), message.size(), &given,
                                signed_message.data(), most, &length),
              GIRIH_OK);
    signed_message.resize(length);
    expect_in_place({{input("public key", keys.public_key), input("signed message", signed_message),
                      output("message", length), output("length", sizeof(std::size_t), alignof(std::size_t))},
                     [&](const Places& at) {
                         const int error = girih_crypto_sign_open(alg, at[0], pk_bytes, at[1], length, at[2],
                                                                  length, as<std::size_t>(at[3]));
                         std::size_t opened = 0;
                         std::memcpy(&opened, at[3], sizeof opened);
                         if (error == GIRIH_OK) {
                             EXPECT_EQ(opened, message.size());
                             EXPECT_TRUE(std::equal(message.begin(), message.end(), at[2]));
                         }
                         return error;
                     }});
}

// ---- Key encapsulation

class InPlaceOfKems : public InPlace {};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfKems, testing::Values("sntrup761", "ntrulpr1277"),
                         test::EveryAlgorithm::name);

TEST_P(InPlaceOfKems, SecretsComeAndGoInPlace)
{
    const std::size_t ciphertext_bytes = girih_ciphertext_bytes(alg);
    const std::size_t secret_bytes = girih_shared_secret_bytes(alg);
    expect_in_place({{structure("random", counting_source), input("public key", keys.public_key),
                      output("ciphertext", ciphertext_bytes), output("shared secret", secret_bytes)},
                     [&](const Places& at) {
                         return girih_encapsulate(alg, as<girih_random>(at[0]), at[1], pk_bytes, at[2],
                                                  ciphertext_bytes, at[3], secret_bytes);
                     }});
    ByteString ciphertext(ciphertext_bytes);
    ByteString secret(secret_bytes);
    ASSERT_EQ(girih_encapsulate(alg, &counting_source, keys.public_key.data(), pk_bytes, ciphertext.data(),
                                ciphertext_bytes, secret.data(), secret_bytes),
              GIRIH_OK);
    expect_in_place({{input("secret key", keys.secret_key), input("ciphertext", ciphertext),
                      output("shared secret", secret_bytes)},
                     [&](const Places& at) {
                         const int error = girih_decapsulate(alg, at[0], sk_bytes, at[1], ciphertext_bytes,
                                                             at[2], secret_bytes);
                         if (error == GIRIH_OK) {
                             EXPECT_TRUE(std::equal(secret.begin(), secret.end(), at[2]));
                         }
                         return error;
                     }});
}

}  // namespace
