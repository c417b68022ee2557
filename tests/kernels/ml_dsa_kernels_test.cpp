/// Every engine's kernels against the portable ones, which the unit tests hold against the
/// standard: on every residue, at the ends of their contracts, and in every lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <string>

#include "kernels/kernel_tests.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"
#include "support/textbook.hpp"

namespace girih::test {

namespace {

using ml_dsa::n;
using ml_dsa::q;

const Kernels& portable = portable_kernels;

class EngineKernels : public KernelTest {
  public:
    const Kernels& engine = *GetParam();
    Numbers numbers{11};

    /// Coefficients from low to high at random, and as often exactly at the ends.
    Coefficients between(std::int64_t low, std::int64_t high)
    {
        Coefficients c;
        for (std::int32_t& x : c) {
            const std::int64_t kind = numbers.between(0, 3);
            x = static_cast<std::int32_t>(kind == 0 ? low : kind == 1 ? high : numbers.between(low, high));
        }
        return c;
    }

    static Coefficients filled(std::int32_t value)
    {
        Coefficients c;
        c.fill(value);
        return c;
    }

    /// Calls claim(r) with all residues, 256 at a time, until it fails.
    template <class Claim>
    void for_all_residues(Claim claim)
    {
        Coefficients r;
        for (std::int32_t first = 0; first < q && !HasFatalFailure(); first += static_cast<std::int32_t>(n)) {
            for (std::size_t i = 0; i < n; ++i) r[i] = std::min(first + static_cast<std::int32_t>(i), q - 1);
            claim(r);
        }
    }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EngineKernels);
INSTANTIATE_TEST_SUITE_P(Of, EngineKernels, testing::ValuesIn(vector_kernels), name_of);

TEST_P(EngineKernels, RoundEveryResidueAsThePortableOnesDo)
{
    for_all_residues([this](const Coefficients& r) {
        Coefficients high, low, portable_high, portable_low;
        engine.power2round(r, high, low);
        portable.power2round(r, portable_high, portable_low);
        ASSERT_EQ(high, portable_high);
        ASSERT_EQ(low, portable_low);
        for (std::size_t g = 0; g < engine.rounding.size(); ++g) {
            engine.rounding[g].decompose(r, high, low);
            portable.rounding[g].decompose(r, portable_high, portable_low);
            ASSERT_EQ(high, portable_high);
            ASSERT_EQ(low, portable_low);
            for (const std::int32_t hint : {0, 1}) {
                engine.rounding[g].use_hint(filled(hint), r, high);
                portable.rounding[g].use_hint(filled(hint), r, portable_high);
                ASSERT_EQ(high, portable_high);
            }
        }
        Coefficients negative;
        for (std::size_t i = 0; i < n; ++i) negative[i] = -r[i];
        engine.canonical(negative, high);
        portable.canonical(negative, portable_high);
        ASSERT_EQ(high, portable_high);
    });
}

TEST_P(EngineKernels, MakeTheHintsThatThePortableOnesMake)
{
    constexpr std::array gammas{ml_dsa::ml_dsa_44.gamma2, ml_dsa::ml_dsa_65.gamma2};
    for (std::size_t g = 0; g < gammas.size(); ++g) {
        const std::int32_t gamma2 = gammas[g];
        Coefficients hint, expected;
        for (const std::int32_t z : {1, gamma2 - 1, gamma2, gamma2 + 1, q - 1}) {
            for_all_residues([&](const Coefficients& r) {
                for (const std::int32_t signed_z : {z, -z}) {
                    engine.rounding[g].make_hint(filled(signed_z), r, hint);
                    portable.rounding[g].make_hint(filled(signed_z), r, expected);
                    ASSERT_EQ(hint, expected) << signed_z << ", " << r[0];
                }
            });
        }
        const std::int32_t count = (q - 1) / (2 * gamma2);
        for (const std::int32_t high : {0, 1, count - 1}) {
            Coefficients low_after;
            for (std::int32_t first = 2 - 2 * gamma2; first < 2 * gamma2;
                 first += static_cast<std::int32_t>(n)) {
                for (std::size_t i = 0; i < n; ++i) low_after[i] = first + static_cast<std::int32_t>(i);
                engine.rounding[g].make_hint_from_low(low_after, filled(high), hint);
                portable.rounding[g].make_hint_from_low(low_after, filled(high), expected);
                ASSERT_EQ(hint, expected) << high << ", " << first;
            }
        }
    }
}

TEST_P(EngineKernels, ReduceProductsAsThePortableOnesDo)
{
    constexpr std::int32_t min = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t max = std::numeric_limits<std::int32_t>::max();
    for (int repeat = 0; repeat < 20'000; ++repeat) {
        const Coefficients a = between(min, max);
        const Coefficients b = between(1 - q, q - 1);
        const auto z = static_cast<std::int32_t>(numbers.between(-q / 2, q / 2));
        Coefficients product, expected;
        engine.montgomery_multiply(a, b, product);
        portable.montgomery_multiply(a, b, expected);
        ASSERT_EQ(product, expected);
        engine.montgomery_multiply_twiddle(a, z, product);
        portable.montgomery_multiply_twiddle(a, z, expected);
        ASSERT_EQ(product, expected);
    }
}

/// The residues of coefficients, each of which must be at most `limit` in magnitude.
textbook::Polynomial residues(const Coefficients& c, std::int64_t limit)
{
    textbook::Polynomial out;
    for (const std::int32_t x : c) {
        EXPECT_LE(std::abs(std::int64_t{x}), limit);
        out.push_back(textbook::mod(x, q));
    }
    return out;
}

TEST_P(EngineKernels, TransformAsThePortableOnesDo)
{
    using ml_dsa::Bound;
    constexpr std::array bounds{Bound::symmetric(1),
                                Bound::symmetric(4),
                                ml_dsa::T0Poly::bound,
                                Bound{1 - (1 << 19), 1 << 19},
                                Bound{0, ((1 << ml_dsa::Params::t1_bits) - 1) << ml_dsa::d},
                                Bound::symmetric(q - 1)};
    for (const Bound& bound : bounds) {
        for (int repeat = 0; repeat < 200; ++repeat) {
            Coefficients w = repeat == 0   ? filled(static_cast<std::int32_t>(bound.low))
                             : repeat == 1 ? filled(static_cast<std::int32_t>(bound.high))
                                           : between(bound.low, bound.high);
            Coefficients expected = w;
            const Coefficients w_hat = w;
            engine.ntt(w);
            portable.ntt(expected);
            const std::int64_t limit = ml_dsa::ntt_bound(bound).magnitude();
            ASSERT_EQ(residues(w, limit), residues(expected, limit));
            if (!bound.within(ml_dsa::reduced_bound)) continue;
            w = expected = w_hat;
            engine.inverse_ntt(w);
            portable.inverse_ntt(expected);
            ASSERT_EQ(residues(w, q - 1), residues(expected, q - 1));
        }
    }
}

TEST_P(EngineKernels, SeeALargeCoefficientInEveryLane)
{
    for (const std::int32_t limit : {1, ml_dsa::ml_dsa_44.gamma2, (1 << 19) - 196, q / 2}) {
        for (std::size_t i = 0; i < n; ++i) {
            for (const std::int32_t background : {0, limit - 1, 1 - limit}) {
                Coefficients c = filled(background);
                EXPECT_FALSE(engine.any_at_least(c, limit)) << limit << ", " << background;
                for (const std::int32_t large : {limit, -limit, q - 1, 1 - q}) {
                    c[i] = large;
                    EXPECT_TRUE(engine.any_at_least(c, limit)) << limit << ", " << i << ", " << large;
                }
            }
        }
    }
}

TEST_P(EngineKernels, PackEveryValueInEveryLane)
{
    for (std::size_t k = 0; k < engine.packing.size(); ++k) {
        const PackingKernels& packing = engine.packing[k];
        const std::int32_t count = 1 << packing.bits;
        // One byte more than is written, and more than one vector more than is read at the end.
        ByteString bytes(ml_dsa::packed_bytes(packing.bits) + 1);
        ByteString expected(bytes.size());
        Coefficients v, back;
        for (std::int32_t first = 0; first < count + static_cast<std::int32_t>(n); first += 255) {
            for (std::size_t i = 0; i < n; ++i) v[i] = (first + static_cast<std::int32_t>(i)) % count;
            bytes.back() = expected.back() = 0xEE;
            packing.pack(v, bytes.data());
            portable.packing[k].pack(v, expected.data());
            ASSERT_EQ(bytes, expected) << packing.bits << ", " << first;
            packing.unpack(bytes.data(), back);
            ASSERT_EQ(back, v) << packing.bits << ", " << first;
        }
        for (std::size_t i = 0; i < n; ++i) {
            for (const std::int32_t background : {0, count - 1}) {
                v.fill(background);
                v[i] = count - 1 - background;
                packing.pack(v, bytes.data());
                portable.packing[k].pack(v, expected.data());
                ASSERT_EQ(bytes, expected) << packing.bits << ", " << i;
                packing.unpack(bytes.data(), back);
                ASSERT_EQ(back, v) << packing.bits << ", " << i;
            }
        }
    }
}

/// Bytes of a block of candidates: any, those near the edge between what is taken and what is not,
/// or one that is not taken (or lies behind the block's end) among others that are.
keccak::Row block_of(Numbers& numbers, int kind)
{
    constexpr std::size_t size = 8 * keccak::row_words;
    const std::size_t refused = 3 * static_cast<std::size_t>(numbers.between(0, size / 3 - 1));
    ByteString bytes;
    while (bytes.size() < size) {
        const std::int64_t not_taken = numbers.between(q, (1 << 23) - 1);
        const std::int64_t near_q = numbers.between(0, 3) == 0 ? not_taken : numbers.between(q - 3, q + 1);
        const std::int64_t c = kind == 0                 ? numbers.between(0, (1 << 24) - 1)
                               : kind != 3               ? near_q + (kind - 1) * (1 << 23)
                               : bytes.size() == refused ? not_taken
                                                         : numbers.between(0, q - 1);
        for (int i = 0; i < 3; ++i) bytes.push_back(static_cast<Byte>(c >> (8 * i)));
    }
    // Always something to take, or sampling would never end.
    if (kind == 1 || kind == 2) bytes[0] = bytes[1] = bytes[2] = 0;
    keccak::Row row;
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = load_le64(&bytes[8 * i]);
    return row;
}

TEST_P(EngineKernels, SampleWhatThePortableOnesSampleFromEveryMixtureOfRejections)
{
    for (int repeat = 0; repeat < 3000; ++repeat) {
        const keccak::Row block = block_of(numbers, repeat % 4);
        Coefficients c, expected;
        engine.uniform_sample(block, c);
        portable.uniform_sample(block, expected);
        ASSERT_EQ(c, expected);
        for (std::size_t s = 0; s < engine.sets.size(); ++s) {
            engine.sets[s].bounded_sample(block, c);
            portable.sets[s].bounded_sample(block, expected);
            ASSERT_EQ(c, expected);
        }
    }
}

constexpr std::array sets{ml_dsa::ml_dsa_44, ml_dsa::ml_dsa_65, ml_dsa::ml_dsa_87};

/// Writes an integer of `bits` bits as number `index` of a string of them.
void put(ByteString& bytes, std::size_t from, std::size_t index, int bits, std::uint32_t value)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(bits); ++i) {
        const std::size_t bit = 8 * from + index * static_cast<std::size_t>(bits) + i;
        const auto mask = static_cast<Byte>(1U << bit % 8);
        const bool is_set = (value & 1U << i) != 0;
        bytes[bit / 8] = static_cast<Byte>(is_set ? bytes[bit / 8] | mask : bytes[bit / 8] & ~mask);
    }
}

TEST_P(EngineKernels, RefuseEveryCoefficientOfZOutOfRange)
{
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const ml_dsa::Params& p = sets[s];
        const std::int32_t limit = p.gamma1 - p.beta();
        // Of each polynomial, more than one vector at either end.
        for (std::size_t i = 0; i < p.l * n; i += i % n == 20 ? n - 41 : std::size_t{1}) {
            for (const std::int32_t z : {limit - 1, limit, p.gamma1, 1 - limit, -limit, 1 - p.gamma1}) {
                ByteString signature(p.signature_bytes());
                for (std::size_t j = 0; j < p.l * n; ++j)  // the integer of z = 0 is gamma1: one bit
                    flip(signature, 8 * p.c_tilde_bytes + j * static_cast<std::size_t>(p.z_bits()) +
                                        static_cast<std::size_t>(p.z_bits()) - 1);
                put(signature, p.c_tilde_bytes, i, p.z_bits(), static_cast<std::uint32_t>(p.gamma1 - z));
                EXPECT_EQ(engine.sets[s].accepts_signature(signature.data()), std::abs(z) < limit)
                    << s << ", " << i << ", " << z;
            }
        }
    }
}

TEST_P(EngineKernels, RefuseEveryCoefficientOfS1AndS2OutOfRange)
{
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const ml_dsa::Params& p = sets[s];
        const std::size_t from = ml_dsa::rho_bytes + ml_dsa::key_bytes + p.tr_bytes;
        for (std::size_t i = 0; i < (p.k + p.l) * n; ++i) {
            for (const std::uint32_t integer :
                 {2U * static_cast<std::uint32_t>(p.eta), 2U * static_cast<std::uint32_t>(p.eta) + 1,
                  (1U << p.eta_bits()) - 1}) {
                ByteString key(p.secret_key_bytes());
                put(key, from, i, p.eta_bits(), integer);
                ASSERT_EQ(engine.sets[s].accepts_secret_key(key.data()),
                          integer <= 2U * static_cast<std::uint32_t>(p.eta))
                    << s << ", " << i << ", " << integer;
            }
        }
    }
}

}  // namespace
}  // namespace girih::test
