/// ML-DSA's coders and samplers on every engine, the portable one among them, against FIPS 204 word
/// for word.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "kernels/ml_dsa_kernel_tests.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace girih::test {
namespace {

class EngineCoders : public EngineKernels {};
INSTANTIATE_TEST_SUITE_P(Of, EngineCoders, testing::ValuesIn(all_kernels), name_of);

// ---- Strings of integers

/// Packs integers, given by their bits in the string, and unpacks them.
void expect_packs(const PackingKernels& kernels, const Coefficients& integers)
{
    // One byte more than is written, and more than one vector more than is read at the end.
    ByteString expected(ml_dsa::packed_bytes(kernels.bits) + 1, 0xEE);
    ByteString bytes(expected.size(), 0xEE);
    Coefficients v = integers;
    for (std::size_t i = 0; i < n; ++i) {
        put_integer(expected, i, kernels.bits, static_cast<std::uint32_t>(integers[i]));
        if (kernels.b != 0) v[i] = kernels.b - integers[i];
    }
    kernels.pack(v, bytes.data());
    ASSERT_EQ(bytes, expected) << kernels.bits << ", " << integers[0];
    ASSERT_EQ(kernels.unpack(bytes.data()), v) << kernels.bits << ", " << integers[0];
}

TEST_P(EngineCoders, PackEveryValueInEveryLane)
{
    for (const PackingKernels& kernels : engine.packing) {
        const std::int32_t highest = (1 << kernels.bits) - 1;
        Coefficients v;
        for (std::int32_t first = 0; first <= highest + static_cast<std::int32_t>(n); first += 255) {
            for (std::size_t i = 0; i < n; ++i) v[i] = (first + static_cast<std::int32_t>(i)) & highest;
            ASSERT_NO_FATAL_FAILURE(expect_packs(kernels, v));
        }
        for (std::size_t i = 0; i < n; ++i)
            for (const std::int32_t background : {0, highest}) {
                v = filled(background);
                v[i] = highest - background;
                ASSERT_NO_FATAL_FAILURE(expect_packs(kernels, v));
            }
        for (int i = 0; i < 100; ++i) ASSERT_NO_FATAL_FAILURE(expect_packs(kernels, between(0, highest)));
    }
}

// ---- Samples

/// Bytes of a block of candidates: any, those near the edge between accepted and rejected ones, or
/// one that is rejected (or lies after the block's end) among accepted ones.
ByteString block_of(Numbers& numbers, int kind)
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
    // Always something to accept, or sampling would never end.
    if (kind == 1 || kind == 2) bytes[0] = bytes[1] = bytes[2] = 0;
    return bytes;
}

/// The coefficients that a block of SHAKE128 gives: CoeffFromThreeBytes (Algorithm 14).
std::vector<std::int32_t> taken_by_threes(const ByteString& block)
{
    std::vector<std::int32_t> taken;
    for (std::size_t i = 0; i + 2 < keccak::shake128_function.rate; i += 3) {
        const std::int32_t z = 65536 * (block[i + 2] % 128) + 256 * block[i + 1] + block[i];
        if (z < q) taken.push_back(z);
    }
    return taken;
}

/// The coefficients that a block of SHAKE256 gives: CoeffFromHalfByte (Algorithm 15).
std::vector<std::int32_t> taken_by_halves(const ByteString& block, int eta)
{
    std::vector<std::int32_t> taken;
    for (std::size_t i = 0; i < 2 * keccak::shake256_function.rate; ++i) {
        const int b = i % 2 == 0 ? block[i / 2] % 16 : block[i / 2] / 16;
        if (eta == 2 && b < 15) taken.push_back(2 - b % 5);
        if (eta == 4 && b < 9) taken.push_back(4 - b);
    }
    return taken;
}

void expect_taken(const Coefficients& c, const std::vector<std::int32_t>& of_a_block)
{
    ASSERT_FALSE(of_a_block.empty());
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(c[i], of_a_block[i % of_a_block.size()]) << i;
}

TEST_P(EngineCoders, SampleWhatTheStandardTakesFromEveryMixtureOfRejections)
{
    for (int repeat = 0; repeat < 3000 && !HasFatalFailure(); ++repeat) {
        const ByteString bytes = block_of(numbers, repeat % 4);
        keccak::Row block;
        for (std::size_t i = 0; i < block.size(); ++i) block[i] = load_le64(&bytes[8 * i]);
        expect_taken(engine.uniform_sample(block), taken_by_threes(bytes));
        for (std::size_t s = 0; s < sets.size(); ++s)
            expect_taken(engine.sets[s].bounded_sample(block), taken_by_halves(bytes, sets[s].eta));
    }
}

// ---- Decoders

TEST_P(EngineCoders, RefuseEveryCoefficientOfZOutOfRange)
{
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const ml_dsa::Params& p = sets[s];
        const auto bits = static_cast<std::size_t>(p.z_bits());
        const std::int32_t limit = p.gamma1 - p.beta();
        ByteString zero(p.signature_bytes());
        for (std::size_t j = 0; j < p.l * n; ++j)  // the integer of z = 0 is gamma1: one bit
            flip(zero, 8 * p.c_tilde_bytes + j * bits + bits - 1);
        // More than one vector at either end of each polynomial.
        for (std::size_t i = 0; i < p.l * n; i += i % n == 20 ? n - 41 : std::size_t{1})
            for (const std::int32_t z : {limit - 1, limit, p.gamma1, 1 - limit, -limit, 1 - p.gamma1}) {
                ByteString signature = zero;
                put_integer(BytesOut<>{signature}.subspan(p.c_tilde_bytes), i, p.z_bits(),
                            static_cast<std::uint32_t>(p.gamma1 - z));
                EXPECT_EQ(engine.sets[s].accepts_signature(signature.data()), std::abs(z) < limit)
                    << s << ", " << i << ", " << z;
            }
        zero[zero.size() - p.k - 1] = 1;  // a one after no hint
        EXPECT_FALSE(engine.sets[s].accepts_signature(zero.data()));
    }
}

TEST_P(EngineCoders, RefuseEveryCoefficientOfS1AndS2OutOfRange)
{
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const ml_dsa::Params& p = sets[s];
        const std::size_t from = ml_dsa::rho_bytes + ml_dsa::key_bytes + p.tr_bytes;
        ByteString key(p.secret_key_bytes());
        for (std::size_t i = 0; i < (p.k + p.l) * n; ++i) {
            for (std::uint32_t integer = 1U << p.eta_bits(); integer-- > 0;) {  // ends with 0
                put_integer(BytesOut<>{key}.subspan(from), i, p.eta_bits(), integer);
                ASSERT_EQ(engine.sets[s].accepts_secret_key(key.data()),
                          integer <= 2U * static_cast<std::uint32_t>(p.eta))
                    << s << ", " << i << ", " << integer;
            }
        }
    }
}

// ---- Hints

using Hints = std::vector<Coefficients>;

/// HintBitPack in its own words: the positions of the ones in order, zeros up to omega, then the
/// running counts.
ByteString packed(const Hints& h, const ml_dsa::Params& p)
{
    ByteString bytes(p.omega + p.k);
    std::size_t count = 0;
    for (std::size_t i = 0; i < p.k; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            if (h[i][j] == 1) bytes[count++] = static_cast<Byte>(j);
        bytes[p.omega + i] = static_cast<Byte>(count);
    }
    return bytes;
}

void expect_packs(const SetKernels& kernels, const Hints& h, const ml_dsa::Params& p)
{
    ByteString bytes(p.omega + p.k, 0xEE);
    kernels.hint_pack(h.data(), bytes.data());
    ASSERT_EQ(bytes, packed(h, p));
    Hints back(p.k);
    ASSERT_TRUE(kernels.hint_unpack(bytes.data(), back.data()));
    ASSERT_EQ(back, h);
}

TEST_P(EngineCoders, PackAnyHintsAndUnpackThem)
{
    for (std::size_t s = 0; s < sets.size() && !HasFatalFailure(); ++s) {
        const ml_dsa::Params& p = sets[s];
        const auto expect = [&](const Hints& h) { expect_packs(engine.sets[s], h, p); };
        const Hints none(p.k, filled(0));
        expect(none);
        for (std::size_t at = 0; at < p.k * n; ++at) {
            Hints one = none;
            one[at / n][at % n] = 1;
            expect(one);
        }
        for (std::size_t i = 0; i < p.k; ++i) {
            Hints first = none;
            Hints last = none;
            for (std::size_t j = 0; j < p.omega; ++j) first[i][j] = last[i][n - 1 - j] = 1;
            expect(first);
            expect(last);
        }
        for (std::size_t repeat = 0; repeat < 20; ++repeat) {
            Hints some = none;
            for (std::size_t count = 0; count < p.omega;) {
                const auto at = static_cast<std::size_t>(numbers.between(0, static_cast<int>(p.k * n) - 1));
                if (std::exchange(some[at / n][at % n], 1) == 1) continue;
                ++count;
                expect(some);
            }
        }
    }
}

TEST_P(EngineCoders, RefuseHintsInAnyOtherEncoding)
{
    struct Change {
        const char* what;
        std::vector<std::pair<std::size_t, std::size_t>> bytes;
        bool is_good = false;
    };
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const std::size_t omega = sets[s].omega;
        const std::size_t k = sets[s].k;
        // Ones of the first polynomial, at 5 and 9, and no others.
        ByteString two(omega + k);
        two[0] = 5;
        two[1] = 9;
        std::fill_n(two.begin() + static_cast<std::ptrdiff_t>(omega), k, Byte{2});
        // Positions and ends all rise: reading on would find nothing wrong.
        ByteString full(omega + k, static_cast<Byte>(omega));
        for (std::size_t i = 0; i < omega; ++i) full[i] = static_cast<Byte>(i);

        std::vector<Change> of_two{{"as it is", {}, true},
                                   {"the second in the next polynomial", {{omega, 1}}, true},
                                   {"which may be before the first", {{0, 9}, {1, 5}, {omega, 1}}, true},
                                   {"a position twice", {{1, 5}}},
                                   {"positions that fall", {{0, 9}, {1, 5}}},
                                   {"a one right behind the last position", {{2, 10}}},
                                   {"a one in the middle of those behind it", {{omega / 2, 10}}},
                                   {"a one in the last place for positions", {{omega - 1, 10}}}};
        for (std::size_t i = 1; i < k; ++i) of_two.push_back({"an end that falls", {{omega + i, 1}}});
        const std::vector<Change> of_full{{"as it is", {}, true},
                                          {"an end of omega + 1", {{omega + k - 1, omega + 1}}},
                                          {"an end of 255", {{omega + k - 1, 255}}}};
        Hints out(k);
        for (const auto& [base, changes] : {std::pair{two, of_two}, {full, of_full}})
            for (const Change& change : changes) {
                ByteString bytes = base;
                for (const auto& [at, byte] : change.bytes) bytes[at] = static_cast<Byte>(byte);
                EXPECT_EQ(engine.sets[s].hint_unpack(bytes.data(), out.data()), change.is_good)
                    << "omega " << omega << ": " << change.what;
            }
    }
}

}  // namespace
}  // namespace girih::test
