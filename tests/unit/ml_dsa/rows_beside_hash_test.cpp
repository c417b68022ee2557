// A hash beside the rows that it is of. (That keys and verdicts are right, known answers tell.)

#include <gtest/gtest.h>

#include <array>
#include <span>

#include "isa/portable/lanes.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/rows_beside_hash.hpp"
#include "support/bytes.hpp"

namespace girih::ml_dsa {
namespace {

using Portable = isa::portable::Isa;
constexpr std::size_t row_bytes = 320;
constexpr std::size_t rows = 6;

/// A hash in a lane, of a message of which some rows are there, and its digest or none.
struct Hashed {
    test::ByteString message = test::counting(rho_bytes + rows * row_bytes);
    std::array<Byte, 64> digest{};
    RowsHash<Portable> hash{{message}, digest};

    explicit Hashed(std::size_t rows_made)
    {
        hash.has(rho_bytes + rows_made * row_bytes);
        keccak::Task* const task = &hash;
        keccak::run<Portable::WideWords>(std::span{&task, 1});
    }
    Hashed(const Hashed&) = delete;
    Hashed& operator=(const Hashed&) = delete;

    void expect_done() const
    {
        std::array<Byte, 64> expected;
        keccak::Shake256<Portable>{}.absorb(message).squeeze(expected);
        EXPECT_TRUE(hash.is_done());
        EXPECT_EQ(digest, expected);
    }
};

TEST(RowsHash, IsDoneWhenEveryRowIsThereAndNotMadeAgain)
{
    Hashed hashed{rows};
    hashed.expect_done();
    const auto digest = hashed.digest;
    hashed.message[0] ^= 1;
    hashed.hash.finish();
    EXPECT_EQ(hashed.digest, digest);
}

TEST(RowsHash, EndsWhereARowIsMissingAndIsFinishedByItself)
{
    for (std::size_t made = 1; made < rows; ++made) {
        SCOPED_TRACE(made);
        Hashed hashed{made};
        EXPECT_FALSE(hashed.hash.is_done());
        EXPECT_EQ(hashed.digest, (std::array<Byte, 64>{}));
        hashed.hash.finish();
        hashed.expect_done();
    }
}

}  // namespace
}  // namespace girih::ml_dsa
