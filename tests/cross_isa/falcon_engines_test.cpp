/// Every engine's Falcon gives the bytes of the portable one, and those of the reference, whose
/// floating point is in integers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <string>
#include <vector>

#include "engines/list.hpp"
#include "engines/reference_keys.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/operations.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih;
using falcon::Operations;
using falcon::Params;

/// Signatures of each degree: 10^5 with GIRIH_EXHAUSTIVE set, enough to see every path without.
std::size_t rounds() { return test::rounds(100, 100'000); }
constexpr std::size_t signatures_of_a_key = 25;

struct alignas(falcon::prepared_key_alignment) Line {
    std::array<Byte, falcon::prepared_key_alignment> bytes;
};

/// All that an engine makes of a sequence of seeds: keys, signatures from the stored and from the
/// prepared key, verdicts.
test::ByteString digest_of_operations(const Operations& run, const Params& p, std::size_t rounds)
{
    test::Numbers numbers{47};
    keccak::Shake256<isa::portable::Isa> all;
    test::ByteString pk(p.public_key_bytes());
    test::ByteString sk(p.secret_key_bytes());
    std::vector<Line> signing(run.signing_key_size / sizeof(Line) + 1);
    std::vector<Line> verifying(run.verifying_key_size / sizeof(Line) + 1);
    for (std::size_t round = 0; round < rounds; ++round) {
        if (round % signatures_of_a_key == 0) {
            engines::falcon_reference_keygen(p.logn, numbers.bytes(falcon::seed_bytes).data(), pk.data(),
                                             sk.data());
            all.absorb(pk).absorb(sk);
            run.keygen(numbers.bytes(falcon::seed_bytes).data(), pk.data(), sk.data());
            all.absorb(pk).absorb(sk);
            test::ByteString again(pk.size());
            EXPECT_EQ(run.public_key(sk.data(), again.data()), falcon::KeyCheck::good);
            EXPECT_EQ(again, pk);
            EXPECT_TRUE(run.prepare_signing_key(sk.data(), signing.data()));
            EXPECT_TRUE(run.prepare_verifying_key(pk.data(), verifying.data()));
        }
        const test::ByteString message = numbers.bytes(round % 200);
        const test::ByteString salt = numbers.bytes(falcon::salt_bytes);
        const test::ByteString seed = numbers.bytes(falcon::seed_bytes);
        test::ByteString signature(p.signature_bytes());
        const auto outcome = run.sign(sk.data(), message, salt.data(), seed.data(), signature.data());
        EXPECT_EQ(outcome.result, falcon::SignResult::good);
        signature.resize(outcome.bytes);
        all.absorb(signature);

        test::ByteString from_prepared(p.signature_bytes());
        const auto again =
            run.sign_prepared(signing.data(), message, salt.data(), seed.data(), from_prepared.data());
        from_prepared.resize(again.bytes);
        EXPECT_EQ(from_prepared, signature);

        EXPECT_EQ(run.verify(pk.data(), message, signature), falcon::Verdict::good);
        EXPECT_TRUE(run.verify_prepared(verifying.data(), message, signature));
        signature[signature.size() / 2] ^= 4;
        EXPECT_EQ(run.verify(pk.data(), message, signature), falcon::Verdict::bad);
    }
    test::ByteString digest(32);
    all.squeeze(digest);
    return digest;
}

class FalconEngines : public testing::TestWithParam<std::size_t> {
  public:
    [[nodiscard]] static test::ByteString digest(const engines::Engine& engine, std::size_t count)
    {
        return digest_of_operations(test::falcon_on(engine, GetParam()), falcon::parameter_sets[GetParam()],
                                    count);
    }
};
std::string name_of(const Params& p)
{
    const std::array formats{"Compressed", "Padded", "ConstantTime"};
    return formats[static_cast<std::size_t>(p.format)] + std::to_string(p.n());
}
INSTANTIATE_TEST_SUITE_P(Of, FalconEngines, testing::Range(std::size_t{0}, falcon::parameter_sets.size()),
                         [](const auto& set) { return name_of(falcon::parameter_sets[set.param]); });

TEST_P(FalconEngines, MakeTheSameKeysAndSignatures)
{
    const auto engines = engines::candidates();
    const auto portable =
        std::ranges::find(engines, "portable", [](const auto& c) { return c.engine->name; });
    const test::ByteString expected = digest(*portable->engine, rounds());
    std::size_t compared = 0;
    for (const engines::Candidate& candidate : engines) {
        if (!candidate.runs_here() || candidate.engine == portable->engine) continue;
        EXPECT_EQ(digest(*candidate.engine, rounds()), expected) << candidate.engine->name;
        ++compared;
    }
    EXPECT_GE(compared, 1u);
}

/// Where products fused with sums were seen to change a signature, as they do one in 40,000.
TEST(FalconProducts, AreRounded)
{
    constexpr std::size_t first = 16'350;  // the round in which its key is made
    constexpr std::size_t changed = 16'368;
    const Params& p = falcon::parameter_sets[0];
    for (const engines::Candidate& candidate : engines::candidates()) {
        if (!candidate.runs_here()) continue;
        const Operations& run = test::falcon_on(*candidate.engine, 0);
        test::Numbers numbers{47};
        test::ByteString pk(p.public_key_bytes());
        test::ByteString sk(p.secret_key_bytes());
        test::ByteString signature(p.signature_bytes());
        for (std::size_t round = 0; round <= changed; ++round) {
            if (round % signatures_of_a_key == 0) {
                numbers.bytes(falcon::seed_bytes);
                const test::ByteString seed = numbers.bytes(falcon::seed_bytes);
                if (round == first) run.keygen(seed.data(), pk.data(), sk.data());
            }
            const test::ByteString message = numbers.bytes(round % 200);
            const test::ByteString salt = numbers.bytes(falcon::salt_bytes);
            const test::ByteString seed = numbers.bytes(falcon::seed_bytes);
            if (round < changed) continue;
            const auto outcome = run.sign(sk.data(), message, salt.data(), seed.data(), signature.data());
            EXPECT_EQ(outcome.result, falcon::SignResult::good);
            signature.resize(outcome.bytes);
        }
        test::ByteString digest(32);
        keccak::Shake256<isa::portable::Isa>{}.absorb(signature).squeeze(digest);
        EXPECT_EQ(test::to_hex(digest), "76C62A1DD474B9068147F8C463A35402C198378A52D89A5B4760A529998AC8C5")
            << candidate.engine->name;
    }
}

/// A key pair of an engine's, and its prepared forms.
struct PreparedPair {
    test::ByteString pk;
    test::ByteString sk;
    std::vector<Line> signing;
    std::vector<Line> verifying;

    PreparedPair(const Operations& run, const Params& p, BytesIn<> seed)
        : pk(p.public_key_bytes()),
          sk(p.secret_key_bytes()),
          signing(run.signing_key_size / sizeof(Line) + 1),
          verifying(run.verifying_key_size / sizeof(Line) + 1)
    {
        run.keygen(seed.data(), pk.data(), sk.data());
        EXPECT_TRUE(run.prepare_signing_key(sk.data(), signing.data()));
        EXPECT_TRUE(run.prepare_verifying_key(pk.data(), verifying.data()));
    }
};

/// Batches of every kind: fewer rows than lanes, as many, and more; of one prepared key, of two in
/// turns, and of none.
TEST_P(FalconEngines, SignAndVerifyManyAsTheyDoOne)
{
    const Params& p = falcon::parameter_sets[GetParam()];
    for (const engines::Candidate& candidate : engines::candidates()) {
        if (!candidate.runs_here()) continue;
        const Operations& run = test::falcon_on(*candidate.engine, GetParam());
        test::Numbers numbers{53};
        const std::array<PreparedPair, 2> pairs{PreparedPair{run, p, numbers.bytes(falcon::seed_bytes)},
                                                PreparedPair{run, p, numbers.bytes(falcon::seed_bytes)}};
        // Fewer and more than any engine's lanes, and whole numbers of them.
        const auto counts =
            test::are_emulated ? std::vector<std::size_t>{3, 21} : std::vector<std::size_t>{1, 3, 8, 16, 21};
        for (const std::size_t count : counts)
            for (std::size_t kind = 0; kind < 3; ++kind) {
                struct Row {
                    const PreparedPair* pair;
                    test::ByteString message, salt, seed, signature, expected;
                };
                std::vector<Row> rows(count);
                std::vector<falcon::SigningRow> signing(count);
                for (std::size_t i = 0; i < count; ++i) {
                    Row& row = rows[i];
                    row = {&pairs[kind == 1 && i % 5 == 3 ? 1 : 0], numbers.bytes(7 * i),
                           numbers.bytes(falcon::salt_bytes),       numbers.bytes(falcon::seed_bytes),
                           test::ByteString(p.signature_bytes()),   test::ByteString(p.signature_bytes())};
                    const auto outcome = run.sign(row.pair->sk.data(), row.message, row.salt.data(),
                                                  row.seed.data(), row.expected.data());
                    row.expected.resize(outcome.bytes);
                    signing[i] = {kind == 2 ? nullptr : row.pair->signing.data(),
                                  row.pair->sk.data(),
                                  row.message,
                                  row.salt.data(),
                                  row.seed.data(),
                                  row.signature.data(),
                                  {}};
                }
                run.sign_many(signing);
                std::vector<falcon::VerifyingRow> verifying(count);
                for (std::size_t i = 0; i < count; ++i) {
                    Row& row = rows[i];
                    ASSERT_EQ(signing[i].outcome.result, falcon::SignResult::good);
                    row.signature.resize(signing[i].outcome.bytes);
                    ASSERT_EQ(row.signature, row.expected) << candidate.engine->name << ", row " << i;
                    if (i % 3 == 2) row.signature[i % row.signature.size()] ^= 1;
                    verifying[i] = {kind == 2 ? nullptr : row.pair->verifying.data(), row.pair->pk.data(),
                                    row.message, row.signature, falcon::Verdict::malformed_key};
                }
                run.verify_many(verifying);
                for (std::size_t i = 0; i < count; ++i)
                    EXPECT_EQ(verifying[i].verdict, i % 3 == 2 ? falcon::Verdict::bad : falcon::Verdict::good)
                        << candidate.engine->name << ", row " << i;
            }
    }
}

/// A thread may have another rounding mode: it makes the same signatures, and has
/// that mode afterwards.
TEST_P(FalconEngines, RoundToNearestInAnyModeOfTheThread)
{
    const Params& p = falcon::parameter_sets[GetParam()];
    for (const engines::Candidate& candidate : engines::candidates()) {
        if (!candidate.runs_here()) continue;
        const Operations& run = test::falcon_on(*candidate.engine, GetParam());
        const auto digest = [&] {
            test::Numbers numbers{61};
            test::ByteString all;
            const PreparedPair pair{run, p, numbers.bytes(falcon::seed_bytes)};
            test::ByteString pk(p.public_key_bytes());
            test::ByteString sk(p.secret_key_bytes());
            engines::falcon_reference_keygen(p.logn, numbers.bytes(falcon::seed_bytes).data(), pk.data(),
                                             sk.data());
            all.insert(all.end(), sk.begin(), sk.end());
            const test::ByteString salt = numbers.bytes(falcon::salt_bytes);
            const test::ByteString seed = numbers.bytes(falcon::seed_bytes);
            std::vector<test::ByteString> signatures(18, test::ByteString(p.signature_bytes()));
            std::vector<falcon::SigningRow> rows;
            for (std::size_t i = 0; i < 16; ++i)
                rows.push_back({pair.signing.data(),
                                pair.sk.data(),
                                salt,
                                salt.data(),
                                seed.data(),
                                signatures[i].data(),
                                {}});
            run.sign_many(rows);
            (void)run.sign(pair.sk.data(), salt, salt.data(), seed.data(), signatures[16].data());
            (void)run.sign_prepared(pair.signing.data(), salt, salt.data(), seed.data(),
                                    signatures[17].data());
            for (const auto& signature : signatures) {
                EXPECT_EQ(signature, signatures[0]);
                all.insert(all.end(), signature.begin(), signature.end());
            }
            return all;
        };
        const test::ByteString expected = digest();
        for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
            ASSERT_EQ(std::fesetround(mode), 0);
            const test::ByteString digest_here = digest();
            EXPECT_EQ(std::fegetround(), mode);
            volatile double third = 3;
            third = 1 / third;
            EXPECT_EQ(third > 0x1.5555555555555p-2, mode == FE_UPWARD);
            std::fesetround(FE_TONEAREST);
            EXPECT_EQ(digest_here, expected) << candidate.engine->name << ", mode " << mode;
        }
    }
}

/// Signatures in a sequence that never changes, hashed: blocks of them in turn one by
/// one and as a batch.
std::string digest_of_signatures(const Operations& run, const Params& p, std::size_t count)
{
    constexpr std::size_t block = 20;
    test::Numbers numbers{59};
    test::ByteString pk(p.public_key_bytes());
    test::ByteString sk(p.secret_key_bytes());
    engines::falcon_reference_keygen(p.logn, numbers.bytes(falcon::seed_bytes).data(), pk.data(), sk.data());
    std::vector<Line> key(run.signing_key_size / sizeof(Line) + 1);
    EXPECT_TRUE(run.prepare_signing_key(sk.data(), key.data()));
    keccak::Shake256<isa::portable::Isa> all;
    for (std::size_t first = 0; first < count; first += block) {
        std::vector<test::ByteString> messages, salts, seeds;
        std::vector<test::ByteString> signatures(block, test::ByteString(p.signature_bytes()));
        std::vector<falcon::SigningRow> rows;
        for (std::size_t i = 0; i < block; ++i) {
            messages.push_back(numbers.bytes(i));
            salts.push_back(numbers.bytes(falcon::salt_bytes));
            seeds.push_back(numbers.bytes(falcon::seed_bytes));
            rows.push_back({key.data(),
                            sk.data(),
                            messages[i],
                            salts[i].data(),
                            seeds[i].data(),
                            signatures[i].data(),
                            {}});
        }
        if (first / block % 2 == 1) {
            run.sign_many(rows);
        } else {
            for (falcon::SigningRow& row : rows)
                row.outcome = run.sign_prepared(key.data(), row.message, row.salt, row.seed, row.signature);
        }
        for (std::size_t i = 0; i < block; ++i) {
            EXPECT_EQ(rows[i].outcome.result, falcon::SignResult::good);
            all.absorb(BytesIn<>{signatures[i]}.first(rows[i].outcome.bytes));
        }
    }
    test::ByteString digest(32);
    all.squeeze(digest);
    return test::to_hex(digest);
}

void expect_signatures(std::size_t set, std::size_t count, const std::string& digest)
{
    for (const engines::Candidate& candidate : engines::candidates())
        if (candidate.runs_here()) {
            EXPECT_EQ(digest_of_signatures(test::falcon_on(*candidate.engine, set),
                                           falcon::parameter_sets[set], count),
                      digest)
                << candidate.engine->name;
        }
}

TEST(FalconSignatures, AHundredAreWhatTheyAlwaysWere)
{
    expect_signatures(0, 100, "8EFC51246C0B01F32904A52AF329ED9149013E33E78B43DA460963A3F4ED85EE");
    expect_signatures(1, 100, "CD63CE01B24A1A292B44DE781EF3BCEEE1BC86DEF336537C530734D6D2D2C0E6");
}

TEST(FalconSignatures, AThousandAreWhatTheyAlwaysWere)
{
    if (test::are_emulated && !test::are_exhaustive())
        GTEST_SKIP() << "a hundred are, on an emulated processor";
    expect_signatures(0, 1000, "238746DBE1AB504CB66EC492396D25A7EF919C1EED9844F7EBD13DEE185B9A27");
    expect_signatures(1, 1000, "53F5656436B98E949512375B1FFC5F87984E00975A6DAC55C6A5D209D4F1EF31");
}

TEST(FalconSignaturesInNumbers, TenThousandAreWhatTheyAlwaysWere)
{
    expect_signatures(0, 10'000, "5EEF37AA8B384DBA4AEC5F11FFB708EAC7FF71F72CEC0C7BDDC75B80E11C0BC3");
}

TEST(FalconSignaturesInNumbers, AHundredThousandAreWhatTheyAlwaysWere)
{
    if (!test::are_exhaustive()) GTEST_SKIP() << "only with GIRIH_EXHAUSTIVE";
    expect_signatures(0, 100'000, "28CD215C3CC3DBAC80EAB2FCDB57FDCDB23748BEBB83B7E516F96923A5380EFC");
}

}  // namespace
