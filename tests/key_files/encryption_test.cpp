/// Encrypted private keys: PBKDF2 and scrypt on the vectors of their standards, and each check with
/// a file that only it refuses. (That every form comes back: forms_test.cpp.)
#include <optional>

#include "aes/cbc.hpp"
#include "key_files/encryption/pbkdf2.hpp"
#include "key_files/encryption/scrypt.hpp"
#include "key_files/encryption/sha1.hpp"
#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;
using enum Problem;

using std::string_view_literals::operator""sv;
using test::from_hex;

template <class Hmac>
void expect_pbkdf2(std::string_view passphrase, std::string_view salt, std::uint32_t iterations,
                   std::string_view key)
{
    Bytes made(key.size() / 2);
    pbkdf2<Hmac>(bytes_of(passphrase), bytes_of(salt), iterations, made);
    EXPECT_EQ(made, from_hex(key));
}

// Answers for SHA-1: RFC 6070, Section 2. For SHA-256: RFC 7914, Section 11. For the others, which
// are in no standard: Python's hashlib.
TEST(Pbkdf2, GivesTheAnswersOfRfc6070OfRfc7914AndOfPython)
{
    using OfSha1 = sha2::HmacOf<Sha1, Sha1::block_bytes>;
    expect_pbkdf2<OfSha1>("password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6");
    expect_pbkdf2<OfSha1>("password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1");
    expect_pbkdf2<OfSha1>("passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
                          "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038");
    expect_pbkdf2<OfSha1>("pass\0word"sv, "sa\0lt"sv, 4096, "56fa6aa75548099dcc37d7f03425e0c3");
    expect_pbkdf2<sha2::Hmac<sha2::sha256>>(
        "passwd", "salt", 1,
        "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783");
    expect_pbkdf2<sha2::Hmac<sha2::sha256>>(
        "Password", "NaCl", 80000,
        "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d");
    expect_pbkdf2<sha2::Hmac<sha2::sha512>>("Password", "NaCl", 80000,
                                            "e6337d6fbeb645c794d4a9b5b75b7b30dac9ac50376a91df1f4460f6060d5add"
                                            "b2c1fd1f84409aba");
    expect_pbkdf2<sha2::Hmac<sha2::sha224>>("Password", "NaCl", 1000,
                                            "79220b1a808273dd20dba6e15621a908ce11c2964d8f0aaf");
    expect_pbkdf2<sha2::Hmac<sha2::sha384>>("Password", "NaCl", 1000,
                                            "7a403a9c7b6b2c00e52afab13e60236efb40897f8882985d");
    expect_pbkdf2<sha2::Hmac<sha2::sha512_224>>("Password", "NaCl", 1000,
                                                "2d5f8bd874d15397343a29deee676d960799a0a797e670b1");
    expect_pbkdf2<sha2::Hmac<sha2::sha512_256>>("Password", "NaCl", 1000,
                                                "39f9e9eccd7ad9b784072c703b6d33965816ea29a12710b4");
}

void expect_scrypt(std::string_view passphrase, std::string_view salt, ScryptCost cost, std::string_view key)
{
    Bytes made(key.size() / 2);
    scrypt(bytes_of(passphrase), bytes_of(salt), cost, made);
    EXPECT_EQ(made, from_hex(key));
}

// RFC 7914, Section 12; its fourth answer takes a gigabyte.
TEST(Scrypt, GivesTheAnswersOfRfc7914)
{
    expect_scrypt("", "", {16, 1, 1},
                  "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                  "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906");
    expect_scrypt("password", "NaCl", {1024, 8, 16},
                  "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                  "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640");
    expect_scrypt("pleaseletmein", "SodiumChloride", {16384, 8, 1},
                  "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                  "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887");
}

// ---- Writing

auto written(const Encryption& how, Format format = Format::der, const Passphrase& with = words(),
             const char* alg = "ML-DSA-44")
{
    return write_encrypted_private_key(key_of(alg), PrivateForm::seed, format, with.bytes, how);
}

TEST(Encryption, HasAFreshSaltEveryTime) { EXPECT_NE(*written(quick()), *written(quick())); }

TEST(Encryption, ChoosesWhatIsNotGiven)
{
    for (const auto& [kdf, iterations, n] :
         {std::tuple(Kdf::pbkdf2_sha256, 600'000u, 0u), std::tuple(Kdf::pbkdf2_sha512, 210'000u, 0u),
          std::tuple(Kdf::scrypt, 0u, 16384u)}) {
        const auto back = read(*written({.kdf = kdf}), nullptr, words());
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->encryption->iterations, iterations);
        EXPECT_EQ(back->encryption->scrypt_n, n);
    }
}

TEST(Encryption, RefusesRequestsThatItCannotDo)
{
    EXPECT_EQ(written(quick(), Format::raw).error().problem, no_form);
    EXPECT_EQ(written(quick(), Format::der, words(), "Dilithium2").error().problem, no_form);
    EXPECT_EQ(written(quick(), Format::pem, Passphrase{}).error().problem, no_passphrase);
    EXPECT_EQ(written({Kdf::pbkdf2_sha256, 10'000'001}).error().problem, encryption_cost);
    EXPECT_EQ(written({Kdf::scrypt, 0, 3, 1, 1}).error().problem, encryption_parameters);
}

/// The other functions and ciphers of RFC 8018, as OpenSSL writes them. girih only reads them.
TEST(Encryption, ReadsWhatItDoesNotWrite)
{
    for (const auto& [name, kdf, cipher] :
         {std::tuple("aes-128-sha1", Kdf::pbkdf2_sha1, Cipher::aes128),
          std::tuple("aes-192-sha224", Kdf::pbkdf2_sha224, Cipher::aes192),
          std::tuple("aes-256-sha384", Kdf::pbkdf2_sha384, Cipher::aes256),
          std::tuple("aes-256-sha512-224", Kdf::pbkdf2_sha512_224, Cipher::aes256),
          std::tuple("aes-128-sha512-256", Kdf::pbkdf2_sha512_256, Cipher::aes128),
          std::tuple("des3-sha256", Kdf::pbkdf2_sha256, Cipher::triple_des)}) {
        const Bytes file = contents(GIRIH_KEY_FILES "/openssl-enc-" + std::string(name) + "-ml-dsa-44.der");
        const auto found = read(file, nullptr, words());
        ASSERT_TRUE(found) << name << ": " << found.error().message;
        EXPECT_EQ(std::get<PrivateKey>(found->key).seed, key_of("ML-DSA-44").seed) << name;
        EXPECT_EQ(found->encryption->kdf, kdf) << name;
        EXPECT_EQ(found->encryption->cipher, cipher) << name;
        EXPECT_EQ(written(*found->encryption).error().problem, encryption) << name;
    }
}

// ---- Reading

TEST(Encryption, AsksForThePassphrase)
{
    const Bytes file = bytes_of(*written(quick(), Format::pem));
    expect_refused({file, Problem::encrypted, "needs its passphrase"});
    EXPECT_FALSE(read_private_key(file));
    EXPECT_TRUE(read_private_key(file, nullptr, words()));
}

using Derive = void (*)(BytesIn<> passphrase, BytesIn<> salt, std::uint32_t iterations, BytesOut<> key);

/// The parts of an encrypted file, which a test may replace.
struct Parts {
    Bytes scheme = from_hex("06092a864886f70d01050d");
    Bytes kdf = from_hex("06092a864886f70d01050c");
    Bytes salt = Bytes(8, 7);
    Bytes iterations = integer(2);
    Bytes key_length = {};
    Bytes prf = from_hex("06082a864886f70d02090500");
    Derive derive = pbkdf2<sha2::sha256>;
    std::optional<Bytes> kdf_parameters = {};  ///< instead of those of PBKDF2
    Bytes cipher = from_hex("060960864801650304012a");
    Bytes iv = Bytes(16, 9);
    std::optional<Bytes> content = {};  ///< instead of the encryption of `plain`
    Bytes plain = pkcs8("ML-DSA-44", seed_choice(Bytes(32, 7)));
    std::optional<std::uint8_t> padding = {};  ///< all of its bytes; `plain` is a byte short of whole blocks
    Bytes rest = {};

    [[nodiscard]] Bytes der() const
    {
        const Bytes pbkdf2 = sequence({octets(salt), iterations, key_length, sequence({prf})});
        const Bytes parameters =
            sequence({sequence({kdf, kdf_parameters.value_or(pbkdf2)}), sequence({cipher, octets(iv)})});
        return sequence({sequence({scheme, parameters}), octets(content ? *content : encrypted()), rest});
    }

  private:
    [[nodiscard]] Bytes encrypted() const
    {
        Bytes key(32);
        derive(words().bytes, salt, 2, key);
        const auto count = static_cast<std::uint8_t>(16 - plain.size() % 16);
        Bytes blocks = join({plain, Bytes(count, padding.value_or(count))});
        Bytes whole_iv = iv;
        whole_iv.resize(aes::block_bytes);  // the file's may be cut short
        aes::encrypt_cbc(BytesIn<>(key).first<32>(), BytesIn<>(whole_iv).first<16>(), blocks);
        return blocks;
    }
};

TEST(Encryption, ReadsWhatIsEncryptedByHand)
{
    for (const Parts& parts : {Parts{}, Parts{.key_length = integer(32)}}) {
        const auto found = read(parts.der(), nullptr, words());
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_EQ(found->public_key(), key_of("ML-DSA-44").public_key);
    }
}

/// Some writers leave out the NULL after an HMAC (RFC 8018, Appendix B.1.2, has it).
TEST(Encryption, ReadsEveryPrfWithAndWithoutItsParameters)
{
    using OfSha1 = sha2::HmacOf<Sha1, Sha1::block_bytes>;
    const std::vector<std::pair<Bytes, Derive>> prfs{
        {{7}, pbkdf2<OfSha1>},           {{8}, pbkdf2<sha2::sha224>},  {{9}, pbkdf2<sha2::sha256>},
        {{10}, pbkdf2<sha2::sha384>},    {{11}, pbkdf2<sha2::sha512>}, {{12}, pbkdf2<sha2::sha512_224>},
        {{13}, pbkdf2<sha2::sha512_256>}};
    for (const auto& [arc, derive] : prfs)
        for (const Bytes& parameters : {Bytes{5, 0}, Bytes{}}) {
            const Parts parts{.prf = join({from_hex("06082a864886f70d02"), arc, parameters}),
                              .derive = derive};
            const auto found = read(parts.der(), nullptr, words());
            ASSERT_TRUE(found) << int{arc[0]} << ": " << found.error().message;
            EXPECT_EQ(found->public_key(), key_of("ML-DSA-44").public_key);
        }
}

struct Cost {
    Bytes n = {2}, r = {1}, p = {1}, rest = {};
    std::size_t salt_bytes = 8;
};

/// The parts of a file that names scrypt.
Parts with_scrypt(const Cost& cost)
{
    return {.kdf = from_hex("06092b06010401da47040b"),
            .kdf_parameters = sequence({octets(Bytes(cost.salt_bytes, 7)), element(0x02, cost.n),
                                        element(0x02, cost.r), element(0x02, cost.p), cost.rest})};
}

std::vector<Row<Parts>> malformed()
{
    const Bytes huge{0x40, 0, 0, 0};
    const Bytes aes_128 = from_hex("0609608648016503040102"), triple_des = from_hex("06082a864886f70d0307");
    return {
        {{.scheme = from_hex("06092a864886f70d010503")},
         encryption,
         "the scheme 1.2.840.113549.1.5.3 (PBES1 with MD5 and DES), which girih does not decrypt"},
        {{.kdf = from_hex("06012a")}, encryption, "the key derivation function 1.2,"},
        {{.prf = from_hex("06082a864886f70d02060500")}, encryption, "PBKDF2 and 1.2.840.113549.2.6,"},
        {{.prf = from_hex("06082a864886f70d02090400")}, der_tag, "prf's parameters"},
        {{.prf = from_hex("06082a864886f70d0209050100")}, der_value, "NULL"},
        {{.prf = from_hex("06082a864886f70d02090500ff")}, der_trailing, "prf"},
        {{.cipher = from_hex("06082a864886f70d0302")},
         encryption,
         "the cipher 1.2.840.113549.3.2 (RC2 in CBC mode)"},
        {{.iv = Bytes(15)}, encryption_parameters, "not have 16 bytes"},
        {{.cipher = triple_des, .iv = Bytes(16)}, encryption_parameters, "not have 8 bytes"},
        {{.cipher = triple_des, .iv = Bytes(8), .content = Bytes(12)},
         encryption_parameters,
         "whole blocks of 8 bytes"},
        {{.key_length = integer(16), .cipher = triple_des}, encryption_parameters, "not the cipher's, 24"},
        {{.salt = Bytes(1025)}, encryption_parameters, "more than 1024 bytes"},
        {{.key_length = integer(16)}, encryption_parameters, "keyLength is not the cipher's, 32"},
        {{.key_length = integer(32), .cipher = aes_128},
         encryption_parameters,
         "keyLength is not the cipher's, 16"},
        {{.iterations = integer(0)}, encryption_parameters, "the iterations of PBKDF2 are 0"},
        {{.iterations = integer(0x80)}, der_value, "negative"},
        {{.iterations = {2, 2, 0, 2}}, der_value, "not in DER's form"},
        {{.iterations = {2, 4, 0x00, 0x98, 0x96, 0x81}},
         encryption_cost,
         "10000001 iterations of PBKDF2, more than the limit of 10000000"},
        {{.iterations = {2, 5, 1, 0, 0, 0, 2}}, encryption_cost, "4294967295 or more iterations"},
        {{.iterations = {2, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0}}, der_value, "more than 64 bits"},
        {{.content = Bytes{}}, encryption_parameters, "whole blocks"},
        {{.content = Bytes(17)}, encryption_parameters, "whole blocks"},
        {{.rest = {5, 0}}, der_trailing, "EncryptedPrivateKeyInfo"},
        {with_scrypt({.n = {3}}), encryption_parameters, "a power of two greater than 1"},
        {with_scrypt({.n = {1}}), encryption_parameters, "a power of two greater than 1"},
        {with_scrypt({.r = {0}}), encryption_parameters, "r"},
        {with_scrypt({.p = {0}}), encryption_parameters, "p"},
        {with_scrypt({.n = {4, 0, 0}, .r = {8}}), encryption_cost, "N = 262144, r = 8 and p = 1"},
        {with_scrypt({.r = {8, 0, 0}}), encryption_cost, "N = 2, r = 524288 and p = 1"},
        {with_scrypt({.n = {0x40, 0}, .r = {8}, .p = {0x41}}), encryption_cost, "p = 65"},
        {with_scrypt({.r = {2}, .p = {4, 0, 0}, .salt_bytes = 1024}), encryption_cost,
         "N = 2, r = 2 and p = 262144"},
        {with_scrypt({{0x40, 0, 0, 0, 0, 0, 0, 0}, huge, huge}), encryption_cost, "N = 4611686018427387904"},
        {with_scrypt({.rest = integer(31)}), encryption_parameters, "keyLength"},
        {with_scrypt({.rest = {5, 0}}), der_trailing, "scrypt-params"},
    };
}

TEST(MalformedEncryption, IsRefusedForItsOwnReasonWithAndWithoutThePassphrase)
{
    for (const auto& [parts, problem, says] : malformed()) {
        const Bytes file = parts.der();
        expect_refused({file, problem, says});
        const auto with = read(file, nullptr, words());
        ASSERT_FALSE(with) << says;
        const auto& [_, message, byte, line] = with.error();
        EXPECT_EQ(message, read(file).error().message);
        EXPECT_TRUE(byte == Error::nowhere ||
                    message.starts_with("byte " + std::to_string(byte) + " of the DER: "));
    }
}

void expect_wrong(const Result<KeyFile>& found)
{
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().problem, Problem::passphrase);
    EXPECT_EQ(found.error().message, "the passphrase is wrong, or the encrypted key was changed");
    EXPECT_EQ(found.error().byte, Error::nowhere);
}

/// After decryption, all faults give one error.
TEST(Encryption, TellsOneErrorOnceItHasDecrypted)
{
    const Bytes short_seed = pkcs8("ML-DSA-44", seed_choice(Bytes(31, 7)));
    for (const Parts& parts : std::vector<Parts>{
             {.padding = 0},
             {.padding = 17},
             {.padding = 1},                        // too short
             {.plain = short_seed, .padding = 16},  // too long
             {.plain = bytes_of("no key at all")},
             {.plain = short_seed},
             {.plain = pkcs8("Ed25519", octets(Bytes(32, 7)))},
             {.plain = write_public_key(public_half(key_of("ML-DSA-44")), Format::der)},
             {.content = Bytes(64, 1)},
         })
        expect_wrong(read(parts.der(), nullptr, words()));
    const Bytes good = Parts{}.der();
    for (int i = 0; i < 300; ++i)  // some of them find a padding
        expect_wrong(read(good, nullptr, Passphrase{bytes_of("wrong " + std::to_string(i))}));
}

TEST(Encryption, PaddingIsRightOnlyInAllOfItsBytes)
{
    const Bytes good = Parts{}.der();
    const std::size_t count = 16 - Parts{}.plain.size() % 16;
    // A change of the block before the last changes the same bytes of the last.
    const std::size_t last_of_block_before = good.size() - 16;
    for (std::size_t i = 1; i <= count; ++i)
        expect_wrong(read(with_byte(good, last_of_block_before - i, 0x80), nullptr, words()));
}

TEST(Encryption, LimitsAreTheReadersOwn)
{
    const auto problem_with = [](const Parts& parts, std::uint32_t iterations) {
        const auto found = read(parts.der(), nullptr, {words().bytes, {.iterations = iterations}});
        return found ? std::nullopt : std::optional(found.error().problem);
    };
    EXPECT_EQ(problem_with({}, 2), std::nullopt);
    EXPECT_EQ(problem_with({}, 1), encryption_cost);
    EXPECT_EQ(problem_with({.iterations = {2, 5, 1, 0, 0, 0, 2}}, UINT32_MAX), encryption_cost);
}

}  // namespace
}  // namespace girih::key_files
