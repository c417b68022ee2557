/// Strings of Falcon that one check alone refuses: compressed polynomials and secret keys.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engines/list.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "isa/portable/lanes.hpp"
#include "support/bytes.hpp"
#include "support/operations.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using Portable = isa::portable::Isa;
using test::ByteString;
using test::with_bits;

constexpr std::size_t n = 512;

// ---- Compressed polynomials

std::size_t compress(const ShortPoly<n>& s, BytesOut<> bytes)
{
    return compress_vartime<Portable, n>(s, bytes);
}

TEST(FalconDecompress, TakesWhatCompressWritesAndNothingShorter)
{
    test::Numbers numbers{1};
    for (int round = 0; round < 100; ++round) {
        ShortPoly<n> s{}, again;
        const int bound = 20 * round + 47;
        if (round > 0)
            for (auto& a : s) a = static_cast<std::int16_t>(numbers.between(-bound, bound));
        std::array<Byte, 2048> memory;
        const BytesOut<> bytes = memory;
        const std::size_t used = compress(s, bytes);
        ASSERT_NE(used, 0u);
        ASSERT_EQ((decompress_vartime<Portable, n>(bytes.first(used), again)), used);
        ASSERT_EQ(s, again);
        EXPECT_EQ((decompress_vartime<Portable, n>(bytes.first(used - 1), again)), 0u);
        EXPECT_EQ(compress(s, bytes.first(used - 1)), 0u);
    }
}

TEST(FalconCompress, RefusesMagnitudesBeyond2047)
{
    ShortPoly<n> s{};
    std::array<Byte, 2048> bytes;
    for (const int magnitude : {2047, 2048}) {
        for (const int value : {magnitude, -magnitude}) {
            s[3] = static_cast<std::int16_t>(value);
            EXPECT_EQ(compress(s, bytes) != 0, magnitude == 2047) << value;
        }
    }
}

TEST(FalconDecompress, RefusesMinusZeroAndOnesBehindTheLastCoefficient)
{
    ShortPoly<n> s{}, again;
    s[7] = 128;  // a bit more than nine: one in the last byte
    ByteString bytes(1 + n * 9 / 8);
    ASSERT_EQ(compress(s, bytes), bytes.size());
    EXPECT_EQ((decompress_vartime<Portable, n>(with_bits(bytes, 0, 1, 1), again)), 0u);
    for (std::size_t bit = 1; bit < 8; ++bit)
        EXPECT_EQ((decompress_vartime<Portable, n>(with_bits(bytes, 9 * n + bit, 1, 1), again)), 0u) << bit;
}

TEST(FalconConstantTimeFormat, HasOneLength)
{
    ShortPoly<n> s2;
    for (const std::size_t size : {767U, 768U, 769U})
        EXPECT_EQ((decode_s2<falcon_512, Portable>(Format::constant_time, ByteString(size), s2)),
                  size == 768);
}

TEST(FalconDecompress, RefusesMagnitudesBeyond2047)
{
    // The first coefficient takes a sign, seven bits, zeros and a one; each of the others is 1.
    for (const unsigned zeros : {15U, 16U}) {
        ByteString bytes((8 + zeros + 1 + (n - 1) * 9 + 7) / 8);
        std::size_t bit = 8 + zeros;
        bytes = with_bits(bytes, bit++, 1, 1);
        for (std::size_t i = 1; i < n; ++i, bit += 9) bytes = with_bits(bytes, bit, 9, 0b0'0000001'1);
        ShortPoly<n> s;
        EXPECT_EQ((decompress_vartime<Portable, n>(bytes, s)), zeros == 15 ? bytes.size() : 0u) << zeros;
    }
}

TEST(FalconPaddedFormat, HasNoSignatureForWhatDoesNotFitOrEncodesNothing)
{
    constexpr Params keys = falcon_padded_512.keys();
    constexpr Format format = falcon_padded_512.format;
    ByteString bytes(falcon_padded_512.signature_bytes() - 1 - salt_bytes, 0xEE);
    ShortPoly<n> s2{};
    EXPECT_EQ((encode_s2<keys, Portable>(format, s2, bytes)), bytes.size());
    s2.fill(1000);
    EXPECT_EQ((encode_s2<keys, Portable>(format, s2, bytes)), 0U);
    EXPECT_FALSE((decode_s2<keys, Portable>(format, ByteString(bytes.size()), s2))) << "zeros";
}

// ---- Secret keys

/// Polynomials a + b x^256 of f, g, F and G with f G - g F = q: a basis of which nothing is wrong
/// but the deviations at its leaves, f and g being too short.
struct BasisOfTwo {
    const char* what;
    std::array<int, 2> f, g, big_f, big_g;
    KeyCheck expected;
};
constexpr std::array bases{
    BasisOfTwo{
        "f and g as they may be", {-31, 31}, {-30, 31}, {80, 93}, {-118, -108}, KeyCheck::inconsistent},
    BasisOfTwo{"the least f", {-31, -31}, {-31, 30}, {93, 80}, {-118, 108}, KeyCheck::inconsistent},
    BasisOfTwo{"the largest F", {-31, -30}, {31, 28}, {-126, 127}, {-87, 71}, KeyCheck::inconsistent},
    BasisOfTwo{"the least F", {-31, -31}, {30, 25}, {-127, 80}, {-92, 117}, KeyCheck::inconsistent},
    BasisOfTwo{"the largest G", {-31, -29}, {30, 27}, {-127, 72}, {-92, 127}, KeyCheck::inconsistent},
    BasisOfTwo{"the least G", {-31, -31}, {28, 25}, {-88, 83}, {-127, 123}, KeyCheck::inconsistent},
    BasisOfTwo{"-32 in f", {-32, -32}, {-23, -30}, {123, -102}, {-79, 121}, KeyCheck::malformed},
    BasisOfTwo{"-32 in g", {-31, -31}, {-32, 29}, {77, 94}, {-102, 127}, KeyCheck::malformed},
    BasisOfTwo{"-128 in F", {-31, -30}, {28, -23}, {-128, -112}, {-99, 102}, KeyCheck::malformed},
    BasisOfTwo{"-128 in G", {-31, -30}, {25, 29}, {-76, 119}, {-128, 99}, KeyCheck::malformed},
    BasisOfTwo{"128 in G", {-31, -30}, {31, 24}, {-123, 64}, {-100, 128}, KeyCheck::malformed},
    BasisOfTwo{"an f without a reciprocal", {0, 0}, {31, 24}, {-123, 64}, {0, 0}, KeyCheck::malformed}};

SmallPoly<n> polynomial(const std::array<int, 2>& coefficients)
{
    SmallPoly<n> f{};
    f[0] = static_cast<std::int8_t>(coefficients[0]);
    f[n / 2] = static_cast<std::int8_t>(coefficients[1]);
    return f;
}

/// On every engine, the public key's computation says this of a secret key, and no signature is
/// made with it if it is not good, whether it is prepared or not.
void expect_check(const ByteString& sk, KeyCheck expected)
{
    struct alignas(prepared_key_alignment) Line {
        std::array<Byte, prepared_key_alignment> bytes;
    };
    const ByteString randomness(seed_bytes);
    for (const auto& candidate : engines::candidates()) {
        if (!candidate.runs_here()) continue;
        SCOPED_TRACE(candidate.engine->name);
        const Operations& run = test::falcon_on(*candidate.engine, 0);
        ByteString pk(falcon_512.public_key_bytes());
        EXPECT_EQ(run.public_key(sk.data(), pk.data()), expected);
        std::vector<Line> memory(run.signing_key_size / sizeof(Line) + 1);
        EXPECT_EQ(run.prepare_signing_key(sk.data(), memory.data()), expected == KeyCheck::good);
        ByteString signature(falcon_512.signature_bytes());
        const auto outcome = run.sign(sk.data(), {}, randomness.data(), randomness.data(), signature.data());
        EXPECT_EQ(outcome.result == SignResult::good, expected == KeyCheck::good);
    }
}

void expect_check(const Basis<n>& basis, KeyCheck expected)
{
    ByteString sk(falcon_512.secret_key_bytes());
    encode_secret_key<falcon_512, Portable>(basis, BytesOut<falcon_512.secret_key_bytes()>{sk});
    expect_check(sk, expected);
}

TEST(FalconSecretKey, IsABasisOfCoefficientsInRangeThatIsNotTooShort)
{
    for (const BasisOfTwo& basis : bases) {
        SCOPED_TRACE(basis.what);
        expect_check({polynomial(basis.f), polynomial(basis.g), polynomial(basis.big_f), {}}, basis.expected);
    }
}

TEST(FalconSecretKey, HasOneHeader)
{
    const ByteString sk =
        test::key_pair(girih_algorithm("Falcon-512"), test::counting(seed_bytes)).secret_key;
    expect_check(sk, KeyCheck::good);
    for (std::size_t bit = 0; bit < 8; ++bit) {
        ByteString other = sk;
        test::flip(other, bit);
        expect_check(other, KeyCheck::malformed);
    }
}

TEST(FalconSecretKey, IsABasisOfDeterminantQ)
{
    const ByteString sk =
        test::key_pair(girih_algorithm("Falcon-512"), test::counting(seed_bytes)).secret_key;
    Basis<n> good;
    ASSERT_TRUE((decode_secret_key<falcon_512, Portable>(BytesIn<falcon_512.secret_key_bytes()>{sk}, good)));
    expect_check(good, KeyCheck::good);
    Basis<n> other = good;
    other.big_f[5] = static_cast<std::int8_t>(other.big_f[5] + 1);
    expect_check(other, KeyCheck::malformed);  // its G is large
    other.big_f = good.f;
    expect_check(other, KeyCheck::inconsistent);  // 0, G being g
    other.big_f = {};
    expect_check(other, KeyCheck::inconsistent);
    // -q, of as long a basis, whose leaves are those of the good one.
    for (std::size_t i = 0; i < n; ++i) other.big_f[i] = static_cast<std::int8_t>(-good.big_f[i]);
    expect_check(other, KeyCheck::inconsistent);
}

// ---- Secret keys of every set through the C interface

class FalconSecretKeys : public test::EveryAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, FalconSecretKeys, testing::ValuesIn(test::falcon_names),
                         test::EveryAlgorithm::name);

TEST_P(FalconSecretKeys, ThatAreNoneSignNothing)
{
    const ByteString good = test::key_pair(alg, test::counting(seed_bytes)).secret_key;
    const auto error = [&](const ByteString& key) {
        ByteString signature(girih_signature_bytes(alg), 0xEE);
        std::size_t size = 1;
        const int found = girih_sign(alg, key.data(), key.size(), nullptr, 0, nullptr, signature.data(),
                                     signature.size(), &size);
        EXPECT_EQ(test::is_zero(signature), found != GIRIH_OK);
        return found;
    };
    EXPECT_EQ(error(good), GIRIH_OK);
    const Params set{good.size() == falcon_512.secret_key_bytes() ? 9U : 10U};
    const std::size_t fg_bits = set.n() * set.fg_bits();
    for (const std::size_t at : {std::size_t{8}, 8 + fg_bits})
        EXPECT_EQ(error(with_bits(good, at, set.fg_bits(), 1U << (set.fg_bits() - 1))),
                  GIRIH_ERROR_SECRET_KEY)
            << "the least number of its width, at " << at;
    EXPECT_EQ(error(with_bits(good, 8 + 2 * fg_bits, 8, 0x80)), GIRIH_ERROR_SECRET_KEY) << "the same, in F";
    ByteString other = good;
    std::fill_n(other.begin() + 1, fg_bits / 8, Byte{0});
    EXPECT_EQ(error(other), GIRIH_ERROR_SECRET_KEY) << "f = 0";
    other = good;
    other.back() ^= 1;
    EXPECT_EQ(error(other), GIRIH_ERROR_SECRET_KEY) << "an F of another basis";
    for (const unsigned header : {0U, good[0] ^ 3U, good[0] ^ 0x60U})
        EXPECT_EQ(error(with_bits(good, 0, 8, header)), GIRIH_ERROR_SECRET_KEY) << header;
    for (const std::size_t length : {std::size_t{0}, good.size() - 1, good.size() + 1}) {
        other.resize(length);
        EXPECT_EQ(error(other), GIRIH_ERROR_LENGTH) << length;
    }
}

}  // namespace
