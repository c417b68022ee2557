// A hash beside the rows that it is of, of a public key here. (That keys and verdicts are right,
// known answers tell.)

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>

#include "isa/portable/lanes.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/public_rows.hpp"
#include "ml_dsa/rows_beside_hash.hpp"

namespace girih::ml_dsa {
namespace {

using Portable = isa::portable::Isa;
constexpr Shape shape = ml_dsa_65.shape();

using Key = std::array<Byte, shape.public_key_bytes()>;
using Tr = std::array<Byte, 64>;

/// What a hash in a lane makes of a public key of which some rows are there: its digest, or none.
struct Hashed {
    Key pk{};
    Tr tr{};
    RowsHash<Portable> hash{{pk}, tr};

    explicit Hashed(std::size_t rows_made)
    {
        const std::array<Byte, rho_bytes> rho{1, 2, 3};
        const auto a_hat = std::make_unique<Matrix<shape>>();
        const auto s = std::make_unique<SecretVectors<shape>>();
        const auto t0 = std::make_unique<PolyVector<shape.k, T0Poly>>();
        expand_a<shape, Portable>(rho, *a_hat);
        expand_s<shape, Portable>(std::array<Byte, rho_prime_bytes>{4, 5, 6}, *s);
        PublicRows<shape, Portable> rows{rho, *a_hat, *s, *t0, pk};
        while (rows.count() < rows_made) rows.make_next();
        hash.has(rows.bytes());
        keccak::Task* const task = &hash;
        keccak::run<Portable::WideWords>(std::span{&task, 1});
    }
    Hashed(const Hashed&) = delete;
    Hashed& operator=(const Hashed&) = delete;

    [[nodiscard]] Tr expected() const
    {
        Tr digest;
        keccak::Shake256<Portable>{}.absorb(pk).squeeze(digest);
        return digest;
    }
};

TEST(RowsHash, IsDoneWhenEveryRowIsThere)
{
    const Hashed hashed{shape.k};
    ASSERT_TRUE(hashed.hash.is_done());
    EXPECT_EQ(hashed.tr, hashed.expected());
}

TEST(RowsHash, EndsWhereARowIsMissingAndIsFinishedByItself)
{
    for (std::size_t rows = 1; rows < shape.k; ++rows) {
        Hashed hashed{rows};
        EXPECT_FALSE(hashed.hash.is_done()) << rows;
        EXPECT_EQ(hashed.tr, Tr{}) << rows;
        hashed.hash.finish();
        EXPECT_TRUE(hashed.hash.is_done()) << rows;
        EXPECT_EQ(hashed.tr, hashed.expected()) << rows;
    }
}

TEST(RowsHash, IsNotMadeAgainOnceDone)
{
    Hashed hashed{shape.k};
    const Tr tr = hashed.tr;
    hashed.pk[0] ^= 1;
    hashed.hash.finish();
    EXPECT_EQ(hashed.tr, tr);
}

}  // namespace
}  // namespace girih::ml_dsa
