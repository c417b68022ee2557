/// The scheduled forms of ML-DSA make what the plain ones make: on one lane here, on as many as an
/// engine has in cross_isa. (That the plain ones are right, known answers and sampling_test.cpp
/// tell.)
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>

#include "isa/portable/lanes.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/lanes/keygen.hpp"
#include "ml_dsa/lanes/sign.hpp"
#include "ml_dsa/lanes/verify.hpp"
#include "ml_dsa/ml_dsa.hpp"
#include "support/bytes.hpp"

namespace girih::ml_dsa {
namespace {

using Portable = isa::portable::Isa;
template <Params P>
struct Set {
    static constexpr Params params = P;
    static constexpr Shape shape = P.shape();
};
template <class T>
class Lanes : public testing::Test {};
using Sets = testing::Types<Set<ml_dsa_44>, Set<ml_dsa_65>, Set<ml_dsa_87>, Set<dilithium2>, Set<dilithium3>,
                            Set<dilithium5>>;
TYPED_TEST_SUITE(Lanes, Sets);

/// Equal polynomials, one after the other.
void expect_equal(const auto& some, const auto& others)
{
    for (std::size_t i = 0; i < some.size; ++i) ASSERT_EQ(some[i].c, others[i].c) << i;
}

// ---- Sampling

TYPED_TEST(Lanes, DrawTheMatrixOfExpandA)
{
    constexpr Shape S = TypeParam::shape;
    const auto plain = std::make_unique<Matrix<S>>();
    const auto in_lanes = std::make_unique<Matrix<S>>();
    test::Numbers numbers{1};
    for (int repeat = 0; repeat < 20; ++repeat) {
        std::array<Byte, rho_bytes> rho;
        copy(numbers.bytes(rho.size()), rho);
        expand_a<S, Portable>(rho, *plain);
        expand_a_in_lanes<S, Portable>(rho, *in_lanes);
        for (std::size_t r = 0; r < S.k; ++r) expect_equal((*plain)[r], (*in_lanes)[r]);
    }
}

TYPED_TEST(Lanes, DrawTheVectorsOfExpandS)
{
    constexpr Shape S = TypeParam::shape;
    test::Numbers numbers{2};
    for (int repeat = 0; repeat < 50; ++repeat) {
        std::array<Byte, rho_prime_bytes> rho_prime;
        copy(numbers.bytes(rho_prime.size()), rho_prime);
        SecretVectors<S> plain;
        SecretVectors<S> in_lanes;
        expand_s<S, Portable>(rho_prime, plain);
        auto tasks = expand_s_tasks<S, Portable>(rho_prime, in_lanes);
        keccak::run<Portable::WideWords>(tasks);
        expect_equal(plain.s1, in_lanes.s1);
        expect_equal(plain.s2, in_lanes.s2);
    }
}

TYPED_TEST(Lanes, DrawTheMasksOfExpandMaskOneAttemptAfterTheOther)
{
    constexpr Shape S = TypeParam::shape;
    std::array<Byte, rho_prime_bytes> seed;
    copy(test::Numbers{3}.bytes(seed.size()), seed);
    MaskStream<S, Portable> masks{seed};
    PolyVector<S.l, MaskPoly<S>> y;
    for (std::size_t attempt = 0; attempt < max_attempts; ++attempt) {
        masks.next();
        expand_mask<S, Portable>(seed, attempt * S.l, y);
        const Mask<S> mask = masks.mask();
        for (std::size_t j = 0; j < S.l; ++j) ASSERT_EQ(mask[j].c, y[j].c) << attempt << ", " << j;
    }
}

TYPED_TEST(Lanes, DrawTheChallengeOfSampleInBall)
{
    constexpr Shape S = TypeParam::shape;
    for (unsigned number = 0; number < 1000; ++number) {
        std::array<Byte, TypeParam::params.c_tilde_bytes> c_tilde;
        copy(test::Numbers{number}.bytes(c_tilde.size()), c_tilde);
        ChallengePoly c;
        std::array tasks{BallTask<S, Portable>{c_tilde, c}};
        keccak::run<Portable::WideWords>(tasks);
        ASSERT_EQ(c.c, (sample_in_ball<S, Portable>(c_tilde).c)) << number;
    }
}

// ---- Operations

TYPED_TEST(Lanes, MakeTheKeysSignaturesAndVerdictsOfThePlainForms)
{
    constexpr Params P = TypeParam::params;
    constexpr Shape S = TypeParam::shape;
    const Frame frame = P.has_context() ? Frame::with({}) : Frame::none();
    test::Numbers numbers{4};
    for (const std::size_t size : {std::size_t{0}, std::size_t{1024}, std::size_t{1025}}) {
        SCOPED_TRACE(size);
        std::array<Byte, seed_bytes> xi;
        copy(numbers.bytes(xi.size()), xi);
        std::array<Byte, P.public_key_bytes()> pk, pk_in_lanes;
        std::array<Byte, P.secret_key_bytes()> sk, sk_in_lanes;
        keygen<S, Portable>(P, xi, pk, sk);
        keygen_in_lanes<S, Portable>(P, xi, pk_in_lanes, sk_in_lanes);
        ASSERT_EQ(pk, pk_in_lanes);
        ASSERT_EQ(sk, sk_in_lanes);
        EXPECT_EQ((public_key_in_lanes<S, Portable>(P, sk, pk_in_lanes)), KeyCheck::good);
        EXPECT_EQ(pk, pk_in_lanes);

        const test::ByteString message = numbers.bytes(size);
        const test::ByteString rnd = numbers.bytes(size % 2 * P.rnd_bytes());
        std::array<Byte, P.signature_bytes()> sigma, sigma_in_lanes;
        EXPECT_EQ((sign<S, Portable>(P, sk, frame, message, rnd, sigma)), SignResult::good);
        EXPECT_EQ((sign_in_lanes<S, Portable>(P, sk, frame, message, rnd, sigma_in_lanes)), SignResult::good);
        ASSERT_EQ(sigma, sigma_in_lanes);
        EXPECT_TRUE((verify_vartime<S, Portable>(P, pk, frame, message, sigma)));
        EXPECT_TRUE((verify_in_lanes_vartime<S, Portable>(P, pk, frame, message, sigma)));
        sigma[P.c_tilde_bytes] ^= 1;
        EXPECT_FALSE((verify_vartime<S, Portable>(P, pk, frame, message, sigma)));
        EXPECT_FALSE((verify_in_lanes_vartime<S, Portable>(P, pk, frame, message, sigma)));
    }
}

/// A batch of one row, as long as there is one lane.
TYPED_TEST(Lanes, MakeTheKeysAndVerdictsOfThePlainFormsInBatches)
{
    constexpr Params P = TypeParam::params;
    constexpr Shape S = TypeParam::shape;
    test::Numbers numbers{5};
    for (const std::size_t size : {std::size_t{0}, std::size_t{1025}}) {
        SCOPED_TRACE(size);
        const test::ByteString seed = numbers.bytes(seed_bytes);
        std::array<Byte, P.public_key_bytes()> pk, batch_pk;
        std::array<Byte, P.secret_key_bytes()> sk, batch_sk;
        keygen<S, Portable>(P, BytesIn<>{seed}.first<seed_bytes>(), pk, sk);
        const KeygenRow keygen_row{seed.data(), batch_pk.data(), batch_sk.data()};
        keygen_many<S, Portable>(P, {&keygen_row, 1});
        ASSERT_EQ(pk, batch_pk);
        ASSERT_EQ(sk, batch_sk);

        const test::ByteString message = numbers.bytes(size);
        std::array<Byte, P.signature_bytes()> sigma;
        EXPECT_EQ((sign<S, Portable>(P, sk, Frame::none(), message, {}, sigma)), SignResult::good);
        const auto prepared = std::make_unique<PreparedVerifyingKey<S>>();
        prepare_verifying_key_in_lanes<S, Portable>(P, pk, *prepared);
        const auto verifies = [&](const void* prepared_key) {
            VerifyingRow row{prepared_key, pk.data(), Frame::none(), message, sigma.data(), false};
            VerifyMany<S, Portable>{P, {&row, 1}};
            return row.verifies;
        };
        EXPECT_TRUE(verifies(nullptr));
        EXPECT_TRUE(verifies(prepared.get()));
        EXPECT_TRUE(
            (verify_prepared_in_lanes_vartime<S, Portable>(*prepared, Frame::none(), message, sigma)));
        for (const std::size_t at : {std::size_t{0}, P.c_tilde_bytes, sigma.size() - 1}) {
            sigma[at] ^= 1;
            EXPECT_FALSE(verifies(nullptr)) << at;
            EXPECT_FALSE(verifies(prepared.get())) << at;
            EXPECT_FALSE(
                (verify_prepared_in_lanes_vartime<S, Portable>(*prepared, Frame::none(), message, sigma)));
            sigma[at] ^= 1;
        }
    }
}

// ---- The hash of rows

constexpr std::size_t row_bytes = 320;
constexpr std::size_t rows = 6;

/// A hash in a lane, of a message of which some rows are there, and its digest or none.
struct Hashed {
    test::ByteString message = test::counting(rho_bytes + rows * row_bytes);
    std::array<Byte, 64> digest{};
    RowsHash<Portable> hash{{message}, {rho_bytes, row_bytes}, digest};

    explicit Hashed(std::size_t rows_made)
    {
        hash.has(rows_made);
        keccak::Task* const task = &hash;
        keccak::run<Portable::WideWords>(std::span{&task, 1});
    }
    Hashed(const Hashed&) = delete;
    Hashed& operator=(const Hashed&) = delete;

    void expect_done() const
    {
        std::array<Byte, 64> expected;
        keccak::Shake256<Portable>{}.absorb(message).squeeze(expected);
        EXPECT_TRUE(hash.is_done());
        EXPECT_EQ(digest, expected);
    }
};

TEST(RowsHash, IsDoneWhenEveryRowIsThereAndNotMadeAgain)
{
    Hashed hashed{rows};
    hashed.expect_done();
    const auto digest = hashed.digest;
    hashed.message[0] ^= 1;
    hashed.hash.finish();
    EXPECT_EQ(hashed.digest, digest);
}

TEST(RowsHash, EndsWhereARowIsMissingAndIsFinishedByItself)
{
    for (std::size_t made = 1; made < rows; ++made) {
        SCOPED_TRACE(made);
        Hashed hashed{made};
        EXPECT_FALSE(hashed.hash.is_done());
        EXPECT_EQ(hashed.digest, (std::array<Byte, 64>{}));
        hashed.hash.finish();
        hashed.expect_done();
    }
}

}  // namespace
}  // namespace girih::ml_dsa
