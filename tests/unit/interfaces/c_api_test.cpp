/// What the C interface adds to the scheme: contexts, pre-hashes, mu, messages in pieces.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "sha2/sha2.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

/// mu of a whole message that is given to girih_message in two pieces.
ByteString mu_of(const girih_alg* alg, BytesIn<> public_key, BytesIn<> message, const girih_options* options,
                 std::size_t first = 0)
{
    girih_message state;
    ByteString mu(GIRIH_MU_BYTES);
    EXPECT_EQ(girih_message_begin(&state, alg, public_key.data(), public_key.size(), options), GIRIH_OK);
    EXPECT_EQ(girih_message_update(&state, message.data(), first), GIRIH_OK);
    EXPECT_EQ(girih_message_update(&state, message.data() + first, message.size() - first), GIRIH_OK);
    EXPECT_EQ(girih_message_mu(&state, mu.data(), mu.size()), GIRIH_OK);
    return mu;
}

// ---- Options ------------------------------------------------------------------------------------

class SigningOptions : public test::EveryAlgorithm {
  public:
    const test::KeyPair keys = test::key_pair(alg, test::counting(32, 1));
    const ByteString message = test::counting(300, 7);
};
INSTANTIATE_TEST_SUITE_P(Of, SigningOptions, testing::ValuesIn(test::algorithm_names),
                         test::EveryAlgorithm::name);

TEST_P(SigningOptions, AreTheDefaultWhenNull)
{
    ByteString signature(girih_signature_bytes(alg));
    std::size_t size = 0;
    ASSERT_EQ(girih_sign(alg, keys.secret_key.data(), keys.secret_key.size(), message.data(), message.size(),
                         nullptr, signature.data(), signature.size(), &size),
              GIRIH_OK);
    EXPECT_EQ(girih_verify(alg, keys.public_key.data(), keys.public_key.size(), message.data(),
                           message.size(), nullptr, signature.data(), size),
              GIRIH_OK);
    EXPECT_NE(signature, test::sign(alg, keys.secret_key, message)) << "null must mean hedged";
    EXPECT_EQ(mu_of(alg, keys.public_key, message, nullptr),
              mu_of(alg, keys.public_key, message, &test::deterministic));
}

TEST_P(SigningOptions, TakeRandomnessFromTheGivenSource)
{
    // ML-DSA draws 32 bytes (FIPS 204, Algorithm 2, line 5); round 3.1 draws rho' of 64.
    const std::size_t rnd_bytes = girih_has_context(alg) == 1 ? 32 : 64;
    const ByteString rnd = test::counting(rnd_bytes, 50);
    const ByteString zeros(rnd_bytes, 0);
    const auto sign_with = [&](const ByteString& bytes) {
        const test::GivenBytes given{bytes};
        const girih_options options{nullptr, 0, nullptr, 0, given.source(), 0, {}};
        const ByteString signature = test::sign(alg, keys.secret_key, message, options);
        EXPECT_TRUE(given.used_up());
        EXPECT_EQ(test::verify(alg, keys.public_key, message, signature), GIRIH_OK);
        return signature;
    };
    EXPECT_EQ(sign_with(rnd), sign_with(rnd));
    EXPECT_NE(sign_with(rnd), sign_with(zeros));
    // ML-DSA's deterministic variant is the hedged one with rnd = 0; round 3.1's hashes K instead.
    EXPECT_EQ(sign_with(zeros) == test::sign(alg, keys.secret_key, message), girih_has_context(alg) == 1);
}

TEST(Contexts, SeparateSignatures)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    const ByteString message = test::counting(20);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{254}, std::size_t{255}}) {
        const ByteString context = test::counting(size);
        const girih_options options = test::with_context(context);
        const ByteString signature = test::sign(alg, keys.secret_key, message, options);
        EXPECT_EQ(test::verify(alg, keys.public_key, message, signature, options), GIRIH_OK) << size;
        ByteString other = context;
        if (size == 0) {
            other.push_back(0);
        } else {
            test::flip(other, 8 * size - 1);
        }
        EXPECT_EQ(test::verify(alg, keys.public_key, message, signature, test::with_context(other)),
                  GIRIH_ERROR_SIGNATURE)
            << size;
        // The boundary between context and message is signed.
        ByteString longer = other;
        longer.insert(longer.end(), message.begin(), message.end());
        EXPECT_EQ(test::verify(alg, keys.public_key, longer, signature), GIRIH_ERROR_SIGNATURE) << size;
    }
}

// ---- Pre-hashes ---------------------------------------------------------------------------------

/// A hash function as the pre-hash tests need it: from message to digest.
struct HashFunction {
    const char* name;
    Byte
        oid_arc;  ///< under 2.16.840.1.101.3.4.2 (FIPS 204, Section 5.4.1; NIST's register of hash functions)
    ByteString (*digest)(BytesIn<>);
};

template <class Hash>
ByteString sha2_digest(BytesIn<> message)
{
    Hash hash;
    hash.update(message);
    const auto digest = hash.digest();
    return {digest.begin(), digest.end()};
}

template <class Sponge, std::size_t digest_bytes>
ByteString keccak_digest(BytesIn<> message)
{
    ByteString digest(digest_bytes);
    Sponge{}.absorb(message).squeeze(digest);
    return digest;
}

using Portable = isa::portable::Isa;
constexpr std::array hash_functions{
    HashFunction{"SHA2-256", 1, sha2_digest<sha2::Sha256>},
    HashFunction{"SHA2-384", 2, sha2_digest<sha2::Sha384>},
    HashFunction{"SHA2-512", 3, sha2_digest<sha2::Sha512>},
    HashFunction{"SHA2-224", 4, sha2_digest<sha2::Sha224>},
    HashFunction{"SHA2-512/224", 5, sha2_digest<sha2::Sha512_224>},
    HashFunction{"SHA2-512/256", 6, sha2_digest<sha2::Sha512_256>},
    HashFunction{"SHA3-224", 7, keccak_digest<keccak::Sha3<Portable, 28>, 28>},
    HashFunction{"SHA3-256", 8, keccak_digest<keccak::Sha3<Portable, 32>, 32>},
    HashFunction{"SHA3-384", 9, keccak_digest<keccak::Sha3<Portable, 48>, 48>},
    HashFunction{"SHA3-512", 10, keccak_digest<keccak::Sha3<Portable, 64>, 64>},
    HashFunction{"SHAKE128", 11, keccak_digest<keccak::Shake128<Portable>, 32>},
    HashFunction{"SHAKE256", 12, keccak_digest<keccak::Shake256<Portable>, 64>},
};

/// mu = H(H(pk, 64) | 1 | |ctx| | ctx | OID | PH(M), 64) (FIPS 204, Algorithm 4, line 23, and
/// Algorithm 7, line 6)
ByteString pre_hashed_mu(const HashFunction& function, BytesIn<> public_key, BytesIn<> context,
                         BytesIn<> message)
{
    const ByteString oid{0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, function.oid_arc};
    const ByteString tr = keccak_digest<keccak::Shake256<Portable>, 64>(public_key);
    ByteString mu(GIRIH_MU_BYTES);
    keccak::Shake256<Portable> h;
    h.absorb(tr).absorb(Byte{1}).absorb(static_cast<Byte>(context.size())).absorb(context).absorb(oid);
    h.absorb(function.digest(message)).squeeze(mu);
    return mu;
}

TEST(PreHashes, SignTheDigestUnderItsObjectIdentifier)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    const ByteString message = test::counting(300);
    const ByteString context = test::counting(9);
    std::set<ByteString> signatures;
    for (const HashFunction& function : hash_functions) {
        const girih_options options = test::with_context(context, function.name);
        const ByteString mu = pre_hashed_mu(function, keys.public_key, context, message);
        const ByteString signature = test::sign(alg, keys.secret_key, message, options);
        EXPECT_EQ(signature, test::sign_mu(alg, keys.secret_key, mu)) << function.name;
        EXPECT_EQ(test::verify(alg, keys.public_key, message, signature, options), GIRIH_OK) << function.name;
        EXPECT_EQ(mu_of(alg, keys.public_key, message, &options, 17), mu) << function.name;
        EXPECT_EQ(test::verify(alg, keys.public_key, message, signature, test::with_context(context)),
                  GIRIH_ERROR_SIGNATURE)
            << function.name;
        EXPECT_TRUE(signatures.insert(signature).second) << function.name;
    }
}

TEST(PreHashes, AreFoundByNameWhateverTheCaseAndTheHyphens)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    const ByteString message = test::counting(30);
    const ByteString expected = test::sign(alg, keys.secret_key, message, test::with_context({}, "SHAKE128"));
    for (const char* name : {"shake128", "SHAKE-128", "Shake128"})
        EXPECT_EQ(test::sign(alg, keys.secret_key, message, test::with_context({}, name)), expected) << name;
}

// ---- mu and messages in pieces ------------------------------------------------------------------

class Messages : public SigningOptions {};
INSTANTIATE_TEST_SUITE_P(Of, Messages, testing::ValuesIn(test::algorithm_names), test::EveryAlgorithm::name);

TEST_P(Messages, SignedThroughMuAreSignedTheSame)
{
    const ByteString mu = mu_of(alg, keys.public_key, message, nullptr);
    const ByteString signature = test::sign(alg, keys.secret_key, message);
    EXPECT_EQ(test::sign_mu(alg, keys.secret_key, mu), signature);
    EXPECT_EQ(test::verify_mu(alg, keys.public_key, mu, signature), GIRIH_OK);
    for (std::size_t bit = 0; bit < 8 * mu.size(); bit += 7) {
        ByteString changed = mu;
        test::flip(changed, bit);
        EXPECT_EQ(test::verify_mu(alg, keys.public_key, changed, signature), GIRIH_ERROR_SIGNATURE) << bit;
    }
}

TEST_P(Messages, HaveTheSameMuHoweverTheyAreCut)
{
    const ByteString expected = mu_of(alg, keys.public_key, message, nullptr);
    for (std::size_t first = 0; first <= message.size(); ++first)
        ASSERT_EQ(mu_of(alg, keys.public_key, message, nullptr, first), expected) << first;
}

TEST_P(Messages, OfNoPiecesAreTheEmptyMessage)
{
    girih_message state;
    ByteString mu(GIRIH_MU_BYTES);
    ASSERT_EQ(girih_message_begin(&state, alg, keys.public_key.data(), keys.public_key.size(), nullptr),
              GIRIH_OK);
    EXPECT_EQ(girih_message_update(&state, nullptr, 0), GIRIH_OK);
    ASSERT_EQ(girih_message_mu(&state, mu.data(), mu.size()), GIRIH_OK);
    EXPECT_EQ(test::sign_mu(alg, keys.secret_key, mu), test::sign(alg, keys.secret_key, {}));
}

TEST(MessagesWithPreHash, HaveTheSameMuHoweverTheyAreCut)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-65");
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    const ByteString message = test::counting(290);
    const ByteString context = test::counting(3);
    for (const HashFunction& function : hash_functions) {
        const girih_options options = test::with_context(context, function.name);
        const ByteString expected = mu_of(alg, keys.public_key, message, &options);
        for (std::size_t first = 0; first <= message.size(); ++first)
            ASSERT_EQ(mu_of(alg, keys.public_key, message, &options, first), expected)
                << function.name << ", " << first;
    }
}

}  // namespace
