// The hash of a public key beside its rows. (That keys are right, known answers tell.)

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/rows_beside_hash.hpp"

namespace girih::ml_dsa {
namespace {

using Portable = isa::portable::Isa;
constexpr Shape shape = ml_dsa_65.shape();

/// A public key of which some rows are made before it is hashed in a lane: whether it was hashed.
bool is_hashed_after(std::size_t rows_made, std::array<Byte, shape.public_key_bytes()>& pk,
                     std::array<Byte, 64>& tr)
{
    const std::array<Byte, rho_bytes> rho{1, 2, 3};
    const auto a_hat = std::make_unique<Matrix<shape>>();
    const auto s = std::make_unique<SecretVectors<shape>>();
    const auto t0 = std::make_unique<PolyVector<shape.k, T0Poly>>();
    expand_a<shape, Portable>(rho, *a_hat);
    expand_s<shape, Portable>(std::array<Byte, rho_prime_bytes>{4, 5, 6}, *s);
    pk = {};
    tr = {};
    PublicRows<shape, Portable> rows{rho, *a_hat, *s, *t0, pk};
    while (rows.count() < rows_made) rows.make_next();
    PublicKeyHash<shape, Portable> hash{rows, pk, tr};
    keccak::Task* const task = &hash;
    keccak::run<Portable::WideWords>(std::span{&task, 1});
    return hash.is_done();
}

TEST(PublicKeyHash, IsDoneWhenEveryRowIsThere)
{
    std::array<Byte, shape.public_key_bytes()> pk;
    std::array<Byte, 64> tr;
    ASSERT_TRUE(is_hashed_after(shape.k, pk, tr));
    std::array<Byte, 64> expected;
    keccak::Shake256<Portable>{}.absorb(pk).squeeze(expected);
    EXPECT_EQ(tr, expected);
}

TEST(PublicKeyHash, EndsWhereARowIsMissing)
{
    std::array<Byte, shape.public_key_bytes()> pk;
    std::array<Byte, 64> tr;
    for (std::size_t rows = 1; rows < shape.k; ++rows) {
        EXPECT_FALSE(is_hashed_after(rows, pk, tr)) << rows;
        EXPECT_EQ(tr, (std::array<Byte, 64>{})) << rows;
    }
}

}  // namespace
}  // namespace girih::ml_dsa
