/// Encrypted private keys: PBKDF2 and scrypt on the vectors of their standards, round trips, and
/// every check with a file that only it refuses.
#include <algorithm>
#include <optional>
#include <tuple>

#include "aes/cbc.hpp"
#include "key_files/encryption/pbkdf2.hpp"
#include "key_files/encryption/scrypt.hpp"
#include "key_files/encryption/sha1.hpp"
#include "samples.hpp"
#include "support/bytes.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

using std::string_view_literals::operator""sv;
using test::from_hex;

template <sha2::Params P>
Bytes pbkdf2_of(std::string_view passphrase, std::string_view salt, std::uint32_t iterations,
                std::size_t bytes)
{
    Bytes key(bytes);
    pbkdf2<P>(bytes_of(passphrase), bytes_of(salt), iterations, key);
    return key;
}

// Of SHA-256: RFC 7914, Section 11. Of SHA-512, for which no standard has any: Python's hashlib.
TEST(Pbkdf2, GivesTheAnswersOfRfc7914AndOfPython)
{
    EXPECT_EQ(pbkdf2_of<sha2::sha256>("passwd", "salt", 1, 64),
              from_hex("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                       "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"));
    EXPECT_EQ(pbkdf2_of<sha2::sha256>("Password", "NaCl", 80000, 64),
              from_hex("4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                       "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"));
    EXPECT_EQ(pbkdf2_of<sha2::sha512>("Password", "NaCl", 80000, 40),
              from_hex("e6337d6fbeb645c794d4a9b5b75b7b30dac9ac50376a91df1f4460f6060d5add"
                       "b2c1fd1f84409aba"));
}

// Of SHA-1: RFC 6070, Section 2. Of the others: Python's hashlib.
TEST(Pbkdf2, GivesTheAnswersOfTheFunctionsThatAreOnlyRead)
{
    const auto of_sha1 = [](std::string_view passphrase, std::string_view salt, std::uint32_t iterations,
                            std::size_t bytes) {
        Bytes key(bytes);
        pbkdf2<sha2::HmacOf<Sha1, Sha1::block_bytes>>(bytes_of(passphrase), bytes_of(salt), iterations, key);
        return key;
    };
    EXPECT_EQ(of_sha1("password", "salt", 1, 20), from_hex("0c60c80f961f0e71f3a9b524af6012062fe037a6"));
    EXPECT_EQ(of_sha1("password", "salt", 4096, 20), from_hex("4b007901b765489abead49d926f721d065a429c1"));
    EXPECT_EQ(of_sha1("passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096, 25),
              from_hex("3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"));
    EXPECT_EQ(of_sha1("pass\0word"sv, "sa\0lt"sv, 4096, 16), from_hex("56fa6aa75548099dcc37d7f03425e0c3"));
    EXPECT_EQ(pbkdf2_of<sha2::sha224>("Password", "NaCl", 1000, 24),
              from_hex("79220b1a808273dd20dba6e15621a908ce11c2964d8f0aaf"));
    EXPECT_EQ(pbkdf2_of<sha2::sha384>("Password", "NaCl", 1000, 24),
              from_hex("7a403a9c7b6b2c00e52afab13e60236efb40897f8882985d"));
    EXPECT_EQ(pbkdf2_of<sha2::sha512_224>("Password", "NaCl", 1000, 24),
              from_hex("2d5f8bd874d15397343a29deee676d960799a0a797e670b1"));
    EXPECT_EQ(pbkdf2_of<sha2::sha512_256>("Password", "NaCl", 1000, 24),
              from_hex("39f9e9eccd7ad9b784072c703b6d33965816ea29a12710b4"));
}

Bytes scrypt_of(std::string_view passphrase, std::string_view salt, ScryptCost cost)
{
    Bytes key(64);
    scrypt(bytes_of(passphrase), bytes_of(salt), cost, key);
    return key;
}

// RFC 7914, Section 12; its fourth answer takes a gigabyte.
TEST(Scrypt, GivesTheAnswersOfRfc7914)
{
    EXPECT_EQ(scrypt_of("", "", {16, 1, 1}),
              from_hex("77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                       "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"));
    EXPECT_EQ(scrypt_of("password", "NaCl", {1024, 8, 16}),
              from_hex("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                       "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"));
    EXPECT_EQ(scrypt_of("pleaseletmein", "SodiumChloride", {16384, 8, 1}),
              from_hex("7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                       "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"));
}

const Bytes& words()
{
    static const Bytes bytes = bytes_of("correct horse");
    return bytes;
}

/// What a test can wait for.
Encryption quick(Kdf kdf = Kdf::pbkdf2_sha256) { return {kdf, 2, 4, 1, 1}; }

TEST(Encryption, RoundTripsEveryKeyInEveryForm)
{
    for (const girih_alg* alg : algorithms()) {
        const PrivateKey key = key_of(alg);
        for (const PrivateForm form : {PrivateForm::seed, PrivateForm::expanded, PrivateForm::both})
            for (const Format format : {Format::pem, Format::der})
                for (const Kdf kdf : {Kdf::pbkdf2_sha256, Kdf::pbkdf2_sha512, Kdf::scrypt}) {
                    const auto file = write_encrypted_private_key(key, form, format, words(), quick(kdf));
                    ASSERT_EQ(static_cast<bool>(file),
                              static_cast<bool>(write_private_key(key, form, format)));
                    if (!file) continue;
                    const auto back = read(*file, alg, Passphrase{words()});
                    ASSERT_TRUE(back) << back.error().message;
                    EXPECT_EQ(back->form, form);
                    EXPECT_EQ(back->format, format);
                    ASSERT_TRUE(back->encryption);
                    EXPECT_EQ(back->encryption->kdf, kdf);
                    EXPECT_EQ(std::get<PrivateKey>(back->key).expanded, key.expanded);
                }
    }
}

TEST(Encryption, HasAFreshSaltEveryTime)
{
    const PrivateKey key = key_of(girih_algorithm("ML-DSA-44"));
    const auto write = [&key] {
        return *write_encrypted_private_key(key, PrivateForm::seed, Format::der, words(), quick());
    };
    EXPECT_NE(write(), write());
}

TEST(Encryption, ChoosesWhatIsNotGiven)
{
    const PrivateKey key = key_of(girih_algorithm("ML-DSA-44"));
    for (const auto& [kdf, iterations, n] :
         {std::tuple(Kdf::pbkdf2_sha256, 600'000u, 0u), std::tuple(Kdf::pbkdf2_sha512, 210'000u, 0u),
          std::tuple(Kdf::scrypt, 0u, 16384u)}) {
        const auto file =
            write_encrypted_private_key(key, PrivateForm::seed, Format::der, words(), {.kdf = kdf});
        ASSERT_TRUE(file);
        const auto back = read(*file, nullptr, Passphrase{words()});
        ASSERT_TRUE(back);
        EXPECT_EQ(back->encryption->iterations, iterations);
        EXPECT_EQ(back->encryption->scrypt_n, n);
    }
}

TEST(Encryption, RefusesRequestsThatItCannotDo)
{
    const PrivateKey key = key_of(girih_algorithm("ML-DSA-44"));
    const auto refused = [&key](Format format, const Bytes& passphrase, Encryption how) {
        const auto file = write_encrypted_private_key(key, PrivateForm::seed, format, passphrase, how);
        EXPECT_FALSE(file);
        return file ? Problem::library : file.error().problem;
    };
    EXPECT_EQ(refused(Format::raw, words(), quick()), Problem::no_form);
    EXPECT_EQ(refused(Format::pem, {}, quick()), Problem::no_passphrase);
    EXPECT_EQ(refused(Format::pem, words(), {Kdf::pbkdf2_sha256, 10'000'001}), Problem::encryption_cost);
    EXPECT_EQ(refused(Format::pem, words(), {Kdf::scrypt, 0, 3, 1, 1}), Problem::encryption_parameters);
}

TEST(Encryption, AsksForThePassphrase)
{
    const PrivateKey key = key_of(girih_algorithm("ML-DSA-44"));
    const auto file = write_encrypted_private_key(key, PrivateForm::seed, Format::pem, words(), quick());
    ASSERT_TRUE(file);
    expect_refused({"", bytes_of(*file), Problem::encrypted, "needs its passphrase"});
    EXPECT_FALSE(read_private_key(*file));
    EXPECT_TRUE(read_private_key(*file, nullptr, Passphrase{words()}));
}

/// The parts of an encrypted file, which a test may replace.
struct EncryptedParts {
    Bytes scheme = from_hex("06092a864886f70d01050d");
    Bytes kdf = from_hex("06092a864886f70d01050c");
    Bytes salt = Bytes(8, 7);
    Bytes iterations = {0x02, 0x01, 0x02};
    Bytes key_length = {};
    Bytes prf = element(0x30, from_hex("06082a864886f70d02090500"));
    std::optional<Bytes> kdf_parameters = {};  ///< instead of those of PBKDF2
    Bytes cipher = from_hex("060960864801650304012a");
    Bytes iv = Bytes(16, 9);
    std::optional<Bytes> content = {};  ///< instead of the encryption of `plain`
    Bytes plain = pkcs8("ML-DSA-44", element(0x80, Bytes(32, 7)));
    std::optional<std::uint8_t> padding = {};  ///< all of its bytes; `plain` is a byte short of whole blocks
    Bytes rest = {};

    [[nodiscard]] Bytes file() const
    {
        const Bytes parameters =
            kdf_parameters ? *kdf_parameters
                           : element(0x30, join({element(0x04, salt), iterations, key_length, prf}));
        return element(
            0x30,
            join({element(0x30,
                          join({scheme,
                                element(0x30, join({element(0x30, join({kdf, parameters})),
                                                    element(0x30, join({cipher, element(0x04, iv)}))}))})),
                  element(0x04, content ? *content : encrypted()), rest}));
    }

  private:
    [[nodiscard]] Bytes encrypted() const
    {
        Bytes key(32);
        pbkdf2<sha2::sha256>(words(), salt, 2, key);
        const auto count = static_cast<std::uint8_t>(16 - plain.size() % 16);
        Bytes blocks = join({plain, Bytes(count, padding.value_or(count))});
        Bytes whole_iv = iv;
        whole_iv.resize(aes::block_bytes);  // that in the file may be cut short
        aes::encrypt_cbc(BytesIn<>(key).first<32>(), BytesIn<>(whole_iv).first<16>(), blocks);
        return blocks;
    }
};

/// The other functions and ciphers of RFC 8018, as OpenSSL writes them. They are not written again.
TEST(Encryption, ReadsWhatItDoesNotWrite)
{
    const PrivateKey key = key_of(girih_algorithm("ML-DSA-44"));
    for (const auto& [name, kdf, cipher] :
         {std::tuple("aes-128-sha1", Kdf::pbkdf2_sha1, Cipher::aes128),
          std::tuple("aes-192-sha224", Kdf::pbkdf2_sha224, Cipher::aes192),
          std::tuple("aes-256-sha384", Kdf::pbkdf2_sha384, Cipher::aes256),
          std::tuple("aes-256-sha512-224", Kdf::pbkdf2_sha512_224, Cipher::aes256),
          std::tuple("aes-128-sha512-256", Kdf::pbkdf2_sha512_256, Cipher::aes128)}) {
        const Bytes file = contents(GIRIH_KEY_FILES "/openssl-enc-" + std::string(name) + "-ml-dsa-44.der");
        const auto found = read(file, nullptr, Passphrase{words()});
        ASSERT_TRUE(found) << name << ": " << found.error().message;
        EXPECT_EQ(std::get<PrivateKey>(found->key).seed, key.seed) << name;
        EXPECT_EQ(found->encryption->kdf, kdf) << name;
        EXPECT_EQ(found->encryption->cipher, cipher) << name;
        const auto again =
            write_encrypted_private_key(key, PrivateForm::seed, Format::der, words(), *found->encryption);
        ASSERT_FALSE(again) << name;
        EXPECT_EQ(again.error().problem, Problem::encryption) << name;
    }
}

TEST(Encryption, ReadsWhatIsEncryptedByHand)
{
    const auto found = read(EncryptedParts{}.file(), nullptr, Passphrase{words()});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->public_key(), key_of(girih_algorithm("ML-DSA-44")).public_key);
    EXPECT_TRUE(read(EncryptedParts{.key_length = {2, 1, 32}}.file(), nullptr, Passphrase{words()}));
}

Bytes scrypt_parameters(const Bytes& n, const Bytes& r, const Bytes& p, const Bytes& rest = {},
                        std::size_t salt_bytes = 8)
{
    return element(0x30, join({element(0x04, Bytes(salt_bytes, 7)), element(0x02, n), element(0x02, r),
                               element(0x02, p), rest}));
}

Bytes scrypt_file(const Bytes& parameters)
{
    return EncryptedParts{.kdf = from_hex("06092b06010401da47040b"), .kdf_parameters = parameters}.file();
}

std::vector<Malformed> malformed()
{
    using P = EncryptedParts;
    const auto prf = [](std::string_view content) { return element(0x30, from_hex(content)); };
    return {
        {"Scheme", P{.scheme = from_hex("06092a864886f70d010503")}.file(), Problem::encryption,
         "the scheme 1.2.840.113549.1.5.3 (PBES1 with MD5 and DES), which girih does not decrypt"},
        {"KeyDerivation", P{.kdf = from_hex("06012a")}.file(), Problem::encryption,
         "the key derivation function 1.2,"},
        {"PrfOfMd5", P{.prf = prf("06082a864886f70d02060500")}.file(), Problem::encryption,
         "PBKDF2 and 1.2.840.113549.2.6,"},
        {"PrfWithoutNull", P{.prf = prf("06082a864886f70d0209")}.file(), Problem::der_truncated,
         "prf's parameters"},
        {"NullWithContent", P{.prf = prf("06082a864886f70d0209050100")}.file(), Problem::der_value, "NULL"},
        {"AfterNull", P{.prf = prf("06082a864886f70d02090500ff")}.file(), Problem::der_trailing, "prf"},
        {"Cipher", P{.cipher = from_hex("06082a864886f70d0307")}.file(), Problem::encryption,
         "the cipher 1.2.840.113549.3.7 (triple DES in CBC mode)"},
        {"InitializationVector", P{.iv = Bytes(15)}.file(), Problem::encryption_parameters, "not 16 bytes"},
        {"LongSalt", P{.salt = Bytes(1025)}.file(), Problem::encryption_parameters, "more than 1024 bytes"},
        {"KeyLength", P{.key_length = {2, 1, 16}}.file(), Problem::encryption_parameters,
         "keyLength is not that of the cipher, 32"},
        {"KeyLengthOfAes128",
         P{.key_length = {2, 1, 32}, .cipher = from_hex("0609608648016503040102")}.file(),
         Problem::encryption_parameters, "keyLength is not that of the cipher, 16"},
        {"NoIterations", P{.iterations = {2, 1, 0}}.file(), Problem::encryption_parameters,
         "the iterations of PBKDF2 are 0"},
        {"NegativeIterations", P{.iterations = {2, 1, 0x80}}.file(), Problem::der_value, "negative"},
        {"IterationsWithAByteTooMany", P{.iterations = {2, 2, 0, 2}}.file(), Problem::der_value,
         "not written as DER"},
        {"ManyIterations", P{.iterations = {2, 4, 0x00, 0x98, 0x96, 0x81}}.file(), Problem::encryption_cost,
         "10000001 iterations of PBKDF2, more than the limit of 10000000"},
        {"IterationsOf33Bits", P{.iterations = {2, 5, 1, 0, 0, 0, 2}}.file(), Problem::encryption_cost,
         "4294967295 or more iterations"},
        {"IterationsOf65Bits", P{.iterations = {2, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0}}.file(), Problem::der_value,
         "more than 64 bits"},
        {"NoContent", P{.content = Bytes{}}.file(), Problem::encryption_parameters, "whole blocks"},
        {"PartOfABlock", P{.content = Bytes(17)}.file(), Problem::encryption_parameters, "whole blocks"},
        {"TrailingElement", P{.rest = {5, 0}}.file(), Problem::der_trailing, "EncryptedPrivateKeyInfo"},
        {"ScryptNNoPowerOfTwo", scrypt_file(scrypt_parameters({3}, {1}, {1})), Problem::encryption_parameters,
         "no power of two"},
        {"ScryptNOne", scrypt_file(scrypt_parameters({1}, {1}, {1})), Problem::encryption_parameters,
         "no power of two above 1"},
        {"ScryptRZero", scrypt_file(scrypt_parameters({2}, {0}, {1})), Problem::encryption_parameters, "r"},
        {"ScryptPZero", scrypt_file(scrypt_parameters({2}, {1}, {0})), Problem::encryption_parameters, "p"},
        {"ScryptMemory", scrypt_file(scrypt_parameters({0x04, 0, 0}, {8}, {1})), Problem::encryption_cost,
         "N = 262144, r = 8 and p = 1"},
        {"ScryptMemoryOfFewLargeBlocks", scrypt_file(scrypt_parameters({2}, {0x08, 0, 0}, {1})),
         Problem::encryption_cost, "N = 2, r = 524288 and p = 1"},
        {"ScryptTime", scrypt_file(scrypt_parameters({0x40, 0}, {8}, {0x41})), Problem::encryption_cost,
         "p = 65"},
        {"ScryptTimeOfItsHash", scrypt_file(scrypt_parameters({2}, {2}, {0x04, 0, 0}, {}, 1024)),
         Problem::encryption_cost, "N = 2, r = 2 and p = 262144"},
        {"ScryptProductBeyond64Bits",
         scrypt_file(scrypt_parameters({0x40, 0, 0, 0, 0, 0, 0, 0}, {0x40, 0, 0, 0}, {0x40, 0, 0, 0})),
         Problem::encryption_cost, "N = 4611686018427387904"},
        {"ScryptKeyLength", scrypt_file(scrypt_parameters({2}, {1}, {1}, {2, 1, 31})),
         Problem::encryption_parameters, "keyLength"},
        {"ScryptTrailingElement", scrypt_file(scrypt_parameters({2}, {1}, {1}, {5, 0})),
         Problem::der_trailing, "scrypt-params"},
    };
}

class MalformedEncryption : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedEncryption, IsRefusedForItsOwnReasonWithoutThePassphrase) { expect_refused(GetParam()); }
TEST_P(MalformedEncryption, IsRefusedForTheSameReasonWithIt)
{
    const auto without = read(GetParam().file);
    const auto with = read(GetParam().file, nullptr, Passphrase{words()});
    ASSERT_FALSE(without || with);
    EXPECT_EQ(with.error().message, without.error().message);
}

INSTANTIATE_TEST_SUITE_P(File, MalformedEncryption, testing::ValuesIn(malformed()), name_of);

/// Whatever is wrong with what was decrypted.
TEST(Encryption, TellsOneErrorOnceItHasDecrypted)
{
    using P = EncryptedParts;
    const std::vector<std::pair<std::string, Bytes>> files{
        {"padding of 0", P{.padding = 0}.file()},
        {"padding of 17", P{.padding = 17}.file()},
        {"padding that is too short", P{.padding = 1}.file()},
        {"padding that is too long",
         P{.plain = pkcs8("ML-DSA-44", element(0x80, Bytes(31, 7))), .padding = 16}.file()},
        {"no key", P{.plain = bytes_of("no key at all")}.file()},
        {"a seed that is too short", P{.plain = pkcs8("ML-DSA-44", element(0x80, Bytes(31, 7)))}.file()},
        {"an algorithm of others", P{.plain = pkcs8("Ed25519", element(0x04, Bytes(32, 7)))}.file()},
        {"a public key",
         P{.plain = write_public_key(public_half(key_of(girih_algorithm("ML-DSA-44"))), Format::der)}.file()},
        {"another content", P{.content = Bytes(64, 1)}.file()},
    };
    const auto expect_one = [](const Result<KeyFile>& found, const std::string& name) {
        ASSERT_FALSE(found) << name;
        EXPECT_EQ(found.error().problem, Problem::passphrase) << name;
        EXPECT_EQ(found.error().message, "the passphrase is wrong, or the encrypted key was changed") << name;
        EXPECT_EQ(found.error().byte, Error::nowhere) << name;
    };
    for (const auto& [name, file] : files) expect_one(read(file, nullptr, Passphrase{words()}), name);
    for (int i = 0; i < 300; ++i) {  // some of them find a padding
        const Bytes wrong = bytes_of("wrong " + std::to_string(i));
        expect_one(read(P{}.file(), nullptr, Passphrase{wrong}), "a wrong passphrase");
    }
}

TEST(Encryption, PaddingIsRightOnlyInAllOfItsBytes)
{
    const Bytes good = EncryptedParts{}.file();
    const Bytes plain = EncryptedParts{}.plain;
    const std::size_t count = 16 - plain.size() % 16;
    // A change of the block before the last changes the same bytes of the last.
    const std::size_t before = good.size() - 32;
    for (std::size_t i = 1; i <= count; ++i) {
        const auto found = read(with_byte(good, before + 16 - i, 0x80), nullptr, Passphrase{words()});
        ASSERT_FALSE(found) << i << " bytes from the end";
        EXPECT_EQ(found.error().problem, Problem::passphrase);
    }
}

TEST(Encryption, LimitsAreTheReadersOwn)
{
    const Bytes file = EncryptedParts{}.file();
    const auto with = [&file](Limits limits) { return read(file, nullptr, Passphrase{words(), limits}); };
    EXPECT_TRUE(with({.iterations = 2}));
    const auto refused = with({.iterations = 1});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().problem, Problem::encryption_cost);
    const Bytes of_33_bits = EncryptedParts{.iterations = {2, 5, 1, 0, 0, 0, 2}}.file();
    const auto most = read(of_33_bits, nullptr, Passphrase{words(), {.iterations = UINT32_MAX}});
    ASSERT_FALSE(most);
    EXPECT_EQ(most.error().problem, Problem::encryption_cost);
}

TEST(Encryption, ErrorsSayWhereTheyAre)
{
    const auto der = read(EncryptedParts{.iv = Bytes(15)}.file());
    ASSERT_FALSE(der);
    EXPECT_TRUE(
        der.error().message.starts_with("byte " + std::to_string(der.error().byte) + " of the DER: "));
    const auto pem = read(bytes_of("\n\n-----BEGIN PUBLIC KEY-----\n?\n-----END PUBLIC KEY-----\n"));
    ASSERT_FALSE(pem);
    EXPECT_EQ(pem.error().line, 4u);
    EXPECT_EQ(pem.error().byte, Error::nowhere);
}

}  // namespace
}  // namespace girih::key_files
