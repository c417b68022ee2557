/// Polynomials as bytes, in every width the schemes use, against FIPS 204's strings of bits.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "ml_dsa/encoding/bit_pack.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;

/// IntegerToBits of each integer and BitsToBytes of the whole (FIPS 204, Algorithms 9 and 12),
/// one bit at a time.
test::ByteString bits_to_bytes(const std::vector<std::uint32_t>& integers, int bits)
{
    std::vector<bool> string;
    for (const std::uint32_t integer : integers)
        for (int i = 0; i < bits; ++i) string.push_back((integer >> i & 1) != 0);
    test::ByteString bytes(string.size() / 8);
    for (std::size_t i = 0; i < string.size(); ++i)
        if (string[i]) bytes[i / 8] = static_cast<Byte>(bytes[i / 8] | 1 << i % 8);
    return bytes;
}

/// An encoding by its width and, for BitPack, the upper end b of its range.
template <int bits_, std::int32_t b_ = -1>
struct Encoding {
    static constexpr int bits = bits_;
    static constexpr std::int32_t b = b_;
    static constexpr bool is_simple = b == -1;
    static constexpr std::int32_t highest = is_simple ? (1 << bits) - 1 : b;
    static constexpr std::int32_t lowest = highest - (1 << bits) + 1;
    using P = Poly<Form::coefficients, Bound{lowest, highest}, is_simple ? Secrecy::open : Secrecy::secret>;
    using Packed = std::array<Byte, packed_bytes(bits)>;

    static std::uint32_t integer_of(std::int32_t c)
    {
        return static_cast<std::uint32_t>(is_simple ? c : b - c);
    }
    static Packed pack(const P& poly)
    {
        Packed bytes;
        if constexpr (is_simple) {
            simple_bit_pack<bits, Portable>(poly, bytes);
        } else {
            bit_pack<bits, b, Portable>(poly, bytes);
        }
        return bytes;
    }
    static P unpack(const Packed& bytes)
    {
        if constexpr (is_simple) {
            return simple_bit_unpack<bits, Portable>(bytes);
        } else {
            return bit_unpack<bits, b, Portable, Secrecy::secret>(bytes);
        }
    }
};

// s1 and s2 for eta 2 and 4; t0; y and z for both gamma1; w1 for both gamma2; t1.
using Encodings = testing::Types<Encoding<3, 2>, Encoding<4, 4>, Encoding<13, 4096>, Encoding<18, 1 << 17>,
                                 Encoding<20, 1 << 19>, Encoding<4>, Encoding<6>, Encoding<10>>;

class EncodingNames {
  public:
    template <class T>
    static std::string GetName(int)
    {
        return "Width" + std::to_string(T::bits) + (T::is_simple ? "" : "From" + std::to_string(T::b));
    }
};

template <class T>
class PolynomialEncoding : public testing::Test {
  public:
    /// Packs, compares with the definition, and unpacks again.
    static void expect_encoding(const typename T::P& poly)
    {
        std::vector<std::uint32_t> integers;
        for (const std::int32_t c : poly.c) integers.push_back(T::integer_of(c));
        const auto bytes = T::pack(poly);
        ASSERT_EQ(test::ByteString(bytes.begin(), bytes.end()), bits_to_bytes(integers, T::bits));
        ASSERT_EQ(T::unpack(bytes).c, poly.c);
    }
};
TYPED_TEST_SUITE(PolynomialEncoding, Encodings, EncodingNames);

TYPED_TEST(PolynomialEncoding, HoldsEveryValueOfItsRange)
{
    typename TypeParam::P poly;
    std::int32_t next = TypeParam::lowest;
    for (std::size_t done = 0; done < 1U << TypeParam::bits; done += n) {
        for (std::int32_t& c : poly.c) {
            c = next;
            next = next == TypeParam::highest ? TypeParam::lowest : next + 1;
        }
        this->expect_encoding(poly);
        if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(PolynomialEncoding, KeepsEachCoefficientApartFromItsNeighbours)
{
    typename TypeParam::P poly;
    for (std::size_t i = 0; i < n; ++i) {
        poly.c.fill(TypeParam::lowest);
        poly.c[i] = TypeParam::highest;
        this->expect_encoding(poly);
        poly.c.fill(TypeParam::highest);
        poly.c[i] = TypeParam::lowest;
        this->expect_encoding(poly);
        if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(PolynomialEncoding, DecodesEveryStringToTheOnlyPolynomialItEncodes)
{
    test::Numbers numbers{5};
    for (int i = 0; i < 100; ++i) {
        const test::ByteString string = numbers.bytes(packed_bytes(TypeParam::bits));
        typename TypeParam::Packed bytes;
        copy(string, bytes);
        const auto poly = TypeParam::unpack(bytes);
        ASSERT_TRUE(keeps_bound(poly));
        ASSERT_EQ(TypeParam::pack(poly), bytes);
    }
}

TEST(PolynomialEncodingWidths, AreThoseOfTheParameterSets)
{
    for (const Params& p : {ml_dsa_44, ml_dsa_87}) EXPECT_EQ(p.eta_bits(), 3);
    EXPECT_EQ(ml_dsa_65.eta_bits(), 4);
    EXPECT_EQ(ml_dsa_44.z_bits(), 18);
    EXPECT_EQ(ml_dsa_44.w1_bits(), 6);
    for (const Params& p : {ml_dsa_65, ml_dsa_87}) {
        EXPECT_EQ(p.z_bits(), 20);
        EXPECT_EQ(p.w1_bits(), 4);
    }
    EXPECT_EQ(Params::t1_bits, 10);
    EXPECT_EQ(T0Poly::bound, (Bound{1 - 4096, 4096}));
}

}  // namespace
