/// girih_key_files.h, which is key_files.hpp in C.
#include <girih/girih_key_files.h>

#include <climits>
#include <cstring>
#include <utility>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

constexpr std::pair<int, Format> formats[]{{GIRIH_KEY_PEM, Format::pem},
                                           {GIRIH_KEY_DER, Format::der},
                                           {GIRIH_KEY_RAW, Format::raw},
                                           {GIRIH_KEY_JWK, Format::jwk},
                                           {GIRIH_KEY_COSE, Format::cose_key}};
constexpr std::pair<int, PrivateForm> forms[]{{GIRIH_KEY_SEED, PrivateForm::seed},
                                              {GIRIH_KEY_EXPANDED, PrivateForm::expanded},
                                              {GIRIH_KEY_BOTH, PrivateForm::both}};

const PrivateKey& in_cpp() { return key_of("ML-DSA-44"); }

/// A key, which is freed here.
struct Key {
    girih_key* c = nullptr;
    Key() = default;
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;
    ~Key() { girih_key_free(c); }

    int read(const Bytes& file, const girih_alg* alg = nullptr, girih_passphrase words = {})
    {
        return girih_key_read(file.data(), file.size(), alg, words, &c, nullptr);
    }
};

/// A written file, and the result of writing it.
struct Written {
    int problem;
    Bytes file;
};

template <class Write, class... Arguments>
Written written(Write write, Arguments... arguments)
{
    std::uint8_t byte = 0;
    std::uint8_t* file = &byte;
    std::size_t bytes = 1;
    const int problem = write(arguments..., &file, &bytes, nullptr);
    if (problem != GIRIH_KEY_OK) {
        EXPECT_EQ(file, nullptr);
        EXPECT_EQ(bytes, 0u);
        return {problem, {}};
    }
    Bytes copy(file, file + bytes);
    girih_key_file_free(file, bytes);
    return {problem, copy};
}

Written private_file(const girih_key* key, const girih_key_encoding& encoding)
{
    return written(girih_key_write_private, key, &encoding);
}
Written public_file(const girih_key* key, int format) { return written(girih_key_write_public, key, format); }

girih_key_encoding encoding_of(int format, int form = GIRIH_KEY_PREFERRED)
{
    return {format, form, {}, 0, 0, 0, 0, 0};
}

girih_passphrase passphrase() { return {words().bytes.data(), words().bytes.size()}; }

/// An encryption fast enough for a test.
girih_key_encoding encrypting(girih_passphrase words, int kdf, std::uint32_t iterations)
{
    return {GIRIH_KEY_PEM, GIRIH_KEY_PREFERRED, words, kdf, iterations, 4, 0, 0};
}

/// The error of reading a file.
girih_key_error refusal(const Bytes& file, const girih_alg* alg = nullptr, girih_passphrase words = {})
{
    girih_key_error error{};
    girih_key* key = reinterpret_cast<girih_key*>(&error);
    EXPECT_EQ(girih_key_read(file.data(), file.size(), alg, words, &key, &error), error.problem);
    EXPECT_NE(error.problem, GIRIH_KEY_OK);
    EXPECT_EQ(key, nullptr);
    return error;
}

class KeyFilesInC : public testing::Test {
  protected:
    void SetUp() override
    {
        const Bytes seed(32, 7);
        ASSERT_EQ(girih_key_from_seed(in_cpp().alg, seed.data(), seed.size(), &key_.c, nullptr),
                  GIRIH_KEY_OK);
    }
    Key key_;
};

TEST_F(KeyFilesInC, WritesWhatCppWritesAndReadsIt)
{
    const PublicKey shown = public_half(in_cpp());
    for (const auto& [format, cpp_format] : formats) {
        for (const auto& [form, cpp_form] : forms) {
            const auto expected = write_private_key(in_cpp(), cpp_form, cpp_format);
            if (!expected) continue;
            const Bytes file = private_file(key_.c, encoding_of(format, form)).file;
            EXPECT_EQ(file, bytes_of(*expected));
            Key back;
            ASSERT_EQ(back.read(file, in_cpp().alg), GIRIH_KEY_OK);
            EXPECT_EQ(girih_key_kind_of(back.c), GIRIH_KEY_PRIVATE);
            EXPECT_EQ(girih_key_format_of(back.c), format);
            EXPECT_EQ(girih_key_form_of(back.c), form);
            EXPECT_EQ(girih_key_seed(back.c) == nullptr, form == GIRIH_KEY_EXPANDED);
            EXPECT_EQ(std::memcmp(girih_key_secret_key(back.c), in_cpp().expanded.data(), 2560), 0);
            EXPECT_EQ(std::memcmp(girih_key_public_key(back.c), shown.bytes.data(), 1312), 0);
        }
        EXPECT_EQ(public_file(key_.c, format).file, write_public_key(shown, cpp_format));
    }
    EXPECT_EQ(private_file(key_.c, {}).file,
              bytes_of(*write_private_key(in_cpp(), PrivateForm::seed, Format::pem)));
    std::array<std::uint8_t, 32> digest{};
    EXPECT_EQ(girih_key_fingerprint(key_.c, digest.data()), GIRIH_KEY_OK);
    EXPECT_EQ(digest, fingerprint(shown));
}

TEST_F(KeyFilesInC, EncryptsAndDecrypts)
{
    for (const girih_key_kdf kdf : {GIRIH_KEY_PBKDF2_SHA256, GIRIH_KEY_PBKDF2_SHA512, GIRIH_KEY_SCRYPT}) {
        const Bytes file = private_file(key_.c, encrypting(passphrase(), kdf, 2)).file;
        EXPECT_EQ(refusal(file).problem, GIRIH_KEY_ENCRYPTED);
        const std::uint8_t wrong = 'x';
        const girih_key_error error = refusal(file, nullptr, {&wrong, 1});
        EXPECT_EQ(error.problem, GIRIH_KEY_PASSPHRASE);
        EXPECT_STREQ(error.message, "the passphrase is wrong, or the encrypted key was changed");
        Key back;
        ASSERT_EQ(back.read(file, nullptr, passphrase()), GIRIH_KEY_OK);
        EXPECT_EQ(girih_key_is_encrypted(back.c), 1);
        EXPECT_EQ(girih_key_algorithm(back.c), in_cpp().alg);
    }
}

TEST_F(KeyFilesInC, ConvertsPrivateAndPublicKeys)
{
    const girih_key_encoding der = encoding_of(GIRIH_KEY_DER, GIRIH_KEY_EXPANDED);
    const auto converted = [&der](const Bytes& file) {
        return written(girih_key_convert, file.data(), file.size(), nullptr, girih_passphrase{}, &der).file;
    };
    EXPECT_EQ(converted(private_file(key_.c, {}).file),
              bytes_of(*write_private_key(in_cpp(), PrivateForm::expanded, Format::der)));
    EXPECT_EQ(converted(public_file(key_.c, GIRIH_KEY_PEM).file),
              write_public_key(public_half(in_cpp()), Format::der));
}

TEST_F(KeyFilesInC, TellsWhatIsWrongAndWhere)
{
    const Bytes good = private_file(key_.c, encoding_of(GIRIH_KEY_DER, GIRIH_KEY_BOTH)).file;
    EXPECT_EQ(refusal({}).problem, GIRIH_KEY_NOT_RECOGNISED);
    EXPECT_EQ(refusal(Bytes(32, 7)).problem, GIRIH_KEY_ALGORITHM_UNNAMED);
    EXPECT_EQ(refusal(good, girih_algorithm("ML-DSA-65")).problem, GIRIH_KEY_OTHER_ALGORITHM);
    EXPECT_EQ(refusal(pkcs8("Ed25519", octets(Bytes(32)))).problem, GIRIH_KEY_OTHER_ALGORITHM);
    EXPECT_EQ(refusal(with_byte(good, good.size() - 1, 1)).problem, GIRIH_KEY_INVALID);
    const girih_key_error der = refusal(pkcs8("ML-DSA-44", seed_choice(Bytes(31))));
    EXPECT_EQ(der.problem, GIRIH_KEY_MALFORMED);
    EXPECT_EQ(der.byte, 20u);
    EXPECT_EQ(der.line, GIRIH_KEY_NOWHERE);
    EXPECT_STREQ(der.message, "byte 20 of the DER: seed has 31 bytes, but should have 32");
    const girih_key_error pem =
        refusal(bytes_of("\n-----BEGIN PUBLIC KEY-----\n?\n-----END PUBLIC KEY-----\n"));
    EXPECT_EQ(pem.problem, GIRIH_KEY_MALFORMED);
    EXPECT_EQ(pem.line, 3u);
    EXPECT_EQ(pem.byte, GIRIH_KEY_NOWHERE);
}

TEST_F(KeyFilesInC, RefusesRequestsThatItCannotDo)
{
    const auto problem = [&](const girih_key_encoding& encoding) {
        return private_file(key_.c, encoding).problem;
    };
    Key shown;
    ASSERT_EQ(shown.read(public_file(key_.c, GIRIH_KEY_DER).file), GIRIH_KEY_OK);
    EXPECT_EQ(girih_key_kind_of(shown.c), GIRIH_KEY_PUBLIC);
    EXPECT_EQ(girih_key_secret_key(shown.c), nullptr);
    EXPECT_EQ(private_file(shown.c, {}).problem, GIRIH_KEY_OTHER_KIND);
    EXPECT_EQ(private_file(nullptr, {}).problem, GIRIH_KEY_ARGUMENT);
    for (const int none : {5, 6, 77, INT_MAX, -1}) {
        EXPECT_EQ(problem(encoding_of(none)), GIRIH_KEY_ARGUMENT) << none;
        EXPECT_EQ(problem(encoding_of(GIRIH_KEY_PEM, none)), GIRIH_KEY_ARGUMENT) << none;
        EXPECT_EQ(problem(encrypting(passphrase(), none, 2)), GIRIH_KEY_ARGUMENT) << none;
        EXPECT_EQ(public_file(key_.c, none).problem, GIRIH_KEY_ARGUMENT) << none;
    }
    EXPECT_EQ(problem(encoding_of(GIRIH_KEY_RAW, GIRIH_KEY_BOTH)), GIRIH_KEY_REQUEST);
    EXPECT_EQ(problem(encoding_of(GIRIH_KEY_JWK, GIRIH_KEY_EXPANDED)), GIRIH_KEY_REQUEST);
    EXPECT_EQ(problem(encrypting({passphrase().bytes, 0}, GIRIH_KEY_SCRYPT, 0)), GIRIH_KEY_REQUEST);
    EXPECT_EQ(problem(encrypting(passphrase(), GIRIH_KEY_PBKDF2_SHA256, 4'000'000'000)),
              GIRIH_KEY_ENCRYPTION);
}

TEST(KeyFilesInCOfNull, IsNothing)
{
    girih_key_free(nullptr);
    girih_key_file_free(nullptr, 0);
    EXPECT_EQ(girih_key_algorithm(nullptr), nullptr);
    EXPECT_EQ(girih_key_public_key(nullptr), nullptr);
    EXPECT_EQ(girih_key_seed(nullptr), nullptr);
    EXPECT_EQ(girih_key_fingerprint(nullptr, nullptr), GIRIH_KEY_ARGUMENT);
    EXPECT_EQ(girih_key_generate(in_cpp().alg, nullptr, nullptr), GIRIH_KEY_ARGUMENT);
    EXPECT_EQ(girih_key_read(nullptr, 1, nullptr, {}, nullptr, nullptr), GIRIH_KEY_ARGUMENT);
}

}  // namespace
}  // namespace girih::key_files
