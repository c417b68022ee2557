/// AES-256, its counter and CBC modes and the generator of NIST's known answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "aes/aes256.hpp"
#include "aes/cbc.hpp"
#include "aes/ctr.hpp"
#include "aes/ctr_drbg.hpp"
#include "aes/round.hpp"
#include "aes/sbox.hpp"
#include "aes/table.hpp"
#include "aes/two_blocks.hpp"
#include "aes/two_counters.hpp"
#include "core/bytes.hpp"
#include "sha2/sha2.hpp"

namespace {

using namespace girih;

using OneLane = aes::OneLane<>;

/// Two lanes, so eight blocks at once.
struct TwoLanes {
    using Words [[gnu::vector_size(16)]] = std::uint64_t;

    template <int bits>
    static Words rotate_left(Words a)
    {
        return (a << bits) | (a >> (64 - bits));
    }
    static Words broadcast(std::uint64_t word) { return Words{word, word}; }
};

constexpr Byte nibble(char digit)
{
    return static_cast<Byte>(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
}

template <std::size_t digits>
constexpr std::array<Byte, digits / 2> bytes(const char (&hex)[digits])
{
    std::array<Byte, digits / 2> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<Byte>(16 * nibble(hex[2 * i]) + nibble(hex[2 * i + 1]));
    }
    return out;
}

template <std::size_t n>
constexpr std::array<Byte, n> counting(unsigned first = 0)
{
    std::array<Byte, n> out{};
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Byte>(first + i);
    return out;
}

// ---- The S-box ----------------------------------------------------------------------------------

/// The product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, Section 4.2).
unsigned naive_multiply(unsigned a, unsigned b)
{
    unsigned product = 0;
    for (unsigned i = 0; i < 8; ++i) {
        if ((b >> i) & 1) product ^= a << i;
    }
    for (unsigned i = 14; i >= 8; --i) {
        if ((product >> i) & 1) product ^= 0x11bU << (i - 8);
    }
    return product;
}

/// SBOX() as FIPS 197, Section 5.1.1, defines it: equations 5.2 to 5.4.
Byte naive_sbox(unsigned b)
{
    unsigned inverse = 0;
    for (unsigned candidate = 1; candidate < 256; ++candidate) {
        if (naive_multiply(b, candidate) == 1) inverse = candidate;
    }
    unsigned result = 0;
    for (unsigned i = 0; i < 8; ++i) {
        const auto bit = [inverse](unsigned index) { return (inverse >> (index % 8)) & 1; };
        result |= (bit(i) ^ bit(i + 4) ^ bit(i + 5) ^ bit(i + 6) ^ bit(i + 7) ^ ((0x63U >> i) & 1)) << i;
    }
    return static_cast<Byte>(result);
}

TEST(AesSbox, IsTheAffineTransformOfTheInverseForEveryByte)
{
    for (unsigned first = 0; first < 256; first += 64) {
        const std::array<Byte, 64> blocks = counting<64>(first);
        aes::State<OneLane> s{};
        aes::load<OneLane>(s, blocks);
        aes::sub_bytes<OneLane>(s);
        std::array<Byte, 64> substituted{};
        aes::store<OneLane>(substituted, s);
        for (unsigned i = 0; i < 64; ++i)
            EXPECT_EQ(substituted[i], naive_sbox(first + i)) << "byte " << first + i;
    }
}

TEST(AesSbox, SubstitutesEveryByteOfAWord)
{
    EXPECT_EQ(aes::sub_word<OneLane>(0x00010253), 0x637c77edU);
    EXPECT_EQ(aes::sub_word<OneLane>(0x53020100), 0xed777c63U);
}

// ---- The steps of a round -----------------------------------------------------------------------

/// `change` on blocks that hold every byte value, in the sliced form.
template <class Isa, class Step>
std::vector<Byte> in_slices(BytesIn<> blocks, Step step)
{
    constexpr std::size_t size = 64 * aes::lanes<Isa>;
    std::vector<Byte> out(size);
    aes::State<Isa> s{};
    aes::load<Isa>(s, blocks.first<size>());
    step(s);
    aes::store<Isa>(BytesOut<>{out}.template first<size>(), s);
    return out;
}

template <class Isa>
class AesRound : public testing::Test {};

using Isas = testing::Types<OneLane, TwoLanes>;
TYPED_TEST_SUITE(AesRound, Isas, );

TYPED_TEST(AesRound, StoresWhatItLoads)
{
    const auto blocks = counting<64 * aes::lanes<TypeParam>>();
    EXPECT_TRUE(std::ranges::equal(in_slices<TypeParam>(blocks, [](auto&) {}), blocks));
}

TYPED_TEST(AesRound, ShiftsRowRByRColumns)
{
    const auto blocks = counting<64 * aes::lanes<TypeParam>>();
    const auto shifted = in_slices<TypeParam>(blocks, [](auto& s) { aes::shift_rows<TypeParam>(s); });
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::size_t block = i / 16, column = i / 4 % 4, row = i % 4;
        EXPECT_EQ(shifted[i], blocks[16 * block + 4 * ((column + row) % 4) + row]) << "byte " << i;
    }
}

/// FIPS 197, equation 5.8.
TYPED_TEST(AesRound, MixesColumnsByTheFixedMatrix)
{
    for (unsigned first = 0; first < 256; first += 64) {
        const auto blocks = counting<64 * aes::lanes<TypeParam>>(first);
        const auto mixed = in_slices<TypeParam>(blocks, [](auto& s) { aes::mix_columns<TypeParam>(s); });
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const auto in_row = [&](std::size_t row) { return unsigned{blocks[i / 4 * 4 + row % 4]}; };
            EXPECT_EQ(mixed[i], naive_multiply(2, in_row(i)) ^ naive_multiply(3, in_row(i + 1)) ^
                                    in_row(i + 2) ^ in_row(i + 3))
                << "byte " << i;
        }
    }
}

// ---- The cipher ---------------------------------------------------------------------------------

/// FIPS 197, Appendix A.3; words there are big-endian.
TEST(Aes256, ExpandsTheKeyOfAppendixA3)
{
    std::array<std::uint32_t, 60> w{};
    aes::expand_key(w, bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"),
                    aes::sub_word<OneLane>);
    const auto word = [&w](std::size_t i) {
        std::array<Byte, 4> four{};
        store_le32(four.data(), w[i]);
        return load_be32(four.data());
    };
    EXPECT_EQ(word(0), 0x603deb10U);
    EXPECT_EQ(word(8), 0x9ba35411U);   // after SUBWORD(ROTWORD()) and Rcon[1]
    EXPECT_EQ(word(12), 0xa8b09c1aU);  // after SUBWORD()
    EXPECT_EQ(word(59), 0x706c631eU);
}

/// FIPS 197 (2001), Appendix C.3, in each of the blocks.
TYPED_TEST(AesRound, EncryptsTheExampleOfAppendixC3)
{
    constexpr auto plain = bytes("00112233445566778899aabbccddeeff");
    constexpr auto cipher = bytes("8ea2b7ca516745bfeafc49904b496089");
    std::vector<Byte> blocks;
    std::vector<Byte> expected;
    for (std::size_t i = 0; i < 4 * aes::lanes<TypeParam>; ++i) {
        blocks.insert(blocks.end(), plain.begin(), plain.end());
        expected.insert(expected.end(), cipher.begin(), cipher.end());
    }
    const aes::EncryptionKey<TypeParam> key{counting<32>()};
    EXPECT_EQ(in_slices<TypeParam>(blocks, [&key](auto& s) { key.encrypt(s); }), expected);
}

// ---- Modes --------------------------------------------------------------------------------------

/// NIST SP 800-38A, Appendix F: of the examples of every mode.
constexpr auto mode_key = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
constexpr auto mode_plain = bytes(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");

/// Appendices F.2.5 and F.2.6.
TEST(AesCbc, GivesTheAnswersOfAppendixF2)
{
    constexpr auto iv = bytes("000102030405060708090a0b0c0d0e0f");
    constexpr auto cipher = bytes(
        "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
        "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b");
    auto blocks = mode_plain;
    aes::encrypt_cbc(mode_key, iv, blocks);
    EXPECT_EQ(blocks, cipher);
    aes::decrypt_cbc(mode_key, iv, blocks);
    EXPECT_EQ(blocks, mode_plain);
}

/// Appendices F.2.2 and F.2.4: AES-128 and AES-192, which only decrypt.
TEST(AesCbc, DecryptsTheAnswersOfShorterKeys)
{
    constexpr auto iv = bytes("000102030405060708090a0b0c0d0e0f");
    auto blocks = bytes(
        "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
        "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7");
    aes::decrypt_cbc<16>(bytes("2b7e151628aed2a6abf7158809cf4f3c"), iv, blocks);
    EXPECT_EQ(blocks, mode_plain);
    blocks = bytes(
        "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
        "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd");
    aes::decrypt_cbc<24>(bytes("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"), iv, blocks);
    EXPECT_EQ(blocks, mode_plain);
}

TEST(AesCbc, DecryptsWhatItEncryptsOfAnyNumberOfBlocks)
{
    const auto key = counting<32>(1);
    const std::array<Byte, 16> iv{};
    const auto all = counting<144>(100);
    for (std::size_t blocks = 0; blocks <= 9; ++blocks) {
        const std::vector<Byte> plain(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(16 * blocks));
        std::vector<Byte> back = plain;
        aes::encrypt_cbc(key, iv, back);
        EXPECT_EQ(back == plain, blocks == 0);
        aes::decrypt_cbc(key, iv, back);
        EXPECT_EQ(back, plain) << blocks << " blocks";
    }
}

// ---- Counter mode -------------------------------------------------------------------------------

/// Appendix F.5.5 (CTR-AES256.Encrypt).
constexpr auto ctr_counter = bytes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
constexpr auto ctr_cipher = bytes(
    "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
    "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6");

template <class Key, std::size_t n>
constexpr std::array<Byte, n> keystream(BytesIn<32> key, BytesIn<16> counter)
{
    std::array<Byte, n> out{};
    aes::CounterMode<Key>{key, counter}.generate(out);
    return out;
}

constexpr std::array<Byte, 64> ctr_example_keystream = [] {
    std::array<Byte, 64> sum = mode_plain;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] ^= ctr_cipher[i];
    return sum;
}();

static_assert(keystream<aes::EncryptionKey<OneLane>, 64>(mode_key, ctr_counter) == ctr_example_keystream,
              "also at compile time");

template <class Key>
class AesCtr : public testing::Test {};
using Keys = testing::Types<aes::EncryptionKey<OneLane>, aes::EncryptionKey<TwoLanes>, aes::TwoBlocks<void>,
                            aes::TwoCounters<void>, aes::VartimeKey<OneLane>>;
TYPED_TEST_SUITE(AesCtr, Keys, );

TYPED_TEST(AesCtr, IsTheKeystreamOfAppendixF55)
{
    EXPECT_EQ((keystream<TypeParam, 64>(mode_key, ctr_counter)), ctr_example_keystream);
}

/// Block i of a keystream is the first block of the one that begins with counter T + i.
TYPED_TEST(AesCtr, CountsIn128BitsAndWrapsAround)
{
    constexpr std::array starts = {bytes("000000000000000000000000000000fd"),
                                   bytes("0000000000000000fffffffffffffffd"),
                                   bytes("fffffffffffffffffffffffffffffffd")};
    constexpr std::array fourth = {bytes("00000000000000000000000000000100"),
                                   bytes("00000000000000010000000000000000"),
                                   bytes("00000000000000000000000000000000")};
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto stream = keystream<TypeParam, 400>(mode_key, starts[i]);
        const auto from_fourth = keystream<TypeParam, 400 - 48>(mode_key, fourth[i]);
        EXPECT_TRUE(std::equal(from_fourth.begin(), from_fourth.end(), stream.begin() + 48)) << "start " << i;
    }
}

TYPED_TEST(AesCtr, DoesNotSeeThePiecesThatAreAskedFor)
{
    const auto whole = keystream<TypeParam, 400>(mode_key, ctr_counter);
    for (std::size_t size = 1; size <= whole.size(); ++size) {
        aes::CounterMode<TypeParam> ctr{mode_key, ctr_counter};
        std::array<Byte, 400> out{};
        for (std::size_t at = 0; at < out.size(); at += size) {
            ctr.generate(BytesOut<>{out}.subspan(at, std::min(size, out.size() - at)));
        }
        EXPECT_EQ(out, whole) << "pieces of " << size;
    }
}

TYPED_TEST(AesCtr, IsTheSameWhateverEncrypts)
{
    EXPECT_EQ((keystream<TypeParam, 1000>(mode_key, ctr_counter)),
              (keystream<aes::EncryptionKey<OneLane>, 1000>(mode_key, ctr_counter)));
}

// ---- The generator of NIST's known answers
// -----------------------------------------------------------------

/// The entropy input 00 01 02 ... 2f of every NIST known-answer file.
aes::CtrDrbg known_answers() { return aes::CtrDrbg{counting<48>()}; }

template <std::size_t n>
std::array<Byte, n> draw(aes::CtrDrbg& drbg)
{
    std::array<Byte, n> out{};
    drbg.generate(out);
    return out;
}

constexpr auto first_seed = bytes(
    "061550234d158c5ec95595fe04ef7a25767f2e24cc2bc479"
    "d09d86dc9abcfde7056a8c266f9ef97ed08541dbd2e1ffa1");

/// The files of the signature schemes: for count = 0, 1, ..., a seed of 48 bytes and a message
/// of 33 (count + 1).
TEST(CtrDrbg, DrawsSeedsAndMessagesOfTheSignatureFiles)
{
    aes::CtrDrbg drbg = known_answers();
    EXPECT_EQ(draw<48>(drbg), first_seed);
    EXPECT_EQ(draw<33>(drbg), bytes("d81c4d8d734fcbfbeade3d3f8a039faa2a2c9957e835ad55b22e75bf57bb556ac8"));
    EXPECT_EQ(draw<48>(drbg), bytes("64335bf29e5de62842c941766ba129b0643b5e7121ca26cf"
                                    "c190ec7dc3543830557fdd5c03cf123a456d48efea43c868"));
    EXPECT_EQ(draw<66>(drbg), bytes("225d5ce2ceac61930a07503fb59f7c2f936a3e075481da3ca299a80f8c5df9223a"
                                    "073e7b90e02ebf98ca2227eba38c1ab2568209e46dba961869c6f83983b17dcd49"));
}

/// The SHA-256 of all seeds and messages of such a file, in their order.
TEST(CtrDrbg, DrawsAllOfTheSignatureFiles)
{
    aes::CtrDrbg drbg = known_answers();
    sha2::Sha256 file;
    for (std::size_t count = 0; count < 100; ++count) {
        file.update(draw<48>(drbg));
        std::vector<Byte> message(33 * (count + 1));
        drbg.generate(message);
        file.update(message);
    }
    EXPECT_EQ(file.digest(), bytes("c8ea01734ec33512807cf83f6094ecf03749262f4b9107ce2ec8e96432dbce1e"));
}

/// The files of the key encapsulation mechanisms: seeds only, hashed the same way.
TEST(CtrDrbg, DrawsAllOfTheKeyEncapsulationFiles)
{
    aes::CtrDrbg drbg = known_answers();
    sha2::Sha256 file;
    for (std::size_t count = 0; count < 100; ++count) file.update(draw<48>(drbg));
    EXPECT_EQ(file.digest(), bytes("ea7a1049be23e1a8f8eb6ed907095ee2c331050dd988e97728a45f4c450b4edd"));
}

/// What schemes draw after they are seeded with count = 0 of their file, as far as it is
/// seen in the record.
TEST(CtrDrbg, ReseededDrawsWhatTheSchemesDrew)
{
    // NTRU LPRime: the public key begins with the 32 bytes drawn first.
    aes::CtrDrbg ntru_lprime{first_seed};
    EXPECT_EQ(draw<32>(ntru_lprime),
              bytes("7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2d"));
    // Falcon: 48 bytes for the key pair; then the 40 of the nonce, which the signature carries.
    aes::CtrDrbg falcon{first_seed};
    (void)draw<48>(falcon);
    EXPECT_EQ(draw<40>(falcon),
              bytes("33b3c07507e4201748494d832b6ee2a6c93bff9b0ee343b550d1f85a3d0de0d704c6d17842951309"));
}

TEST(CtrDrbg, UpdatesItselfAfterAnEmptyRequestToo)
{
    aes::CtrDrbg drbg = known_answers();
    drbg.generate({});
    EXPECT_NE(draw<48>(drbg), first_seed);
}

// ---- Wiping -------------------------------------------------------------------------------------

/// How many bytes of a T are not 0 after its destructor.
template <class T, class... Arguments>
std::ptrdiff_t left_behind(const Arguments&... arguments)
{
    alignas(T) std::array<Byte, sizeof(T)> storage{};
    const volatile Byte* const bytes =
        storage.data();  // volatile: the compiler believes it knows what is there
    T* const object = new (storage.data()) T{arguments...};
    std::array<Byte, 100> out{};
    object->generate(out);
    object->~T();
    return std::count_if(bytes, bytes + sizeof(T), [](Byte byte) { return byte != 0; });
}

TEST(CtrDrbg, WipesItselfInTheDestructor) { EXPECT_EQ(left_behind<aes::CtrDrbg>(counting<48>(1)), 0); }

TYPED_TEST(AesCtr, WipesKeyCounterAndKeystreamInTheDestructor)
{
    // Only how much of the last blocks is used, which is public, may stay.
    EXPECT_LE(left_behind<aes::CounterMode<TypeParam>>(mode_key, ctr_counter),
              static_cast<std::ptrdiff_t>(sizeof(std::size_t)));
}

}  // namespace
