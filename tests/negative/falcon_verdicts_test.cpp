/// Signatures and keys of Falcon with the verdict of each: a row for each thing that a file of
/// vectors has a flag for. The public keys are made for the signatures of their rows, so that
/// nothing else is wrong with them.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engines/list.hpp"
#include "support/falcon_signatures.hpp"
#include "support/operations.hpp"
#include "support/sets.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using test::ByteString;
using test::FalconVector;
using test::MadeSignature;

template <class T>
class FalconVerdicts : public testing::Test {
  public:
    static constexpr Params P = T::params;
    static constexpr std::size_t s2_at = 1 + salt_bytes;
    static constexpr int good = GIRIH_OK;
    static constexpr int bad = GIRIH_ERROR_SIGNATURE;

    const girih_alg* alg = girih_algorithm(test::falcon_names[T::place]);

    struct Row {
        const char* flag;
        const char* what;
        ByteString signature;
        int verdict;
    };

    /// A signature whose s2 begins with these coefficients; behind them is another one, so that
    /// s2 has a reciprocal.
    [[nodiscard]] static MadeSignature with_s2(std::initializer_list<int> first)
    {
        FalconVector<P.n()> vector;
        std::copy(first.begin(), first.end(), vector.s2.begin());
        vector.s2[P.n() / 2 + 3] = 1;
        return test::make_falcon_signature<P>(vector, test::counting(20));
    }
    /// Under the key and the message of one signature, on every engine that runs here and
    /// through the C interface.
    void expect(const MadeSignature& made, const std::vector<Row>& rows)
    {
        for (const Row& row : rows) {
            SCOPED_TRACE(std::string{row.flag} + ": " + row.what);
            EXPECT_EQ(test::verify(alg, made.public_key, made.message, row.signature, {}), row.verdict);
            for (const auto& candidate : engines::candidates()) {
                if (!candidate.runs_here()) continue;
                EXPECT_EQ(test::falcon_on(*candidate.engine, T::place)
                              .verify(made.public_key.data(), made.message, row.signature),
                          row.verdict == good ? Verdict::good : Verdict::bad)
                    << candidate.engine->name;
            }
        }
    }
    static ByteString with_byte(ByteString bytes, std::size_t place, unsigned byte)
    {
        bytes[place] = static_cast<Byte>(byte);
        return bytes;
    }
    static ByteString of_length(ByteString bytes, std::size_t length)
    {
        bytes.resize(length);
        return bytes;
    }
};
TYPED_TEST_SUITE(FalconVerdicts, test::FalconSets, test::SetNames<test::falcon_names>);

TYPED_TEST(FalconVerdicts, OfCoefficientsAtTheirBound)
{
    for (const int value : {2047, -2047, 1, -1, 127, 128, -128, 0}) {
        const MadeSignature made = this->with_s2({value, -value, 3});
        this->expect(
            made, {{"BoundaryCondition", "a coefficient that can be encoded", made.signature, this->good}});
    }
}

TYPED_TEST(FalconVerdicts, OfHeadersSaltsAndLengths)
{
    const MadeSignature made = this->with_s2({5, -6, 200});
    const ByteString& whole = made.signature;
    const std::size_t size = whole.size();
    const unsigned header = whole[0];
    const auto flipped = [&](std::size_t byte) { return this->with_byte(whole, byte, whole[byte] ^ 0x10U); };
    this->expect(
        made,
        {
            {"ValidSignature", "as it was made", whole, this->good},
            {"InvalidHeader", "the other degree's", this->with_byte(whole, 0, header ^ 3U), this->bad},
            {"InvalidHeader", "the other format's", this->with_byte(whole, 0, header ^ 0x60U), this->bad},
            {"InvalidHeader", "that of an s2 alone", this->with_byte(whole, 0, header & 0x2FU), this->bad},
            {"InvalidHeader", "its highest bit", this->with_byte(whole, 0, header | 0x80U), this->bad},
            {"ModifiedSalt", "the first byte", flipped(1), this->bad},
            {"ModifiedSalt", "the last byte", flipped(salt_bytes), this->bad},
            {"ModifiedSignature", "the first byte of s2", flipped(this->s2_at), this->bad},
            {"IncorrectSignatureLength", "nothing", {}, this->bad},
            {"IncorrectSignatureLength", "a header", this->of_length(whole, 1), this->bad},
            {"IncorrectSignatureLength", "a header and a salt", this->of_length(whole, 41), this->bad},
            {"IncorrectSignatureLength", "a salt that lacks a byte",
             [&] {
                 ByteString shorter = whole;
                 shorter.erase(shorter.begin() + 1);
                 return shorter;
             }(),
             this->bad},
            {"IncorrectSignatureLength", "one byte less", this->of_length(whole, size - 1), this->bad},
            {"TrailingBytes", "a zero behind it", this->of_length(whole, size + 1), this->bad},
            {"TrailingBytes", "a one behind it", this->with_byte(this->of_length(whole, size + 1), size, 1),
             this->bad},
            {"TrailingBytes", "up to the longest and one more",
             this->of_length(whole, TestFixture::P.signature_bytes() + 1), this->bad},
        });
}

TYPED_TEST(FalconVerdicts, OfEncodingsThatNothingElseRefuses)
{
    constexpr Params set = TestFixture::P;
    constexpr std::size_t at = TestFixture::s2_at;
    const MadeSignature made = this->with_s2({0, 0, 0, 0});
    ByteString changed = made.signature;
    if constexpr (set.format == Format::constant_time) {
        changed[at] = 0x80;  // the first field of 12 bits is -2048, which has no negative
        this->expect(made, {{"ValidSignature", "as it was made", made.signature, this->good},
                            {"NonCanonicalEncoding", "the least number of its width", changed, this->bad}});
        return;
    }
    // A zero is 0 0000000 1: with a sign it means the same. The padding of the last byte and
    // behind it means nothing.
    changed[at] |= 0x80;
    std::vector<typename TestFixture::Row> rows{
        {"ValidSignature", "as it was made", made.signature, this->good},
        {"NonCanonicalEncoding", "minus zero", changed, this->bad}};
    // n zeros and a 1 take 9 n bits, which leaves none over, so one of two bytes' length (128)
    // shifts the rest by one.
    const MadeSignature shifted = this->with_s2({128});
    ByteString last_bit = shifted.signature;
    const std::size_t end = at + (9 * set.n() + 1 + 7) / 8;
    last_bit[end - 1] |= 0x01;
    this->expect(shifted, {{"ValidSignature", "seven bits of padding", shifted.signature, this->good},
                           {"NonZeroPadding", "the last bit of the last byte", last_bit, this->bad},
                           {"NonZeroPadding", "the first one behind the last coefficient",
                            this->with_byte(shifted.signature, end - 1, shifted.signature[end - 1] | 0x40U),
                            this->bad}});
    if (set.format == Format::padded) {
        const std::size_t size = made.signature.size();
        rows.push_back(
            {"NonZeroPadding", "the last byte", this->with_byte(made.signature, size - 1, 1), this->bad});
        rows.push_back({"NonZeroPadding", "the byte behind s2",
                        this->with_byte(made.signature, at + 9 * set.n() / 8, 0x80), this->bad});
    }
    this->expect(made, rows);
}

TYPED_TEST(FalconVerdicts, OfPublicKeys)
{
    const MadeSignature made = this->with_s2({5, -6, 200});
    const auto verdict = [&](const ByteString& key) {
        return test::verify(this->alg, key, made.message, made.signature, {});
    };
    const auto with_coefficient = [&](std::size_t place,
                                      unsigned value) {  // a multiple of four coefficients is 7 bytes
        ByteString key = made.public_key;
        const std::size_t byte = 1 + place * 14 / 8;
        key[byte] = static_cast<Byte>(value >> 6);
        key[byte + 1] = static_cast<Byte>((value << 2 & 0xFC) | (key[byte + 1] & 3));
        return key;
    };
    EXPECT_EQ(verdict(made.public_key), GIRIH_OK) << "ValidSignature";
    const std::size_t last = TestFixture::P.n() - 4;
    for (const std::size_t place : {std::size_t{0}, last}) {
        EXPECT_NE(verdict(with_coefficient(place, q - 1)), GIRIH_ERROR_PUBLIC_KEY)
            << "BoundaryCondition: q - 1";
        EXPECT_EQ(verdict(with_coefficient(place, q)), GIRIH_ERROR_PUBLIC_KEY) << "InvalidPublicKey: q";
        EXPECT_EQ(verdict(with_coefficient(place, 0x3FFF)), GIRIH_ERROR_PUBLIC_KEY)
            << "InvalidPublicKey: 2^14 - 1";
    }
    for (const unsigned header :
         {0U, made.public_key[0] ^ 3U, made.public_key[0] | 0x10U, made.public_key[0] | 0x80U})
        EXPECT_EQ(verdict(this->with_byte(made.public_key, 0, header)), GIRIH_ERROR_PUBLIC_KEY)
            << "InvalidPublicKey: header " << header;
    for (const std::size_t length : {std::size_t{0}, made.public_key.size() - 1, made.public_key.size() + 1})
        EXPECT_EQ(verdict(this->of_length(made.public_key, length)), GIRIH_ERROR_LENGTH)
            << "IncorrectPublicKeyLength";
    // h = 0 makes s1 the message's point, which is long.
    ByteString zero(made.public_key.size());
    zero[0] = made.public_key[0];
    EXPECT_EQ(verdict(zero), this->bad) << "ZeroPublicKey";
}

TYPED_TEST(FalconVerdicts, OfSecretKeys)
{
    constexpr Params set = TestFixture::P;
    const test::KeyPair keys = test::key_pair(this->alg, test::counting(48));
    const auto error = [&](const ByteString& key) {
        ByteString signature(girih_signature_bytes(this->alg), 0xEE);
        std::size_t size = 1;
        const int found = girih_sign(this->alg, key.data(), key.size(), nullptr, 0, nullptr, signature.data(),
                                     signature.size(), &size);
        EXPECT_EQ(test::is_zero(signature), found != GIRIH_OK);
        return found;
    };
    constexpr std::size_t fg_size = set.n() * set.fg_bits() / 8;
    const unsigned least = 1U << 7;  // the highest bit of a field, whose others are 0
    EXPECT_EQ(error(keys.secret_key), GIRIH_OK) << "ValidSignature";
    for (const unsigned header : {0U, keys.secret_key[0] ^ 3U, keys.secret_key[0] ^ 0x60U})
        EXPECT_EQ(error(this->with_byte(keys.secret_key, 0, header)), GIRIH_ERROR_SECRET_KEY)
            << "InvalidPrivateKey: header " << header;
    for (const std::size_t place : {std::size_t{1}, 1 + fg_size, 1 + 2 * fg_size}) {
        const unsigned rest =
            place == 1 + 2 * fg_size ? 0 : keys.secret_key[place] & ((1U << (8 - set.fg_bits())) - 1);
        EXPECT_EQ(error(this->with_byte(keys.secret_key, place, least | rest)), GIRIH_ERROR_SECRET_KEY)
            << "InvalidPrivateKey: the least number of its width, in byte " << place;
    }
    ByteString zero_f = keys.secret_key;
    std::fill_n(zero_f.begin() + 1, fg_size, Byte{0});
    EXPECT_EQ(error(zero_f), GIRIH_ERROR_SECRET_KEY) << "InvalidPrivateKey: f = 0";
    EXPECT_EQ(
        error(this->with_byte(keys.secret_key, keys.secret_key.size() - 1, keys.secret_key.back() ^ 1U)),
        GIRIH_ERROR_SECRET_KEY)
        << "InvalidPrivateKey: an F of another basis";
    for (const std::size_t length : {std::size_t{0}, keys.secret_key.size() - 1, keys.secret_key.size() + 1})
        EXPECT_EQ(error(this->of_length(keys.secret_key, length)), GIRIH_ERROR_LENGTH)
            << "IncorrectPrivateKeyLength";
}

}  // namespace
