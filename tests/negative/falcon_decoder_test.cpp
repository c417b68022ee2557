/// Every check of every decoder of Falcon has a string here that it alone refuses: without the
/// check, a test fails.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "falcon/encoding/signature.hpp"
#include "falcon/key_check.hpp"
#include "falcon/reference_keygen/keygen.hpp"
#include "falcon/verify.hpp"
#include "isa/portable/lanes.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using Portable = isa::portable::Isa;
using test::ByteString;

constexpr std::size_t n = 512;

/// Bits, the first the highest of the first byte.
class Bits {
  public:
    Bits& put(std::uint32_t value, unsigned count)
    {
        for (unsigned i = count; i-- > 0;) {
            if (size_ % 8 == 0) bytes_.push_back(0);
            bytes_.back() = static_cast<Byte>(bytes_.back() | ((value >> i) & 1) << (7 - size_ % 8));
            ++size_;
        }
        return *this;
    }
    /// A coefficient as Compress writes it; the sign may stand before a zero.
    Bits& coefficient(bool negative, std::uint32_t magnitude)
    {
        put(negative ? 1 : 0, 1).put(magnitude & 127, 7);
        for (std::uint32_t i = 0; i < magnitude >> 7; ++i) put(0, 1);
        return put(1, 1);
    }
    [[nodiscard]] const ByteString& bytes() const { return bytes_; }

  private:
    ByteString bytes_;
    std::size_t size_ = 0;
};

/// n coefficients: the one given, and else 1. The last leaves 7 bits of a byte over, which are
/// zero.
Bits ones_and(bool negative, std::uint32_t magnitude)
{
    Bits bits;
    bits.coefficient(negative, magnitude);
    for (std::size_t i = 1; i < n; ++i) bits.coefficient(false, 1);
    return bits;
}

std::size_t decompressed_bytes(BytesIn<> bytes)
{
    ShortPoly<n> s;
    return decompress_vartime<Portable, n>(bytes, s);
}

TEST(FalconDecompress, TakesWhatCompressWrites)
{
    test::Numbers numbers{1};
    for (int round = 0; round < 100; ++round) {
        ShortPoly<n> s, again;
        for (auto& a : s)
            a = static_cast<std::int16_t>(round == 0 ? 0
                                                     : numbers.between(-(20 * round + 47), 20 * round + 47));
        std::array<Byte, 2048> bytes;
        const std::size_t used = compress_vartime<Portable, n>(s, bytes);
        ASSERT_NE(used, 0u);
        ASSERT_EQ((decompress_vartime<Portable, n>(BytesIn<>{bytes}.first(used), again)), used);
        ASSERT_EQ(s, again);
        EXPECT_EQ((compress_vartime<Portable, n>(s, BytesOut<>{bytes}.first(used - 1))), 0u);
        EXPECT_EQ(decompressed_bytes(BytesIn<>{bytes}.first(used - 1)), 0u);
    }
}

TEST(FalconCompress, RefusesWhatDoesNotFitInElevenBits)
{
    ShortPoly<n> s{};
    std::array<Byte, 2048> bytes;
    s[3] = 2047;
    EXPECT_NE((compress_vartime<Portable, n>(s, bytes)), 0u);
    s[3] = 2048;
    EXPECT_EQ((compress_vartime<Portable, n>(s, bytes)), 0u);
    s[3] = -2048;
    EXPECT_EQ((compress_vartime<Portable, n>(s, bytes)), 0u);
}

TEST(FalconDecompress, RefusesMinusZero)
{
    EXPECT_NE(decompressed_bytes(ones_and(false, 0).bytes()), 0u);
    EXPECT_NE(decompressed_bytes(ones_and(true, 1).bytes()), 0u);
    EXPECT_NE(decompressed_bytes(ones_and(true, 128).bytes()), 0u);
    EXPECT_EQ(decompressed_bytes(ones_and(true, 0).bytes()), 0u);
}

TEST(FalconDecompress, RefusesMagnitudesBeyond2047)
{
    EXPECT_NE(decompressed_bytes(ones_and(false, 2047).bytes()), 0u);
    EXPECT_EQ(decompressed_bytes(ones_and(false, 2048).bytes()), 0u);
}

TEST(FalconDecompress, RefusesOnesBehindTheLastCoefficient)
{
    Bits bits = ones_and(false, 128);  // one bit in the last byte
    EXPECT_EQ(decompressed_bytes(bits.bytes()), bits.bytes().size());
    for (unsigned i = 0; i < 7; ++i) {
        ByteString bytes = bits.bytes();
        bytes.back() = static_cast<Byte>(bytes.back() | 1u << i);
        EXPECT_EQ(decompressed_bytes(bytes), 0u) << i;
    }
}

// ---- Signatures

/// A key that makes every short vector a signature of it: h = 0, so s1 = c.
class FalconVerify : public testing::Test {
  public:
    PreparedVerifyingKey<falcon_512, Portable> key{};
    ResiduePoly<n> zero{};

    template <Params P>
    bool verifies(const ByteString& s2)
    {
        return verify_vartime<P.keys(), Portable>(P.format, key, zero, s2);
    }
};

TEST_F(FalconVerify, TakesNoBytesBehindACompressedSignature)
{
    ByteString bytes = ones_and(false, 1).bytes();
    EXPECT_TRUE(verifies<falcon_512>(bytes));
    bytes.push_back(0);
    EXPECT_FALSE(verifies<falcon_512>(bytes));
}

TEST_F(FalconVerify, TakesOnlyZerosBehindAPaddedSignature)
{
    ByteString bytes = ones_and(false, 1).bytes();
    bytes.resize(666 - 41);
    EXPECT_TRUE(verifies<falcon_padded_512>(bytes));
    bytes.back() = 1;
    EXPECT_FALSE(verifies<falcon_padded_512>(bytes));
}

TEST_F(FalconVerify, RefusesTheLeastNumberOfAField)
{
    ByteString bytes(768);
    EXPECT_TRUE(verifies<falcon_ct_512>(bytes));
    bytes[0] = 0x80;  // -2048 in 12 bits
    EXPECT_FALSE(verifies<falcon_ct_512>(bytes));
    bytes[0] = 0x80;
    bytes[1] = 0x10;  // -2047: refused for its length only if others are long as well
    EXPECT_TRUE(verifies<falcon_ct_512>(bytes));
    bytes.push_back(0);
    EXPECT_FALSE(verifies<falcon_ct_512>(bytes));
}

TEST_F(FalconVerify, RefusesVectorsThatAreTooLong)
{
    // floor(beta^2) = 34034726 = 8 * 2047^2 + 716^2 + 19^2 + 6^2 + 1
    ShortPoly<n> s2{};
    for (std::size_t i = 0; i < 8; ++i) s2[i] = 2047;
    s2[8] = -716;
    s2[9] = 19;
    s2[10] = 6;
    s2[11] = 1;
    EXPECT_TRUE((verify_point_vartime<falcon_512, Portable>(key, zero, s2)));
    s2[12] = 1;
    EXPECT_FALSE((verify_point_vartime<falcon_512, Portable>(key, zero, s2)));
    // The other half of the vector counts as well.
    s2[12] = 0;
    zero[0] = 1;
    EXPECT_FALSE((verify_point_vartime<falcon_512, Portable>(key, zero, s2)));
}

TEST_F(FalconVerify, RefusesOtherHeadersAndLengths)
{
    const auto is_taken_apart = []<Params P>(unsigned header, std::size_t size = P.signature_bytes()) {
        ByteString signature(size);
        signature[0] = static_cast<Byte>(header);
        return take_apart<P.keys()>(P.format, signature).has_value();
    };
    for (unsigned header = 0; header < 256; ++header) {
        EXPECT_EQ((is_taken_apart.template operator()<falcon_512>(header)), header == 0x39);
        EXPECT_EQ((is_taken_apart.template operator()<falcon_padded_512>(header)), header == 0x39);
        EXPECT_EQ((is_taken_apart.template operator()<falcon_1024>(header)), header == 0x3A);
        EXPECT_EQ((is_taken_apart.template operator()<falcon_ct_512>(header)), header == 0x59);
    }
    EXPECT_TRUE((is_taken_apart.template operator()<falcon_512>(0x39, 42)));
    EXPECT_FALSE((is_taken_apart.template operator()<falcon_512>(0x39, 41)));
    EXPECT_FALSE((is_taken_apart.template operator()<falcon_512>(0x39, 753)));
    EXPECT_FALSE((is_taken_apart.template operator()<falcon_padded_512>(0x39, 665)));
    EXPECT_FALSE((is_taken_apart.template operator()<falcon_padded_512>(0x39, 667)));
}

// ---- Keys

TEST(FalconPublicKey, RefusesHeadersAndCoefficientsOutOfRange)
{
    ByteString pk(falcon_512.public_key_bytes());
    const auto accepted = [&] {
        ResiduePoly<n> h;
        return decode_public_key<falcon_512, Portable>(BytesIn<897>{pk}, h);
    };
    pk[0] = 9;
    EXPECT_TRUE(accepted());
    for (const Byte header : std::array<Byte, 5>{0, 8, 10, 0x19, 0x59}) {
        pk[0] = header;
        EXPECT_FALSE(accepted());
    }
    pk[0] = 9;
    for (const std::uint32_t value : {q - 1, q, std::uint32_t{16383}}) {
        pk[1] = static_cast<Byte>(value >> 6);
        pk[2] = static_cast<Byte>(value << 2);
        EXPECT_EQ(accepted(), value < q) << value;
    }
    const girih_alg* alg = girih_algorithm("Falcon-512");
    const ByteString signature(700);
    EXPECT_EQ(test::verify(alg, pk, {}, signature, {}), GIRIH_ERROR_PUBLIC_KEY);
}

class FalconSecretKey : public testing::Test {
  public:
    using Key = std::array<Byte, falcon_512.secret_key_bytes()>;
    Key sk{};
    std::array<Byte, falcon_512.public_key_bytes()> pk{};
    Basis<n> basis{};

    void SetUp() override
    {
        const ByteString seed = test::counting(seed_bytes);
        keygen<falcon_512, Portable>(BytesIn<seed_bytes>{seed}, pk, sk);
        ASSERT_TRUE((decode_secret_key<falcon_512, Portable>(sk, basis)));
    }
    [[nodiscard]] static KeyCheck check(const Key& key)
    {
        std::array<Byte, falcon_512.public_key_bytes()> found;
        return public_key<falcon_512, Portable>(key, found);
    }
    [[nodiscard]] KeyCheck check_basis() const
    {
        Key key;
        encode_secret_key<falcon_512, Portable>(basis, key);
        return check(key);
    }
    /// What signing says of the basis, from the stored and from the prepared key.
    [[nodiscard]] bool signs() const
    {
        Key key;
        encode_secret_key<falcon_512, Portable>(basis, key);
        PreparedSigningKey<falcon_512, Portable> prepared;
        const bool is_prepared = prepare_signing_key<falcon_512, Portable>(key, prepared);
        const std::array<Byte, salt_bytes> salt{};
        const std::array<Byte, seed_bytes> seed{};
        std::array<Byte, falcon_512.signature_bytes()> signature;
        const auto outcome = sign<falcon_512, Portable>(Format::compressed, BytesIn<1281>{key},
                                                        ResiduePoly<n>{}, {salt, seed}, signature);
        EXPECT_EQ(is_prepared, outcome.result == SignResult::good);
        return is_prepared;
    }
};

TEST_F(FalconSecretKey, IsGoodAsItIs)
{
    EXPECT_EQ(check(sk), KeyCheck::good);
    EXPECT_EQ(check_basis(), KeyCheck::good);
    EXPECT_TRUE(signs());
}

TEST_F(FalconSecretKey, RefusesAnotherHeader)
{
    for (const Byte header : std::array<Byte, 5>{0x50, 0x58, 0x5A, 0x09, 0xD9}) {
        sk[0] = header;
        EXPECT_EQ(check(sk), KeyCheck::malformed);
    }
}

TEST_F(FalconSecretKey, RefusesTheLeastNumberOfAField)
{
    // -32 in f or g, -128 in F.
    constexpr std::size_t f_at = 1;
    constexpr std::size_t g_at = 1 + 384;
    constexpr std::size_t big_f_at = 1 + 2 * 384;
    for (const std::size_t at : {f_at, g_at, big_f_at}) {
        ByteString field(at == big_f_at ? n : 384);
        field[0] = 0x80;
        SmallPoly<n> f;
        const auto least = at == big_f_at ? unpack_signed_fields<8, Portable>(BytesIn<n>{field}, f)
                                          : unpack_signed_fields<6, Portable>(BytesIn<384>{field}, f);
        EXPECT_EQ(declassify(least, "a test"), 1u);
        field[0] = at == big_f_at ? 0x81 : 0x84;
        const auto next = at == big_f_at ? unpack_signed_fields<8, Portable>(BytesIn<n>{field}, f)
                                         : unpack_signed_fields<6, Portable>(BytesIn<384>{field}, f);
        EXPECT_EQ(declassify(next, "a test"), 0u);
        Key key = sk;
        key[at] = static_cast<Byte>(at == big_f_at ? 0x80 : (0x80 | (key[at] & 3)));
        EXPECT_EQ(check(key), KeyCheck::malformed);
    }
}

TEST_F(FalconSecretKey, RefusesAnFWithoutReciprocal)
{
    basis.f = {};
    EXPECT_EQ(check_basis(), KeyCheck::malformed);
}

TEST_F(FalconSecretKey, RefusesAnFOfAnotherPair)
{
    // F + 1 has a G that is large.
    basis.big_f[5] = static_cast<std::int8_t>(basis.big_f[5] + 1);
    EXPECT_EQ(check_basis(), KeyCheck::malformed);
}

TEST_F(FalconSecretKey, RefusesABasisOfAnotherDeterminant)
{
    // F = f and G = g solve f G - g F = 0, and F = G = 0 does: nothing is out of range, and modulo
    // q nothing is wrong.
    basis.big_f = basis.f;
    EXPECT_EQ(check_basis(), KeyCheck::inconsistent);
    EXPECT_FALSE(signs());
    basis.big_f = {};
    EXPECT_EQ(check_basis(), KeyCheck::inconsistent);
    EXPECT_FALSE(signs());
}

TEST_F(FalconSecretKey, RefusesABasisThatIsNotShort)
{
    // A pair that key generation throws away for its length, but that has a solution: nothing is
    // wrong but deviations at the leaves.
    keccak::Shake256<Portable> source;
    source.absorb(Byte{1});
    static NtruSolver<Portable, 9> solver;
    bool is_found = false;
    for (int i = 0; i < 100 && !is_found; ++i) {
        sample_fg<Portable, n>(source, basis.f);
        sample_fg<Portable, n>(source, basis.g);
        is_found = !are_short<falcon_512, Portable>(basis.f, basis.g) && solver.solve(basis);
    }
    ASSERT_TRUE(is_found);
    EXPECT_EQ(check_basis(), KeyCheck::inconsistent);
    EXPECT_FALSE(signs());
}

TEST_F(FalconSecretKey, RefusesTheLeastNumberOfAFieldInABasisThatIsGood)
{
    // With -32 in f or in g: a pair that key generation would have taken, had it been -31.
    keccak::Shake256<Portable> source;
    source.absorb(Byte{2});
    static NtruSolver<Portable, 9> solver;
    for (const bool is_f : {true, false}) {
        bool is_found = false;
        for (int i = 0; i < 2000 && !is_found; ++i) {
            sample_fg<Portable, n>(source, basis.f);
            sample_fg<Portable, n>(source, basis.g);
            (is_f ? basis.f : basis.g)[7] = -31;
            Basis<n> next = basis;
            (is_f ? next.f : next.g)[7] = -32;
            if (!are_short<falcon_512, Portable>(basis.f, basis.g) || !solver.solve(next)) continue;
            is_found = true;
            basis = next;
        }
        ASSERT_TRUE(is_found);
        EXPECT_EQ(check_basis(), KeyCheck::malformed);
    }
    // With -128 in F: F and G with multiples of f and g added, which is a basis of the same lattice
    // and of the same leaves.
    ASSERT_TRUE((decode_secret_key<falcon_512, Portable>(sk, basis)));
    const Basis<n> good = basis;
    bool is_found = false;
    for (std::size_t shift = 0; shift < n && !is_found; ++shift) {
        for (int factor = -20; factor <= 20 && !is_found; ++factor) {
            bool has_least = false;
            bool fits = true;
            for (std::size_t i = 0; i < n; ++i) {
                const std::size_t from = (i + n - shift) % n;
                const int sign = i < shift ? -factor : factor;
                const int big_f = good.big_f[i] + sign * good.f[from];
                const int big_g = good.big_g[i] + sign * good.g[from];
                has_least |= big_f == -128;
                fits &= big_f >= -128 && big_f <= 127 && big_g >= -127 && big_g <= 127;
                basis.big_f[i] = static_cast<std::int8_t>(big_f);
            }
            is_found = has_least && fits;
        }
    }
    ASSERT_TRUE(is_found);
    EXPECT_EQ(check_basis(), KeyCheck::malformed);
}

}  // namespace
