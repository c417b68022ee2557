/// The checks of what was made: signatures verified before they are given out, key pairs
/// tried before they are.
#include <girih/girih.h>
#include <gtest/gtest.h>
#include <girih/falcon.hpp>
#include <girih/ml_dsa.hpp>

#include <vector>

#include "support/bytes.hpp"
#include "support/rounds.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

class Checked : public test::EveryAlgorithm {
  public:
    test::KeyPair keys = test::key_pair(alg, test::counting(girih_seed_bytes(alg)));
    const ByteString message = test::counting(77);
    ByteString signature = ByteString(girih_signature_bytes(alg));
    std::size_t length = 1;

    static girih_options checked()
    {
        girih_options options{};
        options.verify_after_sign = 1;
        return options;
    }
    int sign(const girih_options& options)
    {
        return girih_sign(alg, keys.secret_key.data(), keys.secret_key.size(), message.data(), message.size(),
                          &options, signature.data(), signature.size(), &length);
    }
};
INSTANTIATE_TEST_SUITE_P(Of, Checked,
                         testing::Values("ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Dilithium2", "Dilithium3",
                                         "Dilithium5", "Falcon-512", "Falcon-1024", "Falcon-padded-512",
                                         "Falcon-CT-1024"),
                         test::EveryAlgorithm::name);

/// A key whose parts contradict each other signs wrongly, or not at all; checked, it gives nothing.
TEST_P(Checked, AKeyThatDoesNotBelongToItselfIsFound)
{
    keys.secret_key.back() ^= 1;  // t0 of ML-DSA; F of Falcon
    ByteString pk(keys.public_key.size());
    const int error =
        girih_public_key(alg, keys.secret_key.data(), keys.secret_key.size(), pk.data(), pk.size());
    EXPECT_EQ(error, girih_has_mu(alg) != 0 ? GIRIH_ERROR_KEY_MISMATCH : GIRIH_ERROR_SECRET_KEY);
    EXPECT_EQ(sign(checked()), error);
    EXPECT_TRUE(test::is_zero(signature));
    EXPECT_EQ(length, 0U);
}

/// A prepared key in which a bit has flipped signs wrongly: as it is, its signatures go out;
/// checked, none does.
TEST_P(Checked, APreparedKeyThatHasChangedGivesNothing)
{
#if defined(GIRIH_CHECK_BOUNDS)
    GTEST_SKIP() << "bounds are asserted here, and a changed key does not keep them";
#endif
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        Byte bytes[GIRIH_PREPARED_ALIGNMENT];
    };
    std::vector<Line> memory(girih_signing_key_size(alg) / sizeof(Line));
    std::size_t released = 0;
    std::size_t refused = 0;
    for (std::size_t trial = 0; trial < test::rounds(40, 40); ++trial) {
        girih_signing_key* key = nullptr;
        ASSERT_EQ(girih_prepare_signing_key(alg, keys.secret_key.data(), keys.secret_key.size(),
                                            memory.data(), memory.size() * sizeof(Line), &key),
                  GIRIH_OK);
        // Beyond the secret key's bytes: in the engine's part.
        const std::size_t first = GIRIH_PREPARED_ALIGNMENT + (keys.secret_key.size() + 63) / 64 * 64;
        auto* const bytes = reinterpret_cast<Byte*>(memory.data());
        // Of Falcon's doubles the fraction: with other exponents there may be no end to sampling.
        const std::size_t changeable = girih_has_mu(alg) != 0 ? 8 : 6;
        test::Numbers numbers{trial};
        for (int i = 0; i < (changeable == 8 ? 2 : 30); ++i) {
            const auto words = static_cast<std::int64_t>(memory.size() * sizeof(Line) - first) / 8;
            const auto word = static_cast<std::size_t>(numbers.between(0, words - 1));
            const auto byte =
                static_cast<std::size_t>(numbers.between(0, static_cast<std::int64_t>(changeable) - 1));
            bytes[first + 8 * word + byte] ^= static_cast<Byte>(1 << numbers.between(0, 7));
        }
        for (const int verify : {0, 1}) {
            girih_options options{};
            options.verify_after_sign = verify;
            const int error = girih_sign_prepared(key, message.data(), message.size(), &options,
                                                  signature.data(), signature.size(), &length);
            const bool is_good =
                error == GIRIH_OK &&
                girih_verify(alg, keys.public_key.data(), keys.public_key.size(), message.data(),
                             message.size(), nullptr, signature.data(), length) == GIRIH_OK;
            if (verify == 0) {
                released += error == GIRIH_OK && !is_good ? 1 : 0;
            } else {
                EXPECT_TRUE(is_good || error == GIRIH_ERROR_FAULT || error == GIRIH_ERROR_ATTEMPTS) << error;
                EXPECT_TRUE(error == GIRIH_OK || (test::is_zero(signature) && length == 0));
                refused += error == GIRIH_ERROR_FAULT ? 1 : 0;
            }
            std::vector<girih_sign_row> rows(3, {key, nullptr, 0, message.data(), message.size(), &options,
                                                 signature.data(), signature.size(), 1, 1});
            if (verify == 1) {
                rows.resize(1);
                const int batch = girih_sign_many(alg, rows.data(), rows.size());
                EXPECT_TRUE(batch != GIRIH_OK ||
                            girih_verify(alg, keys.public_key.data(), keys.public_key.size(), message.data(),
                                         message.size(), nullptr, signature.data(),
                                         rows[0].signature_bytes) == GIRIH_OK);
            }
        }
    }
    EXPECT_GT(released, 0U) << "what is checked for has to happen";
    EXPECT_GT(refused, 0U);
}

TEST_P(Checked, TypedOptionsPassItOn)
{
    EXPECT_EQ(girih::Options{.verify_after_sign = true}.c_options().verify_after_sign, 1);
    EXPECT_EQ(girih::Options{}.c_options().verify_after_sign, 0);
}

}  // namespace
