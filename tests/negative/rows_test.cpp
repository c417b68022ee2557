/// Rows of batches, prepared keys and sources of randomness that are wrong, of every scheme: each
/// has its error, and leaves its outputs zeroed and the other rows alone.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "support/bytes.hpp"
#include "support/calls.hpp"
#include "support/kems.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::Argument;
using test::ByteString;
using test::Call;

using Arguments = std::vector<Argument>;

int fail(void*, std::uint8_t* out, std::size_t bytes)
{
    std::fill_n(out, bytes, std::uint8_t{0xAB});
    return 1;
}
int give_sevens(void* calls, std::uint8_t* out, std::size_t bytes)
{
    std::fill_n(out, bytes, std::uint8_t{7});
    if (calls != nullptr) ++*static_cast<int*>(calls);
    return 0;
}
constexpr girih_random failing{fail, nullptr, 0};
constexpr girih_random missing{nullptr, nullptr, 0};

// ---- What an algorithm is

TEST(AlgorithmProperties, AreThoseOfItsScheme)
{
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i) {
        const std::string_view name = girih_name(alg);
        const bool is_ml_kem = name.starts_with("ML-KEM");
        const bool is_kem = is_ml_kem || name.find("ntru") != name.npos;
        const bool is_falcon = name.starts_with("Falcon");
        EXPECT_EQ(girih_is_kem(alg), is_kem ? 1 : 0) << name;
        EXPECT_EQ(girih_has_mu(alg), is_kem || is_falcon ? 0 : 1) << name;
        EXPECT_EQ(girih_has_context(alg), name.starts_with("ML-DSA") ? 1 : 0) << name;
        EXPECT_EQ(girih_shared_secret_bytes(alg), is_kem ? 32U : 0U) << name;
        EXPECT_EQ(girih_ciphertext_bytes(alg) != 0, is_kem) << name;
        EXPECT_EQ(girih_signature_bytes(alg) != 0, !is_kem) << name;
        EXPECT_EQ(girih_seed_bytes(alg), is_ml_kem ? 64U : is_falcon ? 48U : 32U) << name;
        EXPECT_EQ(girih_encapsulation_key_size(alg) != 0, is_ml_kem) << name;
        EXPECT_EQ(girih_decapsulation_key_size(alg) != 0, is_ml_kem) << name;
    }
    EXPECT_EQ(girih_is_kem(nullptr), 0);
    EXPECT_EQ(girih_has_mu(nullptr), 0);
    EXPECT_EQ(girih_shared_secret_bytes(nullptr), 0U);
    EXPECT_EQ(girih_ciphertext_bytes(nullptr), 0U);
}

// ---- Key pairs

class KeygenRows : public test::EveryAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, KeygenRows,
                         testing::Values("ML-DSA-44", "Dilithium3", "Falcon-512", "sntrup761", "ntrulpr653"),
                         test::EveryAlgorithm::name);

TEST_P(KeygenRows, AreCheckedOneByOne)
{
    constexpr std::size_t count = 9;
    const ByteString seed = test::counting(girih_seed_bytes(alg), 1);
    const test::KeyPair expected_keys = test::key_pair(alg, seed);
    std::vector<ByteString> pks(count, ByteString(girih_public_key_bytes(alg), 0xEE));
    std::vector<ByteString> sks(count, ByteString(girih_secret_key_bytes(alg), 0xEE));
    std::vector<girih_keygen_row> rows;
    for (std::size_t i = 0; i < count; ++i)
        rows.push_back({seed.data(), seed.size(), nullptr, pks[i].data(), pks[i].size(), sks[i].data(),
                        sks[i].size(), 1});
    std::vector<int> expected(count, GIRIH_OK);
    rows[1].public_key = nullptr;
    expected[1] = GIRIH_ERROR_ARGUMENT;
    rows[2].public_key_bytes -= 1;
    expected[2] = GIRIH_ERROR_LENGTH;
    rows[3].secret_key = nullptr;
    expected[3] = GIRIH_ERROR_ARGUMENT;
    rows[4].secret_key_bytes -= 1;
    expected[4] = GIRIH_ERROR_LENGTH;
    rows[5].seed_bytes -= 1;
    expected[5] = GIRIH_ERROR_LENGTH;
    rows[6].seed = nullptr;
    rows[6].seed_bytes = 0;
    rows[6].random = &failing;
    expected[6] = GIRIH_ERROR_RANDOM;
    rows[7] = rows[6];
    rows[7].random = &missing;
    rows[7].public_key = pks[7].data();
    rows[7].secret_key = sks[7].data();
    expected[7] = GIRIH_ERROR_RANDOM;
    EXPECT_EQ(girih_keygen_many(alg, rows.data(), rows.size()), GIRIH_ERROR_ARGUMENT);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(rows[i].result, expected[i]) << i;
        if (expected[i] == GIRIH_OK) {
            EXPECT_EQ(pks[i], expected_keys.public_key) << i;
            EXPECT_EQ(sks[i], expected_keys.secret_key) << i;
            continue;
        }
        if (rows[i].public_key != nullptr) {
            EXPECT_TRUE(test::is_zero(BytesIn<>{pks[i]}.first(rows[i].public_key_bytes))) << i;
        }
        if (rows[i].secret_key != nullptr) {
            EXPECT_TRUE(test::is_zero(BytesIn<>{sks[i]}.first(rows[i].secret_key_bytes))) << i;
        }
    }
}

TEST_P(KeygenRows, AndKeysByThemselvesHaveTheirArgumentsChecked)
{
    Call call;
    call.output(girih_public_key_bytes(alg)).output(girih_secret_key_bytes(alg));
    for (const int piecewise : {0, 1}) {
        const girih_random good{give_sevens, nullptr, piecewise};
        const girih_random bad{fail, nullptr, piecewise};
        const girih_random none{nullptr, nullptr, piecewise};
        const auto keygen = [&](const girih_alg* of, const girih_random* random) {
            return [of, random](const Arguments& a) {
                return girih_keygen(of, random, a[0].data, a[0].size, a[1].data, a[1].size);
            };
        };
        // (Of equal pieces, Streamlined NTRU Prime's first g would never have a reciprocal.)
        if (piecewise == 0 || girih_is_kem(alg) == 0) call.expect_checks(keygen(alg, &good));
        call.expect_error(GIRIH_ERROR_RANDOM, keygen(alg, &bad), "a source that fails");
        call.expect_error(GIRIH_ERROR_RANDOM, keygen(alg, &none), "a source without a function");
        call.expect_error(GIRIH_ERROR_ARGUMENT, keygen(nullptr, &bad), "no algorithm");
        call.expect_error(GIRIH_ERROR_ARGUMENT, keygen(nullptr, &good), "no algorithm");
    }
    int calls = 0;
    ByteString pk(girih_public_key_bytes(alg));
    ByteString sk(girih_secret_key_bytes(alg), 0xEE);
    for (const int later : {-1, 2, 3}) {  // what a later version may say that its sources are
        const girih_random source{give_sevens, &calls, later};
        EXPECT_EQ(girih_keygen(alg, &source, pk.data(), pk.size(), sk.data(), sk.size()), GIRIH_ERROR_RANDOM);
        EXPECT_TRUE(test::is_zero(sk));
        EXPECT_EQ(calls, 0);
    }
    // Only key encapsulation asks for pieces; the others for one seed.
    const girih_random counted{give_sevens, &calls, 1};
    if (girih_is_kem(alg) == 0) {
        EXPECT_EQ(girih_keygen(alg, &counted, pk.data(), pk.size(), sk.data(), sk.size()), GIRIH_OK);
        EXPECT_EQ(calls, 1);
        EXPECT_EQ(sk, test::key_pair(alg, ByteString(girih_seed_bytes(alg), 7)).secret_key);
    }
}

/// Memory of a prepared key.
struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes{};
};

class KemPieces : public test::EveryAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, KemPieces, testing::Values("sntrup761", "ntrulpr761"),
                         test::EveryAlgorithm::name);

TEST_P(KemPieces, HaveTheArgumentsAroundThemChecked)
{
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    std::uint64_t state = 1;
    const girih_random numbers{[](void* at, std::uint8_t* out, std::size_t bytes) {
                                   auto& x = *static_cast<std::uint64_t*>(at);
                                   for (std::size_t i = 0; i < bytes; ++i) {
                                       x = x * 6364136223846793005U + 1442695040888963407U;
                                       out[i] = static_cast<std::uint8_t>(x >> 56);
                                   }
                                   return 0;
                               },
                               &state, 1};
    Call keygen;
    keygen.output(keys.public_key.size()).output(keys.secret_key.size());
    keygen.expect_checks([&](const Arguments& a) {
        return girih_keygen(alg, &numbers, a[0].data, a[0].size, a[1].data, a[1].size);
    });
    Call encapsulate;
    encapsulate.input(keys.public_key).output(girih_ciphertext_bytes(alg)).output(32);
    const girih_random none{nullptr, nullptr, 1};
    const auto with = [&](const girih_random* random) {
        return [this, random](const Arguments& a) {
            return girih_encapsulate(alg, random, a[0].data, a[0].size, a[1].data, a[1].size, a[2].data,
                                     a[2].size);
        };
    };
    encapsulate.expect_checks(with(&numbers));
    encapsulate.expect_error(GIRIH_ERROR_RANDOM, with(&none), "a source without a function");
}

TEST(KemWords, ThatGiveAGWithoutAReciprocalGiveAnother)
{
    const girih_alg* alg = girih_algorithm("sntrup653");
    // A word of 2^29 is a coefficient 0: the first g is 0.
    struct Source {
        std::size_t words;
        std::uint64_t state;
    } state{653, 5};
    const auto fill = [](void* at, std::uint8_t* out, std::size_t bytes) {
        auto& source = *static_cast<Source*>(at);
        for (std::size_t i = 0; i < bytes; ++i) {
            source.state = source.state * 6364136223846793005U + 1442695040888963407U;
            out[i] =
                source.words > 0 ? (i % 4 == 3 ? 0x20 : 0) : static_cast<std::uint8_t>(source.state >> 56);
        }
        source.words -= source.words > 0 ? 1 : 0;
        return 0;
    };
    const girih_random random{fill, &state, 1};
    const test::KeyPair keys = test::random_key_pair(alg, random);
    EXPECT_EQ(state.words, 0U);
    const test::Encapsulation made = test::encapsulate(alg, keys.public_key);
    EXPECT_EQ(test::decapsulate(alg, keys.secret_key, made.ciphertext), made.shared_secret);
    ByteString pk(keys.public_key.size());
    EXPECT_EQ(girih_public_key(alg, keys.secret_key.data(), keys.secret_key.size(), pk.data(), pk.size()),
              GIRIH_OK);

    // A source that fails, and would give the same for ever, is an error and no loop.
    const girih_random endless{[](void*, std::uint8_t* out, std::size_t bytes) {
                                   for (std::size_t i = 0; i < bytes; ++i) out[i] = i % 4 == 3 ? 0x20 : 0;
                                   return 1;
                               },
                               nullptr, 1};
    ByteString sk(keys.secret_key.size(), 0xEE);
    EXPECT_EQ(girih_keygen(alg, &endless, pk.data(), pk.size(), sk.data(), sk.size()), GIRIH_ERROR_RANDOM);
    EXPECT_TRUE(test::is_zero(sk));
}

/// A key's length is looked at before the kind of its algorithm.
TEST_P(KemPieces, AreOfAlgorithmsThatNeitherSignNorVerify)
{
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    ByteString signature(100, 0xEE);
    for (const std::size_t less : {0U, 1U}) {
        std::size_t size = 1;
        EXPECT_EQ(girih_sign(alg, keys.secret_key.data(), keys.secret_key.size() - less, nullptr, 0, nullptr,
                             signature.data(), signature.size(), &size),
                  GIRIH_ERROR_ARGUMENT);
        EXPECT_TRUE(test::is_zero(signature));
        EXPECT_EQ(size, 0U);
        EXPECT_EQ(girih_verify(alg, keys.public_key.data(), keys.public_key.size() - less, nullptr, 0,
                               nullptr, signature.data(), signature.size()),
                  GIRIH_ERROR_ARGUMENT);
    }
    std::vector<Line> memory(100);
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;
    EXPECT_EQ(girih_prepare_signing_key(alg, keys.secret_key.data(), keys.secret_key.size(), memory.data(),
                                        memory.size() * sizeof(Line), &signing),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_prepare_verifying_key(alg, keys.public_key.data(), keys.public_key.size(), memory.data(),
                                          memory.size() * sizeof(Line), &verifying),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_signing_key_size(alg) + girih_verifying_key_size(alg), 0U);
}

// ---- Signatures of prepared keys

class PreparedRows : public test::EveryAlgorithm {
  public:
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    const ByteString message = test::counting(40);
    const ByteString mu = test::counting(GIRIH_MU_BYTES);
    const ByteString good = test::sign(alg, keys.secret_key, message);
    std::vector<Line> signing_memory{girih_signing_key_size(alg) / sizeof(Line)};
    std::vector<Line> verifying_memory{girih_verifying_key_size(alg) / sizeof(Line)};
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;

    void SetUp() override
    {
        ASSERT_EQ(
            girih_prepare_signing_key(alg, keys.secret_key.data(), keys.secret_key.size(),
                                      signing_memory.data(), signing_memory.size() * sizeof(Line), &signing),
            GIRIH_OK);
        ASSERT_EQ(girih_prepare_verifying_key(alg, keys.public_key.data(), keys.public_key.size(),
                                              verifying_memory.data(), verifying_memory.size() * sizeof(Line),
                                              &verifying),
                  GIRIH_OK);
    }
};
INSTANTIATE_TEST_SUITE_P(Of, PreparedRows, testing::Values("ML-DSA-44", "ML-DSA-65", "Dilithium5"),
                         test::EveryAlgorithm::name);

TEST_P(PreparedRows, ToVerifyAreCheckedOneByOne)
{
    const girih_alg* other =
        girih_algorithm(std::string_view{GetParam()} == "ML-DSA-44" ? "ML-DSA-65" : "ML-DSA-44");
    const ByteString long_context(256);
    const girih_options with_long_context = test::with_context(long_context);
    std::vector<girih_verify_row> rows(
        13, girih_verify_row{verifying, keys.public_key.data(), keys.public_key.size(), message.data(),
                             message.size(), nullptr, good.data(), good.size(), 1});
    std::vector<int> expected(rows.size(), GIRIH_OK);
    const test::KeyPair others = test::key_pair(other, test::counting(32));
    std::vector<Line> memory(girih_verifying_key_size(other) / sizeof(Line));
    girih_verifying_key* foreign = nullptr;
    ASSERT_EQ(girih_prepare_verifying_key(other, others.public_key.data(), others.public_key.size(),
                                          memory.data(), memory.size() * sizeof(Line), &foreign),
              GIRIH_OK);
    rows[1].key = foreign;
    expected[1] = GIRIH_ERROR_ARGUMENT;
    rows[2].signature = nullptr;
    expected[2] = GIRIH_ERROR_ARGUMENT;
    rows[3].message = nullptr;
    expected[3] = GIRIH_ERROR_ARGUMENT;
    rows[4].signature_bytes -= 1;
    expected[4] = GIRIH_ERROR_SIGNATURE;
    rows[5].options = &with_long_context;
    expected[5] = GIRIH_ERROR_CONTEXT;
    rows[6].key = nullptr;
    rows[6].public_key_bytes -= 1;
    expected[6] = GIRIH_ERROR_LENGTH;
    rows[7].key = nullptr;
    rows[7].public_key = nullptr;
    expected[7] = GIRIH_ERROR_ARGUMENT;
    rows[8].key = nullptr;
    rows[9].message_bytes -= 1;
    expected[9] = GIRIH_ERROR_SIGNATURE;
    // Of two errors, a key's comes before a message that is missing, and that before a
    // signature's length.
    rows[11].message = nullptr;
    rows[11].signature_bytes -= 1;
    expected[11] = GIRIH_ERROR_ARGUMENT;
    rows[12].key = nullptr;
    rows[12].public_key_bytes -= 1;
    rows[12].message = nullptr;
    expected[12] = GIRIH_ERROR_LENGTH;
    EXPECT_EQ(girih_verify_many(alg, rows.data(), rows.size()), GIRIH_ERROR_ARGUMENT);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].result, expected[i]) << i;
}

TEST_P(PreparedRows, ToSignHaveMemoryForTheirSignatures)
{
    ByteString signature(good.size());
    girih_sign_row row{
        signing,          nullptr, 0, message.data(), message.size(), &test::deterministic, nullptr,
        signature.size(), 1,       1};
    EXPECT_EQ(girih_sign_many(alg, &row, 1), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(row.signature_bytes, 0U);
    row.signature = signature.data();
    row.signature_capacity -= 1;
    EXPECT_EQ(girih_sign_many(alg, &row, 1), GIRIH_ERROR_LENGTH);
    // A message that is missing comes before that.
    row.message = nullptr;
    EXPECT_EQ(girih_sign_many(alg, &row, 1), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_sign_prepared(signing, nullptr, row.message_bytes, row.options, row.signature,
                                  row.signature_capacity, &row.signature_bytes),
              GIRIH_ERROR_ARGUMENT);
    row.message = message.data();
    row.signature_capacity += 1;
    EXPECT_EQ(girih_sign_many(alg, &row, 1), GIRIH_OK);
    EXPECT_EQ(signature, good);
}

TEST_P(PreparedRows, KeepTheirPreHashesToThemselves)
{
    // More rows than an engine takes at once, so that one follows another in its place.
    if (girih_has_context(alg) == 0) return;
    const girih_options pre_hash{nullptr, 0, "SHA2-256", 1, nullptr, 0, {}};
    constexpr std::size_t count = 50;
    std::vector<ByteString> signatures(count, ByteString(good.size()));
    std::vector<girih_sign_row> rows;
    for (std::size_t i = 0; i < count; ++i)
        rows.push_back({signing, nullptr, 0, message.data(), message.size(),
                        i < count / 2 ? &pre_hash : &test::deterministic, signatures[i].data(),
                        signatures[i].size(), 0, 1});
    EXPECT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_OK);
    const ByteString hashed = test::sign(alg, keys.secret_key, message, pre_hash);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(signatures[i], i < count / 2 ? hashed : good) << i;
}

TEST_P(PreparedRows, AndPreparedKeysTakeMessageRepresentativesOf64Bytes)
{
    const auto sign_mu = [&](const girih_signing_key* key, const girih_options* options) {
        return [this, key, options](const Arguments& a) {
            std::size_t size = 1;
            const int error =
                girih_sign_mu_prepared(key, a[0].data, a[0].size, options, a[1].data, a[1].size, &size);
            EXPECT_EQ(size, error == GIRIH_OK ? girih_signature_bytes(alg) : 0);
            return error;
        };
    };
    Call call;
    call.input(mu).output(good.size(), true);
    call.expect_checks(sign_mu(signing, &test::deterministic));
    const ByteString context = test::counting(1);
    const girih_options with_context = test::with_context(context);
    const girih_options with_pre_hash{nullptr, 0, "SHA2-256", 1, nullptr, 0, {}};
    call.expect_error(GIRIH_ERROR_CONTEXT, sign_mu(signing, &with_context), "a context");
    call.expect_error(GIRIH_ERROR_PRE_HASH, sign_mu(signing, &with_pre_hash), "a pre-hash");
    call.expect_error(GIRIH_ERROR_ARGUMENT, sign_mu(nullptr, nullptr), "no key");

    const ByteString mu_signature = test::sign_mu(alg, keys.secret_key, mu);
    const auto verify_mu = [&](const girih_verifying_key* key) {
        return [key](const Arguments& a) {
            return girih_verify_mu_prepared(key, a[0].data, a[0].size, a[1].data, a[1].size);
        };
    };
    Call verify;
    verify.input(mu).input(mu_signature, GIRIH_ERROR_SIGNATURE);
    verify.expect_checks(verify_mu(verifying));
    verify.expect_error(GIRIH_ERROR_ARGUMENT, verify_mu(nullptr), "no key");
}

TEST_P(PreparedRows, AndPreparedKeysTakeWhatTheOthersTake)
{
    Call sign;
    sign.input(message, GIRIH_OK).output(good.size(), true);
    sign.expect_checks([&](const Arguments& a) {
        std::size_t size = 1;
        const int error = girih_sign_prepared(signing, a[0].data, a[0].size, &test::deterministic, a[1].data,
                                              a[1].size, &size);
        EXPECT_EQ(size, error == GIRIH_OK ? girih_signature_bytes(alg) : 0);
        return error;
    });
    Call verify;
    verify.input(message, GIRIH_OK).input(good, GIRIH_ERROR_SIGNATURE);
    verify.expect_checks([&](const Arguments& a) {
        return girih_verify_prepared(verifying, a[0].data, a[0].size, nullptr, a[1].data, a[1].size);
    });
}

// ---- Falcon's keys that are malformed

TEST(FalconMalformedKeys, SignNothingInRowsAndInPieces)
{
    const girih_alg* alg = girih_algorithm("Falcon-512");
    const test::KeyPair keys = test::key_pair(alg, test::counting(48));
    ByteString malformed = keys.secret_key;
    malformed[0] ^= 1;
    const ByteString message = test::counting(20);
    std::vector<ByteString> signatures(2, ByteString(girih_signature_bytes(alg), 0xEE));
    std::vector<girih_sign_row> rows;
    for (std::size_t i = 0; i < 2; ++i)
        rows.push_back({nullptr, i == 0 ? malformed.data() : keys.secret_key.data(), malformed.size(),
                        message.data(), message.size(), nullptr, signatures[i].data(), signatures[i].size(),
                        1, 1});
    EXPECT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_ERROR_SECRET_KEY);
    EXPECT_EQ(rows[0].signature_bytes, 0U);
    EXPECT_TRUE(test::is_zero(signatures[0]));
    EXPECT_EQ(rows[1].result, GIRIH_OK);

    girih_message stream;
    std::size_t size = 1;
    ASSERT_EQ(girih_message_begin_signing(&stream, alg, nullptr), GIRIH_OK);
    signatures[0].assign(signatures[0].size(), 0xEE);
    EXPECT_EQ(girih_message_sign(&stream, malformed.data(), malformed.size(), nullptr, signatures[0].data(),
                                 signatures[0].size(), &size),
              GIRIH_ERROR_SECRET_KEY);
    EXPECT_EQ(size, 0U);
    EXPECT_TRUE(test::is_zero(signatures[0]));
}

}  // namespace
