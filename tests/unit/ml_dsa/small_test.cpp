/// The parts of ML-DSA in little memory at the ends of their ranges. (firmware/small_test.cpp shows
/// that the whole makes the library's bytes.)
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>

#include "isa/cortex_m/engine.hpp"
#include "ml_dsa/kernels/residue.hpp"
#include "ml_dsa/small/challenge.hpp"
#include "ml_dsa/small/parts.hpp"
#include "module_lattice/fields.hpp"
#include "support/bytes.hpp"
#include "support/textbook.hpp"

namespace girih::ml_dsa::small {
namespace {

using isa::cortex_m::FourBytes;
using isa::cortex_m::Isa;
using module_lattice::above_middle;
using test::ByteString;
using test::Numbers;

// ---- Strings of integers

/// Each value, at each place, among integers that are all as large as they may be.
template <int bits>
void expect_finds_what_is_above_middle()
{
    constexpr std::int32_t middle = 1 << (bits - 1);
    for (std::size_t at = 0; at < 16; ++at) {
        for (std::int32_t value = 0; value < 2 * middle; ++value) {
            std::array<std::int32_t, 16> integers;
            integers.fill(middle);
            integers[at] = value;
            ByteString bytes(2 * bits);
            pack<bits, 0>(integers, bytes.data());
            EXPECT_EQ(above_middle<bits>(bytes.data(), 2) != 0, value > middle) << at << ", " << value;
        }
    }
}

TEST(SmallFields, AboveTheMiddleAreFound)
{
    expect_finds_what_is_above_middle<3>();
    expect_finds_what_is_above_middle<4>();
}

// ---- Products with a challenge

TEST(SmallProducts, FourBytesAreAddedEachForItself)
{
    for (std::uint32_t a = 0; a < 256; ++a) {
        for (std::uint32_t b = 0; b < 256; ++b) {
            const FourBytes x{a << 24 | 0x7F00FF | (b << 8)};
            const FourBytes y{b << 24 | 0x80FF01 | (a << 8)};
            const std::uint32_t sum = (x + y).word;
            const std::uint32_t difference = (x - y).word;
            for (int shift = 0; shift < 32; shift += 8) {
                EXPECT_EQ(sum >> shift & 0xFF, ((x.word >> shift) + (y.word >> shift)) & 0xFF);
                EXPECT_EQ(difference >> shift & 0xFF, ((x.word >> shift) - (y.word >> shift)) & 0xFF);
            }
        }
    }
}

/// The largest possible product: s has the signs of c, in reverse.
template <Shape S, std::size_t before>
void expect_largest_product()
{
    const ChallengeTerms<S, Isa> c{test::counting(32)};
    Coefficients challenge;
    c.write(challenge);
    std::array<std::int32_t, n> s;
    for (std::size_t i = 0; i < n; ++i) s[i] = S.eta * (i == 0 ? challenge[0] : -challenge[n - i]);
    ByteString packed(packed_bytes(S.eta_bits()));
    pack<S.eta_bits(), S.eta>(s, packed.data());
    ShortBytes<S, before> bytes;
    bytes.unpack(packed.data());

    std::array<std::int32_t, n> expected{};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            expected[(i + j) % n] += i + j < n ? challenge[i] * s[j] : -challenge[i] * s[j];
    EXPECT_EQ(expected[0], S.beta());
    std::size_t next = 0;
    for_each_of_product<Isa>(c, bytes, [&](std::size_t i, std::int32_t v) {
        EXPECT_EQ(i, next++);
        EXPECT_EQ(v, expected[i]) << i;
    });
    EXPECT_EQ(next, n);

    Coefficients added{};
    c.add_product(s, 0, added, false);
    EXPECT_EQ(added, expected);
}

TEST(SmallProducts, OfBytesAreThoseOfPolynomialsEvenTheLargest)
{
    expect_largest_product<ml_dsa_44.shape(), n>();
    expect_largest_product<ml_dsa_44.shape(), 32>();
    expect_largest_product<ml_dsa_65.shape(), n>();
    expect_largest_product<ml_dsa_65.shape(), 32>();
    expect_largest_product<ml_dsa_87.shape(), n>();
    expect_largest_product<ml_dsa_87.shape(), 32>();
}

TEST(SmallTransforms, UndoEachOther)
{
    for (const std::int32_t magnitude : {1, 1 << 19, q}) {
        Numbers numbers{static_cast<std::uint64_t>(magnitude)};
        Coefficients before;
        for (auto& c : before) c = static_cast<std::int32_t>(numbers.between(-magnitude, magnitude));
        Coefficients w = before;
        small::ntt<Isa>(w);
        for (std::int32_t& c : w) {
            EXPECT_LE(std::abs(c), magnitude + 8 * q);
            c = reduce(c);
            EXPECT_LT(std::abs(c), q);
        }
        small::inverse_ntt<Isa>(w);
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_LT(std::abs(w[i]), q);
            EXPECT_EQ(Residue{w[i]}, Residue{before[i]} * Residue{montgomery_radix}) << i;
        }
    }
}

TEST(SmallTransforms, InvertAtTheEndsOfTheirRange)
{
    // All coefficients but the last, and that. The last sum is 2,141,441,839.
    constexpr std::int32_t ends[][2] = {{q, q}, {q - 1, q - 1}, {q - 1, 4'435'759}};
    for (const auto& [others, last] : ends)
        for (const std::int32_t sign : {1, -1}) {
            Coefficients before;
            before.fill(sign * others);
            before[n - 1] = sign * last;
            Coefficients w = before;
            small::inverse_ntt<Isa>(w);
            for (const std::int32_t c : w) EXPECT_LE(std::abs(c), q);
            const auto values = textbook::values_at_roots({w.begin(), w.end()});
            for (std::size_t i = 0; i < n; ++i)
                EXPECT_EQ(Residue{values[i]}, Residue{before[i]} * Residue{montgomery_radix}) << i;
        }
}

TEST(SmallSums, OfPackedResiduesAreResidues)
{
    PackedPoly sum;
    sum = {};
    const std::array values{q - 1, 1 - q, q - 1, q - 1, q - 1, 1, 1 - q, 1 - q, 1 - q, -1, 0, 12345, 0};
    std::int64_t expected = 0;
    for (const std::int32_t value : values) {
        sum.add(7, value);
        expected += value;
        EXPECT_EQ(Residue{sum[7]}, Residue{expected});
        EXPECT_LE(sum[7], q);
        EXPECT_GE(sum[7], -q);
    }
    for (const std::int32_t value : {0, 1, -1, (1 << 23) - 1, -(1 << 23), q, -q}) {
        sum.set(9, value);
        EXPECT_EQ(sum[9], value);
    }
}

}  // namespace
}  // namespace girih::ml_dsa::small
