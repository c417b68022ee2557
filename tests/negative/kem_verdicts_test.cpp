/// Ciphertexts and keys of NTRU Prime with the result of each. A bad ciphertext gives no error, but
/// the hash of rho and the ciphertext.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/portable/engine.hpp"
#include "ntru_prime/ring.hpp"
#include "ntru_prime/standard/kem.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/rejected_secret.hpp"

namespace {

using namespace girih;
using namespace girih::ntru_prime;
using test::ByteString;
using Isa = isa::portable::Isa;

/// A coefficient of an encoded small polynomial: 0, 1 or 2, which mean -1, 0 and 1.
unsigned coefficient(const ByteString& bytes, std::size_t i) { return bytes[i / 4] >> 2 * (i % 4) & 3U; }
ByteString with_coefficient(ByteString bytes, std::size_t i, unsigned value)
{
    bytes[i / 4] = static_cast<Byte>((bytes[i / 4] & ~(3U << 2 * (i % 4))) | value << 2 * (i % 4));
    return bytes;
}

/// At the end of the encoding of p integers below a bound, writes another number that decodes to
/// the same integers; false if there is no room for it.
bool write_in_another_encoding(ByteString& bytes, std::size_t end, std::size_t p, std::int32_t bound)
{
    const EncodingPlan plan = EncodingPlan::of(p, bound);
    const std::size_t size = plan.end_width;
    const std::uint32_t end_bound = plan.end_bound.divisor;
    std::uint32_t value = end_bound;
    for (std::size_t i = 0; i < size; ++i) value += std::uint32_t{bytes[end - size + i]} << (8 * i);
    EXPECT_LT(value, 2 * end_bound);
    if (value >> (8 * size) != 0) return false;
    for (std::size_t i = 0; i < size; ++i) bytes[end - size + i] = static_cast<Byte>(value >> (8 * i));
    return true;
}

/// The rounded polynomial at the beginning of a ciphertext.
template <const auto& ring>
std::vector<std::int16_t> rounded(const ByteString& ciphertext)
{
    ntru_prime::Rounded<ring.capacity> c;
    rounded_decode<Isa>(ring, BytesIn<>{ciphertext}.first(ring.rounded_bytes()), c);
    return {c.c.begin(), c.c.begin() + ring.p};
}
constexpr std::array decoders{rounded<ring_of<sntrup653.ring>>,  rounded<ring_of<sntrup761.ring>>,
                              rounded<ring_of<sntrup857.ring>>,  rounded<ring_of<sntrup953.ring>>,
                              rounded<ring_of<sntrup1013.ring>>, rounded<ring_of<sntrup1277.ring>>};

class KemVerdicts : public testing::TestWithParam<std::size_t> {
  public:
    const Params p = parameter_sets[GetParam()];
    const girih_alg* alg = girih_algorithm(test::kem_names[GetParam()]);
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    test::Encapsulation made = test::encapsulate(alg, keys.public_key);
    // A secret key: the core, the public key, rho and the public key's hash.
    const std::size_t public_key_at = p.core_secret_key_bytes();
    const std::size_t rho_at = public_key_at + p.public_key_bytes();

    void expect(const std::string& what, const ByteString& ciphertext, bool is_good) const
    {
        EXPECT_EQ(test::decapsulate(alg, keys.secret_key, ciphertext),
                  is_good ? made.shared_secret : test::rejected_secret(alg, keys.secret_key, ciphertext))
            << what;
    }
    void expect_import(int expected, const ByteString& secret_key, const std::string& what) const
    {
        EXPECT_EQ(test::import_error(alg, secret_key), expected) << what;
    }
    /// The secret key with another public key, and its hash, inside.
    [[nodiscard]] ByteString with_public_key(ByteString secret_key, const ByteString& pk) const
    {
        std::copy(pk.begin(), pk.end(), secret_key.begin() + static_cast<std::ptrdiff_t>(public_key_at));
        std::ranges::copy(test::ntru_prime_hash(HashOf::public_key, {pk}), secret_key.end() - hash_bytes);
        return secret_key;
    }
};
const auto name_of = [](const auto& set) { return std::string{test::kem_names[set.param]}; };
INSTANTIATE_TEST_SUITE_P(Of, KemVerdicts, testing::Range(std::size_t{0}, parameter_sets.size()), name_of);

TEST_P(KemVerdicts, OfCiphertexts)
{
    const ByteString& whole = made.ciphertext;
    const std::size_t core = p.core_ciphertext_bytes();
    expect("as it was made", whole, true);
    // The first, one in the middle, the last before the confirmation, and its first and last.
    for (const std::size_t bit : {std::size_t{0}, 4 * core, 8 * core - 1, 8 * core, 8 * whole.size() - 1})
        expect("bit " + std::to_string(bit), test::flipped(whole, bit), false);
    ByteString unconfirmed = whole;
    std::fill(unconfirmed.begin() + static_cast<std::ptrdiff_t>(core), unconfirmed.end(), Byte{0});
    expect("a confirmation of zeros", unconfirmed, false);
    expect("nothing but zeros", ByteString(whole.size()), false);
    expect("nothing but ones", ByteString(whole.size(), 0xFF), false);
    const test::KeyPair other = test::key_pair(alg, test::counting(32, 1));
    expect("another key's", test::encapsulate(alg, other.public_key).ciphertext, false);
}

TEST_P(KemVerdicts, OfCiphertextsThatDecodeToTheSame)
{
    // Decoding accepts it; the comparison after encrypting again does not.
    ByteString changed = made.ciphertext;
    const std::int32_t bound = (p.ring.q + 2) / 3;
    for (int i = 0; !write_in_another_encoding(changed, p.ring.rounded_bytes, p.ring.p, bound); ++i) {
        ASSERT_LT(i, 1000) << "no ciphertext has another encoding";
        made = test::encapsulate(alg, keys.public_key);
        changed = made.ciphertext;
    }
    const auto decode = decoders[GetParam() % decoders.size()];
    ASSERT_EQ(decode(changed), decode(made.ciphertext));
    expect("in another encoding", changed, false);
}

TEST_P(KemVerdicts, OfPolynomialsInSecretKeys)
{
    const ByteString& good = keys.secret_key;
    const std::size_t small = p.ring.small_bytes();
    expect_import(GIRIH_OK, good, "as it is");
    // A coefficient is 0, 1 or 2; bits after the last coefficient are 0.
    for (std::size_t first = 0; first < public_key_at; first += small) {
        const std::size_t end = 4 * first + p.ring.p;
        for (const std::size_t i : {4 * first, end - 1})
            expect_import(GIRIH_ERROR_SECRET_KEY, with_coefficient(good, i, 3), "3 at " + std::to_string(i));
        for (const std::size_t bit : {2 * end, 8 * (first + small) - 1})
            expect_import(GIRIH_ERROR_SECRET_KEY, test::flipped(good, bit), "bit " + std::to_string(bit));
        // The right form, but for another public key: a changed sign in f or a, or in 1/g.
        std::size_t i = 4 * first + 1;
        while (coefficient(good, i) == 1) ++i;
        expect_import(GIRIH_ERROR_KEY_MISMATCH, with_coefficient(good, i, 2 - coefficient(good, i)),
                      "another sign: " + std::to_string(i));
    }
    // f or a of weight w - 1 and w + 1: 1 is the coefficient 0.
    for (const bool is_more : {false, true}) {
        std::size_t i = 0;
        while ((coefficient(good, i) == 1) != is_more) ++i;
        expect_import(GIRIH_ERROR_SECRET_KEY, with_coefficient(good, i, is_more ? 2 : 1), "another weight");
    }
}

TEST_P(KemVerdicts, OfPublicKeysAndHashesInSecretKeys)
{
    const std::size_t size = keys.secret_key.size();
    for (const std::size_t place : {public_key_at, rho_at - 1, size - hash_bytes, size - 1, rho_at}) {
        const bool is_any = place == rho_at;
        expect_import(is_any ? GIRIH_OK : GIRIH_ERROR_KEY_MISMATCH, test::flipped(keys.secret_key, 8 * place),
                      "byte " + std::to_string(place));
    }
}

// ---- Public keys inside secret keys, with a single fault

class KemInnerKeys : public KemVerdicts {};
INSTANTIATE_TEST_SUITE_P(Of, KemInnerKeys, testing::Values(0U, 1U), name_of);

TEST_P(KemInnerKeys, HaveOneEncoding)
{
    for (unsigned i = 0; i < 200; ++i) {
        const test::KeyPair pair = test::key_pair(alg, test::counting(32, i));
        ByteString pk = pair.public_key;
        if (!write_in_another_encoding(pk, pk.size(), p.ring.p, p.ring.q)) continue;
        expect_import(GIRIH_ERROR_KEY_MISMATCH, with_public_key(pair.secret_key, pk), "another encoding");
        return;
    }
    FAIL() << "no key has another encoding";
}

/// The public key h + 1 / f: its 3 f h is g + 3, which is g modulo 3, but not small.
template <Params P>
ByteString with_another_g(const test::KeyPair& keys)
{
    constexpr const auto& ring = ring_of<P.ring>;
    Small<ring.capacity> f;
    Rq<ring.capacity> reciprocal;  // of 3 f
    Rq<ring.capacity> h;
    small_decode<Isa>(ring, BytesIn<>{keys.secret_key}.first(ring.small_bytes()), f);
    Streamlined<SetOf<P>, Isa>::Arithmetic::rq_recip3(ring, f, reciprocal);
    rq_decode<Isa>(ring, BytesIn<>{keys.public_key}, h);
    for (std::size_t i = 0; i < ring.p; ++i) {
        const int sum = h.c[i] + 3 * reciprocal.c[i];
        h.c[i] = static_cast<std::int16_t>((sum + 10 * ring.q + ring.q12) % ring.q - ring.q12);
    }
    ByteString pk(keys.public_key.size());
    rq_encode<Isa>(ring, h, BytesOut<>{pk});
    return pk;
}

TEST_P(KemInnerKeys, AreOfASmallG)
{
    const ByteString pk = GetParam() == 0 ? with_another_g<sntrup653>(keys) : with_another_g<sntrup761>(keys);
    expect_import(GIRIH_ERROR_KEY_MISMATCH, with_public_key(keys.secret_key, pk), "g + 3");
    // The right public key, put inside the same way, is accepted.
    expect_import(GIRIH_OK, with_public_key(keys.secret_key, keys.public_key), "its own");
}

// ---- NTRU LPRime's bits, where the sum changes its sign

TEST(LprimeDecryption, TakesTheSignOfEachSum)
{
    constexpr const auto& set = set_of<ntrulpr653>;
    using Set = SetOf<ntrulpr653>;
    const auto centred = [](std::int64_t a) {
        const std::int32_t q = set.ring.q;
        return (a % q + q + set.ring.q12) % q - set.ring.q12;
    };
    // a = 1 + x + ..., of which b's one coefficient makes the same in every place
    // (of the first 256).
    Small<Set::capacity> a{};
    for (std::size_t i = 0; i < message_bits; ++i) a.c[i] = 1;
    ByteString sk(set.core_secret_key_bytes);
    small_encode<Isa>(set.ring, a, BytesOut<>{sk});
    const std::size_t rounded_bytes = set.ring.rounded_bytes();
    ByteString ciphertext(set.core_ciphertext_bytes);
    for (unsigned i = 0; i < top_bytes; ++i) ciphertext[rounded_bytes + i] = static_cast<Byte>(i);
    for (std::int32_t b0 = -set.ring.q12; b0 <= set.ring.q12; b0 += 3) {
        Rounded<Set::capacity> b{};
        b.c[0] = static_cast<std::int16_t>(b0);
        rounded_encode<Isa>(set.ring, b, BytesOut<>{ciphertext}.first(rounded_bytes));
        Lprime<Set, Isa>::Input input;
        Lprime<Set, Isa>::decrypt(set, ciphertext, sk, input);
        for (std::size_t i = 0; i < message_bits; ++i) {
            const std::int32_t t = ciphertext[rounded_bytes + i / 2] >> (4 * (i % 2)) & 15;
            const auto right = centred(std::int64_t{set.tau3} * t - set.tau2);
            const bool bit = centred(right - b0 + 4 * static_cast<std::int32_t>(set.w) + 1) < 0;
            ASSERT_EQ((input[i / 8] >> (i % 8) & 1) == 1, bit) << b0 << ", " << i;
        }
    }
}

}  // namespace
