/// Falcon's signatures on every engine: enough of them to see a difference of rounding, which
/// changes one in thousands.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "cross_isa/engine_in_use.hpp"
#include "cross_isa/operations.hpp"
#include "support/rounds.hpp"

namespace girih::test {
namespace {

/// Blocks of signatures in turn one by one and as a batch.
std::string digest_of_signatures(const girih_alg* alg, std::size_t count)
{
    constexpr std::size_t block = 20;
    Numbers numbers{59};
    const Signer signer{alg,
                        keys_by(girih_falcon_reference_keygen, alg, numbers.bytes(girih_seed_bytes(alg)))};
    Hash all;
    for (std::size_t first = 0; first < count; first += block) {
        std::vector<SignatureInput> inputs;
        for (std::size_t i = 0; i < block; ++i) inputs.emplace_back(alg, numbers, i, i);
        if (first / block % 2 == 1) {
            for (const ByteString& signature : sign_in_a_batch({&signer}, inputs, true))
                all.absorb(signature);
        } else {
            for (SignatureInput& input : inputs) all.absorb(sign_prepared(signer, input));
        }
    }
    return digest_of(all);
}

void expect_signatures(const char* name, std::size_t count, const char* digest)
{
    on_every_engine([&](const engines::Engine&) {
        EXPECT_EQ(digest_of_signatures(girih_algorithm(name), count), digest) << name;
    });
}

TEST(FalconSignatures, AreWhatTheyAlwaysWere)
{
    expect_signatures("Falcon-512", 100, "8EFC51246C0B01F32904A52AF329ED9149013E33E78B43DA460963A3F4ED85EE");
    expect_signatures("Falcon-1024", 100, "CD63CE01B24A1A292B44DE781EF3BCEEE1BC86DEF336537C530734D6D2D2C0E6");
    if (are_slowed && !are_exhaustive()) return;
    expect_signatures("Falcon-512", 1000, "238746DBE1AB504CB66EC492396D25A7EF919C1EED9844F7EBD13DEE185B9A27");
    if (!are_exhaustive()) return;
    expect_signatures("Falcon-1024", 1000,
                      "53F5656436B98E949512375B1FFC5F87984E00975A6DAC55C6A5D209D4F1EF31");
}

TEST(FalconSignaturesInNumbers, AHundredThousandAreWhatTheyAlwaysWere)
{
    if (!are_exhaustive()) GTEST_SKIP() << "only with GIRIH_EXHAUSTIVE";
    expect_signatures("Falcon-512", 100'000,
                      "28CD215C3CC3DBAC80EAB2FCDB57FDCDB23748BEBB83B7E516F96923A5380EFC");
}

/// Signatures that change if products are fused with sums, which happens to one in 40,000.
TEST(FalconProducts, AreRounded)
{
    constexpr std::size_t signatures_of_a_key = 25;
    constexpr std::size_t changed = 16'368;
    const girih_alg* const alg = girih_algorithm("Falcon-512");
    Numbers numbers{47};
    ByteString seed;
    for (std::size_t number = 0; number < changed; ++number) {
        if (number % signatures_of_a_key == 0) {
            (void)numbers.bytes(girih_seed_bytes(alg));
            seed = numbers.bytes(girih_seed_bytes(alg));
        }
        (void)SignatureInput(alg, numbers, number % 200, number);
    }
    SignatureInput input{alg, numbers, changed % 200, changed};
    on_every_engine([&](const engines::Engine&) {
        Hash hash;
        hash.absorb(sign_alone(Signer{alg, key_pair(alg, seed)}, input));
        EXPECT_EQ(digest_of(hash), "76C62A1DD474B9068147F8C463A35402C198378A52D89A5B4760A529998AC8C5");
    });
}

}  // namespace
}  // namespace girih::test
