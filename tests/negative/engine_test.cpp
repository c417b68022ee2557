/// The environment variable GIRIH_ISA, in processes of their own: an engine is chosen once.
/// (GoogleTest runs what is named a death test first, so the process that they are copies of
/// has not chosen yet.)
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "engines/selection.hpp"
#include "support/bytes.hpp"
#include "support/environment.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

/// Every operation must fail with this error and leave zeros. Runs where it may end the
/// process: 0 for yes.
int all_operations_say(int error)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    const ByteString seed(girih_seed_bytes(alg));
    const ByteString mu(GIRIH_MU_BYTES);
    ByteString pk(girih_public_key_bytes(alg), 0xEE);
    ByteString sk(girih_secret_key_bytes(alg), 0xEE);
    ByteString signature(girih_signature_bytes(alg), 0xEE);
    std::size_t size = 1;
    girih_message message;
    const std::array results{
        girih_keygen(alg, nullptr, pk.data(), pk.size(), sk.data(), sk.size()),
        girih_keygen_from_seed(alg, seed.data(), seed.size(), pk.data(), pk.size(), sk.data(), sk.size()),
        girih_public_key(alg, sk.data(), sk.size(), pk.data(), pk.size()),
        girih_sign(alg, sk.data(), sk.size(), nullptr, 0, nullptr, signature.data(), signature.size(), &size),
        girih_sign_mu(alg, sk.data(), sk.size(), mu.data(), mu.size(), nullptr, signature.data(),
                      signature.size(), &size),
        girih_verify(alg, pk.data(), pk.size(), nullptr, 0, nullptr, signature.data(), signature.size()),
        girih_verify_mu(alg, pk.data(), pk.size(), mu.data(), mu.size(), signature.data(), signature.size()),
        girih_message_begin(&message, alg, pk.data(), pk.size(), nullptr),
    };
    const bool all_say = std::all_of(results.begin(), results.end(), [error](int e) { return e == error; });
    const bool all_zero = test::is_zero(pk) && test::is_zero(sk) && test::is_zero(signature) && size == 0;
    return all_say && all_zero ? 0 : 1;
}

TEST(EngineVariableDeathTest, ThatNamesNoEngineIsAnErrorOfEveryOperation)
{
    EXPECT_EXIT(
        {
            test::set_variable("GIRIH_ISA", "no such engine");
            const bool is_said = girih_engine() == nullptr && girih_engine_reason() != nullptr;
            std::exit(is_said ? all_operations_say(GIRIH_ERROR_ENGINE) : 2);
        },
        testing::ExitedWithCode(0), "");
}

TEST(EngineVariableDeathTest, ThatNamesThePortableEngineChoosesIt)
{
    EXPECT_EXIT(
        {
            test::set_variable("GIRIH_ISA", "portable");
            std::exit(girih_engine() != nullptr && std::string_view{girih_engine()} == "portable" ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(EngineSelection, KnowsThePortableEngineAndHasABestOne)
{
    EXPECT_NE(engines::select("").engine, nullptr);
    ASSERT_NE(engines::select("portable").engine, nullptr);
    EXPECT_EQ(engines::select("portable").engine->name, "portable");
    for (const char* name : {"x", "Portable", "portable ", "portabl"})
        EXPECT_EQ(engines::select(name).engine, nullptr) << name;
}

}  // namespace
