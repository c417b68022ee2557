/// girih_selftest: it passes on every engine, and fails if an operation gives another result.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <cstddef>

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

}  // namespace
