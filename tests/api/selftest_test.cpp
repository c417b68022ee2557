/// girih_selftest: it passes on every engine, and fails if an operation gives another result.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "api/algorithms/algorithm.hpp"
#include "engines/list.hpp"

namespace {

using namespace girih;

TEST(Selftest, PassesForEveryAlgorithmOnEveryEngine)
{
    for (std::size_t i = 0; const girih_alg* const alg = girih_algorithm_at(i); ++i) {
        EXPECT_EQ(girih_selftest(alg, nullptr), GIRIH_OK) << girih_name(alg);
        for (const engines::Candidate& each : engines::candidates())
            EXPECT_EQ(girih_selftest(alg, each.engine->name.data()),
                      each.runs_here() ? GIRIH_OK : GIRIH_ERROR_ENGINE)
                << girih_name(alg) << " on " << each.engine->name;
    }
}

TEST(Selftest, KnowsTheEnginesOfTheLibrary)
{
    std::size_t count = 0;
    for (const engines::Candidate& each : engines::candidates())
        EXPECT_EQ(girih_engine_at(count++), each.engine->name);
    EXPECT_EQ(girih_engine_at(count), nullptr);
    for (const char* name : {"", "abacus", "Portable"})
        EXPECT_EQ(girih_selftest(girih_ml_kem_512(), name), GIRIH_ERROR_ENGINE) << name;
}

/// The result of the self-test with one operation of the algorithm changed.
template <class Operations, class Plant>
int result_with(const girih_alg* alg, Plant plant)
{
    Operations operations = alg->on_engine<Operations>();
    plant(operations);
    girih_alg changed = *alg;
    changed.operations.fill(&operations);
    return girih_selftest(&changed, nullptr);
}

/// Changes an operation to that of another algorithm.
template <class Operations, class Member>
void expect_fault(const girih_alg* alg, const girih_alg* other, Member Operations::* operation)
{
    const auto plant = [&](Operations& o) { o.*operation = other->on_engine<Operations>().*operation; };
    EXPECT_EQ(result_with<Operations>(alg, plant), GIRIH_ERROR_FAULT) << girih_name(alg);
    EXPECT_EQ(result_with<Operations>(alg, [](Operations&) {}), GIRIH_OK);
}

TEST(Selftest, FindsAnOperationOfAnotherAlgorithm)
{
    expect_fault(girih_ml_dsa_44(), girih_dilithium2(), &ml_dsa::Operations::keygen);
    expect_fault(girih_ml_dsa_44(), girih_dilithium2(), &ml_dsa::Operations::sign);
    expect_fault(girih_ml_dsa_44(), girih_dilithium2(), &ml_dsa::Operations::verify);
    expect_fault(girih_ml_dsa_87(), girih_ml_dsa_44(), &ml_dsa::Operations::sign_mu);
    expect_fault(girih_ml_dsa_87(), girih_ml_dsa_44(), &ml_dsa::Operations::verify_mu);
    expect_fault(girih_falcon_512(), girih_falcon_padded_512(), &falcon::Operations::sign);
    expect_fault(girih_ml_kem_768(), girih_ml_kem_512(), &ml_kem::Operations::keygen);
    expect_fault(girih_ml_kem_768(), girih_ml_kem_512(), &ml_kem::Operations::encapsulate_many);
    expect_fault(girih_ml_kem_768(), girih_ml_kem_512(), &ml_kem::Operations::decapsulate_many);
}

/// Changes an operation to one that always returns the same value.
template <auto verdict, class Operations, class Member>
void expect_fault_if_always(const girih_alg* alg, Member Operations::* operation)
{
    const auto plant = [&](Operations& o) { o.*operation = [](auto...) { return verdict; }; };
    EXPECT_EQ(result_with<Operations>(alg, plant), GIRIH_ERROR_FAULT) << girih_name(alg);
}

TEST(Selftest, FindsAVerifierThatAcceptsEverything)
{
    expect_fault_if_always<true>(girih_ml_dsa_65(), &ml_dsa::Operations::verify);
    expect_fault_if_always<true>(girih_ml_dsa_65(), &ml_dsa::Operations::verify_mu);
    expect_fault_if_always<falcon::Verdict::good>(girih_falcon_1024(), &falcon::Operations::verify);
}

/// The operations as they are, for those that are planted in their place.
template <class Operations>
Operations genuine;

template <class Operations, class Plant>
void expect_fault_with(const girih_alg* alg, Plant plant)
{
    genuine<Operations> = alg->on_engine<Operations>();
    EXPECT_EQ(result_with<Operations>(alg, plant), GIRIH_ERROR_FAULT) << girih_name(alg);
}

/// Makes the keys of another seed than 0, 1, 2, ..., the one whose key pair is known.
void keygen_of_another_seed(const Byte* seed, Byte* pk, Byte* sk)
{
    std::array<Byte, ml_dsa::seed_bytes> other;
    std::copy_n(seed, other.size(), other.begin());
    if (other[0] == 0 && other[1] == 1) other[2] ^= 1;
    genuine<ml_dsa::Operations>.keygen(other.data(), pk, sk);
}

TEST(Selftest, FindsResultsThatFitTogetherAndAreWrong)
{
    expect_fault_with<ml_dsa::Operations>(girih_ml_dsa_65(),
                                          [](ml_dsa::Operations& o) { o.keygen = keygen_of_another_seed; });
    expect_fault_with<ml_dsa::Operations>(girih_ml_dsa_65(), [](ml_dsa::Operations& o) {
        o.sign_mu = [](const Byte* sk, const Byte* mu, const Byte*, Byte* sig) {
            const std::array<Byte, 32> other{1};
            return genuine<ml_dsa::Operations>.sign_mu(sk, mu, other.data(), sig);
        };
    });
}

/// The first byte of the ciphertext that was made last: one that differs in it is rejected.
Byte first_of_made;

void encapsulate_and_note(std::span<ml_kem::EncapsulationRow> rows)
{
    genuine<ml_kem::Operations>.encapsulate_many(rows);
    first_of_made = rows[0].ciphertext[0];
}

void encapsulate_and_flip(std::span<ml_kem::EncapsulationRow> rows)
{
    encapsulate_and_note(rows);
    for (ml_kem::EncapsulationRow& row : rows) row.shared_secret[0] ^= 1;
}

/// Changes the shared secret of ciphertexts that are accepted, or of those that are not.
template <bool accepted>
void decapsulate_and_flip(std::span<ml_kem::DecapsulationRow> rows)
{
    genuine<ml_kem::Operations>.decapsulate_many(rows);
    for (ml_kem::DecapsulationRow& row : rows)
        if ((row.ciphertext[0] == first_of_made) == accepted) row.shared_secret[0] ^= 1;
}

TEST(Selftest, FindsAWrongSharedSecret)
{
    const auto expect_fault = [](auto encapsulate, auto decapsulate) {
        expect_fault_with<ml_kem::Operations>(girih_ml_kem_768(), [&](ml_kem::Operations& o) {
            o.encapsulate_many = encapsulate;
            o.decapsulate_many = decapsulate;
        });
    };
    expect_fault(encapsulate_and_flip, decapsulate_and_flip<true>);
    expect_fault(encapsulate_and_note, decapsulate_and_flip<true>);
    expect_fault(encapsulate_and_note, decapsulate_and_flip<false>);
}

TEST(Selftest, RefusesAnAlgorithmThatItDoesNotKnow)
{
    for (girih_alg changed : {*girih_ml_dsa_65(), *girih_ml_kem_768()}) {
        changed.name = "ML-NONE";
        EXPECT_EQ(girih_selftest(&changed, nullptr), GIRIH_ERROR_FAULT);
    }
}

}  // namespace
