/// A prepared key that was computed wrongly, or that has changed since, makes no signature.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "falcon/standard/sign.hpp"
#include "support/bytes.hpp"
#include "support/falcon.hpp"
#include "support/operations.hpp"
#include "support/rounds.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using test::ByteString;

std::size_t wrong_leaf;  ///< the index of the leaf that goes wrong
double error;            ///< by how much
std::size_t leaves;      ///< that were computed so far

/// Engines on which one square root of a leaf goes wrong, and the range of leaves is not looked at.
struct Native : isa::portable::Isa {
    using Fpr = isa::NativeFpr<Native>;
};
struct Emulated : isa::portable::Isa {
    using Fpr = isa::EmulatedFpr<Emulated>;
};

template <class Fpr>
class GlitchedRange {
  public:
    constexpr explicit GlitchedRange(double) noexcept {}
    [[nodiscard]] Fpr admit(Fpr inverse_sigma) noexcept
    {
        return leaves++ == wrong_leaf ? inverse_sigma * Fpr{1 + error} : inverse_sigma;
    }
    [[nodiscard]] Secret<std::uint32_t> some_outside() const noexcept { return Secret{std::uint32_t{0}}; }
};

}  // namespace

template <>
class girih::falcon::LeafRange<Native::Fpr> : public GlitchedRange<Native::Fpr> {
  public:
    using GlitchedRange::GlitchedRange;
};
template <>
class girih::falcon::LeafRange<Emulated::Fpr> : public GlitchedRange<Emulated::Fpr> {
  public:
    using GlitchedRange::GlitchedRange;
};

namespace {

ByteString secret_key(const Operations& run, Params params, std::size_t i)
{
    ByteString pk(params.public_key_bytes());
    ByteString sk(params.secret_key_bytes());
    ByteString seed = test::counting(seed_bytes);
    seed[0] = static_cast<Byte>(i);
    run.keygen(seed.data(), pk.data(), sk.data());
    return sk;
}
const Operations& here(std::size_t place)
{
    return test::falcon_on(*engines::candidates().back().engine, place);
}

template <std::size_t place, class Isa>
void expect_wrong_leaves_are_found(std::size_t step)
{
    constexpr Params params = parameter_sets[place];
    constexpr Shape S = params.shape();
    const auto prepared = [&](const ByteString& sk) {
        leaves = 0;
        const auto key = std::make_unique<PreparedSigningKey<S, Isa>>();
        return prepare_signing_key<S, Isa>(BytesIn<S.secret_key_bytes()>{sk}, *key);
    };
    const ByteString sk = secret_key(here(place), params, 0);
    wrong_leaf = S.n();
    ASSERT_EQ(prepared(sk), SignResult::good);
    ASSERT_EQ(leaves, S.n());
    for (error = 0x1p-19; error < 0.5; error *= -64)
        for (wrong_leaf = 0; wrong_leaf < S.n(); wrong_leaf += step)
            ASSERT_EQ(prepared(sk), SignResult::fault) << wrong_leaf << " " << error;
}

TEST(PreparedFalconKeys, WithALeafThatWasComputedWronglyAreRefused)
{
    expect_wrong_leaves_are_found<0, Native>(1);
    expect_wrong_leaves_are_found<1, Native>(1);
    expect_wrong_leaves_are_found<0, Emulated>(37);
}

/// Rounding errors are far below an error of a leaf that would be found.
TEST(PreparedFalconKeys, HaveTheProductOfLeavesThatTheDeterminantGives)
{
    const auto expect = []<std::size_t place>() {
        constexpr Params params = parameter_sets[place];
        constexpr Shape S = params.shape();
        using Isa = test::NativeIsa;
        const auto key = std::make_unique<PreparedSigningKey<S, Isa>>();
        for (std::size_t i = 0; i < test::rounds(4, 20); ++i) {
            const ByteString sk = secret_key(here(place), params, i);
            ASSERT_EQ((prepare_signing_key<S, Isa>(BytesIn<S.secret_key_bytes()>{sk}, *key)),
                      SignResult::good);
            const double product =
                leaf_product(key->root().left()).value() * leaf_product(key->root().right()).value();
            EXPECT_LT(std::abs(product / S.leaf_product() - 1), 0x1p-36);
        }
    };
    expect.operator()<0>();
    expect.operator()<1>();
}

/// On every engine, alone and in a batch: one bit of any number of the tree.
TEST(PreparedFalconKeys, WhoseTreeHasChangedSignNothing)
{
    const ByteString randomness = test::counting(seed_bytes);
    for (const auto& candidate : engines::candidates()) {
        if (!candidate.runs_here()) continue;
        for (std::size_t place = 0; place < 2; ++place) {
            SCOPED_TRACE(std::string{candidate.engine->name} + " " + std::to_string(place));
            const Params params = parameter_sets[place];
            const std::size_t n = params.n();
            const Operations& run = test::falcon_on(*candidate.engine, place);
            const test::KeyMemory memory{run.signing_key_size};
            auto* const key = static_cast<Byte*>(memory.data());
            const ByteString sk = secret_key(here(place), params, 0);
            ASSERT_EQ(run.prepare_signing_key(sk.data(), key), SignResult::good);

            std::vector<ByteString> signatures(8, ByteString(params.signature_bytes()));
            const auto alone = [&] {
                return run.sign_prepared(key, {}, randomness.data(), randomness.data(), signatures[0].data())
                    .result;
            };
            const auto all = [&](SignResult wanted) {
                std::vector<SigningRow> rows;
                for (ByteString& signature : signatures)
                    rows.push_back(
                        {key, nullptr, {}, randomness.data(), randomness.data(), signature.data(), {}});
                run.sign_many(rows);
                return alone() == wanted && std::all_of(rows.begin(), rows.end(), [&](const SigningRow& row) {
                           return row.outcome.result == wanted;
                       });
            };
            ASSERT_TRUE(all(SignResult::good));
            // l10 and both halves; the basis comes before them.
            for (std::size_t word = 4 * n; word < 5 * n + 2 * subtree_size(n); ++word) {
                key[8 * word + word % 8] ^= 1;
                if (word % 257 == 0)
                    ASSERT_TRUE(all(SignResult::fault)) << word;
                else
                    ASSERT_EQ(alone(), SignResult::fault) << word;
                key[8 * word + word % 8] ^= 1;
            }
            EXPECT_TRUE(all(SignResult::good));
        }
    }
}

}  // namespace
