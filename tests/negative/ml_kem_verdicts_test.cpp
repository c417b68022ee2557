/// Keys and ciphertexts of ML-KEM with what becomes of each. A bad ciphertext has no error: it
/// gives J(z | c) (FIPS 203, Algorithm 18).
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "ml_kem/params.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

class MlKemVerdicts : public testing::TestWithParam<std::size_t> {
  public:
    static constexpr std::array names{"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"};
    static constexpr std::array sets{ml_kem::ml_kem_512, ml_kem::ml_kem_768, ml_kem::ml_kem_1024};

    const ml_kem::Params p = sets[GetParam()];
    const girih_alg* alg = girih_algorithm(names[GetParam()]);
    const test::KeyPair keys = test::key_pair(alg, test::counting(64));
    const test::Encapsulation made = test::encapsulate(alg, keys.public_key);

    /// J(z | c)
    [[nodiscard]] ByteString rejection(const ByteString& ciphertext) const
    {
        ByteString secret(32);
        keccak::Shake256<isa::portable::Isa>{}
            .absorb(BytesIn<>{keys.secret_key}.last(32))
            .absorb(ciphertext)
            .squeeze(secret);
        return secret;
    }
    /// A coefficient of the 12-bit integers that begin at a byte.
    static void set_coefficient(ByteString& bytes, std::size_t begin, std::size_t i, unsigned value)
    {
        for (unsigned bit = 0; bit < 12; ++bit) {
            const std::size_t at = 8 * begin + 12 * i + bit;
            const auto mask = static_cast<Byte>(1U << at % 8);
            bytes[at / 8] = static_cast<Byte>((bytes[at / 8] & ~mask) | ((value >> bit & 1) != 0 ? mask : 0));
        }
    }
    static unsigned coefficient(const ByteString& bytes, std::size_t begin, std::size_t i)
    {
        unsigned value = 0;
        for (unsigned bit = 0; bit < 12; ++bit) {
            const std::size_t at = 8 * begin + 12 * i + bit;
            value |= static_cast<unsigned>(bytes[at / 8] >> at % 8 & 1) << bit;
        }
        return value;
    }
    /// What encapsulation says of a key; whatever it writes is zero after an error.
    [[nodiscard]] int encapsulation_error(const ByteString& ek) const
    {
        ByteString ciphertext(p.ciphertext_bytes(), 0xEE);
        ByteString secret(32, 0xEE);
        const int error = girih_encapsulate(alg, nullptr, ek.data(), ek.size(), ciphertext.data(),
                                            ciphertext.size(), secret.data(), secret.size());
        EXPECT_EQ(test::is_zero(ciphertext) && test::is_zero(secret), error != GIRIH_OK);
        return error;
    }
    [[nodiscard]] int decapsulation_error(const ByteString& dk) const
    {
        ByteString secret(32, 0xEE);
        const int error = girih_decapsulate(alg, dk.data(), dk.size(), made.ciphertext.data(),
                                            made.ciphertext.size(), secret.data(), secret.size());
        EXPECT_EQ(test::is_zero(secret), error != GIRIH_OK);
        EXPECT_EQ((test::PreparedDecapsulationKey{alg, dk}.error()), error);
        return error;
    }
    [[nodiscard]] int import_error(const ByteString& dk) const
    {
        ByteString ek(p.public_key_bytes(), 0xEE);
        const int error = girih_public_key(alg, dk.data(), dk.size(), ek.data(), ek.size());
        EXPECT_EQ(test::is_zero(ek), error != GIRIH_OK);
        return error;
    }
    /// The key with another public key in it, and that one's hash.
    [[nodiscard]] ByteString with_public_key(const ByteString& ek) const
    {
        ByteString dk = keys.secret_key;
        std::copy(ek.begin(), ek.end(), dk.begin() + static_cast<std::ptrdiff_t>(p.vector_bytes()));
        keccak::Sha3<isa::portable::Isa, 32>{}.absorb(ek).squeeze(BytesOut<>{dk}.last(64).first(32));
        return dk;
    }
};

INSTANTIATE_TEST_SUITE_P(Of, MlKemVerdicts, testing::Range(std::size_t{0}, std::size_t{3}),
                         [](const auto& set) {
                             std::string name = MlKemVerdicts::names[set.param];
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST_P(MlKemVerdicts, OfCiphertextsWithOneBitFlipped)
{
    const test::PreparedDecapsulationKey prepared{alg, keys.secret_key};
    EXPECT_EQ(test::decapsulate(alg, keys.secret_key, made.ciphertext), made.shared_secret);
    EXPECT_EQ(prepared.decapsulate(made.ciphertext), made.shared_secret);
    // All of them, in batches: 8,704 of ML-KEM-768.
    std::vector<ByteString> ciphertexts(8 * made.ciphertext.size(), made.ciphertext);
    std::vector<ByteString> secrets(ciphertexts.size(), ByteString(32));
    std::vector<girih_decapsulate_row> rows;
    for (std::size_t bit = 0; bit < ciphertexts.size(); ++bit) {
        test::flip(ciphertexts[bit], bit);
        rows.push_back({prepared.get(), nullptr, 0, ciphertexts[bit].data(), ciphertexts[bit].size(),
                        secrets[bit].data(), 32, -1});
    }
    ASSERT_EQ(girih_decapsulate_many(alg, rows.data(), rows.size()), GIRIH_OK);
    for (std::size_t bit = 0; bit < ciphertexts.size(); ++bit)
        ASSERT_EQ(secrets[bit], rejection(ciphertexts[bit])) << "bit " << bit;
    for (std::size_t bit = 0; bit < ciphertexts.size(); bit += 997)
        ASSERT_EQ(test::decapsulate(alg, keys.secret_key, ciphertexts[bit]), secrets[bit]) << "bit " << bit;
}

TEST_P(MlKemVerdicts, OfCiphertextsThatAgreeUpToAZeroByte)
{
    // Whoever compares strings sees no difference behind a zero.
    test::Encapsulation zero_first = made;
    for (unsigned i = 0; zero_first.ciphertext[0] != 0; ++i) {
        ASSERT_LT(i, 10000U);
        zero_first = test::encapsulate(alg, keys.public_key);
    }
    ByteString changed = zero_first.ciphertext;
    changed.back() = static_cast<Byte>(changed.back() ^ 1);
    EXPECT_EQ(test::decapsulate(alg, keys.secret_key, zero_first.ciphertext), zero_first.shared_secret);
    EXPECT_EQ(test::decapsulate(alg, keys.secret_key, changed), rejection(changed));
}

TEST_P(MlKemVerdicts, OfOtherCiphertexts)
{
    for (const Byte all : {Byte{0}, Byte{0xFF}}) {
        const ByteString ciphertext(made.ciphertext.size(), all);
        EXPECT_EQ(test::decapsulate(alg, keys.secret_key, ciphertext), rejection(ciphertext));
    }
    const test::KeyPair other = test::key_pair(alg, test::counting(64, 1));
    const ByteString others = test::encapsulate(alg, other.public_key).ciphertext;
    EXPECT_EQ(test::decapsulate(alg, keys.secret_key, others), rejection(others));
}

TEST_P(MlKemVerdicts, OfEncapsulationKeys)
{
    EXPECT_EQ(encapsulation_error(keys.public_key), GIRIH_OK);
    // Every value in every position is tried on the kernels; here each position, with its value
    // plus q where that has 12 bits: the same key, in another encoding.
    for (std::size_t i = 0; i < p.k * 256; ++i) {
        ByteString ek = keys.public_key;
        const unsigned again = coefficient(ek, 0, i) + 3329;
        set_coefficient(ek, 0, i, again < 4096 ? again : 3329 + static_cast<unsigned>(i % 767));
        ASSERT_EQ(encapsulation_error(ek), GIRIH_ERROR_PUBLIC_KEY) << "coefficient " << i;
        if (i % 64 == 0) {
            ASSERT_EQ((test::PreparedEncapsulationKey{alg, ek}.error()), GIRIH_ERROR_PUBLIC_KEY);
        }
        set_coefficient(ek, 0, i, 3328);
        if (i % 64 == 0) {
            ASSERT_EQ(encapsulation_error(ek), GIRIH_OK) << "coefficient " << i;
        }
    }
    // rho is any.
    ByteString ek = keys.public_key;
    std::fill(ek.end() - 32, ek.end(), Byte{0xFF});
    EXPECT_EQ(encapsulation_error(ek), GIRIH_OK);
}

TEST_P(MlKemVerdicts, OfDecapsulationKeys)
{
    EXPECT_EQ(decapsulation_error(keys.secret_key), GIRIH_OK);
    EXPECT_EQ(import_error(keys.secret_key), GIRIH_OK);
    const auto changed = [&](std::size_t place) {
        ByteString dk = keys.secret_key;
        dk[place] = static_cast<Byte>(dk[place] ^ 1);
        return dk;
    };
    const std::size_t ek = p.vector_bytes();
    const std::size_t h = ek + p.public_key_bytes();
    for (const std::size_t place : {ek, ek + p.vector_bytes() - 1, h - 32, h - 1, h, h + 31}) {
        EXPECT_EQ(decapsulation_error(changed(place)), GIRIH_ERROR_KEY_MISMATCH) << place;
        EXPECT_NE(import_error(changed(place)), GIRIH_OK) << place;
    }
    // z is any, and decapsulation checks nothing of s.
    EXPECT_EQ(decapsulation_error(changed(h + 32)), GIRIH_OK);
    EXPECT_EQ(import_error(changed(h + 32)), GIRIH_OK);
    EXPECT_EQ(decapsulation_error(changed(0)), GIRIH_OK);
    EXPECT_EQ(import_error(changed(0)), GIRIH_ERROR_KEY_MISMATCH);
}

TEST_P(MlKemVerdicts, OfDecapsulationKeysThatAreImported)
{
    // Coefficients of s and of t that are not below q.
    for (const std::size_t i : {std::size_t{0}, p.k * 256 - 1}) {
        ByteString dk = keys.secret_key;
        set_coefficient(dk, 0, i, 3329);
        EXPECT_EQ(import_error(dk), GIRIH_ERROR_SECRET_KEY) << "s, coefficient " << i;
        set_coefficient(dk, 0, i, 4095);
        EXPECT_EQ(import_error(dk), GIRIH_ERROR_SECRET_KEY) << "s, coefficient " << i;
        ByteString ek = keys.public_key;
        set_coefficient(ek, 0, i, 3329);
        EXPECT_EQ(import_error(with_public_key(ek)), GIRIH_ERROR_SECRET_KEY) << "t, coefficient " << i;
    }
    // Another public key, whose hash is right: t - A s is not short.
    const test::KeyPair other = test::key_pair(alg, test::counting(64, 1));
    EXPECT_EQ(import_error(with_public_key(other.public_key)), GIRIH_ERROR_KEY_MISMATCH);
    // A hash that alone is wrong.
    ByteString dk = keys.secret_key;
    dk[dk.size() - 64] = static_cast<Byte>(dk[dk.size() - 64] ^ 1);
    EXPECT_EQ(import_error(dk), GIRIH_ERROR_KEY_MISMATCH);
}

TEST_P(MlKemVerdicts, OfErrorsJustShortAndJustTooLarge)
{
    // t + c for the constant c, which is c + 0 X modulo every factor: of e, one coefficient changes
    // by c. It may be any of [-eta1, eta1], and nothing else.
    int good = 0;
    for (unsigned c = 0; c < 3329; ++c) {
        ByteString ek = keys.public_key;
        for (std::size_t i = 0; i < 256; i += 2)  // residues modulo X^2 - gamma: c + 0 X
            set_coefficient(ek, 0, i, (coefficient(ek, 0, i) + c) % 3329);
        if (import_error(with_public_key(ek)) == GIRIH_OK) ++good;
    }
    EXPECT_EQ(good, 2 * p.eta1 + 1);
}

TEST_P(MlKemVerdicts, OfLengths)
{
    ByteString out(32, 0xEE);
    ByteString ciphertext(p.ciphertext_bytes(), 0xEE);
    for (const int difference : {-1, 1}) {
        const auto wrong = [&](std::size_t size) { return size + static_cast<std::size_t>(difference); };
        const ByteString long_enough(8192);
        EXPECT_EQ(girih_encapsulate(alg, nullptr, long_enough.data(), wrong(p.public_key_bytes()),
                                    ciphertext.data(), ciphertext.size(), out.data(), out.size()),
                  GIRIH_ERROR_LENGTH);
        EXPECT_TRUE(test::is_zero(out) && test::is_zero(ciphertext));
        EXPECT_EQ(girih_decapsulate(alg, long_enough.data(), wrong(p.secret_key_bytes()), ciphertext.data(),
                                    ciphertext.size(), out.data(), out.size()),
                  GIRIH_ERROR_LENGTH);
        EXPECT_EQ(girih_decapsulate(alg, keys.secret_key.data(), keys.secret_key.size(), long_enough.data(),
                                    wrong(p.ciphertext_bytes()), out.data(), out.size()),
                  GIRIH_ERROR_LENGTH);
    }
}

}  // namespace
