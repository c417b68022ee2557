/// Falcon's key generator of round 3 with floating point in integers makes the keys that it makes
/// with the processor's.
#include <gtest/gtest.h>

#include "engines/reference_keys.hpp"
#include "falcon/reference_keygen/keygen.hpp"
#include "isa/portable/lanes.hpp"
#include "isa/reference/lanes.hpp"
#include "support/bytes.hpp"

namespace girih {
namespace {

template <falcon::Params P>
void expect_the_same_keys(std::size_t pairs)
{
    static_assert(!isa::reference::Isa::Fpr::is_native);
    test::Numbers numbers{67};
    for (std::size_t i = 0; i < pairs; ++i) {
        const test::ByteString seed = numbers.bytes(falcon::seed_bytes);
        test::ByteString pk(P.public_key_bytes());
        test::ByteString sk(P.secret_key_bytes());
        engines::falcon_reference_keygen(P.logn, seed.data(), pk.data(), sk.data());
        test::ByteString emulated_pk(pk.size());
        test::ByteString emulated_sk(sk.size());
        falcon::keygen<P, isa::reference::Isa>(BytesIn<falcon::seed_bytes>{seed},
                                               BytesOut<P.public_key_bytes()>{emulated_pk},
                                               BytesOut<P.secret_key_bytes()>{emulated_sk});
        EXPECT_EQ(emulated_pk, pk);
        EXPECT_EQ(emulated_sk, sk);
    }
}

TEST(FalconReferenceKeys, DoNotDependOnTheFloatingPoint)
{
    expect_the_same_keys<falcon::falcon_512>(4);
    expect_the_same_keys<falcon::falcon_1024>(2);
}

}  // namespace
}  // namespace girih
