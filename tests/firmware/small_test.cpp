/// The schemes as microcontrollers have them, on this machine: the same bytes and the same
/// refusals as girih's.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>

#include "falcon/keygen/keygen.hpp"
#include "falcon/small/sign.hpp"
#include "falcon/small/verify.hpp"
#include "isa/cortex_m/engine.hpp"
#include "ml_dsa/small/scheme.hpp"
#include "ml_kem/small/ring.hpp"
#include "ml_kem/standard/kem.hpp"
#include "ntru_prime/operations.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/signatures.hpp"

namespace girih {
namespace {

using isa::cortex_m::Isa;
using test::ByteString;
using test::flip;
using test::KeyPair;
using test::Numbers;

template <std::size_t size>
BytesIn<size> exactly(BytesIn<> bytes)
{
    return bytes.first<size>();
}
template <std::size_t size>
BytesOut<size> exactly(ByteString& bytes)
{
    return BytesOut<>{bytes}.first<size>();
}

ByteString flipped_anywhere(ByteString bytes, Numbers& numbers)
{
    const auto bits = static_cast<std::int64_t>(8 * bytes.size());
    flip(bytes, static_cast<std::size_t>(numbers.between(0, bits - 1)));
    return bytes;
}

/// Room for a key pair of these parameters.
template <auto P>
KeyPair key_room()
{
    return {ByteString(P.public_key_bytes()), ByteString(P.secret_key_bytes())};
}

void expect_equal(const KeyPair& keys, const KeyPair& expected)
{
    ASSERT_EQ(keys.public_key, expected.public_key);
    ASSERT_EQ(keys.secret_key, expected.secret_key);
}

// ---- ML-DSA

template <ml_dsa::Params P, ml_dsa::small::Plan plan>
void expect_is_ml_dsa(const char* name)
{
    using Scheme = ml_dsa::small::Scheme<P, Isa, plan>;
    constexpr ml_dsa::Frame frame = ml_dsa::Frame::with({});
    const girih_alg* const alg = girih_algorithm(name);
    Numbers numbers{7};
    for (std::size_t round = 0; round < 4; ++round) {
        SCOPED_TRACE(round);
        const ByteString seed = numbers.bytes(ml_dsa::seed_bytes);
        KeyPair keys = key_room<P>();
        const auto pk = exactly<P.public_key_bytes()>(keys.public_key);
        const auto sk = exactly<P.secret_key_bytes()>(keys.secret_key);
        Scheme::keygen(exactly<ml_dsa::seed_bytes>(BytesIn<>{seed}), pk, sk);
        expect_equal(keys, test::key_pair(alg, seed));

        ByteString again(P.public_key_bytes());
        const auto derived = exactly<P.public_key_bytes()>(again);
        EXPECT_EQ(Scheme::public_key(sk, derived), ml_dsa::KeyCheck::good);
        EXPECT_EQ(again, keys.public_key);
        ByteString wrong = keys.secret_key;
        flip(wrong, 8 * (P.secret_key_bytes() - 1));  // of t0
        EXPECT_EQ(Scheme::public_key(exactly<P.secret_key_bytes()>(wrong), derived),
                  ml_dsa::KeyCheck::inconsistent);
        wrong.assign(P.secret_key_bytes(), 0xFF);
        EXPECT_EQ(Scheme::public_key(exactly<P.secret_key_bytes()>(wrong), derived),
                  ml_dsa::KeyCheck::malformed);

        const ByteString message = numbers.bytes(100 * round);
        ByteString signature(P.signature_bytes());
        EXPECT_EQ(Scheme::sign(sk, frame, message, ByteString(P.rnd_bytes()),
                               exactly<P.signature_bytes()>(signature)),
                  ml_dsa::SignResult::good);
        ASSERT_EQ(signature, test::sign(alg, keys.secret_key, message));
        const auto verifies = [&](ByteString bytes) {
            return Scheme::verify_vartime(pk, frame, message, exactly<P.signature_bytes()>(bytes));
        };
        EXPECT_TRUE(verifies(signature));
        // Anywhere: in c~, z, or hints, which may no longer be an encoding.
        for (int i = 0; i < 20; ++i) EXPECT_FALSE(verifies(flipped_anywhere(signature, numbers)));
    }
}

TEST(FastMlDsa, Is44) { expect_is_ml_dsa<ml_dsa::ml_dsa_44, ml_dsa::small::Plan::fast>("ML-DSA-44"); }
TEST(FastMlDsa, Is65) { expect_is_ml_dsa<ml_dsa::ml_dsa_65, ml_dsa::small::Plan::fast>("ML-DSA-65"); }
TEST(FastMlDsa, Is87) { expect_is_ml_dsa<ml_dsa::ml_dsa_87, ml_dsa::small::Plan::fast>("ML-DSA-87"); }
TEST(SmallMlDsa, Is44) { expect_is_ml_dsa<ml_dsa::ml_dsa_44, ml_dsa::small::Plan::small>("ML-DSA-44"); }
TEST(SmallMlDsa, Is65) { expect_is_ml_dsa<ml_dsa::ml_dsa_65, ml_dsa::small::Plan::small>("ML-DSA-65"); }
TEST(SmallMlDsa, Is87) { expect_is_ml_dsa<ml_dsa::ml_dsa_87, ml_dsa::small::Plan::small>("ML-DSA-87"); }

// ---- Falcon

/// An engine as an image has one: with tables for its degree alone.
template <falcon::Params P, class Engine>
struct ImageIsa : Engine {
    static constexpr std::size_t max_degree = P.n();
    using Fpr = typename Engine::template FprOf<ImageIsa>;
};

template <falcon::Params P, class Engine>
void expect_is_falcon(const char* name)
{
    using Image = ImageIsa<P, Engine>;
    using Verification = falcon::SmallVerification<P, Image>;
    const girih_alg* const alg = girih_algorithm(name);
    Numbers numbers{11};
    for (std::size_t round = 0; round < 3; ++round) {
        SCOPED_TRACE(round);
        const ByteString seed = numbers.bytes(falcon::seed_bytes);
        KeyPair keys = key_room<P>();
        const auto public_key = exactly<P.public_key_bytes()>(keys.public_key);
        const auto secret_key = exactly<P.secret_key_bytes()>(keys.secret_key);
        falcon::fast_keygen<P.shape(), Image>(exactly<falcon::seed_bytes>(BytesIn<>{seed}), public_key,
                                              secret_key);
        expect_equal(keys, test::key_pair(alg, seed));

        ByteString again(P.public_key_bytes());
        const auto derived = exactly<P.public_key_bytes()>(again);
        EXPECT_TRUE((falcon::public_key_compactly<P, Image>(secret_key, derived)));
        EXPECT_EQ(again, keys.public_key);
        // No polynomial f, and no basis at all.
        ByteString malformed(P.secret_key_bytes(), 0xFF);
        EXPECT_FALSE(
            (falcon::public_key_compactly<P, Image>(exactly<P.secret_key_bytes()>(malformed), derived)));

        const ByteString message = numbers.bytes(100 * round);
        const ByteString random = numbers.bytes(falcon::salt_bytes + falcon::seed_bytes);
        ByteString signature(P.signature_bytes());
        const falcon::SignOutcome outcome = falcon::SmallSigning<P, Image>::sign(
            secret_key, message,
            {BytesIn<>{random}.first<falcon::salt_bytes>(), BytesIn<>{random}.last<falcon::seed_bytes>()},
            exactly<P.signature_bytes()>(signature));
        ASSERT_EQ(outcome.result, falcon::SignResult::good);
        signature.resize(outcome.bytes);
        const test::GivenBytes given{random};
        const girih_options options{nullptr, 0, nullptr, 0, given.source(), 0, {}};
        ASSERT_EQ(signature, test::sign(alg, keys.secret_key, message, options));

        EXPECT_TRUE(Verification::verify_vartime(public_key, message, signature));
        for (int i = 0; i < 50; ++i) {
            const ByteString flipped = flipped_anywhere(signature, numbers);
            EXPECT_EQ(Verification::verify_vartime(public_key, message, flipped),
                      test::verify(alg, keys.public_key, message, flipped) == GIRIH_OK);
        }
        EXPECT_FALSE(Verification::verify_vartime(public_key, message, {}));
    }
}

TEST(CompactFalcon, Is512InIntegers) { expect_is_falcon<falcon::falcon_512, Isa>("Falcon-512"); }
TEST(CompactFalcon, Is1024InIntegers) { expect_is_falcon<falcon::falcon_1024, Isa>("Falcon-1024"); }
TEST(CompactFalcon, Is512OnTheDoubleUnit)
{
    expect_is_falcon<falcon::falcon_512, isa::cortex_m::DoubleUnit>("Falcon-512");
}
TEST(CompactFalcon, Is1024OnTheDoubleUnit)
{
    expect_is_falcon<falcon::falcon_1024, isa::cortex_m::DoubleUnit>("Falcon-1024");
}

// ---- ML-KEM

template <ml_kem::Params P>
void expect_is_ml_kem(const char* name)
{
    using Scheme = ml_kem::Scheme<P, ml_kem::small::Ring<Isa>>;
    const girih_alg* const alg = girih_algorithm(name);
    Numbers numbers{23};
    for (std::size_t round = 0; round < 12; ++round) {
        SCOPED_TRACE(round);
        const ByteString seed = numbers.bytes(ml_kem::seed_bytes);
        KeyPair keys = key_room<P>();
        const auto pk = exactly<P.public_key_bytes()>(keys.public_key);
        const auto sk = exactly<P.secret_key_bytes()>(keys.secret_key);
        Scheme::keygen(exactly<ml_kem::seed_bytes>(BytesIn<>{seed}), pk, sk);
        expect_equal(keys, test::key_pair(alg, seed));

        ByteString again(P.public_key_bytes());
        const auto derived = exactly<P.public_key_bytes()>(again);
        EXPECT_EQ(Scheme::public_key(sk, derived), ml_kem::KeyCheck::good);
        EXPECT_EQ(again, keys.public_key);

        const ByteString m = numbers.bytes(ml_kem::message_bytes);
        const test::GivenBytes given{m};
        test::Encapsulation made{ByteString(P.ciphertext_bytes()), ByteString(32)};
        const auto ciphertext = exactly<P.ciphertext_bytes()>(made.ciphertext);
        const auto secret = exactly<32>(made.shared_secret);
        ASSERT_TRUE(Scheme::encapsulate(pk, exactly<32>(BytesIn<>{m}), ciphertext, secret));
        const test::Encapsulation encapsulated = test::encapsulate(alg, keys.public_key, given.source());
        ASSERT_EQ(made.ciphertext, encapsulated.ciphertext);
        ASSERT_EQ(made.shared_secret, encapsulated.shared_secret);

        ByteString received(32);
        EXPECT_TRUE(Scheme::has_good_hash(sk));
        Scheme::decapsulate(sk, ciphertext, exactly<32>(received));
        ASSERT_EQ(received, made.shared_secret);
        // Anywhere, and in the first and the last byte: another secret, and the same as elsewhere.
        const auto expect_rejected = [&](std::size_t bit) {
            ByteString flipped = made.ciphertext;
            flip(flipped, bit);
            Scheme::decapsulate(sk, exactly<P.ciphertext_bytes()>(BytesIn<>{flipped}), exactly<32>(received));
            EXPECT_NE(received, made.shared_secret) << bit;
            EXPECT_EQ(received, test::decapsulate(alg, keys.secret_key, flipped)) << bit;
        };
        const std::size_t bits = 8 * P.ciphertext_bytes();
        for (const std::size_t bit : {std::size_t{0}, bits - 1, numbers.word() % bits, numbers.word() % bits})
            expect_rejected(bit);
        if (round > 0) continue;
        // The lowest bit of the first of each eight coefficients, which leaves m as it is.
        for (std::size_t at = 0; at < P.u_bytes(); at += P.du) expect_rejected(8 * at);
        for (std::size_t at = P.u_bytes(); at < P.ciphertext_bytes(); at += P.dv) expect_rejected(8 * at);
    }
}

/// Keys are refused for the same reasons as girih's own import refuses them.
template <ml_kem::Params P>
void expect_refuses_ml_kem_keys(const char* name)
{
    using Scheme = ml_kem::Scheme<P, ml_kem::small::Ring<Isa>>;
    using enum ml_kem::KeyCheck;
    Numbers numbers{29};
    const KeyPair keys = test::key_pair(girih_algorithm(name), numbers.bytes(ml_kem::seed_bytes));
    ByteString out(P.public_key_bytes());
    const auto check = [&](const ByteString& secret_key) {
        return Scheme::public_key(exactly<P.secret_key_bytes()>(BytesIn<>{secret_key}),
                                  exactly<P.public_key_bytes()>(out));
    };
    // A coefficient of q, wherever it is, and one of q - 1, which is below it.
    const auto with = [](ByteString key, std::size_t at, unsigned coefficient) {
        key[at] = static_cast<Byte>(coefficient);
        key[at + 1] = static_cast<Byte>((key[at + 1] & 0xF0) | coefficient >> 8);
        return key;
    };
    for (const std::size_t at : {std::size_t{0}, std::size_t{3}, P.vector_bytes() - 3}) {
        for (const unsigned coefficient : {3328U, 3329U, 4095U}) {
            SCOPED_TRACE(testing::Message() << coefficient << " at " << at);
            const bool is_below_q = coefficient < 3329;
            ByteString public_key = with(keys.public_key, at, coefficient);
            const ByteString m(32);
            ByteString ciphertext(P.ciphertext_bytes(), 0xA5);
            ByteString secret(32, 0x5A);
            EXPECT_EQ(
                Scheme::encapsulate(exactly<P.public_key_bytes()>(public_key), exactly<32>(BytesIn<>{m}),
                                    exactly<P.ciphertext_bytes()>(ciphertext), exactly<32>(secret)),
                is_below_q);
            EXPECT_EQ(ciphertext == ByteString(P.ciphertext_bytes(), 0xA5), !is_below_q);
            EXPECT_EQ(secret == ByteString(32, 0x5A), !is_below_q);
            for (const std::size_t vector : {std::size_t{0}, P.vector_bytes()})
                EXPECT_EQ(check(with(keys.secret_key, vector + at, coefficient)),
                          is_below_q ? inconsistent : malformed);
        }
    }
    for (const std::size_t from_end : {33U, 64U, 65U}) {  // the hash, and rho
        ByteString contradicting = keys.secret_key;
        flip(contradicting, 8 * (P.secret_key_bytes() - from_end));
        EXPECT_FALSE(Scheme::has_good_hash(exactly<P.secret_key_bytes()>(BytesIn<>{contradicting})));
        EXPECT_EQ(check(contradicting), inconsistent);
    }
    // s^ of another key, where all hashes are good.
    const KeyPair other = test::key_pair(girih_algorithm(name), numbers.bytes(ml_kem::seed_bytes));
    ByteString mixed = keys.secret_key;
    copy(BytesIn<>{other.secret_key}.first(P.vector_bytes()), mixed);
    EXPECT_TRUE(Scheme::has_good_hash(exactly<P.secret_key_bytes()>(BytesIn<>{mixed})));
    EXPECT_EQ(check(mixed), inconsistent);
}

TEST(CompactMlKem, Is512) { expect_is_ml_kem<ml_kem::ml_kem_512>("ML-KEM-512"); }
TEST(CompactMlKem, Is768) { expect_is_ml_kem<ml_kem::ml_kem_768>("ML-KEM-768"); }
TEST(CompactMlKem, Is1024) { expect_is_ml_kem<ml_kem::ml_kem_1024>("ML-KEM-1024"); }
TEST(CompactMlKem, RefusesKeysOf512) { expect_refuses_ml_kem_keys<ml_kem::ml_kem_512>("ML-KEM-512"); }
TEST(CompactMlKem, RefusesKeysOf768) { expect_refuses_ml_kem_keys<ml_kem::ml_kem_768>("ML-KEM-768"); }
TEST(CompactMlKem, RefusesKeysOf1024) { expect_refuses_ml_kem_keys<ml_kem::ml_kem_1024>("ML-KEM-1024"); }

// ---- NTRU Prime

template <ntru_prime::Params P>
void expect_is_ntru_prime(const char* name)
{
    using Operations = ntru_prime::OperationsOf<P, Isa>;
    const girih_alg* const alg = girih_algorithm(name);
    Numbers numbers{13};
    for (int round = 0; round < 2; ++round) {
        SCOPED_TRACE(round);
        const ByteString seed = numbers.bytes(32);
        KeyPair keys = key_room<P>();
        ASSERT_TRUE(Operations::keygen({seed.data()}, keys.public_key.data(), keys.secret_key.data()));
        expect_equal(keys, test::key_pair(alg, seed));
        ByteString again(P.public_key_bytes());
        EXPECT_EQ(Operations::public_key(keys.secret_key.data(), again.data()), ntru_prime::KeyCheck::good);
        EXPECT_EQ(again, keys.public_key);

        const test::Encapsulation made = test::encapsulate(alg, keys.public_key);
        ByteString secret(ntru_prime::shared_secret_bytes);
        Operations::decapsulate(keys.secret_key.data(), made.ciphertext.data(), secret.data());
        EXPECT_EQ(secret, made.shared_secret);
        for (int i = 0; i < 10; ++i) {
            const ByteString flipped = flipped_anywhere(made.ciphertext, numbers);
            Operations::decapsulate(keys.secret_key.data(), flipped.data(), secret.data());
            EXPECT_NE(secret, made.shared_secret);
            EXPECT_EQ(secret, test::decapsulate(alg, keys.secret_key, flipped));
        }

        // Words one by one or all at once are the same.
        const ByteString words = numbers.bytes(8 * P.ring.p);
        std::array<ByteString, 2> ciphertexts;
        for (const bool word_by_word : {false, true}) {
            BytesIn<> rest{words};
            const auto fill = [](const void* source, Byte* out, std::size_t bytes) {
                auto& left = **static_cast<BytesIn<>* const*>(source);
                copy(left.first(bytes), BytesOut<>{out, bytes});
                left = left.subspan(bytes);
                return true;
            };
            BytesIn<>* const source = &rest;
            ciphertexts[word_by_word].resize(P.ciphertext_bytes());
            ASSERT_TRUE(Operations::encapsulate({nullptr, fill, &source, word_by_word},
                                                keys.public_key.data(), ciphertexts[word_by_word].data(),
                                                secret.data()));
            EXPECT_LT(rest.size(), words.size());
            EXPECT_EQ(test::decapsulate(alg, keys.secret_key, ciphertexts[word_by_word]), secret);
        }
        EXPECT_EQ(ciphertexts[0], ciphertexts[1]);
    }
}

TEST(CompactNtruPrime, IsSntrup761) { expect_is_ntru_prime<ntru_prime::sntrup761>("sntrup761"); }
TEST(CompactNtruPrime, IsNtrulpr761) { expect_is_ntru_prime<ntru_prime::ntrulpr761>("ntrulpr761"); }

/// The largest sums on either side, and numbers between.
TEST(CompactNtruPrime, MultipliesTheLargestPolynomials)
{
    using Only = ntru_prime::OnlyRing<ntru_prime::sntrup761.ring>;
    constexpr Only ring{};
    Numbers numbers{17};
    for (int round = 0; round < 12; ++round) {
        SCOPED_TRACE(round);
        ntru_prime::Rq<ring.capacity> a{};
        ntru_prime::Small<ring.capacity> b{};
        ntru_prime::Small<ring.capacity> c{};
        for (std::size_t i = 0; i < ring.p; ++i) {
            const bool is_extreme = round < 4;
            const bool is_large = round < 8;  // with any sign
            a.c[i] = static_cast<std::int16_t>(is_extreme ? (round % 2 == 0 ? ring.q12 : -ring.q12)
                                               : is_large ? ring.q12 * (2 * numbers.between(0, 1) - 1)
                                                          : numbers.between(-ring.q12, ring.q12));
            b.c[i] =
                static_cast<std::int8_t>(is_extreme ? (round / 2 == 0 ? 1 : -1) : numbers.between(-1, 1));
            c.c[i] =
                static_cast<std::int8_t>(is_extreme ? (round % 2 == 0 ? 1 : -1) : numbers.between(-1, 1));
        }
        ntru_prime::Rq<ring.capacity> product{};
        ntru_prime::Rq<ring.capacity> expected{};
        using Words = ntru_prime::Arithmetic<Isa, Only>;
        using Reference = ntru_prime::Reference<Isa, Only>;
        Words::rq_mult_small(ring, a, b, product);
        Reference::rq_mult_small(ring, a, b, expected);
        EXPECT_EQ(product.c, expected.c);
        ntru_prime::Small<ring.capacity> small_product{};
        ntru_prime::Small<ring.capacity> small_expected{};
        Words::r3_mult(ring, c, b, small_product);
        Reference::r3_mult(ring, c, b, small_expected);
        EXPECT_EQ(small_product.c, small_expected.c);
    }
}

}  // namespace
}  // namespace girih
