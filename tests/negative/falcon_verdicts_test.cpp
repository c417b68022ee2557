/// Falcon's signatures and public keys with the verdict of each: by every function that verifies,
/// on every engine, in every format. The public keys are made for the signatures, so that each has
/// a single fault.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "engines/list.hpp"
#include "falcon/small/verify.hpp"
#include "support/at_place.hpp"
#include "support/falcon_signatures.hpp"
#include "support/operations.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using test::ByteString;
using test::FalconVector;
using test::MadeSignature;
using test::with_bits;

using Portable = isa::portable::Isa;

constexpr std::size_t s2_at = 1 + salt_bytes;

/// In little memory, from the whole message and from a hash that has absorbed it.
bool verify_compactly(std::size_t place, const MadeSignature& made)
{
    bool is_good = false;
    test::at_place<parameter_sets.size()>(place, [&](auto i) {
        constexpr Params set = parameter_sets[i];
        const BytesIn<set.public_key_bytes()> pk{made.public_key};
        is_good = SmallVerification<set, Portable>::verify_vartime(pk, made.message, made.signature);
        if (made.signature.size() <= s2_at) return;
        keccak::Shake256<Portable> hash;
        hash.absorb(BytesIn<>{made.signature}.subspan<1, salt_bytes>()).absorb(made.message);
        const auto verdict = SmallVerification<set, Portable>::verify_vartime(pk, hash, made.signature);
        EXPECT_EQ(verdict == Verdict::good, is_good);
    });
    return is_good;
}

template <std::size_t n>
std::vector<Residue> hashed(const MadeSignature& made)
{
    ResiduePoly<n> c{};
    if (made.signature.size() > s2_at)
        hash_message<Portable, n>(BytesIn<>{made.signature}.subspan<1, salt_bytes>(), made.message, c);
    return {c.begin(), c.end()};
}

class FalconTest : public testing::TestWithParam<std::size_t> {
  public:
    const Params& set = parameter_sets[GetParam()];
    const girih_alg* alg = girih_algorithm(test::falcon_names[GetParam()]);

    [[nodiscard]] int code(const MadeSignature& made) const
    {
        return test::verify(alg, made.public_key, made.message, made.signature, {});
    }
    /// The verdict from the message and from its point, with a prepared key and without, in a
    /// batch, in little memory, and through the C interface.
    void expect(const MadeSignature& made, Verdict verdict, const std::string& what) const
    {
        SCOPED_TRACE(what);
        const bool is_good = verdict == Verdict::good;
        const std::vector<Residue> c = set.logn == 9 ? hashed<512>(made) : hashed<1024>(made);
        for (const auto& candidate : engines::candidates()) {
            if (!candidate.runs_here()) continue;
            SCOPED_TRACE(candidate.engine->name);
            const Operations& run = test::falcon_on(*candidate.engine, GetParam());
            EXPECT_EQ(run.verify(made.public_key.data(), made.message, made.signature), verdict);
            EXPECT_EQ(run.verify_point(made.public_key.data(), c.data(), made.signature), verdict);
            std::vector<VerifyingRow> rows{
                {nullptr, made.public_key.data(), made.message, made.signature, Verdict{}}};
            const test::KeyMemory key{run.verifying_key_size};
            EXPECT_EQ(run.prepare_verifying_key(made.public_key.data(), key.data()),
                      verdict != Verdict::malformed_key);
            if (verdict != Verdict::malformed_key) {
                EXPECT_EQ(run.verify_prepared(key.data(), made.message, made.signature), is_good);
                rows.push_back({key.data(), nullptr, made.message, made.signature, Verdict{}});
            }
            run.verify_many(rows);
            for (const VerifyingRow& row : rows) EXPECT_EQ(row.verdict, verdict);
        }
        EXPECT_EQ(verify_compactly(GetParam(), made), is_good);
        constexpr std::array<int, 3> codes{GIRIH_OK, GIRIH_ERROR_PUBLIC_KEY, GIRIH_ERROR_SIGNATURE};
        EXPECT_EQ(code(made), codes[static_cast<std::size_t>(verdict)]);
    }
    struct Row {
        const char* what;
        ByteString signature;
    };
    /// Other signatures under the key and the message of a good one: all are bad.
    void expect_bad(MadeSignature made, const std::vector<Row>& rows) const
    {
        expect(made, Verdict::good, "as it was made");
        for (const Row& row : rows) {
            made.signature = row.signature;
            expect(made, Verdict::bad, row.what);
        }
    }
    /// A signature whose s2 begins with these coefficients; another one follows, so that s2 has a
    /// reciprocal.
    [[nodiscard]] MadeSignature with_s2(std::initializer_list<int> first) const
    {
        FalconVector vector{set};
        std::ranges::copy(first, vector.s2.begin());
        vector.s2[set.n() / 2 + 3] = 1;
        return test::make_falcon_signature(set, vector, test::counting(20));
    }
    /// A signature whose s2 has the norm `of_s2`, and whose s1 the rest of `norm`.
    [[nodiscard]] MadeSignature with_norm(std::uint64_t norm, std::uint64_t of_s2) const
    {
        FalconVector vector{set};
        test::fill_to_norm(of_s2, vector.s2);
        test::fill_to_norm(norm - of_s2, vector.s1);
        EXPECT_EQ(vector.norm(), norm);
        return test::make_falcon_signature(set, vector, test::counting(33));
    }
};

std::string name_of(const testing::TestParamInfo<std::size_t>& place)
{
    return test::test_name(test::falcon_names[place.param]);
}
const auto every_set = testing::Range(std::size_t{0}, parameter_sets.size());

using FalconVerdicts = FalconTest;
INSTANTIATE_TEST_SUITE_P(Of, FalconVerdicts, every_set, name_of);

TEST_P(FalconVerdicts, OfCoefficientsAtTheirBound)
{
    for (const int value : {2047, -2047, 1, -1, 127, 128, -128, 0})
        expect(with_s2({value, -value, 3}), Verdict::good, std::to_string(value));
}

TEST_P(FalconVerdicts, OfSaltsAndLengths)
{
    const MadeSignature made = with_s2({5, -6, 200});
    const ByteString& whole = made.signature;
    const std::size_t size = whole.size();
    ByteString short_salt = whole;
    short_salt.erase(short_salt.begin() + 1);
    expect_bad(made, {{"the first byte of the salt", test::flipped(whole, 8 * 1 + 4)},
                      {"the last byte of the salt", test::flipped(whole, 8 * salt_bytes + 4)},
                      {"the first byte of s2", test::flipped(whole, 8 * s2_at + 4)},
                      {"a salt that lacks a byte", short_salt},
                      {"nothing", {}},
                      {"a header", test::resized(whole, 1)},
                      {"a header and a salt", test::resized(whole, s2_at)},
                      {"one byte less", test::resized(whole, size - 1)},
                      {"a zero behind it", test::resized(whole, size + 1)},
                      {"a one behind it", test::resized(whole, size + 1, 1)},
                      {"up to the longest and one more", test::resized(whole, set.signature_bytes() + 1)}});
}

TEST_P(FalconVerdicts, OfEveryOtherHeader)
{
    const MadeSignature made = with_s2({5, -6, 200});
    const auto expect_code = [&](const MadeSignature& changed, int expected) {
        EXPECT_EQ(code(changed), expected);
        EXPECT_EQ(verify_compactly(GetParam(), changed), expected == GIRIH_OK);
    };
    for (unsigned header = 0; header < 256; ++header) {
        SCOPED_TRACE(header);
        MadeSignature changed = made;
        changed.signature[0] = static_cast<Byte>(header);
        expect_code(changed, header == set.signature_header() ? GIRIH_OK : GIRIH_ERROR_SIGNATURE);
        changed = made;
        changed.public_key[0] = static_cast<Byte>(header);
        expect_code(changed, header == set.public_key_header() ? GIRIH_OK : GIRIH_ERROR_PUBLIC_KEY);
    }
}

TEST_P(FalconVerdicts, OfEncodingsThatNothingElseRefuses)
{
    const MadeSignature made = with_s2({0, 0, 0, 0});
    const std::size_t first = 8 * s2_at;
    if (set.format == Format::constant_time) {
        expect_bad(made, {{"-2048, which has no negative", with_bits(made.signature, first, 12, 0x800)}});
        return;
    }
    // A zero is 0 0000000 1: with a sign it means the same.
    std::vector<Row> rows{{"minus zero", with_bits(made.signature, first, 1, 1)}};
    // n such coefficients take 9 n bits, which leaves no bit; a coefficient of 128 takes a bit
    // more.
    const MadeSignature longer = with_s2({128});
    const std::size_t end = first + 9 * set.n();
    std::vector<Row> rows_of_longer;
    for (std::size_t bit = end + 1; bit < end + 8; ++bit)
        rows_of_longer.push_back({"a one in the last byte", with_bits(longer.signature, bit, 1, 1)});
    if (set.format == Format::padded) {
        rows.push_back({"a one behind s2", with_bits(made.signature, end, 1, 1)});
        rows.push_back({"a one at the end", with_bits(made.signature, 8 * made.signature.size() - 1, 1, 1)});
    }
    expect_bad(made, rows);
    expect_bad(longer, rows_of_longer);
}

TEST_P(FalconVerdicts, OfPublicKeys)
{
    const MadeSignature good = with_s2({5, -6, 200});
    const auto with_coefficient = [&](std::size_t place, std::uint32_t value) {
        MadeSignature made = good;
        made.public_key = with_bits(good.public_key, 8 + 14 * place, 14, value);
        return made;
    };
    const auto coefficient = [&](std::size_t place) {
        std::uint32_t value = 0;
        for (std::size_t bit = 8 + 14 * place; bit < 22 + 14 * place; ++bit)
            value = value << 1 | (good.public_key[bit / 8] >> (7 - bit % 8) & 1U);
        return value;
    };
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}, std::size_t{2}, set.n() - 1}) {
        const MadeSignature largest = with_coefficient(place, q - 1);  // another key, if a good one
        EXPECT_NE(code(largest), GIRIH_ERROR_PUBLIC_KEY);
        expect(with_coefficient(place, q), Verdict::malformed_key, "q");
        expect(with_coefficient(place, 0x3FFF), Verdict::malformed_key, "2^14 - 1");
    }
    std::size_t same = 0;  // those that mean the same modulo q
    for (std::size_t i = 0; i < set.n() && same < 8; ++i) {
        if (coefficient(i) + q >= 1U << 14) continue;
        expect(with_coefficient(i, coefficient(i) + q), Verdict::malformed_key, "q more");
        ++same;
    }
    EXPECT_EQ(same, 8U);
    // h = 0 makes s1 the message's point, which is long.
    MadeSignature zero = good;
    std::fill(zero.public_key.begin() + 1, zero.public_key.end(), Byte{0});
    expect(zero, Verdict::bad, "zero");
}

// ---- The norm

using FalconNorm = FalconTest;
INSTANTIATE_TEST_SUITE_P(Of, FalconNorm, every_set, name_of);

TEST_P(FalconNorm, MayBeTheBoundAndNoMore)
{
    const std::uint64_t bound = set.norm_bound();
    for (const std::uint64_t norm : {bound, bound + 1, bound * 3 / 2}) {
        // All of it in s2; nearly all of it; nearly all in s1; shared.
        for (const std::uint64_t of_s2 : {norm, norm - 1, std::uint64_t{5}, norm / 2})
            expect(with_norm(norm, of_s2), norm <= bound ? Verdict::good : Verdict::bad,
                   std::to_string(norm) + ", of s2 " + std::to_string(of_s2));
    }
}

TEST_P(FalconNorm, IsNoneThatIsShortModulo32Bits)
{
    constexpr std::uint64_t wrapped = (std::uint64_t{1} << 32) + 1000;
    FalconVector in_s1{set};
    test::fill_to_norm(wrapped, in_s1.s1, q / 2);
    in_s1.s2[3] = 1;
    expect(test::make_falcon_signature(set, in_s1, {}), Verdict::bad, "in s1");

    // s2 is nearly 2^32 if every coefficient can be encoded, and s1 adds the rest.
    if (set != falcon_ct_1024) return;
    FalconVector in_s2{set};
    for (std::size_t i = 0; i < set.n(); ++i)
        in_s2.s2[i] = i % 3 == 0 || i % 7 == 2 ? -max_coefficient : max_coefficient;
    test::fill_to_norm(wrapped - in_s2.norm(), in_s2.s1);
    MadeSignature made = test::make_falcon_signature(set, in_s2, {});
    expect(made, Verdict::bad, "in s2");
    // Nor does any s1 make up for it: of messages that were not signed it is any, and stops being
    // added up just over the bound.
    for (unsigned i = 0; i < 100; ++i) {
        made.message = test::counting(32, i);
        EXPECT_FALSE(verify_compactly(GetParam(), made)) << i;
    }
}

// ---- Their parts

TEST(FalconSignatureParts, AreOfTheLengthsOfTheFormat)
{
    const auto is_taken_apart = [](Format format, std::size_t size) {
        ByteString signature(size);
        signature[0] = falcon_512.signature_header();
        return take_apart<falcon_512.shape()>(format, signature).has_value();
    };
    for (const std::size_t size : {41U, 42U, 752U, 753U})
        EXPECT_EQ(is_taken_apart(Format::compressed, size), size == 42 || size == 752) << size;
    for (const std::size_t size : {665U, 666U, 667U})
        EXPECT_EQ(is_taken_apart(Format::padded, size), size == 666) << size;
}

}  // namespace
