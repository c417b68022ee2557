/// ML-DSA-44 as a constant expression: a key, a signature and its verification, made by the
/// compiler. Undefined behaviour in them (a read of memory that was never written, an overflow, a
/// step outside an array) does not compile.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "isa/portable/engine.hpp"
#include "ml_dsa/standard/keygen.hpp"
#include "ml_dsa/standard/sign.hpp"
#include "ml_dsa/standard/verify.hpp"
#include "sha2/sha2.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"
#include "unit/symmetric/symmetric.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;
constexpr Params p = ml_dsa_44;
constexpr Shape shape = p.shape();

// ACVP, ML-DSA-sigGen-FIPS204-tr1 (release v1.1.0.43), case 182, whose first attempt succeeds; the
// SHA-256 of its answer.
constexpr auto seed = test::bytes("CEA6D504D4CB5D21E17FD22FC078044D316B8BAA926E68B95B650605C6A2B347");
constexpr auto mu = test::bytes(
    "B8DA832770120574977E91081C976304256C9C29366326994E38F29D688689399BED31FE342A7D3F"
    "6494F3C2D14592B11334A55FDFCE3CE9D8B751EE526A088B");
constexpr auto signature_sha256 =
    test::bytes("4251FF0634425CAB1B5365B2B19F28D76401A1FB992EBDBF34E3C70ECD1AF22A");

struct Keys {
    std::array<Byte, p.public_key_bytes()> pk{};
    std::array<Byte, p.secret_key_bytes()> sk{};
};
constexpr Keys keys = [] {
    Keys made;
    keygen<shape, Portable>(p, seed, made.pk, made.sk);
    return made;
}();

constexpr auto signature = [] {
    std::array<Byte, p.signature_bytes()> made{};
    PreparedSigningKey<shape> key;
    if (prepare_signing_key<shape, Portable>(p, keys.sk, key))
        (void)sign_mu<shape, Portable>(key, mu, {}, made);
    return made;
}();

static_assert(
    [] {
        sha2::Sha256 hash;
        hash.update(signature);
        return hash.digest() == signature_sha256;
    }(),
    "the compiler's signature is the published one");

/// The verdicts on the signature, and on a changed one.
constexpr auto verdicts = [] {
    PreparedVerifyingKey<shape> key;
    prepare_verifying_key<shape, Portable>(p, keys.pk, key);
    auto changed = signature;
    changed[p.c_tilde_bytes] ^= 1;
    return std::array{verify_mu_vartime<shape, Portable>(key, mu, signature),
                      verify_mu_vartime<shape, Portable>(key, mu, changed)};
}();
static_assert(verdicts[0], "the signature verifies");
static_assert(!verdicts[1], "a changed one does not");

TEST(CompileTime, MakesTheKeysOfTheLibrary)
{
    const test::KeyPair made = test::key_pair(girih_algorithm("ML-DSA-44"), seed);
    EXPECT_EQ(test::to_hex(keys.pk), test::to_hex(made.public_key));
    EXPECT_EQ(test::to_hex(keys.sk), test::to_hex(made.secret_key));
}

TEST(CompileTime, MakesTheSignatureOfTheLibrary)
{
    const test::ByteString made = test::sign_mu(girih_algorithm("ML-DSA-44"), keys.sk, mu);
    EXPECT_EQ(test::to_hex(signature), test::to_hex(made));
    EXPECT_EQ(test::verify_mu(girih_algorithm("ML-DSA-44"), keys.pk, mu, signature), GIRIH_OK);
}

/// NTT and NTT^-1 of 256 residues are those of the standard, the second times R.
static_assert([] {
    Residues w;
    Poly<Form::coefficients, reduced_bound, Secrecy::open> f;
    Poly<Form::ntt_product, reduced_bound, Secrecy::open> g;
    for (unsigned i = 0; i < n; ++i) f.c[i] = g.c[i] = (w[i] = power(Residue{i + 2}, 1000)).centred();
    const auto is = [](auto c, Residue x) { return Residue{c} == x; };
    const auto is_r_times = [](auto c, Residue x) { return Residue{c} == x * Residue{montgomery_radix}; };
    return std::ranges::equal(ntt<Portable>(f).c, plain_ntt(w), is) &&
           std::ranges::equal(inverse_ntt<Portable>(g).c, plain_inverse_ntt(w), is_r_times);
}());

}  // namespace
