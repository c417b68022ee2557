/// Every engine's ML-KEM gives the bytes of the portable one: one operation at a time, in batches,
/// and with prepared keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engines/list.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/operations.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih;
using ml_kem::Operations;
using ml_kem::Params;
using test::ByteString;

/// Rounds of each parameter set: 10,000 with GIRIH_EXHAUSTIVE set, enough to see
/// every path without.
std::size_t rounds() { return test::rounds(20, 10000); }

struct Rows {
    std::vector<ByteString> seeds, eks, dks, ms, ciphertexts, secrets;

    Rows(const Params& p, std::size_t count, test::Numbers& numbers)
    {
        for (std::size_t i = 0; i < count; ++i) {
            seeds.push_back(numbers.bytes(ml_kem::seed_bytes));
            ms.push_back(numbers.bytes(ml_kem::message_bytes));
            eks.emplace_back(p.public_key_bytes());
            dks.emplace_back(p.secret_key_bytes());
            ciphertexts.emplace_back(p.ciphertext_bytes());
            secrets.emplace_back(ml_kem::shared_secret_bytes);
        }
    }
};

/// All that an engine makes of a sequence of seeds: keys, ciphertexts, secrets of good and of
/// changed ciphertexts; in batches of changing sizes, and compared with one operation at a time.
ByteString digest_of_operations(const Operations& run, const Params& p, std::size_t rounds)
{
    test::Numbers numbers{44};
    keccak::Shake256<isa::portable::Isa> all;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::size_t count = round % 10 + 1;
        Rows rows{p, count, numbers};
        std::vector<KeygenRow> keygen_rows;
        for (std::size_t i = 0; i < count; ++i)
            keygen_rows.push_back({rows.seeds[i].data(), rows.eks[i].data(), rows.dks[i].data()});
        run.keygen_many(keygen_rows);
        ByteString ek(p.public_key_bytes());
        ByteString dk(p.secret_key_bytes());
        run.keygen(rows.seeds[0].data(), ek.data(), dk.data());
        EXPECT_EQ(ek, rows.eks[0]);
        EXPECT_EQ(dk, rows.dks[0]);
        EXPECT_EQ(run.public_key(dk.data(), ek.data()), ml_kem::KeyCheck::good);
        EXPECT_EQ(ek, rows.eks[0]);

        // Every other row with a prepared key.
        test::PreparedMemory encapsulation_key{run.encapsulation_key_size};
        test::PreparedMemory decapsulation_key{run.decapsulation_key_size};
        EXPECT_TRUE(run.prepare_encapsulation_key(rows.eks[0].data(), encapsulation_key.data()));
        EXPECT_TRUE(run.prepare_decapsulation_key(rows.dks[0].data(), decapsulation_key.data()));
        std::vector<ml_kem::EncapsulationRow> encapsulation_rows;
        std::vector<ml_kem::DecapsulationRow> decapsulation_rows;
        for (std::size_t i = 0; i < count; ++i) {
            const bool is_prepared = i % 2 == 0;
            encapsulation_rows.push_back({is_prepared ? encapsulation_key.data() : nullptr,
                                          is_prepared ? nullptr : rows.eks[i].data(), rows.ms[i].data(),
                                          rows.ciphertexts[i].data(), rows.secrets[i].data(), false});
        }
        run.encapsulate_many(encapsulation_rows);
        std::vector<ByteString> found(count, ByteString(ml_kem::shared_secret_bytes));
        for (std::size_t i = 0; i < count; ++i) {
            const bool is_prepared = i % 2 == 0;
            EXPECT_TRUE(encapsulation_rows[i].is_good);
            ByteString ciphertext(p.ciphertext_bytes());
            ByteString secret(ml_kem::shared_secret_bytes);
            EXPECT_TRUE(run.encapsulate(rows.eks[is_prepared ? 0 : i].data(), rows.ms[i].data(),
                                        ciphertext.data(), secret.data()));
            EXPECT_EQ(ciphertext, rows.ciphertexts[i]);
            EXPECT_EQ(secret, rows.secrets[i]);
            if (i % 3 == 2) {
                const auto bit = static_cast<std::size_t>(
                    numbers.between(0, static_cast<std::int64_t>(8 * ciphertext.size()) - 1));
                test::flip(rows.ciphertexts[i], bit);
            }
            decapsulation_rows.push_back({is_prepared ? decapsulation_key.data() : nullptr,
                                          is_prepared ? nullptr : rows.dks[i].data(),
                                          rows.ciphertexts[i].data(), found[i].data(), false});
        }
        run.decapsulate_many(decapsulation_rows);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_TRUE(decapsulation_rows[i].is_good);
            EXPECT_EQ(found[i] == rows.secrets[i], i % 3 != 2);
            ByteString alone(ml_kem::shared_secret_bytes);
            EXPECT_TRUE(run.decapsulate(rows.dks[i % 2 == 0 ? 0 : i].data(), rows.ciphertexts[i].data(),
                                        alone.data()));
            EXPECT_EQ(alone, found[i]);
            all.absorb(rows.eks[i]).absorb(rows.dks[i]).absorb(rows.ciphertexts[i]);
            all.absorb(rows.secrets[i]).absorb(found[i]);
        }

        // Any bytes are a ciphertext.
        const ByteString noise = numbers.bytes(p.ciphertext_bytes());
        EXPECT_TRUE(run.decapsulate(rows.dks[0].data(), noise.data(), found[0].data()));
        all.absorb(found[0]);
    }
    ByteString digest(32);
    all.squeeze(digest);
    return digest;
}

class MlKemEngines : public testing::TestWithParam<std::size_t> {};

TEST_P(MlKemEngines, GiveTheBytesOfThePortableOne)
{
    const engines::Candidate& candidate = engines::candidates()[GetParam()];
    if (!candidate.runs_here()) GTEST_SKIP() << "this processor does not support " << candidate.engine->name;
    const auto candidates = engines::candidates();
    const auto& portable = *std::find_if(candidates.begin(), candidates.end(),
                                         [](const auto& other) { return other.engine->name == "portable"; });
    for (std::size_t set = 0; set < ml_kem::parameter_sets.size(); ++set) {
        const Params& p = ml_kem::parameter_sets[set];
        EXPECT_EQ(digest_of_operations(test::ml_kem_on(*candidate.engine, set), p, rounds()),
                  digest_of_operations(test::ml_kem_on(*portable.engine, set), p, rounds()))
            << "parameter set " << set;
    }
}

INSTANTIATE_TEST_SUITE_P(Each, MlKemEngines, testing::Range(std::size_t{0}, engines::candidates().size()),
                         [](const auto& engine) {
                             return std::string{engines::candidates()[engine.param].engine->name};
                         });

}  // namespace
