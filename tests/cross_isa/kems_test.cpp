/// Every engine's NTRU Prime gives the bytes of the portable one, and that those of the reference.
#include <gtest/gtest.h>

#include <string>

#include "engines/list.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/operations.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih;
using ntru_prime::Operations;
using ntru_prime::Params;

/// Rounds of each parameter set: 10,000 with GIRIH_EXHAUSTIVE set, enough to see
/// every path without.
std::size_t rounds() { return test::rounds(20, 10000); }
/// The reference takes many times as long.
constexpr std::size_t reference_rounds = 3;

/// All that an engine makes of a sequence of seeds: keys, ciphertexts, secrets of good and of
/// changed ciphertexts.
test::ByteString digest_of_operations(const Operations& run, const Params& p, std::size_t rounds)
{
    test::Numbers numbers{43};
    keccak::Shake256<isa::portable::Isa> all;
    for (std::size_t round = 0; round < rounds; ++round) {
        const test::ByteString seed = numbers.bytes(ntru_prime::seed_bytes);
        test::ByteString pk(p.public_key_bytes());
        test::ByteString sk(p.secret_key_bytes());
        EXPECT_TRUE(run.keygen({seed.data()}, pk.data(), sk.data()));
        all.absorb(pk).absorb(sk);
        test::ByteString again(pk.size());
        EXPECT_EQ(run.public_key(sk.data(), again.data()), ntru_prime::KeyCheck::good);
        EXPECT_EQ(again, pk);

        const test::ByteString random = numbers.bytes(ntru_prime::seed_bytes);
        test::ByteString ciphertext(p.ciphertext_bytes());
        test::ByteString secret(ntru_prime::shared_secret_bytes);
        EXPECT_TRUE(run.encapsulate({random.data()}, pk.data(), ciphertext.data(), secret.data()));
        all.absorb(ciphertext).absorb(secret);
        test::ByteString found(secret.size());
        run.decapsulate(sk.data(), ciphertext.data(), found.data());
        EXPECT_EQ(found, secret);

        const auto bit = static_cast<std::size_t>(
            numbers.between(0, static_cast<std::int64_t>(8 * ciphertext.size()) - 1));
        ciphertext[bit / 8] = static_cast<Byte>(ciphertext[bit / 8] ^ 1 << bit % 8);
        run.decapsulate(sk.data(), ciphertext.data(), found.data());
        EXPECT_NE(found, secret);
        all.absorb(found);

        // Any bytes are a ciphertext, and a public key.
        const test::ByteString noise = numbers.bytes(ciphertext.size());
        run.decapsulate(sk.data(), noise.data(), found.data());
        all.absorb(found);
        const test::ByteString noise_key = numbers.bytes(pk.size());
        EXPECT_TRUE(run.encapsulate({random.data()}, noise_key.data(), ciphertext.data(), secret.data()));
        all.absorb(ciphertext).absorb(secret);
    }
    test::ByteString digest(32);
    all.squeeze(digest);
    return digest;
}

class KemEngines : public testing::TestWithParam<std::size_t> {};

TEST_P(KemEngines, GiveTheBytesOfThePortableOne)
{
    const engines::Candidate& candidate = engines::candidates()[GetParam()];
    if (!candidate.runs_here()) GTEST_SKIP() << "this processor does not support " << candidate.engine->name;
    const auto candidates = engines::candidates();
    const auto& portable = *std::find_if(candidates.begin(), candidates.end(),
                                         [](const auto& other) { return other.engine->name == "portable"; });
    const std::size_t count = candidate.engine->name == "reference" ? reference_rounds : rounds();
    for (std::size_t set = 0; set < ntru_prime::parameter_sets.size(); ++set) {
        const Params& p = ntru_prime::parameter_sets[set];
        EXPECT_EQ(digest_of_operations(test::ntru_prime_on(*candidate.engine, set), p, count),
                  digest_of_operations(test::ntru_prime_on(*portable.engine, set), p, count))
            << "parameter set " << set;
    }
}

INSTANTIATE_TEST_SUITE_P(Each, KemEngines, testing::Range(std::size_t{0}, engines::candidates().size()),
                         [](const auto& engine) {
                             return std::string{engines::candidates()[engine.param].engine->name};
                         });

}  // namespace
