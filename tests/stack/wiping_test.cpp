/// After an operation, the stack that it used holds no secret.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "api/algorithms/algorithm.hpp"
#include "ntru_prime/operations.hpp"
#include "secrets.hpp"
#include "stacks.hpp"
#include "support/kems.hpp"

namespace girih::stack {
namespace {

/// Every request gets the seed of EveryOperation, except requests of the length of Falcon's salt,
/// which is public: they get other bytes.
int fill(void*, std::uint8_t* out, std::size_t bytes)
{
    constexpr std::size_t salt_bytes = 40;
    if (bytes == salt_bytes)
        std::fill_n(out, bytes, std::uint8_t{7});
    else
        std::copy_n(test::telling_bytes.begin(), bytes, out);
    return 0;
}
constexpr girih_random same_bytes{fill, nullptr, 0};

class Wiping : public test::EveryAlgorithm {
  protected:
    void SetUp() override
    {
        if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
        operations = std::make_unique<test::EveryOperation>(alg, 16, &same_bytes);
        secrets = secrets_of(*operations);
    }

    /// Expects a call to leave no secrets.
    void expect_wiped(const test::Operation& operation, int expected = GIRIH_OK)
    {
        int result = GIRIH_ERROR_ARGUMENT;
        stack.run([&] { result = operation.call(); });
        EXPECT_EQ(result, expected) << operation.name;
        for (const auto& [name, bytes] : secrets.remains_in(stack.used()))
            ADD_FAILURE() << operation.name << " leaves " << bytes << " bytes of " << name;
    }

    /// Expects an operation's outputs to equal those that others are given: the search is for these
    /// secrets.
    void expect_made_as_given(const test::Operation& operation)
    {
        using test::Products;
        for (const auto product : {&Products::public_key, &Products::secret_key, &Products::signature,
                                   &Products::ciphertext, &Products::shared_secret}) {
            test::ByteString& made = operations->made.*product;
            const test::ByteString& given = operations->given.*product;
            // (A message that comes in pieces seeds Falcon's sampler in another way.)
            EXPECT_TRUE(test::is_zero(made) || operation.name == "message_sign" ||
                        std::equal(given.begin(), given.end(), made.begin()))
                << operation.name;
            std::ranges::fill(made, Byte{0});
        }
    }

    std::unique_ptr<test::EveryOperation> operations;
    Secrets secrets;
    PaintedStack stack;
};

TEST_P(Wiping, OfEveryOperationLeavesNothing)
{
    for (const test::Operation& operation : operations->all) {
        if (operation.is_public()) continue;
        expect_wiped(operation);
        expect_made_as_given(operation);
    }
    operations->options = {};  // hedged, by the system
    for (const test::Operation& operation : operations->all)
        if (operation.name.find("sign") != std::string_view::npos) expect_wiped(operation);
}

TEST_P(Wiping, OfPreparedKeysLeavesNothing)
{
    const test::KeyMemory& memory =
        girih_is_kem(alg) != 0 ? operations->decapsulation_memory : operations->signing_memory;
    const Memory bytes{static_cast<const std::uint8_t*>(memory.data()), memory.size()};
    if (bytes.empty()) return;
    const Remains kept = secrets.remains_in(bytes);
    EXPECT_FALSE(kept.empty());
    // In the form in which this engine computes with it.
    if (std::string_view{girih_name(alg)}.starts_with("ML-KEM")) {
        EXPECT_TRUE(kept.contains("s^, as a factor"));
    }
    operations->wipe_prepared_keys();
    for (const auto& [name, count] : secrets.remains_in(bytes))
        ADD_FAILURE() << count << " bytes of " << name;
}

INSTANTIATE_TEST_SUITE_P(Every, Wiping, testing::ValuesIn(test::all_names()), test::EveryAlgorithm::name);

class WipingOfMlDsa : public Wiping {};

/// When a key is refused, nothing overwrites the part that was decoded before.
TEST_P(WipingOfMlDsa, OfMalformedKeysLeavesNothing)
{
    const std::size_t tr_bytes = girih_has_context(alg) != 0 ? 64 : 32;
    operations->given.secret_key[32 + 32 + tr_bytes] = 0xFF;  // a coefficient of s1 below -eta
    for (const char* name : {"public_key", "sign", "sign_mu", "sign_many of one", "prepare_signing_key"})
        expect_wiped(operations->named(name), GIRIH_ERROR_SECRET_KEY);
}

INSTANTIATE_TEST_SUITE_P(Every, WipingOfMlDsa, testing::ValuesIn(test::algorithm_names),
                         test::EveryAlgorithm::name);

/// NTRU Prime wipes a fixed length of stack below each operation, which is as far as frames reach.
class WipingOfNtruPrime : public Wiping {};

TEST_P(WipingOfNtruPrime, ReachesAsFarAsItsFrames)
{
    // The public function and this test use some stack that is not wiped here. Where keys are made,
    // it also holds a pair of the longest keys, ML-DSA-87's, which is wiped in place; where outputs
    // overwrite arguments, as much as a public key.
    constexpr std::size_t public_key = 2592, secret_key = 4896, own = 1024;
    constexpr std::array<std::pair<std::string_view, std::size_t>, 6> limits{
        {{"keygen", 2 * own + public_key + secret_key},
         {"keygen_from_seed", 2 * own + public_key + secret_key},
         {"keygen_many", ntru_prime::rows_at_once * 10240},
         {"public_key", own + public_key},
         {"encapsulate", own + public_key},
         {"decapsulate", own}}};
    const std::size_t wiped = ntru_prime::stack_bytes_of(ntru_prime::parameter_sets[alg->index]);
    // RISC-V's registers have at most 1,024 bits where this runs.
    const std::size_t longer = std::string_view{girih_engine()}.starts_with("rvv") ? 4 * 32 * 1024 / 8 : 0;
    for (const auto& [operation, bytes] : limits) {
        stack.run(operations->named(operation).call);
        EXPECT_GE(stack.used().size(), wiped) << operation;
        EXPECT_LE(stack.used().size(), wiped + longer + bytes) << operation << " takes more than is wiped";
    }
}

INSTANTIATE_TEST_SUITE_P(Every, WipingOfNtruPrime, testing::ValuesIn(test::kem_names),
                         test::EveryAlgorithm::name);

}  // namespace
}  // namespace girih::stack
