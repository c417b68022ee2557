/// The checks of results: signatures are verified, key pairs are tried, and secrets are
/// decapsulated twice, before they are returned.
#include <girih/girih.h>
#include <gtest/gtest.h>
#include <girih/ml_dsa.hpp>

#include <span>
#include <type_traits>
#include <vector>

#include "api/algorithms/algorithm.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/rounds.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;
using test::call;

class Checked : public test::EveryAlgorithm {
  public:
    test::KeyPair keys = test::key_pair(alg, test::counting(girih_seed_bytes(alg)));
    const ByteString message = test::counting(77);
    ByteString signature = ByteString(girih_signature_bytes(alg));
    std::size_t length = 1;
    girih_options options{};

    /// Whether this many bytes are a signature of the message.
    [[nodiscard]] bool verifies(std::size_t bytes) const
    {
        return call(girih_verify, alg, keys.public_key, message, nullptr,
                    BytesIn<>{signature}.first(bytes)) == GIRIH_OK;
    }
};
INSTANTIATE_TEST_SUITE_P(Of, Checked,
                         testing::Values("ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Dilithium2", "Dilithium3",
                                         "Dilithium5", "Falcon-512", "Falcon-1024", "Falcon-padded-512",
                                         "Falcon-CT-1024"),
                         test::EveryAlgorithm::name);

/// A key whose parts contradict each other signs wrongly, or not at all; with the check, it makes
/// no signature.
TEST_P(Checked, AKeyThatDoesNotBelongToItselfIsFound)
{
    keys.secret_key.back() ^= 1;  // t0 of ML-DSA; F of Falcon
    options.verify_after_sign = 1;
    const int error = girih_has_mu(alg) != 0 ? GIRIH_ERROR_KEY_MISMATCH : GIRIH_ERROR_SECRET_KEY;
    EXPECT_EQ(test::import_error(alg, keys.secret_key), error);
    EXPECT_EQ(call(girih_sign, alg, keys.secret_key, message, &options, signature, &length), error);
    EXPECT_TRUE(test::is_zero(signature));
    EXPECT_EQ(length, 0U);
}

/// The engine's part of a prepared key, behind the secret key's bytes.
std::span<Byte> engine_part(const girih_alg* alg, const test::KeyMemory& memory)
{
    const std::size_t first = GIRIH_PREPARED_ALIGNMENT + (girih_secret_key_bytes(alg) + 63) / 64 * 64;
    return std::span{static_cast<Byte*>(memory.data()), memory.size()}.subspan(first);
}

/// The number of words of a Falcon key's basis, which comes before its tree.
std::size_t falcon_basis_words(const girih_alg* alg)
{
    return 4 * (girih_public_key_bytes(alg) - 1) * 8 / 14;
}

/// Flips bits of a prepared key, for Falcon in the basis, since signing looks at the tree.
void change(const girih_alg* alg, const test::KeyMemory& memory, std::size_t seed)
{
    const std::span<Byte> bytes = engine_part(alg, memory);
    // Falcon's doubles keep their exponents: with others there may be no end to sampling.
    const bool is_falcon = girih_has_mu(alg) == 0;
    const auto words = static_cast<std::int64_t>(is_falcon ? falcon_basis_words(alg) : bytes.size() / 8);
    test::Numbers numbers{seed};
    for (int i = 0; i < (is_falcon ? 30 : 2); ++i) {
        const std::int64_t word = numbers.between(0, words - 1);
        const std::int64_t byte = numbers.between(0, is_falcon ? 5 : 7);
        bytes[static_cast<std::size_t>(8 * word + byte)] ^= static_cast<Byte>(1 << numbers.between(0, 7));
    }
}

/// A prepared key in which a bit has flipped signs wrongly: without the check, its signatures are
/// returned; with it, none is, alone or in a batch.
TEST_P(Checked, APreparedKeyThatHasChangedGivesNothing)
{
#if defined(GIRIH_CHECK_BOUNDS)
    GTEST_SKIP() << "bounds are asserted here, and a changed key does not keep them";
#endif
    const test::KeyMemory memory{girih_signing_key_size(alg)};
    std::size_t released = 0;
    std::size_t refused = 0;
    for (std::size_t trial = 0; trial < test::rounds(40, 40); ++trial) {
        girih_signing_key* key = nullptr;
        ASSERT_EQ(call(girih_prepare_signing_key, alg, keys.secret_key, memory, &key), GIRIH_OK);
        change(alg, memory, trial);
        options.verify_after_sign = 0;
        int error = call(girih_sign_prepared, key, message, &options, signature, &length);
        if (error == GIRIH_OK && !verifies(length)) ++released;

        options.verify_after_sign = 1;
        error = call(girih_sign_prepared, key, message, &options, signature, &length);
        if (error == GIRIH_ERROR_FAULT) ++refused;
        if (error == GIRIH_OK) {
            EXPECT_TRUE(verifies(length));
        } else {
            EXPECT_TRUE(error == GIRIH_ERROR_FAULT || error == GIRIH_ERROR_ATTEMPTS) << error;
            EXPECT_TRUE(test::is_zero(signature) && length == 0);
        }
        auto row = test::row_of<girih_sign_row>(key, BytesIn<>{}, message, &options, signature, length);
        if (girih_sign_many(alg, &row, 1) == GIRIH_OK) {
            EXPECT_TRUE(verifies(row.signature_bytes));
        }
    }
    EXPECT_GT(released, 0U) << "what is checked for has to happen";
    EXPECT_GT(refused, 0U);
}

class PreparedFalcon : public Checked {};
INSTANTIATE_TEST_SUITE_P(Of, PreparedFalcon,
                         testing::Values("Falcon-512", "Falcon-1024", "Falcon-padded-512", "Falcon-CT-1024"),
                         test::EveryAlgorithm::name);

/// One bit of a prepared key's tree: without the check of the result, too.
TEST_P(PreparedFalcon, KeyWhoseTreeHasChangedIsRefused)
{
    const test::KeyMemory memory{girih_signing_key_size(alg)};
    girih_signing_key* key = nullptr;
    ASSERT_EQ(call(girih_prepare_signing_key, alg, keys.secret_key, memory, &key), GIRIH_OK);
    engine_part(alg, memory)[8 * (falcon_basis_words(alg) + 1234)] ^= 1;
    EXPECT_EQ(call(girih_sign_prepared, key, message, &options, signature, &length), GIRIH_ERROR_FAULT);
    EXPECT_TRUE(test::is_zero(signature) && length == 0);
    auto row = test::row_of<girih_sign_row>(key, BytesIn<>{}, message, &options, signature, length);
    std::vector<girih_sign_row> rows(8, row);
    std::vector<ByteString> signatures(rows.size(), ByteString(signature.size(), 1));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].signature = signatures[i].data();
    EXPECT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_ERROR_FAULT);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].result, GIRIH_ERROR_FAULT);
        EXPECT_TRUE(test::is_zero(signatures[i]) && rows[i].signature_bytes == 0);
    }
}

/// An engine whose decapsulation errs in one call: a bit of the secret, or a refusal of the key.
template <class Operations>
struct Erring {
    static inline int calls;
    static inline int wrong_call;
    static inline bool refuses;
    static inline Operations right;

    static void change(Byte* shared_secret)
    {
        if (++calls == wrong_call && !refuses) shared_secret[31] ^= 0x80;
    }
    static void decapsulate(const Byte* sk, const Byte* ciphertext, Byte* shared_secret)
    {
        right.decapsulate(sk, ciphertext, shared_secret);
        change(shared_secret);
    }
    static void decapsulate_many(std::span<ml_kem::DecapsulationRow> rows)
    {
        right.decapsulate_many(rows);
        change(rows[0].shared_secret);
        if (refuses && calls == wrong_call) rows[0].is_good = false;
    }

    static void expect_that_a_second_result_finds_it(const girih_alg* alg, bool by_refusal = false)
    {
        refuses = by_refusal;
        right = alg->on_engine<Operations>();
        Operations erring = right;
        if constexpr (std::is_same_v<Operations, ml_kem::Operations>)
            erring.decapsulate_many = decapsulate_many;
        else
            erring.decapsulate = decapsulate;
        girih_alg disturbed = *alg;
        disturbed.operations.fill(&erring);

        const auto keys = test::key_pair(alg, test::counting(girih_seed_bytes(alg)));
        const auto sent = test::encapsulate(alg, keys.public_key);
        for (wrong_call = 0; wrong_call < 3; ++wrong_call) {
            ByteString secret(32, 1);
            calls = 0;
            const int error =
                call(girih_decapsulate_checked, &disturbed, keys.secret_key, sent.ciphertext, secret);
            EXPECT_EQ(error, wrong_call == 0              ? GIRIH_OK
                             : refuses && wrong_call == 1 ? GIRIH_ERROR_KEY_MISMATCH
                                                          : GIRIH_ERROR_FAULT);
            EXPECT_EQ(secret, wrong_call == 0 ? sent.shared_secret : ByteString(32));
        }
    }
};

TEST(CheckedDecapsulation, FindsOneWrongSecretOfTwo)
{
    Erring<ml_kem::Operations>::expect_that_a_second_result_finds_it(girih_ml_kem_768());
    Erring<ml_kem::Operations>::expect_that_a_second_result_finds_it(girih_ml_kem_768(), true);
    Erring<ntru_prime::Operations>::expect_that_a_second_result_finds_it(girih_sntrup761());
    Erring<ntru_prime::Operations>::expect_that_a_second_result_finds_it(girih_ntrulpr761());
}

TEST(CheckedOptions, AreThoseOfTheTypes)
{
    EXPECT_EQ(girih::Options{.verify_after_sign = true}.c_options().verify_after_sign, 1);
    EXPECT_EQ(girih::Options{}.c_options().verify_after_sign, 0);
}

}  // namespace
