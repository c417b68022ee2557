/// Falcon's parts at their edges, where only one value decides: against their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "falcon/encoding/signature.hpp"
#include "falcon/hash_to_point.hpp"
#include "falcon/sampling/sampler.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/falcon.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using Portable = isa::portable::Isa;
using test::ByteString;

// ---- HashToPoint

/// HashToPoint (Falcon, Algorithm 3) with a division.
template <std::size_t n>
ResiduePoly<n> point_by_definition(BytesIn<> salt, BytesIn<> message)
{
    ByteString bytes(8 * n);
    keccak::Shake256<Portable>{}.absorb(salt).absorb(message).squeeze(bytes);
    ResiduePoly<n> c{};
    std::size_t made = 0;
    for (std::size_t i = 0; made < n; i += 2) {
        const unsigned t = 256U * bytes.at(i) + bytes.at(i + 1);
        if (t < 61445) c[made++] = static_cast<Residue>(t % 12289);
    }
    return c;
}

template <std::size_t n>
void expect_points()
{
    // Among some million values of 16 bits there are several of each edge, 5q - 1 and 5q.
    constexpr std::size_t count = 5;
    const ByteString salt = test::counting(salt_bytes);
    std::array<std::size_t, 65536> seen{};
    for (std::uint32_t round = 0; round < 2000; round += count) {
        std::array<ByteString, count> messages;
        for (std::size_t i = 0; i < count; ++i) {
            messages[i] = test::counting(i == 4 ? 300 : 4);  // one is longer than a block
            store_le32(messages[i].data(), round + static_cast<std::uint32_t>(i));
        }
        std::array<ResiduePoly<n>, count> together;
        hash_messages<Portable, n>(
            count, [&](std::size_t) { return BytesIn<>{salt}; },
            [&](std::size_t i) { return BytesIn<>{messages[i]}; }, together);
        for (std::size_t i = 0; i < count; ++i) {
            const auto expected = point_by_definition<n>(salt, messages[i]);
            ResiduePoly<n> alone;
            hash_message<Portable, n>(BytesIn<salt_bytes>{salt}, messages[i], alone);
            ASSERT_EQ(alone, expected) << round + i;
            ASSERT_EQ(together[i], expected) << round + i;
        }
        ByteString bytes(2 * n);
        keccak::Shake256<Portable>{}.absorb(salt).absorb(messages[0]).squeeze(bytes);
        for (std::size_t i = 0; i < bytes.size(); i += 2) ++seen[256U * bytes[i] + bytes[i + 1]];
    }
    EXPECT_GT(seen[61444], 0U);
    EXPECT_GT(seen[61445], 0U);
}
TEST(FalconHashToPoint, IsItsDefinitionForTwoThousandMessages)
{
    expect_points<512>();
    expect_points<1024>();
}

// ---- Signatures that do not fit, or encode nothing

TEST(FalconPaddedFormat, HasNoSignatureForWhatDoesNotFitOrEncodesNothing)
{
    constexpr std::size_t room = falcon_padded_512.signature_bytes() - 1 - salt_bytes;
    ShortPoly<512> s2{};
    ByteString bytes(room, 0xEE);
    EXPECT_EQ((encode_s2<falcon_padded_512.keys(), Portable>(falcon_padded_512.format, s2, bytes)), room);
    s2.fill(1000);
    EXPECT_EQ((encode_s2<falcon_padded_512.keys(), Portable>(falcon_padded_512.format, s2, bytes)), 0U);
    EXPECT_FALSE(
        (decode_s2<falcon_padded_512.keys(), Portable>(falcon_padded_512.format, ByteString(room), s2)))
        << "zeros";
    ByteString minus_zero(room);
    minus_zero[0] = 0x80;
    EXPECT_FALSE((decode_s2<falcon_padded_512.keys(), Portable>(falcon_padded_512.format, minus_zero, s2)));
}

// ---- The sampler

/// Gives the bytes that it was made with.
class Bytes {
  public:
    explicit Bytes(BytesIn<> bytes) : rest_(bytes) {}
    std::uint64_t next_word()
    {
        std::uint64_t word = 0;
        for (unsigned i = 0; i < 8; ++i) word |= std::uint64_t{next_byte()} << (8 * i);
        return word;
    }
    Byte next_byte()
    {
        if (rest_.empty()) {
            ADD_FAILURE() << "no byte is left";
            return 0;
        }
        const Byte byte = rest_.front();
        rest_ = rest_.subspan(1);
        return byte;
    }
    [[nodiscard]] bool used_up() const { return rest_.empty(); }

  private:
    BytesIn<> rest_;
};

/// A sampler's source of bytes is made from what the sampler is made from.
struct GivenBytes : Bytes {
    explicit GivenBytes(BytesIn<>& bytes) : Bytes(bytes) {}
};

/// The number of 72 bits as the sampler takes it.
std::array<Byte, 9> seventy_two_bits(std::uint32_t high, std::uint32_t middle, std::uint32_t low)
{
    std::array<Byte, 9> bytes;
    for (unsigned i = 0; i < 3; ++i) {
        bytes[i] = static_cast<Byte>(low >> (8 * i));
        bytes[3 + i] = static_cast<Byte>(middle >> (8 * i));
        bytes[6 + i] = static_cast<Byte>(high >> (8 * i));
    }
    return bytes;
}

int base_sample(std::uint32_t high, std::uint32_t middle, std::uint32_t low)
{
    const auto bytes = seventy_two_bits(high, middle, low);
    BytesIn<> source = bytes;
    Sampler<test::EmulatedIsa, GivenBytes> sampler{1.3, source};
    return sampler.base_sample();
}

TEST(FalconBaseSampler, CountsTheEntriesAboveItsBits)
{
    const auto by_definition = [](std::uint32_t high, std::uint32_t middle, std::uint32_t low) {
        const auto is_below = [&](const auto& entry) {
            return std::array{high, middle, low} < std::array{entry[0], entry[1], entry[2]};
        };
        return static_cast<int>(std::count_if(rcdt.begin(), rcdt.end(), is_below));
    };
    constexpr std::uint32_t most = 0xFFFFFF;
    const auto expect = [&](std::uint32_t high, std::uint32_t middle, std::uint32_t low) {
        ASSERT_EQ(base_sample(high & most, middle & most, low & most),
                  by_definition(high & most, middle & most, low & most))
            << high << ", " << middle << ", " << low;
    };
    for (const auto& entry : rcdt) {
        for (const std::uint32_t middle : {0U, entry[1] - 1, entry[1], entry[1] + 1, most}) {
            for (const std::uint32_t low : {0U, entry[2] - 1, entry[2], entry[2] + 1, most}) {
                for (const std::uint32_t high : {0U, entry[0] - 1, entry[0], entry[0] + 1, most})
                    expect(high, middle, low);
            }
        }
    }
    test::Numbers numbers{1};
    const auto number = [&] { return static_cast<std::uint32_t>(numbers.between(0, most)); };
    for (int i = 0; i < 10000; ++i) expect(number() >> (i % 24), number(), number());
}

TEST(FalconShift, IsThatOfTheProcessor)
{
    for (std::uint32_t bits = 0; bits < 64; ++bits)
        EXPECT_EQ(shift_right(0xFEDCBA9876543210, bits), 0xFEDCBA9876543210 >> bits) << bits;
}

template <class Fpr>
class FalconBernoulli : public testing::Test {};
using BothFprs = testing::Types<test::NativeFpr, test::EmulatedFpr>;
TYPED_TEST_SUITE(FalconBernoulli, BothFprs);

TYPED_TEST(FalconBernoulli, ApproximatesTheExponentialFunctionTo45Bits)
{
    for (double x = 0; x < 0.69; x += 0.0137) {
        for (const double ccs : {0.1, 0.5, 0.75, 0.999}) {
            const auto found = static_cast<double>(approx_exp(TypeParam{x}, TypeParam{ccs}));
            EXPECT_NEAR(found * 0x1p-63, ccs * std::exp(-x), 0x1p-45) << x << ", " << ccs;
        }
    }
}

TYPED_TEST(FalconBernoulli, IsTrueBelowItsNumberAndNotAtIt)
{
    constexpr double ln_2 = 0.69314718055994530941723212146;
    const double ccs = 0.8;
    for (const int s : {0, 1, 2, 7, 8, 30, 31, 32, 33, 40, 62, 63, 64, 65, 100}) {
        const TypeParam x{s * ln_2 + 0.25};
        // As the specification says it, with a shift of at most 63.
        const TypeParam r = x - TypeParam::of(s) * TypeParam{ln_2};
        const std::uint64_t z = ((approx_exp(r, TypeParam{ccs}) << 1) - 1) >> std::min(s, 63);
        const auto is_true = [&](std::uint64_t bytes) {
            std::array<Byte, 8> big_endian;
            store_be64(big_endian.data(), bytes);
            Bytes source{big_endian};
            return bernoulli_exp(x, TypeParam{ccs}, source);
        };
        EXPECT_FALSE(is_true(z)) << s;
        EXPECT_FALSE(is_true(z + 1)) << s;
        if (z > 0) {
            EXPECT_TRUE(is_true(z - 1)) << s;
        }
        EXPECT_EQ(is_true(0), z > 0) << s;
        EXPECT_FALSE(is_true(std::numeric_limits<std::uint64_t>::max()));
        for (int i = 0; i < 64; i += 8) {
            const std::uint64_t one = std::uint64_t{1} << i;
            if ((z >> i & 0xFF) != 0xFF) {
                EXPECT_FALSE(is_true(z + one)) << s << ", " << i;
            }
            if ((z >> i & 0xFF) != 0) {
                EXPECT_TRUE(is_true(z - one)) << s << ", " << i;
            }
        }
        // A byte decides as soon as one differs, and no more are drawn.
        const std::array<Byte, 1> first{static_cast<Byte>((z >> 56) + 1)};
        Bytes one_byte{first};
        EXPECT_FALSE(bernoulli_exp(x, TypeParam{ccs}, one_byte));
    }
}

TYPED_TEST(FalconBernoulli, IsGivenOnlyLeavesInTheirRange)
{
    const double sigma_min = falcon_512.sigma_min();
    const auto outside = [&](double inverse_sigma) {
        LeafRange<TypeParam> range{sigma_min};
        const TypeParam given = range(TypeParam{inverse_sigma});
        const bool is_outside = declassify(range.some_outside(), "a test") != 0;
        EXPECT_EQ(given.bits(), (is_outside ? TypeParam{1 / sigma_min} : TypeParam{inverse_sigma}).bits());
        return is_outside;
    };
    const double least = 1 / sigma_max;
    const double largest = 1 / sigma_min;
    EXPECT_FALSE(outside(0.6));
    EXPECT_FALSE(outside(std::nextafter(least, 1)));
    EXPECT_FALSE(outside(std::nextafter(largest, 0)));
    EXPECT_TRUE(outside(std::nextafter(least, 0)));
    EXPECT_TRUE(outside(std::nextafter(largest, 1)));
    EXPECT_TRUE(outside(0.1));
    EXPECT_TRUE(outside(-0.6));
    EXPECT_TRUE(outside(std::numeric_limits<double>::quiet_NaN()));
    // What was outside once stays so.
    LeafRange<TypeParam> range{sigma_min};
    (void)range(TypeParam{2.0});
    (void)range(TypeParam{0.6});
    EXPECT_EQ(declassify(range.some_outside(), "a test"), 1U);
}

}  // namespace
