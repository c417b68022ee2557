/// Every engine that runs here gives the bytes of the portable one.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "isa/engines.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;
using Portable = isa::portable::Isa;

/// Rounds of each parameter set: 10,000 with GIRIH_EXHAUSTIVE set, enough to see every path without.
std::size_t rounds() { return std::getenv("GIRIH_EXHAUSTIVE") != nullptr ? 10000 : 200; }

/// All that an engine makes of a sequence of seeds: keys, signatures from every kind of input, and verdicts on good and
/// spoilt ones. The messages grow past the length at which they are hashed beside the matrix.
test::ByteString digest_of_operations(const ml_dsa::Operations& run, const ml_dsa::Params& p,
                                      std::size_t rounds)
{
    test::Numbers numbers{42};
    keccak::Shake256<Portable> all;
    for (std::size_t round = 0; round < rounds; ++round) {
        const test::ByteString seed = numbers.bytes(ml_dsa::seed_bytes);
        test::ByteString pk(p.public_key_bytes());
        test::ByteString sk(p.secret_key_bytes());
        run.keygen(seed.data(), pk.data(), sk.data());
        all.absorb(pk).absorb(sk);

        test::ByteString again(pk.size());
        EXPECT_EQ(run.public_key(sk.data(), again.data()), ml_dsa::KeyCheck::good);
        EXPECT_EQ(again, pk);

        const test::ByteString message = numbers.bytes(round * 37 % 3000);
        const test::ByteString context = numbers.bytes(round % 256);
        const test::ByteString rnd = numbers.bytes(p.rnd_bytes());
        const auto frame = p.has_context() ? ml_dsa::Frame::with(context) : ml_dsa::Frame::none();
        test::ByteString sig(p.signature_bytes());
        EXPECT_EQ(run.sign(sk.data(), frame, message, round % 2 == 0 ? nullptr : rnd.data(), sig.data()),
                  ml_dsa::SignResult::good);
        all.absorb(sig);
        EXPECT_TRUE(run.verify(pk.data(), frame, message, sig.data()));

        const test::ByteString mu = numbers.bytes(ml_dsa::mu_bytes);
        EXPECT_EQ(run.sign_mu(sk.data(), mu.data(), nullptr, sig.data()), ml_dsa::SignResult::good);
        all.absorb(sig);
        EXPECT_TRUE(run.verify_mu(pk.data(), mu.data(), sig.data()));

        const auto bit =
            static_cast<std::size_t>(numbers.between(0, static_cast<std::int64_t>(8 * sig.size()) - 1));
        sig[bit / 8] = static_cast<Byte>(sig[bit / 8] ^ 1 << bit % 8);
        all.absorb(Byte{run.verify_mu(pk.data(), mu.data(), sig.data())});
    }
    test::ByteString digest(32);
    all.squeeze(digest);
    return digest;
}

class Engines : public testing::TestWithParam<std::size_t> {};

TEST_P(Engines, GiveTheBytesOfThePortableOne)
{
    const isa::Candidate& candidate = isa::candidates()[GetParam()];
    if (!candidate.runs_here()) GTEST_SKIP() << "this processor does not support " << candidate.engine->name;
    const isa::Candidate& portable = isa::candidates().back();
    for (std::size_t set = 0; set < ml_dsa::parameter_sets.size(); ++set) {
        const ml_dsa::Params& p = ml_dsa::parameter_sets[set];
        EXPECT_EQ(digest_of_operations(candidate.engine->ml_dsa[set], p, rounds()),
                  digest_of_operations(portable.engine->ml_dsa[set], p, rounds()))
            << "parameter set " << set;
    }
}

INSTANTIATE_TEST_SUITE_P(Each, Engines, testing::Range(std::size_t{0}, isa::candidates().size()),
                         [](const auto& engine) {
                             return std::string{isa::candidates()[engine.param].engine->name};
                         });

}  // namespace
