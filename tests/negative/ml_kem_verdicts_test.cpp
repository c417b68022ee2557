/// Keys and ciphertexts of ML-KEM with the result of each. A bad ciphertext gives no error, but
/// J(z | c) (FIPS 203, Algorithm 18).
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
#include "ml_kem/params.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/rejected_secret.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

class MlKemVerdicts : public testing::TestWithParam<std::size_t> {
  public:
    static constexpr std::array sets{ml_kem::ml_kem_512, ml_kem::ml_kem_768, ml_kem::ml_kem_1024};

    const ml_kem::Params p = sets[GetParam()];
    const girih_alg* alg = girih_algorithm(test::ml_kem_names[GetParam()]);
    const test::KeyPair keys = test::key_pair(alg, test::counting(64));
    const test::Encapsulation made = test::encapsulate(alg, keys.public_key);

    /// Sets a coefficient in the 12-bit integers at the beginning of a string.
    static void set_coefficient(ByteString& bytes, std::size_t i, unsigned value)
    {
        for (unsigned bit = 0; bit < 12; ++bit)
            if ((coefficient(bytes, i) ^ value) >> bit & 1U) test::flip(bytes, 12 * i + bit);
    }
    static unsigned coefficient(const ByteString& bytes, std::size_t i)
    {
        const std::size_t at = 12 * i / 8;
        return (bytes[at] | unsigned{bytes[at + 1]} << 8) >> 12 * i % 8 & 0xFFF;
    }
    /// The error of an encapsulation with a key; all outputs are zero after an error.
    [[nodiscard]] int encapsulation_error(const ByteString& ek) const
    {
        ByteString ciphertext(p.ciphertext_bytes(), 0xEE);
        ByteString secret(32, 0xEE);
        const int error = test::call(girih_encapsulate, alg, nullptr, ek, ciphertext, secret);
        EXPECT_EQ(test::is_zero(ciphertext) && test::is_zero(secret), error != GIRIH_OK);
        return error;
    }
    [[nodiscard]] int decapsulation_error(const ByteString& dk) const
    {
        ByteString secret(32, 0xEE);
        const int error = test::call(girih_decapsulate, alg, dk, made.ciphertext, secret);
        EXPECT_EQ(test::is_zero(secret), error != GIRIH_OK);
        EXPECT_EQ((test::PreparedDecapsulationKey{alg, dk}.error()), error);
        return error;
    }
    /// The key with another public key, and its hash, inside.
    [[nodiscard]] ByteString with_public_key(const ByteString& ek) const
    {
        ByteString dk = keys.secret_key;
        std::copy(ek.begin(), ek.end(), dk.begin() + static_cast<std::ptrdiff_t>(p.vector_bytes()));
        keccak::Sha3<isa::portable::Isa, 32>{}.absorb(ek).squeeze(BytesOut<>{dk}.last(64).first(32));
        return dk;
    }
};

INSTANTIATE_TEST_SUITE_P(Of, MlKemVerdicts, testing::Range(std::size_t{0}, std::size_t{3}),
                         [](const auto& set) { return test::test_name(test::ml_kem_names[set.param]); });

TEST_P(MlKemVerdicts, OfOtherCiphertexts)
{
    const test::KeyPair other = test::key_pair(alg, test::counting(64, 1));
    for (const ByteString& ciphertext :
         {ByteString(made.ciphertext.size(), 0), ByteString(made.ciphertext.size(), 0xFF),
          test::encapsulate(alg, other.public_key).ciphertext})
        EXPECT_EQ(test::decapsulate(alg, keys.secret_key, ciphertext),
                  test::rejected_secret(alg, keys.secret_key, ciphertext));
}

TEST_P(MlKemVerdicts, OfEncapsulationKeys)
{
    EXPECT_EQ(encapsulation_error(keys.public_key), GIRIH_OK);
    // Every value in every position is tried on the kernels; here each position, with its value
    // plus q where that has 12 bits: the same key, in another encoding.
    for (std::size_t i = 0; i < p.k * 256; ++i) {
        ByteString ek = keys.public_key;
        const unsigned again = coefficient(ek, i) + 3329;
        set_coefficient(ek, i, again < 4096 ? again : 3329 + static_cast<unsigned>(i % 767));
        ASSERT_EQ(encapsulation_error(ek), GIRIH_ERROR_PUBLIC_KEY) << "coefficient " << i;
        if (i % 64 != 0) continue;
        ASSERT_EQ((test::PreparedEncapsulationKey{alg, ek}.error()), GIRIH_ERROR_PUBLIC_KEY);
        set_coefficient(ek, i, 3328);
        ASSERT_EQ(encapsulation_error(ek), GIRIH_OK) << "coefficient " << i;
    }
    // rho may be any bytes.
    ByteString ek = keys.public_key;
    std::fill(ek.end() - 32, ek.end(), Byte{0xFF});
    EXPECT_EQ(encapsulation_error(ek), GIRIH_OK);
}

TEST_P(MlKemVerdicts, OfDecapsulationKeys)
{
    const auto expect = [&](const char* what, const ByteString& dk, int decapsulation, int import) {
        EXPECT_EQ(decapsulation_error(dk), decapsulation) << what;
        EXPECT_EQ(test::import_error(alg, dk), import) << what;
    };
    const auto flipped = [&](std::size_t place) { return test::flipped(keys.secret_key, 8 * place); };
    const std::size_t ek = p.vector_bytes();
    const std::size_t h = ek + p.public_key_bytes();
    expect("as it is", keys.secret_key, GIRIH_OK, GIRIH_OK);
    expect("z is any", flipped(h + 32), GIRIH_OK, GIRIH_OK);
    expect("decapsulation checks nothing of s", flipped(0), GIRIH_OK, GIRIH_ERROR_KEY_MISMATCH);
    expect("another public key, whose hash is right: t - A s is not short",
           with_public_key(test::key_pair(alg, test::counting(64, 1)).public_key), GIRIH_OK,
           GIRIH_ERROR_KEY_MISMATCH);
    for (const std::size_t place : {h, h + 31})
        expect("a hash that alone is wrong", flipped(place), GIRIH_ERROR_KEY_MISMATCH,
               GIRIH_ERROR_KEY_MISMATCH);
    for (const std::size_t place : {ek, ek + p.vector_bytes() - 1, h - 32, h - 1}) {
        EXPECT_EQ(decapsulation_error(flipped(place)), GIRIH_ERROR_KEY_MISMATCH) << place;
        EXPECT_NE(test::import_error(alg, flipped(place)), GIRIH_OK) << place;
    }
    for (const std::size_t i : {std::size_t{0}, p.k * 256 - 1}) {
        for (const unsigned value : {3329U, 4095U}) {
            ByteString dk = keys.secret_key;
            set_coefficient(dk, i, value);
            expect("s with a coefficient not below q", dk, GIRIH_OK, GIRIH_ERROR_SECRET_KEY);
        }
        ByteString t = keys.public_key;
        set_coefficient(t, i, 3329);
        expect("t with one", with_public_key(t), GIRIH_OK, GIRIH_ERROR_SECRET_KEY);
    }
}

TEST_P(MlKemVerdicts, OfErrorsJustShortAndJustTooLarge)
{
    // t + c for the constant c, which is c + 0 X modulo every factor: one coefficient of e changes
    // by c. It has to stay in [-eta1, eta1].
    int good = 0;
    for (unsigned c = 0; c < 3329; ++c) {
        ByteString ek = keys.public_key;
        for (std::size_t i = 0; i < 256; i += 2)  // residues modulo X^2 - gamma: c + 0 X
            set_coefficient(ek, i, (coefficient(ek, i) + c) % 3329);
        if (test::import_error(alg, with_public_key(ek)) == GIRIH_OK) ++good;
    }
    EXPECT_EQ(good, 2 * p.eta1 + 1);
}

}  // namespace
