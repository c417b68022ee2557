/// Inputs that lie in outputs, and outputs that lie in outputs, of keys and signatures. (Of shared
/// secrets: kem_overlap_test.cpp.)
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/bytes.hpp"
#include "support/overlap.hpp"

namespace {

using namespace girih;
using test::as;
using test::ByteString;
using test::counting_source;
using test::expect_in_place;
using test::InPlace;
using test::input;
using test::output;
using test::Places;
using test::PreparedKey;
using test::Region;
using test::structure;

class InPlaceOfAll : public InPlace {};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfAll,
                         testing::Values("ML-DSA-44", "ML-DSA-87", "Dilithium3", "Falcon-512",
                                         "Falcon-padded-1024", "ML-KEM-512", "ML-KEM-1024", "sntrup761",
                                         "ntrulpr653"),
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

}  // namespace
