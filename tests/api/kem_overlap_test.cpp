/// Inputs that lie in outputs, and outputs that lie in outputs, of key encapsulation: by itself,
/// with prepared keys, and in batches.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/kems.hpp"
#include "support/overlap.hpp"
#include "support/prepared_kem_keys.hpp"

namespace {

using namespace girih;
using test::as;
using test::ByteString;
using test::counting_source;
using test::expect_in_place;
using test::input;
using test::output;
using test::Places;
using test::Region;
using test::structure;

class InPlaceOfKems : public test::InPlace {
  public:
    const std::size_t ciphertext_bytes = girih_ciphertext_bytes(alg);
    const std::size_t secret_bytes = girih_shared_secret_bytes(alg);
    const test::Encapsulation made = test::encapsulate(alg, keys.public_key, &counting_source);

    /// What encapsulation reads and writes, but for the key.
    [[nodiscard]] std::vector<Region> encapsulation_regions() const
    {
        return {structure("random", counting_source), output("ciphertext", ciphertext_bytes),
                output("shared secret", secret_bytes)};
    }
    [[nodiscard]] std::vector<Region> decapsulation_regions() const
    {
        return {input("ciphertext", made.ciphertext), output("shared secret", secret_bytes)};
    }
    static std::vector<Region> with(std::vector<Region> regions, Region key)
    {
        regions.push_back(std::move(key));
        return regions;
    }
    /// What decapsulation gave, if it did.
    [[nodiscard]] int expect_secret(int error, const Byte* secret) const
    {
        if (error == GIRIH_OK) {
            EXPECT_TRUE(std::equal(made.shared_secret.begin(), made.shared_secret.end(), secret));
        }
        return error;
    }
    template <class Row>
    static int result_of(int (*many)(const girih_alg*, Row*, std::size_t), const girih_alg* alg, Row row)
    {
        const int error = many(alg, &row, 1);
        EXPECT_EQ(row.result, error);
        return error;
    }
};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfKems,
                         testing::Values("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "sntrup761",
                                         "ntrulpr1277"),
                         test::EveryAlgorithm::name);

TEST_P(InPlaceOfKems, SecretsComeAndGo)
{
    expect_in_place(
        {with(encapsulation_regions(), input("public key", keys.public_key)), [&](const Places& at) {
             return girih_encapsulate(alg, as<girih_random>(at[0]), at[3], pk_bytes, at[1], ciphertext_bytes,
                                      at[2], secret_bytes);
         }});
    expect_in_place(
        {with(decapsulation_regions(), input("secret key", keys.secret_key)), [&](const Places& at) {
             return expect_secret(
                 girih_decapsulate(alg, at[2], sk_bytes, at[0], ciphertext_bytes, at[1], secret_bytes),
                 at[1]);
         }});
}

TEST_P(InPlaceOfKems, SecretsComeAndGoInBatches)
{
    expect_in_place(
        {with(encapsulation_regions(), input("public key", keys.public_key)), [&](const Places& at) {
             return result_of(girih_encapsulate_many, alg,
                              {nullptr, at[3], pk_bytes, as<girih_random>(at[0]), at[1], ciphertext_bytes,
                               at[2], secret_bytes, 1});
         }});
    expect_in_place(
        {with(decapsulation_regions(), input("secret key", keys.secret_key)), [&](const Places& at) {
             return expect_secret(
                 result_of(girih_decapsulate_many, alg,
                           {nullptr, at[2], sk_bytes, at[0], ciphertext_bytes, at[1], secret_bytes, 1}),
                 at[1]);
         }});
}

TEST_P(InPlaceOfKems, NoSecretGoesIntoTheRowsOfItsBatch)
{
    std::vector<girih_encapsulate_row> sending(2 + ciphertext_bytes / sizeof(girih_encapsulate_row));
    std::vector<girih_decapsulate_row> receiving(2);
    ByteString ciphertext(ciphertext_bytes, 0xEE), secret(secret_bytes, 0xEE);
    const girih_encapsulate_row good{nullptr,          keys.public_key.data(), pk_bytes,
                                     &counting_source, ciphertext.data(),      ciphertext_bytes,
                                     secret.data(),    secret_bytes,           1};
    auto* const rows = reinterpret_cast<Byte*>(sending.data());
    for (const bool is_ciphertext : {false, true}) {
        const std::size_t bytes = is_ciphertext ? ciphertext_bytes : secret_bytes;
        for (Byte* const place : {rows, rows + 8, rows + 1 - bytes}) {
            sending[0] = good;
            (is_ciphertext ? sending[0].ciphertext : sending[0].shared_secret) = place;
            EXPECT_EQ(girih_encapsulate_many(alg, sending.data(), 1), GIRIH_ERROR_OVERLAP);
            EXPECT_EQ(sending[0].result, GIRIH_ERROR_OVERLAP);
            EXPECT_EQ(sending[0].public_key, keys.public_key.data()) << "the rows are what they were";
        }
    }
    EXPECT_EQ(ciphertext, ByteString(ciphertext_bytes, 0xEE)) << "and so is the row's other output";
    for (const std::size_t distance : {std::size_t{0}, std::size_t{8}}) {
        Byte* const place = reinterpret_cast<Byte*>(receiving.data()) + distance;
        receiving[0] = {nullptr, keys.secret_key.data(), sk_bytes, made.ciphertext.data(), ciphertext_bytes,
                        place,   secret_bytes,           1};
        EXPECT_EQ(girih_decapsulate_many(alg, receiving.data(), 1), GIRIH_ERROR_OVERLAP);
        EXPECT_EQ(receiving[0].secret_key, keys.secret_key.data());
    }
    sending[0] = good;
    EXPECT_EQ(girih_encapsulate_many(alg, sending.data(), 1), GIRIH_OK);
    EXPECT_EQ(secret, made.shared_secret);
}

class InPlaceOfPreparedKems : public InPlaceOfKems {
  public:
    const std::size_t encapsulation_key_bytes = girih_encapsulation_key_size(alg);
    const std::size_t decapsulation_key_bytes = girih_decapsulation_key_size(alg);

    /// Where a key stands: the library writes there if it is told to.
    static Byte* place_of(const void* key) { return static_cast<Byte*>(const_cast<void*>(key)); }
};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfPreparedKems,
                         testing::Values("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"),
                         test::EveryAlgorithm::name);

TEST_P(InPlaceOfPreparedKems, SecretsComeAndGo)
{
    const test::PreparedEncapsulationKey to{alg, keys.public_key};
    const test::PreparedDecapsulationKey by{alg, keys.secret_key};
    expect_in_place({encapsulation_regions(), [&](const Places& at) {
                         return girih_encapsulate_prepared(to.get(), as<girih_random>(at[0]), at[1],
                                                           ciphertext_bytes, at[2], secret_bytes);
                     }});
    expect_in_place(
        {decapsulation_regions(), [&](const Places& at) {
             return expect_secret(
                 girih_decapsulate_prepared(by.get(), at[0], ciphertext_bytes, at[1], secret_bytes), at[1]);
         }});
}

TEST_P(InPlaceOfPreparedKems, SecretsComeAndGoInBatches)
{
    const test::PreparedEncapsulationKey to{alg, keys.public_key};
    const test::PreparedDecapsulationKey by{alg, keys.secret_key};
    expect_in_place({encapsulation_regions(), [&](const Places& at) {
                         return result_of(girih_encapsulate_many, alg,
                                          {to.get(), nullptr, 0, as<girih_random>(at[0]), at[1],
                                           ciphertext_bytes, at[2], secret_bytes, 1});
                     }});
    expect_in_place({decapsulation_regions(), [&](const Places& at) {
                         return expect_secret(result_of(girih_decapsulate_many, alg,
                                                        {by.get(), nullptr, 0, at[0], ciphertext_bytes, at[1],
                                                         secret_bytes, 1}),
                                              at[1]);
                     }});
}

TEST_P(InPlaceOfPreparedKems, AKeyMayBeOverwrittenByWhatItMakes)
{
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, encapsulation_key_bytes - ciphertext_bytes})
        for (const bool is_ciphertext : {false, true}) {
            test::PreparedEncapsulationKey to{alg, keys.public_key};
            ByteString ciphertext(ciphertext_bytes), secret(secret_bytes);
            Byte* const place = place_of(to.get()) + at;
            EXPECT_EQ(girih_encapsulate_prepared(to.get(), &counting_source,
                                                 is_ciphertext ? place : ciphertext.data(), ciphertext_bytes,
                                                 is_ciphertext ? secret.data() : place, secret_bytes),
                      GIRIH_OK);
            std::copy_n(place, is_ciphertext ? ciphertext_bytes : secret_bytes,
                        (is_ciphertext ? ciphertext : secret).begin());
            EXPECT_EQ(ciphertext, made.ciphertext);
            EXPECT_EQ(secret, made.shared_secret);
        }
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, decapsulation_key_bytes - secret_bytes}) {
        // Not to be wiped: it is no key any more.
        const test::PreparedMemory memory{decapsulation_key_bytes};
        girih_decapsulation_key* by = nullptr;
        ASSERT_EQ(girih_prepare_decapsulation_key(alg, keys.secret_key.data(), sk_bytes, memory.data(),
                                                  memory.size(), &by),
                  GIRIH_OK);
        Byte* const place = place_of(by) + at;
        EXPECT_EQ(expect_secret(girih_decapsulate_prepared(by, made.ciphertext.data(), ciphertext_bytes,
                                                           place, secret_bytes),
                                place),
                  GIRIH_OK);
    }
}

/// In a batch other rows may have the same key.
TEST_P(InPlaceOfPreparedKems, NoSecretGoesIntoAKeyOfItsBatch)
{
    const test::PreparedEncapsulationKey to{alg, keys.public_key};
    const test::PreparedDecapsulationKey by{alg, keys.secret_key};
    ByteString ciphertext(ciphertext_bytes), secret(secret_bytes);
    const auto send = [&](Byte* ciphertext_place, Byte* secret_place) {
        return result_of(girih_encapsulate_many, alg,
                         {to.get(), nullptr, 0, &counting_source, ciphertext_place, ciphertext_bytes,
                          secret_place, secret_bytes, 1});
    };
    const auto receive = [&](Byte* secret_place) {
        return result_of(
            girih_decapsulate_many, alg,
            {by.get(), nullptr, 0, made.ciphertext.data(), ciphertext_bytes, secret_place, secret_bytes, 1});
    };
    auto* const to_begin = place_of(to.get());
    auto* const by_begin = place_of(by.get());
    for (Byte* const place : {to_begin, to_begin + encapsulation_key_bytes - 1}) {
        EXPECT_EQ(send(place, secret.data()), GIRIH_ERROR_OVERLAP);
        EXPECT_EQ(send(ciphertext.data(), place), GIRIH_ERROR_OVERLAP);
    }
    EXPECT_EQ(send(ciphertext.data(), to_begin - secret_bytes + 1), GIRIH_ERROR_OVERLAP);
    for (Byte* const place : {by_begin, by_begin + decapsulation_key_bytes - 1, by_begin - secret_bytes + 1})
        EXPECT_EQ(receive(place), GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(send(ciphertext.data(), secret.data()), GIRIH_OK) << "the keys were left alone";
    EXPECT_EQ(secret, made.shared_secret);
    EXPECT_EQ(receive(secret.data()), GIRIH_OK);
    EXPECT_EQ(secret, made.shared_secret);
}

TEST_P(InPlaceOfPreparedKems, AKeyIsPreparedInMemoryThatItLiesIn)
{
    ByteString ciphertext(ciphertext_bytes), secret(secret_bytes);
    const auto nothing = [](const Region&, const Byte*) { return ByteString{}; };
    expect_in_place({{input("public key", keys.public_key),
                      output("memory", encapsulation_key_bytes, GIRIH_PREPARED_ALIGNMENT),
                      output("key", sizeof(void*), alignof(void*))},
                     [&](const Places& at) {
                         auto* const key = as<girih_encapsulation_key*>(at[2]);
                         const int error = girih_prepare_encapsulation_key(alg, at[0], pk_bytes, at[1],
                                                                           encapsulation_key_bytes, key);
                         if (error != GIRIH_OK) return error;
                         const int made_error =
                             girih_encapsulate_prepared(*key, &counting_source, ciphertext.data(),
                                                        ciphertext_bytes, secret.data(), secret_bytes);
                         EXPECT_EQ(ciphertext, made.ciphertext);
                         return made_error;
                     },
                     nothing});
    expect_in_place(
        {{input("secret key", keys.secret_key),
          output("memory", decapsulation_key_bytes, GIRIH_PREPARED_ALIGNMENT),
          output("key", sizeof(void*), alignof(void*))},
         [&](const Places& at) {
             auto* const key = as<girih_decapsulation_key*>(at[2]);
             const int error =
                 girih_prepare_decapsulation_key(alg, at[0], sk_bytes, at[1], decapsulation_key_bytes, key);
             if (error != GIRIH_OK) return error;
             return expect_secret(girih_decapsulate_prepared(*key, made.ciphertext.data(), ciphertext_bytes,
                                                             secret.data(), secret_bytes),
                                  secret.data());
         },
         nothing});
}

}  // namespace
