/// FIPS 203 as ml_kem/standard/ has it over plain_ring.hpp, in the standard's own words: as a
/// constant expression, and against the library.
#include <gtest/gtest.h>

#include <array>

#include "isa/portable/engine.hpp"
#include "ml_kem/standard/kem.hpp"
#include "ml_kem/standard/plain_ring.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::ml_kem;

template <Params P>
using Standard = Scheme<P, PlainRing<isa::portable::Isa>>;

/// A key pair of `seed`, an encapsulation of m, and both its ciphertext and a changed one
/// decapsulated.
template <Params P>
struct Exchange {
    std::array<Byte, P.public_key_bytes()> ek{};
    std::array<Byte, P.secret_key_bytes()> dk{};
    std::array<Byte, P.ciphertext_bytes()> c{};
    std::array<Byte, P.ciphertext_bytes()> changed{};
    std::array<Byte, shared_secret_bytes> sent{};
    std::array<Byte, shared_secret_bytes> received{};
    std::array<Byte, shared_secret_bytes> refused{};
    bool is_public_key = false;
    bool is_q_refused = false;
    KeyCheck check = KeyCheck::malformed;

    constexpr Exchange(BytesIn<seed_bytes> seed, BytesIn<message_bytes> m)
    {
        Standard<P>::keygen(seed, ek, dk);
        std::array<Byte, P.public_key_bytes()> derived{};
        check = Standard<P>::public_key(dk, derived);
        is_public_key = Standard<P>::encapsulate(ek, m, c, sent);
        Standard<P>::decapsulate(dk, c, received);
        auto with_q = ek;  // as its first coefficient
        with_q[0] = static_cast<Byte>(q & 0xFF);
        with_q[1] = static_cast<Byte>((with_q[1] & 0xF0) | q >> 8);
        is_q_refused = !Standard<P>::encapsulate(with_q, m, changed, refused);
        changed = c;
        changed[P.u_bytes()] ^= 1;
        Standard<P>::decapsulate(dk, changed, refused);
    }
};

constexpr auto seed = [] {
    std::array<Byte, seed_bytes> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<Byte>(3 * i + 1);
    return bytes;
}();
constexpr std::array<Byte, message_bytes> message{1, 2, 4, 8, 16, 32, 64, 128};

constexpr Exchange<ml_kem_512> made_by_the_compiler{seed, message};
static_assert(made_by_the_compiler.check == KeyCheck::good);
static_assert(made_by_the_compiler.is_public_key && made_by_the_compiler.is_q_refused);
static_assert(made_by_the_compiler.received == made_by_the_compiler.sent);
static_assert(made_by_the_compiler.refused != made_by_the_compiler.sent);

template <Params P>
void expect_is_the_librarys(const char* name, const Exchange<P>& made)
{
    const girih_alg* const alg = girih_algorithm(name);
    if (test::is_left_out(alg)) return;
    const test::KeyPair keys = test::key_pair(alg, seed);
    EXPECT_EQ(test::to_hex(made.ek), test::to_hex(keys.public_key));
    EXPECT_EQ(test::to_hex(made.dk), test::to_hex(keys.secret_key));
    EXPECT_EQ(made.check, KeyCheck::good);
    EXPECT_TRUE(made.is_q_refused);

    const test::GivenBytes given{message};
    const test::Encapsulation sent = test::encapsulate(alg, keys.public_key, given.source());
    EXPECT_EQ(test::to_hex(made.c), test::to_hex(sent.ciphertext));
    EXPECT_EQ(test::to_hex(made.sent), test::to_hex(sent.shared_secret));
    EXPECT_EQ(test::to_hex(made.received), test::to_hex(sent.shared_secret));
    EXPECT_EQ(test::to_hex(made.refused),
              test::to_hex(test::decapsulate(alg, keys.secret_key, made.changed)));
}

TEST(MlKemInTheStandardsWords, IsTheLibrarys)
{
    expect_is_the_librarys("ML-KEM-512", made_by_the_compiler);
    expect_is_the_librarys("ML-KEM-768", Exchange<ml_kem_768>{seed, message});
    expect_is_the_librarys("ML-KEM-1024", Exchange<ml_kem_1024>{seed, message});
}

}  // namespace
