/// Falcon's encodings that only one check refuses: compressed polynomials and secret keys.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "engines/list.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "isa/portable/engine.hpp"
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

/// The number of bytes that encode s; 0 if none do.
std::size_t decompress(BytesIn<> bytes, ShortPoly<n>& s) { return decompress_vartime<Portable, n>(bytes, s); }

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
        ASSERT_EQ(decompress(bytes.first(used), again), used);
        ASSERT_EQ(s, again);
        EXPECT_EQ(decompress(bytes.first(used - 1), again), 0u);
        EXPECT_EQ(compress(s, bytes.first(used - 1)), 0u);
    }
}

TEST(FalconCompress, RefusesMagnitudesBeyond2047)
{
    for (const int value : {2047, 2048, -2047, -2048}) {
        const ShortPoly<n> s{0, 0, 0, static_cast<std::int16_t>(value)};
        ByteString bytes(2048);
        EXPECT_EQ(compress(s, bytes) != 0, std::abs(value) == 2047) << value;
    }
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
        EXPECT_EQ(decompress(bytes, s), zeros == 15 ? bytes.size() : 0u) << zeros;
    }
}

TEST(FalconDecompress, RefusesMinusZeroAndOnesBehindTheLastCoefficient)
{
    ShortPoly<n> s{}, again;
    s[7] = 128;  // a bit more than nine: one in the last byte
    ByteString bytes(1 + n * 9 / 8);
    ASSERT_EQ(compress(s, bytes), bytes.size());
    EXPECT_EQ(decompress(with_bits(bytes, 0, 1, 1), again), 0u);
    for (std::size_t bit = 1; bit < 8; ++bit)
        EXPECT_EQ(decompress(with_bits(bytes, 9 * n + bit, 1, 1), again), 0u) << bit;
}

TEST(FalconConstantTimeFormat, HasOneLength)
{
    ShortPoly<n> s2;
    for (const std::size_t size : {767U, 768U, 769U})
        EXPECT_EQ((decode_s2<falcon_512.shape(), Portable>(Format::constant_time, ByteString(size), s2)),
                  size == 768);
}

TEST(FalconPaddedFormat, HasNoSignatureForWhatDoesNotFitOrEncodesNothing)
{
    constexpr Shape shape = falcon_padded_512.shape();
    constexpr Format format = falcon_padded_512.format;
    ByteString bytes(falcon_padded_512.signature_bytes() - 1 - salt_bytes, 0xEE);
    ShortPoly<n> s2{};
    EXPECT_EQ((encode_s2<shape, Portable>(format, s2, bytes)), bytes.size());
    s2.fill(1000);
    EXPECT_EQ((encode_s2<shape, Portable>(format, s2, bytes)), 0U);
    EXPECT_FALSE((decode_s2<shape, Portable>(format, ByteString(bytes.size()), s2))) << "zeros";
}

// ---- Secret keys

/// Polynomials a + b x^256 for f, g, F and G with f G - g F = q: a basis whose only fault is the
/// deviations at its leaves, because f and g are too short.
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

/// On every engine, computing the public key gives this verdict on a secret key, and a key that is
/// not good makes no signature, prepared or not.
void expect_check(const ByteString& sk, KeyCheck expected)
{
    const ByteString randomness(seed_bytes);
    for (const auto& candidate : engines::candidates()) {
        if (!candidate.runs_here()) continue;
        SCOPED_TRACE(candidate.engine->name);
        const Operations& run = test::falcon_on(*candidate.engine, 0);
        ByteString pk(falcon_512.public_key_bytes());
        EXPECT_EQ(run.public_key(sk.data(), pk.data()), expected);
        const test::KeyMemory memory{run.signing_key_size};
        EXPECT_EQ(run.prepare_signing_key(sk.data(), memory.data()) == SignResult::good,
                  expected == KeyCheck::good);
        ByteString signature(falcon_512.signature_bytes());
        const auto outcome = run.sign(sk.data(), {}, randomness.data(), randomness.data(), signature.data());
        EXPECT_EQ(outcome.result == SignResult::good, expected == KeyCheck::good);
    }
}

void expect_check(const Basis<n>& basis, KeyCheck expected)
{
    ByteString sk(falcon_512.secret_key_bytes());
    encode_secret_key<falcon_512.shape(), Portable>(basis, BytesOut<falcon_512.secret_key_bytes()>{sk});
    expect_check(sk, expected);
}

TEST(FalconSecretKey, IsABasisOfCoefficientsInRangeThatIsNotTooShort)
{
    for (const BasisOfTwo& basis : bases) {
        SCOPED_TRACE(basis.what);
        expect_check({polynomial(basis.f), polynomial(basis.g), polynomial(basis.big_f), {}}, basis.expected);
    }
}

const ByteString& good_secret_key()
{
    static const ByteString sk =
        test::key_pair(girih_algorithm("Falcon-512"), test::counting(seed_bytes)).secret_key;
    return sk;
}

TEST(FalconSecretKey, HasOneHeader)
{
    expect_check(good_secret_key(), KeyCheck::good);
    for (std::size_t bit = 0; bit < 8; ++bit)
        expect_check(test::flipped(good_secret_key(), bit), KeyCheck::malformed);
}

TEST(FalconSecretKey, IsABasisOfDeterminantQ)
{
    Basis<n> good;
    ASSERT_TRUE((decode_secret_key<falcon_512.shape(), Portable>(
        BytesIn<falcon_512.secret_key_bytes()>{good_secret_key()}, good)));
    expect_check(good, KeyCheck::good);
    Basis<n> other = good;
    other.big_f[5] = static_cast<std::int8_t>(other.big_f[5] + 1);
    expect_check(other, KeyCheck::malformed);  // its G is large
    other.big_f = good.f;
    expect_check(other, KeyCheck::inconsistent);  // 0, G being g
    other.big_f = {};
    expect_check(other, KeyCheck::inconsistent);
    // -q, of as long a basis, whose leaves are those of the good one.
    std::ranges::transform(good.big_f, other.big_f.begin(),
                           [](auto a) { return static_cast<std::int8_t>(-a); });
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
        const int found = test::call(girih_sign, alg, key, BytesIn<>{}, nullptr, signature, &size);
        EXPECT_EQ(test::is_zero(signature), found != GIRIH_OK);
        return found;
    };
    EXPECT_EQ(error(good), GIRIH_OK);
    const Shape set{good.size() == falcon_512.secret_key_bytes() ? 9U : 10U};
    const std::size_t fg_bits = set.n() * set.fg_bits();
    const unsigned least = 1U << (set.fg_bits() - 1);
    std::vector<ByteString> others{with_bits(good, 8, set.fg_bits(), least),  // the least number: in f,
                                   with_bits(good, 8 + fg_bits, set.fg_bits(), least),  // in g,
                                   with_bits(good, 8 + 2 * fg_bits, 8, 0x80),           // and in F
                                   with_bits(good, 8 * good.size() - 1, 1, ~good.back() & 1U), good};
    std::fill_n(others.back().begin() + 1, fg_bits / 8, Byte{0});  // f = 0
    for (const unsigned header : {0U, good[0] ^ 3U, good[0] ^ 0x60U})
        others.push_back(with_bits(good, 0, 8, header));
    for (std::size_t i = 0; i < others.size(); ++i) EXPECT_EQ(error(others[i]), GIRIH_ERROR_SECRET_KEY) << i;
}

}  // namespace
