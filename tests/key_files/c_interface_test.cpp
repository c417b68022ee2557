/// girih_key_files.h, which is key_files.hpp in C.
#include <girih/girih_key_files.h>

#include <array>
#include <climits>
#include <cstring>
#include <utility>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

constexpr girih_passphrase no_passphrase{};

const girih_alg* ml_dsa() { return girih_algorithm("ML-DSA-44"); }

girih_passphrase words()
{
    static const Bytes bytes = bytes_of("correct horse");
    return {bytes.data(), bytes.size()};
}

girih_key_encoding encoding_of(int format, int form = GIRIH_KEY_PREFERRED)
{
    girih_key_encoding encoding{};
    encoding.format = format;
    encoding.form = form;
    return encoding;
}

/// Encrypted in a way that a test can wait for.
girih_key_encoding encrypting(girih_passphrase passphrase, int kdf, std::uint32_t iterations)
{
    girih_key_encoding encoding{};
    encoding.passphrase = passphrase;
    encoding.kdf = kdf;
    encoding.iterations = iterations;
    encoding.scrypt_n = 4;
    return encoding;
}

/// A key, which ends here.
struct Key {
    girih_key* c = nullptr;
    Key() = default;
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;
    ~Key() { girih_key_free(c); }
};

Bytes taken(std::uint8_t* file, std::size_t bytes)
{
    Bytes copy(file, file + bytes);
    girih_key_file_free(file, bytes);
    return copy;
}

Bytes written(const girih_key* key, const girih_key_encoding& encoding)
{
    std::uint8_t* file = nullptr;
    std::size_t bytes = 0;
    girih_key_error error{};
    EXPECT_EQ(girih_key_write_private(key, &encoding, &file, &bytes, &error), GIRIH_KEY_OK) << error.message;
    return taken(file, bytes);
}

void make(Key& key)
{
    const Bytes seed(32, 7);
    ASSERT_EQ(girih_key_from_seed(ml_dsa(), seed.data(), seed.size(), &key.c, nullptr), GIRIH_KEY_OK);
}

/// What reading a file says.
girih_key_error refusal(const Bytes& file, const girih_alg* alg = nullptr,
                        girih_passphrase passphrase = no_passphrase)
{
    girih_key_error error{};
    girih_key* key = reinterpret_cast<girih_key*>(&error);
    EXPECT_EQ(girih_key_read(file.data(), file.size(), alg, passphrase, &key, &error), error.problem);
    EXPECT_NE(error.problem, GIRIH_KEY_OK);
    EXPECT_EQ(key, nullptr);
    return error;
}

TEST(KeyFilesInC, WritesWhatCppWritesAndReadsIt)
{
    Key key;
    make(key);
    const PrivateKey same = key_of(ml_dsa());
    constexpr std::array formats{std::pair(GIRIH_KEY_PEM, Format::pem), std::pair(GIRIH_KEY_DER, Format::der),
                                 std::pair(GIRIH_KEY_RAW, Format::raw)};
    constexpr std::array forms{std::pair(GIRIH_KEY_SEED, PrivateForm::seed),
                               std::pair(GIRIH_KEY_EXPANDED, PrivateForm::expanded),
                               std::pair(GIRIH_KEY_BOTH, PrivateForm::both)};
    for (const auto& [format, cpp_format] : formats) {
        for (const auto& [form, cpp_form] : forms) {
            const auto expected = write_private_key(same, cpp_form, cpp_format);
            if (!expected) continue;
            const Bytes file = written(key.c, encoding_of(format, form));
            EXPECT_EQ(file, bytes_of(*expected));
            Key back;
            ASSERT_EQ(girih_key_read(file.data(), file.size(), ml_dsa(), no_passphrase, &back.c, nullptr), 0);
            EXPECT_EQ(girih_key_kind_of(back.c), GIRIH_KEY_PRIVATE);
            EXPECT_EQ(girih_key_format_of(back.c), format);
            EXPECT_EQ(girih_key_form_of(back.c), form);
            EXPECT_EQ(girih_key_seed(back.c) == nullptr, form == GIRIH_KEY_EXPANDED);
            EXPECT_EQ(std::memcmp(girih_key_secret_key(back.c), same.expanded.data(), same.expanded.size()),
                      0);
            EXPECT_EQ(std::memcmp(girih_key_public_key(back.c), same.public_key.data(), 1312), 0);
        }
        std::uint8_t* file = nullptr;
        std::size_t bytes = 0;
        ASSERT_EQ(girih_key_write_public(key.c, format, &file, &bytes, nullptr), GIRIH_KEY_OK);
        EXPECT_EQ(taken(file, bytes), write_public_key(public_half(same), cpp_format));
    }
    EXPECT_EQ(written(key.c, {}), bytes_of(*write_private_key(same, PrivateForm::seed, Format::pem)));
    std::array<std::uint8_t, 32> digest{};
    EXPECT_EQ(girih_key_fingerprint(key.c, digest.data()), GIRIH_KEY_OK);
    EXPECT_EQ(digest, fingerprint(public_half(same)));
}

TEST(KeyFilesInC, EncryptsAndDecrypts)
{
    Key key;
    make(key);
    for (const girih_key_kdf kdf : {GIRIH_KEY_PBKDF2_SHA256, GIRIH_KEY_PBKDF2_SHA512, GIRIH_KEY_SCRYPT}) {
        const Bytes file = written(key.c, encrypting(words(), kdf, 2));
        EXPECT_EQ(refusal(file).problem, GIRIH_KEY_ENCRYPTED);
        const std::uint8_t wrong = 'x';
        const girih_key_error error = refusal(file, nullptr, {&wrong, 1});
        EXPECT_EQ(error.problem, GIRIH_KEY_PASSPHRASE);
        EXPECT_STREQ(error.message, "the passphrase is wrong, or the encrypted key was changed");
        Key back;
        ASSERT_EQ(girih_key_read(file.data(), file.size(), nullptr, words(), &back.c, nullptr), GIRIH_KEY_OK);
        EXPECT_EQ(girih_key_is_encrypted(back.c), 1);
        EXPECT_EQ(girih_key_algorithm(back.c), ml_dsa());
    }
}

TEST(KeyFilesInC, ConvertsPrivateAndPublicKeys)
{
    const PrivateKey key = key_of(ml_dsa());
    const Bytes pem = bytes_of(*write_private_key(key, PrivateForm::seed, Format::pem));
    const Bytes public_pem = write_public_key(public_half(key), Format::pem);
    const girih_key_encoding der = encoding_of(GIRIH_KEY_DER, GIRIH_KEY_EXPANDED);
    const auto converted = [&der](const Bytes& file) {
        std::uint8_t* out = nullptr;
        std::size_t bytes = 0;
        EXPECT_EQ(
            girih_key_convert(file.data(), file.size(), nullptr, no_passphrase, &der, &out, &bytes, nullptr),
            GIRIH_KEY_OK);
        return taken(out, bytes);
    };
    EXPECT_EQ(converted(pem), bytes_of(*write_private_key(key, PrivateForm::expanded, Format::der)));
    EXPECT_EQ(converted(public_pem), write_public_key(public_half(key), Format::der));
}

TEST(KeyFilesInC, TellsWhatIsWrongAndWhere)
{
    const Bytes good = bytes_of(*write_private_key(key_of(ml_dsa()), PrivateForm::both, Format::der));
    EXPECT_EQ(refusal({}).problem, GIRIH_KEY_NOT_RECOGNISED);
    EXPECT_EQ(refusal(Bytes(32, 7)).problem, GIRIH_KEY_ALGORITHM_UNNAMED);
    EXPECT_EQ(refusal(good, girih_algorithm("ML-DSA-65")).problem, GIRIH_KEY_OTHER_ALGORITHM);
    EXPECT_EQ(refusal(pkcs8("Ed25519", element(0x04, Bytes(32)))).problem, GIRIH_KEY_OTHER_ALGORITHM);
    EXPECT_EQ(refusal(with_byte(good, good.size() - 1, 1)).problem, GIRIH_KEY_INVALID);
    const girih_key_error der = refusal(pkcs8("ML-DSA-44", element(0x80, Bytes(31))));
    EXPECT_EQ(der.problem, GIRIH_KEY_MALFORMED);
    EXPECT_EQ(der.byte, 20u);
    EXPECT_EQ(der.line, GIRIH_KEY_NOWHERE);
    EXPECT_STREQ(der.message, "byte 20 of the DER: seed has 31 bytes, and should have 32");
    const girih_key_error pem =
        refusal(bytes_of("\n-----BEGIN PUBLIC KEY-----\n?\n-----END PUBLIC KEY-----\n"));
    EXPECT_EQ(pem.problem, GIRIH_KEY_MALFORMED);
    EXPECT_EQ(pem.line, 3u);
    EXPECT_EQ(pem.byte, GIRIH_KEY_NOWHERE);
}

TEST(KeyFilesInC, RefusesRequestsThatItCannotDo)
{
    Key key;
    make(key);
    Key public_key;
    const Bytes file = write_public_key(public_half(key_of(ml_dsa())), Format::der);
    ASSERT_EQ(girih_key_read(file.data(), file.size(), nullptr, no_passphrase, &public_key.c, nullptr), 0);
    EXPECT_EQ(girih_key_kind_of(public_key.c), GIRIH_KEY_PUBLIC);
    EXPECT_EQ(girih_key_secret_key(public_key.c), nullptr);
    const auto refused = [](const girih_key* from, const girih_key_encoding& encoding) {
        std::uint8_t byte = 0;
        std::uint8_t* out = &byte;
        std::size_t bytes = 1;
        const int problem = girih_key_write_private(from, &encoding, &out, &bytes, nullptr);
        EXPECT_EQ(out, nullptr);
        EXPECT_EQ(bytes, 0u);
        return problem;
    };
    EXPECT_EQ(refused(public_key.c, {}), GIRIH_KEY_OTHER_KIND);
    EXPECT_EQ(refused(nullptr, {}), GIRIH_KEY_ARGUMENT);
    for (const int none : {3, 4, 77, INT_MAX, -1}) {
        EXPECT_EQ(refused(key.c, encoding_of(none)), GIRIH_KEY_ARGUMENT) << none;
        if (none != GIRIH_KEY_BOTH) {
            EXPECT_EQ(refused(key.c, encoding_of(GIRIH_KEY_PEM, none)), GIRIH_KEY_ARGUMENT) << none;
        }
        EXPECT_EQ(refused(key.c, encrypting(words(), none, 2)), GIRIH_KEY_ARGUMENT) << none;
        std::uint8_t* out = nullptr;
        std::size_t bytes = 0;
        EXPECT_EQ(girih_key_write_public(key.c, none, &out, &bytes, nullptr), GIRIH_KEY_ARGUMENT) << none;
    }
    EXPECT_EQ(refused(key.c, encoding_of(GIRIH_KEY_RAW, GIRIH_KEY_BOTH)), GIRIH_KEY_REQUEST);
    EXPECT_EQ(refused(key.c, encrypting({words().bytes, 0}, GIRIH_KEY_SCRYPT, 0)), GIRIH_KEY_REQUEST);
    EXPECT_EQ(refused(key.c, encrypting(words(), GIRIH_KEY_PBKDF2_SHA256, 4'000'000'000)),
              GIRIH_KEY_ENCRYPTION);
}

TEST(KeyFilesInC, TakesNullForNothing)
{
    girih_key_free(nullptr);
    girih_key_file_free(nullptr, 0);
    EXPECT_EQ(girih_key_algorithm(nullptr), nullptr);
    EXPECT_EQ(girih_key_public_key(nullptr), nullptr);
    EXPECT_EQ(girih_key_seed(nullptr), nullptr);
    EXPECT_EQ(girih_key_fingerprint(nullptr, nullptr), GIRIH_KEY_ARGUMENT);
    EXPECT_EQ(girih_key_generate(ml_dsa(), nullptr, nullptr), GIRIH_KEY_ARGUMENT);
    EXPECT_EQ(girih_key_read(nullptr, 1, nullptr, no_passphrase, nullptr, nullptr), GIRIH_KEY_ARGUMENT);
}

}  // namespace
}  // namespace girih::key_files
