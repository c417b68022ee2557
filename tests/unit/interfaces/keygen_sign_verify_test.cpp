/// ML-DSA and Dilithium through the C interface: what a signature depends on, where its randomness
/// comes from, contexts and pre-hashes, messages in pieces, and the rows of batches.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
#include "sha2/sha2.hpp"
#include "support/bytes.hpp"
#include "support/c_call.hpp"
#include "support/signatures.hpp"

namespace girih::test {
namespace {

class KeygenSignVerify : public EveryAlgorithm {
  public:
    const KeyPair keys = key_pair(alg, counting(32));
    const ByteString message = counting(61, 100);
    const ByteString signature = sign(alg, keys.secret_key, message);
};
INSTANTIATE_TEST_SUITE_P(Of, KeygenSignVerify, testing::ValuesIn(algorithm_names), EveryAlgorithm::name);

TEST_P(KeygenSignVerify, RefusesWhateverDiffersInOneBit)
{
    KeyPair pair = keys;
    ByteString text = message;
    ByteString changed = signature;
    const auto expect_refused = [&](ByteString& part, std::size_t first, std::size_t step) {
        for (std::size_t bit = first; bit < 8 * part.size(); bit += step) {
            flip(part, bit);
            ASSERT_EQ(verify(alg, pair.public_key, text, changed), GIRIH_ERROR_SIGNATURE) << bit;
            flip(part, bit);
        }
        ASSERT_EQ(verify(alg, pair.public_key, text, changed), GIRIH_OK);
    };
    expect_refused(changed, 0, 83);
    expect_refused(changed, 8 * (changed.size() - 84), 1);  // where the hints are
    expect_refused(pair.public_key, 0, 43);
    expect_refused(text, 0, 1);
    text.push_back(0);
    EXPECT_EQ(verify(alg, pair.public_key, text, signature), GIRIH_ERROR_SIGNATURE);
    text.resize(message.size() - 1);
    EXPECT_EQ(verify(alg, pair.public_key, text, signature), GIRIH_ERROR_SIGNATURE);
}

/// K is not checked: another K gives other signatures, which are just as valid.
TEST_P(KeygenSignVerify, ASecretKeyWithAnotherKIsOneOfTheSamePublicKey)
{
    for (std::size_t bit = 8 * 32; bit < 8 * 64; bit += 17) {
        ByteString changed = keys.secret_key;
        flip(changed, bit);
        ByteString public_key(keys.public_key.size());
        ASSERT_EQ(call(girih_public_key, alg, changed, public_key), GIRIH_OK) << bit;
        ASSERT_EQ(public_key, keys.public_key) << bit;
    }
}

TEST_P(KeygenSignVerify, DrawsFreshRandomnessUnlessToldOtherwise)
{
    std::vector<ByteString> made(10, ByteString(signature.size()));
    std::vector<girih_sign_row> rows;
    for (ByteString& each : made)
        rows.push_back(
            row_of<girih_sign_row>(nullptr, keys.secret_key, message, nullptr, each, std::size_t{0}));
    ASSERT_EQ(call(girih_sign_many, alg, rows), GIRIH_OK);
    std::size_t size = 0;
    made.push_back(ByteString(signature.size()));
    ASSERT_EQ(call(girih_sign, alg, keys.secret_key, message, nullptr, made.back(), &size), GIRIH_OK);
    made.push_back(sign(alg, keys.secret_key, message, girih_options{}));
    for (const ByteString& each : made)
        EXPECT_EQ(call(girih_verify, alg, keys.public_key, message, nullptr, each), GIRIH_OK);
    made.push_back(signature);
    EXPECT_EQ(std::set(made.begin(), made.end()).size(), made.size());
}

TEST_P(KeygenSignVerify, TakesRandomnessFromTheGivenSource)
{
    // ML-DSA draws 32 bytes (FIPS 204, Algorithm 2, line 5); round 3.1 draws rho' of 64.
    const std::size_t rnd_bytes = girih_has_context(alg) == 1 ? 32 : 64;
    const auto sign_with = [&](const ByteString& bytes) {
        const GivenBytes given{bytes};
        const girih_options options{nullptr, 0, nullptr, 0, given.source(), 0, {}};
        const ByteString made = sign(alg, keys.secret_key, message, options);
        EXPECT_TRUE(given.used_up());
        EXPECT_EQ(verify(alg, keys.public_key, message, made), GIRIH_OK);
        return made;
    };
    const ByteString zeros(rnd_bytes, 0);
    EXPECT_NE(sign_with(counting(rnd_bytes, 50)), sign_with(zeros));
    // ML-DSA's deterministic variant is the hedged one with rnd = 0; round 3.1's hashes K instead.
    EXPECT_EQ(sign_with(zeros) == signature, girih_has_context(alg) == 1);
}

/// Both have one lattice, and keys and signatures of one length, but other hashes.
TEST(KeygenSignVerifyFamilies, DoNotVerifyEachOther)
{
    const std::array families{girih_ml_dsa_44(), girih_dilithium2()};
    const ByteString message = counting(10);
    for (std::size_t i = 0; i < families.size(); ++i) {
        const KeyPair keys = key_pair(families[i], counting(32));
        const ByteString signature = sign(families[i], keys.secret_key, message);
        EXPECT_EQ(verify(families[1 - i], keys.public_key, message, signature), GIRIH_ERROR_SIGNATURE);
        EXPECT_NE(key_pair(families[1 - i], counting(32)).public_key, keys.public_key);
    }
}

// ---- Pre-hashes and messages in pieces

/// mu of a whole message that is given to girih_message in two pieces.
ByteString mu_of(const girih_alg* alg, const ByteString& public_key, BytesIn<> message,
                 const girih_options* options, std::size_t first)
{
    girih_message state;
    ByteString mu(GIRIH_MU_BYTES);
    EXPECT_EQ(call(girih_message_begin, &state, alg, public_key, options), GIRIH_OK);
    EXPECT_EQ(call(girih_message_update, &state, message.first(first)), GIRIH_OK);
    EXPECT_EQ(call(girih_message_update, &state, message.subspan(first)), GIRIH_OK);
    EXPECT_EQ(call(girih_message_mu, &state, mu), GIRIH_OK);
    return mu;
}

/// A hash function as the pre-hash tests need it: from message to digest.
struct HashFunction {
    const char* name;
    /// Under 2.16.840.1.101.3.4.2 (FIPS 204, Section 5.4.1; NIST's register of hash functions).
    Byte oid_arc;
    ByteString (*digest)(BytesIn<>);
};

template <class Hash>
ByteString sha2_digest(BytesIn<> message)
{
    const auto digest = Hash{}.update(message).digest();
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

TEST(PreHashes, SignTheDigestUnderItsObjectIdentifierHoweverTheMessageIsCut)
{
    const girih_alg* alg = girih_ml_dsa_44();
    const KeyPair keys = key_pair(alg, counting(32));
    const ByteString message = counting(290);
    const ByteString context = counting(9);
    std::set<ByteString> signatures;
    for (const HashFunction& function : hash_functions) {
        SCOPED_TRACE(function.name);
        const girih_options options = with_context(context, function.name);
        const ByteString mu = pre_hashed_mu(function, keys.public_key, context, message);
        const ByteString signature = sign(alg, keys.secret_key, message, options);
        EXPECT_EQ(signature, sign_mu(alg, keys.secret_key, mu));
        EXPECT_EQ(verify(alg, keys.public_key, message, signature, options), GIRIH_OK);
        EXPECT_EQ(verify(alg, keys.public_key, message, signature, with_context(context)),
                  GIRIH_ERROR_SIGNATURE);
        EXPECT_TRUE(signatures.insert(signature).second);
        for (std::size_t first = 0; first <= message.size(); ++first)
            ASSERT_EQ(mu_of(alg, keys.public_key, message, &options, first), mu) << first;
    }
}

TEST_P(KeygenSignVerify, HasOneMuHoweverAMessageIsCut)
{
    const ByteString long_message = counting(300, 7);
    const ByteString expected = sign(alg, keys.secret_key, long_message);
    const ByteString mu = mu_of(alg, keys.public_key, long_message, nullptr, 0);
    EXPECT_EQ(sign_mu(alg, keys.secret_key, mu), expected);
    Byte no_signature = 0;
    std::size_t bytes = 0;
    EXPECT_EQ(girih_sign_mu(alg, keys.secret_key.data(), keys.secret_key.size(), nullptr, GIRIH_MU_BYTES,
                            nullptr, &no_signature, 0, &bytes),
              GIRIH_ERROR_ARGUMENT)
        << "a missing mu before a short signature";
    EXPECT_EQ(verify_mu(alg, keys.public_key, mu, expected), GIRIH_OK);
    for (std::size_t first = 0; first <= long_message.size(); ++first)
        ASSERT_EQ(mu_of(alg, keys.public_key, long_message, &deterministic, first), mu) << first;
}

// ---- Batches

/// A key pair, prepared both ways.
struct Keys {
    KeyPair pair;
    KeyMemory signing_memory;
    KeyMemory verifying_memory;
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;

    Keys(const girih_alg* alg, Byte number)
        : pair(key_pair(alg, ByteString(32, number))),
          signing_memory(girih_signing_key_size(alg)),
          verifying_memory(girih_verifying_key_size(alg))
    {
        EXPECT_EQ(call(girih_prepare_signing_key, alg, pair.secret_key, signing_memory, &signing), GIRIH_OK);
        EXPECT_EQ(call(girih_prepare_verifying_key, alg, pair.public_key, verifying_memory, &verifying),
                  GIRIH_OK);
    }
};

TEST(PreparedKeys, LeaveNothingWhereTheyAreWiped)
{
    Keys keys{girih_ml_dsa_44(), 1};
    const BytesIn<> memory{static_cast<const Byte*>(keys.signing_memory.data()), keys.signing_memory.size()};
    EXPECT_FALSE(is_zero(memory));
    girih_wipe_signing_key(keys.signing);
    EXPECT_TRUE(is_zero(memory));
}

/// Batches have fewer rows than an engine takes at once, as many, and more; two keys, prepared and
/// not; short messages, and some that are far longer; a pre-hash and none.
TEST_P(KeygenSignVerify, MakesOfEveryRowWhatItMakesOfItAlone)
{
    const std::array signers{Keys{alg, 1}, Keys{alg, 2}};
    const girih_options pre_hash = with_context({}, girih_has_context(alg) != 0 ? "SHA2-256" : nullptr);
    Numbers numbers{17};
    for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 50U}) {
        SCOPED_TRACE(count);
        std::vector<ByteString> messages, expected;
        std::vector<ByteString> made(count, ByteString(signature.size()));
        std::vector<girih_sign_row> sign_rows;
        std::vector<girih_verify_row> verify_rows;
        const auto signer = [&](std::size_t i) -> const Keys& { return signers[i % 3 == 1 ? 1 : 0]; };
        const auto options = [&](std::size_t i) { return i < 25 ? &pre_hash : &deterministic; };
        for (std::size_t i = 0; i < count; ++i) {
            messages.push_back(numbers.bytes(i % 7 == 3 ? 5000 + i : 31 * i));
            expected.push_back(sign(alg, signer(i).pair.secret_key, messages[i], *options(i)));
            sign_rows.push_back(row_of<girih_sign_row>(i % 4 == 3 ? nullptr : signer(i).signing,
                                                       signer(i).pair.secret_key, messages[i], options(i),
                                                       made[i], std::size_t{0}));
        }
        EXPECT_EQ(call(girih_sign_many, alg, sign_rows), GIRIH_OK);
        EXPECT_EQ(made, expected);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(sign_rows[i].result, GIRIH_OK);
            EXPECT_EQ(sign_rows[i].signature_bytes, made[i].size());
            if (i % 5 == 2) flip(made[i], 8 * (97 * i % made[i].size()));
            verify_rows.push_back(row_of<girih_verify_row>(i % 2 == 0 ? signer(i).verifying : nullptr,
                                                           signer(i).pair.public_key, messages[i], options(i),
                                                           made[i]));
        }
        EXPECT_EQ(call(girih_verify_many, alg, verify_rows), count > 2 ? GIRIH_ERROR_SIGNATURE : GIRIH_OK);
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(verify_rows[i].result, i % 5 == 2 ? GIRIH_ERROR_SIGNATURE : GIRIH_OK) << i;
    }
}

}  // namespace
}  // namespace girih::test
