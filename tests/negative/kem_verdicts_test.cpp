/// Ciphertexts and keys of NTRU Prime with what becomes of each: a row for each thing that a file
/// of vectors has a flag for. A bad ciphertext has no error: it gives the hash of rho and itself.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engines/list.hpp"
#include "isa/portable/lanes.hpp"
#include "ntru_prime/kem.hpp"
#include "ntru_prime/operations.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/operations.hpp"
#include "support/sets.hpp"

namespace {

using namespace girih;
using namespace girih::ntru_prime;
using test::ByteString;
using Isa = isa::portable::Isa;

template <class T>
class KemVerdicts : public testing::Test {
  public:
    static constexpr Params P = T::params;
    static constexpr std::size_t core_bytes = P.core_ciphertext_bytes();

    const girih_alg* alg = girih_algorithm(test::kem_names[T::place]);
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    const SecretKeyView<SetOf<P>> sk{set_of<P>, keys.secret_key.data()};
    test::Encapsulation made = test::encapsulate(alg, keys.public_key);

    [[nodiscard]] ByteString rejection(const ByteString& ciphertext) const
    {
        typename Core<SetOf<P>, Isa>::Input rho;
        std::copy(sk.rho().begin(), sk.rho().end(), rho.begin());
        std::array<Byte, hash_bytes> rho_hash;
        hash_input<SetOf<P>, Isa>(set_of<P>, rho, rho_hash);
        ByteString secret(32);
        SessionHash<SetOf<P>, Isa>{HashOf::bad_session, hash_bytes + P.ciphertext_bytes()}
            .append(rho_hash)
            .append(ciphertext)
            .finish(BytesOut<32>{secret});
        return secret;
    }
    void expect(const char* flag, const char* what, const ByteString& ciphertext, bool is_good)
    {
        SCOPED_TRACE(std::string{flag} + ": " + what);
        const ByteString secret = is_good ? made.shared_secret : rejection(ciphertext);
        EXPECT_EQ(test::decapsulate(alg, keys.secret_key, ciphertext), secret);
        for (const auto& candidate : engines::candidates()) {
            if (!candidate.runs_here() || candidate.engine->name == "reference") continue;
            ByteString found(32);
            test::ntru_prime_on(*candidate.engine, T::place)
                .decapsulate(keys.secret_key.data(), ciphertext.data(), found.data());
            EXPECT_EQ(found, secret) << candidate.engine->name;
        }
    }
    /// Of what is left of a rounded polynomial at the end of its encoding.
    static constexpr std::uint32_t last_bound()
    {
        constexpr auto bound = static_cast<std::uint32_t>((P.ring.q + 2) / 3);
        EncodingStep step{P.ring.p, bound, bound};
        while (step.count > 1) step = step.next();
        return step.last_bound;
    }
    [[nodiscard]] static ByteString flipped(ByteString bytes, std::size_t bit)
    {
        test::flip(bytes, bit);
        return bytes;
    }
    [[nodiscard]] int import_error(const ByteString& secret_key) const
    {
        ByteString pk(keys.public_key.size(), 0xEE);
        const int error = girih_public_key(alg, secret_key.data(), secret_key.size(), pk.data(), pk.size());
        EXPECT_EQ(test::is_zero(pk), error != GIRIH_OK);
        return error;
    }
};
TYPED_TEST_SUITE(KemVerdicts, test::KemSets, test::SetNames<test::kem_names>);

TYPED_TEST(KemVerdicts, OfCiphertexts)
{
    const ByteString& whole = this->made.ciphertext;
    constexpr std::size_t core = TestFixture::core_bytes;
    this->expect("ValidCiphertext", "as it was made", whole, true);
    this->expect("ModifiedCiphertext", "its first bit", this->flipped(whole, 0), false);
    this->expect("ModifiedCiphertext", "one in its middle", this->flipped(whole, 4 * core), false);
    this->expect("ModifiedCiphertext", "the last before the confirmation", this->flipped(whole, 8 * core - 1),
                 false);
    this->expect("WrongConfirmation", "its first bit", this->flipped(whole, 8 * core), false);
    this->expect("WrongConfirmation", "its last bit", this->flipped(whole, 8 * whole.size() - 1), false);
    ByteString changed = whole;
    std::fill(changed.begin() + core, changed.end(), Byte{0});
    this->expect("WrongConfirmation", "zeros", changed, false);
    this->expect("ZeroCiphertext", "nothing but zeros", ByteString(whole.size()), false);
    this->expect("NonCanonicalCiphertext", "nothing but ones", ByteString(whole.size(), 0xFF), false);
    // Of another key, everything is right but the key.
    const test::KeyPair other = test::key_pair(this->alg, test::counting(32, 1));
    this->expect("WrongKey", "another key's", test::encapsulate(this->alg, other.public_key).ciphertext,
                 false);
}

TYPED_TEST(KemVerdicts, OfCiphertextsThatDecodeToTheSame)
{
    // The last of the encoded integers is a remainder of one or two bytes, of a bound that is
    // no power of two: with the bound added it means the same. Decoding does not mind;
    // encrypting again does.
    constexpr Ring ring = TestFixture::P.ring;
    constexpr std::uint32_t last = TestFixture::last_bound();
    constexpr std::size_t bytes = Remainder::of(last, 2).bytes;
    const std::size_t at = ring.rounded_bytes() - bytes;
    ByteString changed;
    std::uint32_t value = ~std::uint32_t{0};
    for (int i = 0; i < 1000 && value >> (8 * bytes) != 0; ++i) {
        this->made = test::encapsulate(this->alg, this->keys.public_key);
        changed = this->made.ciphertext;
        value = 0;
        for (std::size_t j = 0; j < bytes; ++j) value |= std::uint32_t{changed[at + j]} << (8 * j);
        ASSERT_LT(value, last);
        value += last;
    }
    ASSERT_EQ(value >> (8 * bytes), 0U) << "no ciphertext has another encoding";
    for (std::size_t i = 0; i < bytes; ++i) changed[at + i] = static_cast<Byte>(value >> (8 * i));
    Rounded<room_of<ring>> first;
    Rounded<room_of<ring>> second;
    rounded_decode<Isa>(ring_of<ring>, BytesIn<>{this->made.ciphertext}.first<ring.rounded_bytes()>(), first);
    rounded_decode<Isa>(ring_of<ring>, BytesIn<>{changed}.first<ring.rounded_bytes()>(), second);
    ASSERT_TRUE(std::equal(first.c.begin(), first.c.begin() + ring.p, second.c.begin()));
    this->expect("NonCanonicalCiphertext", "the last integer and its bound", changed, false);
}

TYPED_TEST(KemVerdicts, OfLengths)
{
    const girih_alg* const of = this->alg;
    ByteString out(32, 0xEE);
    for (const std::size_t wrong :
         {std::size_t{0}, this->made.ciphertext.size() - 1, this->made.ciphertext.size() + 1}) {
        ByteString changed = this->made.ciphertext;
        changed.resize(wrong + 1);
        EXPECT_EQ(girih_decapsulate(of, this->keys.secret_key.data(), this->keys.secret_key.size(),
                                    changed.data(), wrong, out.data(), out.size()),
                  GIRIH_ERROR_LENGTH)
            << "IncorrectCiphertextLength: " << wrong;
        EXPECT_TRUE(test::is_zero(out));
    }
    for (const std::size_t wrong :
         {std::size_t{0}, this->keys.secret_key.size() - 1, this->keys.secret_key.size() + 1}) {
        ByteString changed = this->keys.secret_key;
        changed.resize(wrong + 1);
        EXPECT_EQ(girih_decapsulate(of, changed.data(), wrong, this->made.ciphertext.data(),
                                    this->made.ciphertext.size(), out.data(), out.size()),
                  GIRIH_ERROR_LENGTH)
            << "IncorrectPrivateKeyLength: " << wrong;
    }
    ByteString ciphertext(this->made.ciphertext.size(), 0xEE);
    for (const std::size_t wrong :
         {std::size_t{0}, this->keys.public_key.size() - 1, this->keys.public_key.size() + 1}) {
        ByteString changed = this->keys.public_key;
        changed.resize(wrong + 1);
        EXPECT_EQ(girih_encapsulate(of, nullptr, changed.data(), wrong, ciphertext.data(), ciphertext.size(),
                                    out.data(), out.size()),
                  GIRIH_ERROR_LENGTH)
            << "IncorrectPublicKeyLength: " << wrong;
        EXPECT_TRUE(test::is_zero(ciphertext));
    }
}

TYPED_TEST(KemVerdicts, OfSecretKeys)
{
    constexpr Params set = TestFixture::P;
    constexpr std::size_t small = set.ring.small_bytes();
    const ByteString& good = this->keys.secret_key;
    EXPECT_EQ(this->import_error(good), GIRIH_OK) << "ValidPrivateKey";
    const auto with = [&](std::size_t place, unsigned byte) {
        ByteString changed = good;
        changed[place] = static_cast<Byte>(byte);
        return changed;
    };
    // A coefficient is 0, 1 or 2; bits behind the last coefficient are 0.
    const std::size_t polynomials = set.is_streamlined() ? 2 : 1;
    for (std::size_t i = 0; i < polynomials; ++i) {
        EXPECT_EQ(this->import_error(with(i * small, good[i * small] | 3U)), GIRIH_ERROR_SECRET_KEY)
            << "InvalidPrivateKey: the first coefficient of polynomial " << i << " is 3";
        const std::size_t end = (i + 1) * small - 1;
        constexpr unsigned used = (set.ring.p - 1) % 4 + 1;
        EXPECT_EQ(this->import_error(with(end, good[end] | 3U << (2 * (used - 1)))), GIRIH_ERROR_SECRET_KEY)
            << "InvalidPrivateKey: the last coefficient of polynomial " << i << " is 3";
        static_assert(used < 4);
        for (const unsigned bit : {2 * used, 7U})
            EXPECT_EQ(this->import_error(with(end, good[end] | 1U << bit)), GIRIH_ERROR_SECRET_KEY)
                << "InvalidPrivateKey: bit " << bit << " behind the last coefficient of polynomial " << i;
    }
    // f (or a) of weight w - 1 and w + 1: 1 is the coefficient 0.
    for (const bool is_more : {false, true}) {
        ByteString changed = good;
        for (std::size_t i = 0;; ++i) {
            const unsigned shift = 2 * (i % 4);
            const bool is_zero = (changed[i / 4] >> shift & 3) == 1;
            if (is_zero != is_more) continue;
            changed[i / 4] =
                static_cast<Byte>((changed[i / 4] & ~(3U << shift)) | (is_more ? 2U : 1U) << shift);
            break;
        }
        EXPECT_EQ(this->import_error(changed), GIRIH_ERROR_SECRET_KEY) << "InvalidPrivateKey: another weight";
    }
    // Of the right form, but another public key's.
    ByteString swapped = good;
    for (std::size_t i = 1;; ++i) {
        const unsigned shift = 2 * (i % 4);
        const unsigned coefficient = swapped[i / 4] >> shift & 3U;
        if (coefficient == 1) continue;
        swapped[i / 4] = static_cast<Byte>(swapped[i / 4] ^ 2U << shift);  // its sign
        break;
    }
    EXPECT_EQ(this->import_error(swapped), GIRIH_ERROR_KEY_MISMATCH)
        << "InvalidPrivateKey: one sign of f or a";
    const std::size_t core = set.core_secret_key_bytes();
    const std::size_t pk_end = core + set.public_key_bytes();
    for (const std::size_t place : {core, pk_end - 1, good.size() - 32, good.size() - 1}) {
        EXPECT_EQ(this->import_error(with(place, good[place] ^ 1U)), GIRIH_ERROR_KEY_MISMATCH)
            << "InvalidPrivateKey: byte " << place << " of the public key or its hash";
    }
    if (set.is_streamlined()) {
        ByteString changed = good;
        for (std::size_t i = 0;; ++i) {
            const unsigned shift = 2 * (i % 4);
            if ((changed[small + i / 4] >> shift & 3) == 1) continue;
            changed[small + i / 4] = static_cast<Byte>(changed[small + i / 4] ^ 2U << shift);
            break;
        }
        EXPECT_EQ(this->import_error(changed), GIRIH_ERROR_KEY_MISMATCH)
            << "InvalidPrivateKey: one sign of 1/g";
    }
    // rho is any.
    EXPECT_EQ(this->import_error(with(pk_end, good[pk_end] ^ 1U)), GIRIH_OK)
        << "ValidPrivateKey: another rho";
}

// ---- Public keys inside secret keys, of which only one thing is wrong

template <class T>
class KemInnerKeys : public KemVerdicts<T> {
  public:
    static constexpr Params P = T::params;

    /// The secret key with another public key inside, and that one's hash.
    [[nodiscard]] ByteString with_public_key(const ByteString& pk) const
    {
        ByteString changed = this->keys.secret_key;
        std::copy(pk.begin(), pk.end(), changed.begin() + P.core_secret_key_bytes());
        hash_prefix<Isa, P.public_key_bytes()>(HashOf::public_key, BytesIn<P.public_key_bytes()>{pk},
                                               BytesOut<>{changed}.last<hash_bytes>());
        return changed;
    }
};
using InnerSets = testing::Types<test::Set<sntrup653, 0>, test::Set<sntrup761, 1>>;
TYPED_TEST_SUITE(KemInnerKeys, InnerSets, test::SetNames<test::kem_names>);

TYPED_TEST(KemInnerKeys, HaveOneEncoding)
{
    constexpr Ring ring = TestFixture::P.ring;
    EncodingStep step{ring.p, ring.q, ring.q};
    while (step.count > 1) step = step.next();
    const std::size_t bytes = Remainder::of(step.last_bound, 2).bytes;
    // A key whose last encoded integer has another encoding that means the same.
    for (unsigned i = 0; i < 200; ++i) {
        const test::KeyPair pair = test::key_pair(this->alg, test::counting(32, i));
        ByteString changed = pair.public_key;
        std::uint32_t value = step.last_bound;
        for (std::size_t j = 0; j < bytes; ++j)
            value += std::uint32_t{changed[changed.size() - bytes + j]} << (8 * j);
        if (value >> (8 * bytes) != 0) continue;
        for (std::size_t j = 0; j < bytes; ++j)
            changed[changed.size() - bytes + j] = static_cast<Byte>(value >> (8 * j));
        ByteString secret_key = pair.secret_key;
        std::copy(changed.begin(), changed.end(),
                  secret_key.begin() + TestFixture::P.core_secret_key_bytes());
        hash_prefix<Isa, TestFixture::P.public_key_bytes()>(
            HashOf::public_key, BytesIn<TestFixture::P.public_key_bytes()>{changed},
            BytesOut<>{secret_key}.last<hash_bytes>());
        EXPECT_EQ(this->import_error(secret_key), GIRIH_ERROR_KEY_MISMATCH) << "NonCanonicalPublicKey";
        return;
    }
    FAIL() << "no key has another encoding";
}

TYPED_TEST(KemInnerKeys, AreOfASmallG)
{
    // h + 1 / f: of it 3 f h is g + 3, which is g modulo 3, but not small.
    constexpr Params set = TestFixture::P;
    using Arithmetic = typename Streamlined<SetOf<set>, Isa>::Arithmetic;
    Small<room_of<set.ring>> f;
    small_decode<Isa>(ring_of<set.ring>, this->sk.core().template first<set.ring.small_bytes()>(), f);
    Rq<room_of<set.ring>> reciprocal;  // of 3 f
    Arithmetic::reciprocal_of_thrice(ring_of<set.ring>, f, reciprocal);
    Rq<room_of<set.ring>> h;
    rq_decode<Isa>(ring_of<set.ring>, this->sk.public_key(), h);
    for (std::size_t i = 0; i < set.ring.p; ++i) {
        const int sum = h.c[i] + 3 * reciprocal.c[i];
        const int q = set.ring.q;
        h.c[i] = static_cast<std::int16_t>((sum + 10 * q + set.ring.q12()) % q - set.ring.q12());
    }
    ByteString pk(set.public_key_bytes());
    rq_encode<Isa>(ring_of<set.ring>, h, BytesOut<set.public_key_bytes()>{pk});
    EXPECT_EQ(this->import_error(this->with_public_key(pk)), GIRIH_ERROR_KEY_MISMATCH);
    // The same way of putting a public key inside takes the right one.
    EXPECT_EQ(this->import_error(this->with_public_key(this->keys.public_key)), GIRIH_OK);
}

// ---- NTRU LPRime's bits, where the sum changes its sign

TEST(LprimeDecryption, TakesTheSignOfEachSum)
{
    constexpr Params set = ntrulpr653;
    constexpr std::int32_t q = set.ring.q;
    constexpr std::int32_t q12 = (q - 1) / 2;
    const auto centred = [](std::int64_t a) { return (a % q + q + q12) % q - q12; };
    // a = 1 + x + ..., of which b's one coefficient makes the same in every place
    // (of the first 256).
    Small<room_of<set.ring>> a{};
    for (std::size_t i = 0; i < message_bits; ++i) a.c[i] = 1;
    std::array<Byte, set.core_secret_key_bytes()> sk;
    small_encode<Isa>(ring_of<set.ring>, a, sk);
    std::array<Byte, set.core_ciphertext_bytes()> ciphertext;
    for (unsigned i = 0; i < top_bytes; ++i) ciphertext[set.ring.rounded_bytes() + i] = static_cast<Byte>(i);
    for (std::int32_t b0 = -set.ring.q12(); b0 <= set.ring.q12(); b0 += 3) {
        Rounded<room_of<set.ring>> b{};
        b.c[0] = static_cast<std::int16_t>(b0);
        rounded_encode<Isa>(ring_of<set.ring>, b, BytesOut<>{ciphertext}.first<set.ring.rounded_bytes()>());
        typename Lprime<SetOf<set>, Isa>::Input input;
        Lprime<SetOf<set>, Isa>::decrypt(set_of<set>, ciphertext, sk, input);
        for (std::size_t i = 0; i < message_bits; ++i) {
            const std::int32_t t = ciphertext[set.ring.rounded_bytes() + i / 2] >> (4 * (i % 2)) & 15;
            const auto right = centred(std::int64_t{set.tau3} * t - set.tau2);
            const bool bit = centred(right - b0 + 4 * std::int32_t{set.w} + 1) < 0;
            ASSERT_EQ((input[i / 8] >> (i % 8) & 1) == 1, bit) << b0 << ", " << i;
        }
    }
}

}  // namespace
