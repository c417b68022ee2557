/// Parts of ML-DSA leave no remains of secrets. Each runs alone, so that no later part overwrites
/// them.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "core/wipe.hpp"
#include "isa/portable/engine.hpp"
#include "ml_dsa/standard/keygen.hpp"
#include "ml_dsa/standard/sign.hpp"
#include "secrets.hpp"
#include "stacks.hpp"

namespace girih::stack {
namespace {

using Isa = isa::portable::Isa;
constexpr ml_dsa::Params p = ml_dsa::ml_dsa_65;
constexpr ml_dsa::Shape shape = p.shape();
constexpr const auto& seed = test::telling_bytes;
static_assert(seed.size() == ml_dsa::rho_prime_bytes);

/// The remains of these secrets, and of the seed, after the function has run.
template <class Function>
Remains remains_of(Secrets secrets, Function function)
{
    PaintedStack stack;
    stack.run(function);
    secrets.add("seed", seed);
    return secrets.remains_in(stack.used());
}

/// Keeps an object alive, so that no compiler removes its stores.
void keep(const auto& object) { __asm__ __volatile__("" : : "r"(&object) : "memory"); }

TEST(WipingOfParts, ExpandSLeavesNothing)
{
    const auto s = std::make_unique<ml_dsa::SecretVectors<shape>>();
    const auto expand = [&] { ml_dsa::expand_s<shape, Isa>(seed, *s); };
    expand();
    Secrets secrets;
    for (std::size_t r = 0; r < p.l + p.k; ++r) secrets.add("a sponge", numbered_sponge_states(seed, r, 3));
    const auto add = [&secrets](const auto& poly) {
        secrets.add_small("s", poly.c);
        secrets.add_small("s in bytes", std::vector<std::int8_t>(poly.c.begin(), poly.c.end()));
    };
    std::ranges::for_each(s->s1.p, add);
    std::ranges::for_each(s->s2.p, add);
    EXPECT_EQ(remains_of(secrets, expand), Remains{});
}

TEST(WipingOfParts, ExpandMaskLeavesNothing)
{
    const auto y = std::make_unique<std::array<ml_dsa::MaskBytes<shape>, p.l>>();
    const auto expand = [&] { ml_dsa::squeeze_mask<shape, Isa>(seed, 0, *y); };
    expand();
    Secrets secrets;
    for (const auto& poly : *y) secrets.add("y", poly);
    for (std::size_t r = 0; r < p.l; ++r) secrets.add("a sponge", numbered_sponge_states(seed, r, 5));
    EXPECT_EQ(remains_of(secrets, expand), Remains{});
}

TEST(WipingOfParts, ASpongeLeavesNothingOfWhatItAbsorbed)
{
    const auto absorb = [] {
        keccak::Shake256<Isa> h;
        h.absorb(seed);
        keep(h);
    };
    EXPECT_EQ(remains_of({}, absorb), Remains{});
}

/// The search works: it finds a copy that is not wiped.
TEST(Remains, AreOfACopyThatIsNotWiped)
{
    const auto copy_seed = [] {
        auto copy = seed;
        keep(copy);
    };
    EXPECT_EQ(remains_of({}, copy_seed), (Remains{{"seed", seed.size()}}));
    const auto copy_and_wipe = [] {
        Wiped copy{seed};
        keep(copy);
    };
    EXPECT_EQ(remains_of({}, copy_and_wipe), Remains{});
}

}  // namespace
}  // namespace girih::stack
