/// The scheduled forms of ML-DSA make what the plain ones make: on one lane here, on as many as an
/// engine has in cross_isa. (Known answers and sampling_test.cpp show that the plain ones are
/// right.)
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "isa/portable/engine.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/lanes/keygen.hpp"
#include "ml_dsa/lanes/sign.hpp"
#include "ml_dsa/lanes/verify.hpp"
#include "ml_dsa/standard/key_check.hpp"
#include "ml_dsa/standard/keygen.hpp"
#include "ml_dsa/standard/sign.hpp"
#include "ml_dsa/standard/verify.hpp"
#include "support/bytes.hpp"

namespace girih::ml_dsa {
namespace {

using Portable = isa::portable::Isa;
template <Params P>
struct Set {
    static constexpr Params params = P;
};
template <class T>
class Lanes : public testing::Test {};
using Sets = testing::Types<Set<ml_dsa_44>, Set<ml_dsa_65>, Set<ml_dsa_87>, Set<dilithium2>, Set<dilithium3>,
                            Set<dilithium5>>;
TYPED_TEST_SUITE(Lanes, Sets);

TYPED_TEST(Lanes, DrawTheMasksOfExpandMaskOneAttemptAfterTheOther)
{
    constexpr Shape S = TypeParam::params.shape();
    std::array<Byte, rho_prime_bytes> seed;
    copy(test::Numbers{3}.bytes(seed.size()), seed);
    MaskStream<S, Portable> masks{seed};
    std::array<MaskBytes<S>, S.l> y;
    for (std::size_t attempt = 0; attempt < max_attempts; ++attempt) {
        masks.next(attempt * S.l);
        squeeze_mask<S, Portable>(seed, attempt * S.l, y);
        for (std::size_t j = 0; j < S.l; ++j) ASSERT_EQ(masks.mask()[j], y[j]) << attempt << ", " << j;
    }
}

/// Overwrites the stack where earlier calls have left right results: a form that leaves a step out
/// must not find them there.
[[gnu::noinline]] void dirty_stack()
{
    volatile Byte bytes[200'000];
    for (volatile Byte& byte : bytes) byte = 0x5A;
}

/// A row by the plain forms.
template <Params P>
struct Row {
    static constexpr Shape S = P.shape();
    static constexpr Frame frame = P.has_context() ? Frame::with({}) : Frame::none();

    std::array<Byte, seed_bytes> xi;
    test::ByteString message, rnd;
    std::array<Byte, P.public_key_bytes()> pk;
    std::array<Byte, P.secret_key_bytes()> sk;
    std::array<Byte, P.signature_bytes()> sigma;

    explicit Row(std::size_t message_bytes)
    {
        test::Numbers numbers{message_bytes};
        copy(numbers.bytes(seed_bytes), xi);
        message = numbers.bytes(message_bytes);
        rnd = numbers.bytes(message_bytes % 2 * P.rnd_bytes());
        keygen<S, Portable>(P, xi, pk, sk);
        EXPECT_EQ((sign<S, Portable>(P, sk, frame, message, rnd, sigma)), SignResult::good);
    }

    /// In a frame of its own, which dirty_stack reaches.
    [[gnu::noinline]] static void verify_many(VerifyingRow& row) { VerifyMany<S, Portable>{P, {&row, 1}}; }

    /// The verdict of the plain form, if that of each other form is the same.
    [[nodiscard]] bool verifies() const
    {
        const auto key = std::make_unique<PreparedVerifyingKey<S>>();
        prepare_verifying_key_in_lanes<S, Portable>(P, pk, *key);
        const bool is_good = verify_vartime<S, Portable>(P, pk, frame, message, sigma);
        dirty_stack();
        EXPECT_EQ((verify_in_lanes_vartime<S, Portable>(P, pk, frame, message, sigma)), is_good);
        EXPECT_EQ((verify_prepared_in_lanes_vartime<S, Portable>(*key, frame, message, sigma)), is_good);
        for (const void* prepared :
             {static_cast<const void*>(nullptr), static_cast<const void*>(key.get())}) {
            const Byte* const bytes = prepared == nullptr ? pk.data() : nullptr;
            VerifyingRow row{prepared, bytes, frame, message, sigma.data(), !is_good};
            dirty_stack();
            verify_many(row);
            EXPECT_EQ(row.verifies, is_good);
        }
        return is_good;
    }
};

TYPED_TEST(Lanes, MakeTheKeysSignaturesAndVerdictsOfThePlainForms)
{
    constexpr Params P = TypeParam::params;
    constexpr Shape S = TypeParam::params.shape();
    for (const std::size_t size : {std::size_t{0}, std::size_t{1024}, std::size_t{1025}}) {
        SCOPED_TRACE(size);
        Row<P> row{size}, made{7}, of_batch{7};
        keygen_in_lanes<S, Portable>(P, row.xi, made.pk, made.sk);
        ASSERT_EQ(made.pk, row.pk);
        ASSERT_EQ(made.sk, row.sk);
        const KeygenRow keygen_row{row.xi.data(), of_batch.pk.data(), of_batch.sk.data()};
        dirty_stack();
        keygen_many<S, Portable>(P, {&keygen_row, 1});
        ASSERT_EQ(of_batch.pk, row.pk);
        ASSERT_EQ(of_batch.sk, row.sk);
        EXPECT_EQ((public_key<S, Portable, expand_a_in_lanes<S, Portable>>(P, row.sk, made.pk)),
                  KeyCheck::good);
        EXPECT_EQ(made.pk, row.pk);
        EXPECT_EQ((sign_in_lanes<S, Portable>(P, row.sk, row.frame, row.message, row.rnd, made.sigma)),
                  SignResult::good);
        ASSERT_EQ(made.sigma, row.sigma);
        EXPECT_TRUE(row.verifies());
        for (const std::size_t at : {std::size_t{0}, P.c_tilde_bytes, row.sigma.size() - 1}) {
            row.sigma[at] ^= 1;
            EXPECT_FALSE(row.verifies()) << at;
            row.sigma[at] ^= 1;
        }
    }
}

/// rho, found by search, whose first polynomial has q - 1, the largest that is not rejected.
TEST(RejNttPoly, KeepsTheLargestResidue)
{
    std::array<Byte, rho_bytes> rho{};
    store_le32(rho.data(), 16089);
    std::int32_t largest = 0;
    rej_ntt_poly<Portable, keccak::shake128_function.rate>(
        rho, 0, 0, [&](std::size_t, std::int32_t a) { largest = std::max(largest, a); });
    EXPECT_EQ(largest, q - 1);
}

// ---- The hash of rows

constexpr std::size_t row_bytes = 320;
constexpr std::size_t rows = 6;

/// A hash in a lane, of a message of which some rows are there, and its digest or none.
struct Hashed {
    test::ByteString message = test::counting(rho_bytes + rows * row_bytes);
    std::array<Byte, 64> digest{};
    keccak::RowsHash<Portable> hash{keccak::shake256_function, {message}, digest};

    explicit Hashed(std::size_t rows_made)
    {
        hash.has(rho_bytes + rows_made * row_bytes);
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
