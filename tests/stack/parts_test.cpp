/// Parts of ML-DSA leave nothing, where no later part has overwritten what an earlier one left.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "core/wipe.hpp"
#include "isa/portable/lanes.hpp"
#include "ml_dsa/keygen.hpp"
#include "ml_dsa/sign.hpp"
#include "painted_stack.hpp"
#include "remains.hpp"
#include "sponge_states.hpp"
#include "support/every_operation.hpp"

namespace girih::stack {
namespace {

using Isa = isa::portable::Isa;
constexpr ml_dsa::Params p = ml_dsa::ml_dsa_65;
constexpr ml_dsa::Shape shape = p.shape();
constexpr const auto& seed = test::telling_bytes;
static_assert(seed.size() == ml_dsa::rho_prime_bytes);

template <class Function>
Remains remains_of(const Secrets& secrets, Function function)
{
    PaintedStack stack;
    stack.run(function);
    return secrets.remains_in(stack.used());
}

Secrets only_seed()
{
    Secrets secrets;
    secrets.add("seed", seed);
    return secrets;
}

TEST(WipingOfParts, ExpandSLeavesNothing)
{
    const auto s = std::make_unique<ml_dsa::SecretVectors<shape>>();
    const auto expand = [&] { ml_dsa::expand_s<shape, Isa>(seed, *s); };
    expand();
    Secrets secrets = only_seed();
    for (std::size_t r = 0; r < p.l + p.k; ++r) secrets.add("a sponge", numbered_sponge_states(seed, r, 3));
    const auto add = [&secrets](const auto& vector) {
        for (const auto& poly : vector.p) {
            secrets.add_small("s", poly.c);
            secrets.add_small("s in bytes", std::vector<std::int8_t>(poly.c.begin(), poly.c.end()));
        }
    };
    add(s->s1);
    add(s->s2);
    EXPECT_EQ(remains_of(secrets, expand), Remains{});
}

TEST(WipingOfParts, ExpandMaskLeavesNothing)
{
    const auto y = std::make_unique<ml_dsa::PolyVector<p.l, ml_dsa::MaskPoly<shape>>>();
    const auto expand = [&] { ml_dsa::expand_mask<shape, Isa>(seed, 0, *y); };
    expand();
    Secrets secrets = only_seed();
    for (const auto& poly : y->p) secrets.add("y", poly.c);
    for (std::size_t r = 0; r < p.l; ++r) secrets.add("a sponge", numbered_sponge_states(seed, r, 5));
    EXPECT_EQ(remains_of(secrets, expand), Remains{});
}

TEST(WipingOfParts, ASpongeLeavesNothingOfWhatItAbsorbed)
{
    EXPECT_EQ(remains_of(only_seed(),
                         [] {
                             keccak::Shake256<Isa> h;
                             h.absorb(seed);
                             __asm__ __volatile__("" : : "r"(&h) : "memory");
                         }),
              Remains{});
}

/// What the tests rest on: a copy that is not wiped is seen.
TEST(Remains, AreOfACopyThatIsNotWiped)
{
    EXPECT_EQ(remains_of(only_seed(),
                         [] {
                             auto copy = seed;
                             __asm__ __volatile__("" : : "r"(&copy) : "memory");
                         }),
              (Remains{{"seed", seed.size()}}));
}

TEST(Remains, AreNoneOfAWipedCopy)
{
    EXPECT_EQ(remains_of(only_seed(),
                         [] {
                             Wiped copy{seed};
                             __asm__ __volatile__("" : : "r"(&copy) : "memory");
                         }),
              Remains{});
}

}  // namespace
}  // namespace girih::stack
