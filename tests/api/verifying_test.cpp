/// Algorithms that verify only: they verify as the full ones do, and refuse everything else.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

/// An algorithm in full and verifying only.
struct Pair {
    const girih_alg* (*full)();
    const girih_alg* (*verifying)();
};

class Verifying : public testing::TestWithParam<Pair> {
  public:
    const girih_alg* full = GetParam().full();
    const girih_alg* alg = GetParam().verifying();
    const ByteString seed = test::counting(girih_seed_bytes(full));
    const test::KeyPair keys = test::key_pair(full, seed);
    const ByteString message = test::counting(77);
    const ByteString mu = test::counting(GIRIH_MU_BYTES);
    bool is_falcon = girih_has_mu(full) == 0;

    /// A signature by the full algorithm.
    [[nodiscard]] ByteString sign(const girih_options& options = {}) const
    {
        ByteString signature(girih_signature_bytes(full));
        std::size_t size = 0;
        EXPECT_EQ(girih_sign(full, keys.secret_key.data(), keys.secret_key.size(), message.data(),
                             message.size(), &options, signature.data(), signature.size(), &size),
                  GIRIH_OK);
        signature.resize(size);
        return signature;
    }
    int verify(const ByteString& signature, const girih_options* options = nullptr) const
    {
        return girih_verify(alg, keys.public_key.data(), keys.public_key.size(), message.data(),
                            message.size(), options, signature.data(), signature.size());
    }
    static ByteString changed(ByteString signature)
    {
        test::flip(signature, 8 * 50);
        return signature;
    }

    static std::string name(const testing::TestParamInfo<Pair>& info)
    {
        std::string name = girih_name(info.param.full());
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    }
};
INSTANTIATE_TEST_SUITE_P(Of, Verifying,
                         testing::Values(Pair{girih_ml_dsa_44, girih_ml_dsa_44_verifying},
                                         Pair{girih_ml_dsa_65, girih_ml_dsa_65_verifying},
                                         Pair{girih_ml_dsa_87, girih_ml_dsa_87_verifying},
                                         Pair{girih_dilithium2, girih_dilithium2_verifying},
                                         Pair{girih_dilithium3, girih_dilithium3_verifying},
                                         Pair{girih_dilithium5, girih_dilithium5_verifying},
                                         Pair{girih_falcon_512, girih_falcon_512_verifying},
                                         Pair{girih_falcon_1024, girih_falcon_1024_verifying},
                                         Pair{girih_falcon_padded_512, girih_falcon_padded_512_verifying},
                                         Pair{girih_falcon_padded_1024, girih_falcon_padded_1024_verifying},
                                         Pair{girih_falcon_ct_512, girih_falcon_ct_512_verifying},
                                         Pair{girih_falcon_ct_1024, girih_falcon_ct_1024_verifying}),
                         Verifying::name);

TEST_P(Verifying, IsDescribedAsTheFullOneAndNotListed)
{
    EXPECT_STREQ(girih_name(alg), girih_name(full));
    EXPECT_EQ(girih_public_key_bytes(alg), girih_public_key_bytes(full));
    EXPECT_EQ(girih_secret_key_bytes(alg), girih_secret_key_bytes(full));
    EXPECT_EQ(girih_signature_bytes(alg), girih_signature_bytes(full));
    EXPECT_EQ(girih_verifying_key_size(alg), girih_verifying_key_size(full));
    EXPECT_EQ(girih_signing_key_size(alg), 0U);
    for (std::size_t i = 0; girih_algorithm_at(i) != nullptr; ++i) EXPECT_NE(girih_algorithm_at(i), alg);
    EXPECT_EQ(girih_algorithm(girih_name(alg)), full);
}

TEST_P(Verifying, SignaturesVerifyAndChangedOnesDoNot)
{
    const ByteString signature = sign();
    EXPECT_EQ(verify(signature), GIRIH_OK);
    EXPECT_EQ(verify(changed(signature)), GIRIH_ERROR_SIGNATURE);
    if (girih_has_context(full) != 0) {
        for (std::size_t i = 0; girih_pre_hash_at(i) != nullptr; ++i) {
            girih_options options{};
            options.context = mu.data();
            options.context_bytes = 10;
            options.pre_hash = girih_pre_hash_at(i);
            const ByteString framed = sign(options);
            EXPECT_EQ(verify(framed, &options), GIRIH_OK);
            EXPECT_EQ(verify(framed), GIRIH_ERROR_SIGNATURE);
        }
    }
    if (!is_falcon) {
        const ByteString of_mu = test::sign_mu(full, keys.secret_key, mu);
        EXPECT_EQ(test::verify_mu(alg, keys.public_key, mu, of_mu), GIRIH_OK);
        EXPECT_EQ(test::verify_mu(alg, keys.public_key, mu, changed(of_mu)), GIRIH_ERROR_SIGNATURE);
    }
}

/// Memory of a prepared key.
struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes{};
};

TEST_P(Verifying, PreparedKeysAndBatchesVerifyTheSame)
{
    const ByteString signature = sign();
    const ByteString bad = changed(signature);
    std::vector<Line> memory(girih_verifying_key_size(alg) / sizeof(Line));
    girih_verifying_key* key = nullptr;
    ASSERT_EQ(girih_prepare_verifying_key(alg, keys.public_key.data(), keys.public_key.size(), memory.data(),
                                          memory.size() * sizeof(Line), &key),
              GIRIH_OK);
    const auto prepared = [&](const ByteString& given) {
        return girih_verify_prepared(key, message.data(), message.size(), nullptr, given.data(),
                                     given.size());
    };
    EXPECT_EQ(prepared(signature), GIRIH_OK);
    EXPECT_EQ(prepared(bad), GIRIH_ERROR_SIGNATURE);
    if (!is_falcon) {
        const ByteString of_mu = test::sign_mu(full, keys.secret_key, mu);
        EXPECT_EQ(girih_verify_mu_prepared(key, mu.data(), mu.size(), of_mu.data(), of_mu.size()), GIRIH_OK);
    }

    std::vector<girih_verify_row> rows;
    for (std::size_t i = 0; i < 11; ++i) {
        const ByteString& given = i % 3 == 1 ? bad : signature;
        rows.push_back({i % 2 == 0 ? key : nullptr, keys.public_key.data(), keys.public_key.size(),
                        message.data(), message.size(), nullptr, given.data(), given.size(), 1});
    }
    EXPECT_EQ(girih_verify_many(alg, rows.data(), rows.size()), GIRIH_ERROR_SIGNATURE);
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i].result, i % 3 == 1 ? GIRIH_ERROR_SIGNATURE : GIRIH_OK);
    // A prepared key belongs to the algorithm that it was made with.
    EXPECT_EQ(girih_verify_many(full, rows.data(), 1), GIRIH_ERROR_ARGUMENT);
}

TEST_P(Verifying, MessagesInPiecesVerifyTheSame)
{
    const ByteString signature = sign();
    for (const ByteString& given : {signature, changed(signature)}) {
        girih_message begun{};
        if (is_falcon) {
            ASSERT_EQ(girih_message_begin_verifying(&begun, alg, given.data(), given.size(), nullptr),
                      GIRIH_OK);
        } else {
            ASSERT_EQ(
                girih_message_begin(&begun, alg, keys.public_key.data(), keys.public_key.size(), nullptr),
                GIRIH_OK);
        }
        ASSERT_EQ(girih_message_update(&begun, message.data(), 5), GIRIH_OK);
        ASSERT_EQ(girih_message_update(&begun, message.data() + 5, message.size() - 5), GIRIH_OK);
        int result = GIRIH_OK;
        if (is_falcon) {
            result = girih_message_verify(&begun, keys.public_key.data(), keys.public_key.size(),
                                          given.data(), given.size());
        } else {
            ByteString made(GIRIH_MU_BYTES);
            ASSERT_EQ(girih_message_mu(&begun, made.data(), made.size()), GIRIH_OK);
            result = test::verify_mu(alg, keys.public_key, made, given);
        }
        EXPECT_EQ(result, given == signature ? GIRIH_OK : GIRIH_ERROR_SIGNATURE);
    }
}

TEST_P(Verifying, NoKeyIsMade)
{
    ByteString pk(girih_public_key_bytes(alg));
    ByteString sk(girih_secret_key_bytes(alg));
    const auto expect_refused = [&](const char* what, auto make) {
        pk.assign(pk.size(), 0xEE);
        sk.assign(sk.size(), 0xEE);
        EXPECT_EQ(make(), GIRIH_ERROR_ARGUMENT) << what;
        EXPECT_TRUE(test::is_zero(pk) && test::is_zero(sk)) << what;
    };
    expect_refused("keygen",
                   [&] { return girih_keygen(alg, nullptr, pk.data(), pk.size(), sk.data(), sk.size()); });
    expect_refused("checked", [&] {
        return girih_keygen_checked(alg, nullptr, pk.data(), pk.size(), sk.data(), sk.size());
    });
    expect_refused("from a seed", [&] {
        return girih_keygen_from_seed(alg, seed.data(), seed.size(), pk.data(), pk.size(), sk.data(),
                                      sk.size());
    });
    expect_refused("reference", [&] {
        return girih_falcon_reference_keygen(alg, seed.data(), seed.size(), pk.data(), pk.size(), sk.data(),
                                             sk.size());
    });
    expect_refused("many", [&] {
        girih_keygen_row row{seed.data(), seed.size(), nullptr,   pk.data(),
                             pk.size(),   sk.data(),   sk.size(), 1};
        const int error = girih_keygen_many(alg, &row, 1);
        EXPECT_EQ(row.result, error);
        return error;
    });
    pk.assign(pk.size(), 0xEE);
    EXPECT_EQ(girih_public_key(alg, keys.secret_key.data(), keys.secret_key.size(), pk.data(), pk.size()),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(test::is_zero(pk));
}

/// An algorithm that makes no keys is of the wrong kind whatever the lengths are.
TEST_P(Verifying, NoKeyIsMadeOfAnyLength)
{
    ByteString pk(girih_public_key_bytes(alg) - 1, 0xEE);
    ByteString sk(girih_secret_key_bytes(alg) - 1, 0xEE);
    EXPECT_EQ(girih_keygen(alg, nullptr, pk.data(), pk.size(), sk.data(), sk.size()), GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(test::is_zero(pk) && test::is_zero(sk));
    EXPECT_EQ(
        girih_keygen_from_seed(alg, seed.data(), seed.size() - 1, pk.data(), pk.size(), sk.data(), sk.size()),
        GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_public_key(alg, sk.data(), sk.size(), pk.data(), pk.size()), GIRIH_ERROR_ARGUMENT);
}

/// That nothing is signed is told before anything of the key is.
TEST_P(Verifying, NothingIsSignedWithAKeyOfAnotherLength)
{
    const ByteString sk(keys.secret_key.size() - 1);
    ByteString out(girih_signature_bytes(alg), 0xEE);
    std::size_t size = 1;
    EXPECT_EQ(girih_sign(alg, sk.data(), sk.size(), message.data(), message.size(), nullptr, out.data(),
                         out.size(), &size),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(test::is_zero(out));
    EXPECT_EQ(size, 0U);
    EXPECT_EQ(girih_sign_mu(alg, sk.data(), sk.size(), mu.data(), mu.size(), nullptr, out.data(), out.size(),
                            &size),
              GIRIH_ERROR_ARGUMENT);
}

TEST_P(Verifying, NothingIsSigned)
{
    const auto& sk = keys.secret_key;
    ByteString out(girih_signature_bytes(alg) + message.size() + 2);
    std::size_t size = 1;
    const auto expect_refused = [&](const char* what, auto sign) {
        out.assign(out.size(), 0xEE);
        size = 1;
        EXPECT_EQ(sign(), GIRIH_ERROR_ARGUMENT) << what;
        EXPECT_TRUE(test::is_zero(out)) << what;
        EXPECT_EQ(size, 0U) << what;
    };
    expect_refused("sign", [&] {
        return girih_sign(alg, sk.data(), sk.size(), message.data(), message.size(), nullptr, out.data(),
                          out.size(), &size);
    });
    expect_refused("mu", [&] {
        return girih_sign_mu(alg, sk.data(), sk.size(), mu.data(), mu.size(), nullptr, out.data(), out.size(),
                             &size);
    });
    expect_refused("signed message", [&] {
        return girih_crypto_sign(alg, sk.data(), sk.size(), message.data(), message.size(), nullptr,
                                 out.data(), out.size(), &size);
    });
    expect_refused("many", [&] {
        girih_sign_row row{
            nullptr,    sk.data(), sk.size(), message.data(), message.size(), nullptr, out.data(),
            out.size(), 1,         1};
        const int error = girih_sign_many(alg, &row, 1);
        EXPECT_EQ(row.result, error);
        size = row.signature_bytes;
        return error;
    });

    std::vector<Line> memory(girih_signing_key_size(full) / sizeof(Line));
    auto* key = reinterpret_cast<girih_signing_key*>(memory.data());
    EXPECT_EQ(girih_prepare_signing_key(alg, sk.data(), sk.size(), memory.data(),
                                        memory.size() * sizeof(Line), &key),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(key, nullptr);
    for (const bool with_secret_key : {false, true}) {
        girih_message begun{};
        begun.opaque[0] = 1;
        EXPECT_EQ(with_secret_key ? girih_message_begin_secret(&begun, alg, sk.data(), sk.size(), nullptr)
                                  : girih_message_begin_signing(&begun, alg, nullptr),
                  GIRIH_ERROR_ARGUMENT);
        EXPECT_EQ(begun.opaque[0], 0U);
    }
}

/// What crypto_sign made opens with the algorithm that verifies only.
TEST(VerifyingFalcon, OpensSignedMessages)
{
    const girih_alg* const full = girih_falcon_512();
    const test::KeyPair keys = test::key_pair(full, test::counting(girih_seed_bytes(full)));
    const ByteString message = test::counting(20);
    ByteString signed_message(message.size() + girih_signature_bytes(full) + 2);
    std::size_t size = 0;
    ASSERT_EQ(girih_crypto_sign(full, keys.secret_key.data(), keys.secret_key.size(), message.data(),
                                message.size(), nullptr, signed_message.data(), signed_message.size(), &size),
              GIRIH_OK);
    ByteString opened(size);
    std::size_t opened_size = 0;
    EXPECT_EQ(
        girih_crypto_sign_open(girih_falcon_512_verifying(), keys.public_key.data(), keys.public_key.size(),
                               signed_message.data(), size, opened.data(), opened.size(), &opened_size),
        GIRIH_OK);
    opened.resize(opened_size);
    EXPECT_EQ(opened, message);
}

}  // namespace
