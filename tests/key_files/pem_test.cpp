/// PEM and its base64, and the recognition of the kinds of files.
#include "key_files/encoding/pem.hpp"

#include "key_files/encoding/base64.hpp"
#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;
using enum Problem;

/// The seed of seven bytes 7, as RFC 9881's examples are written.
const std::string good =
    "-----BEGIN PRIVATE KEY-----\n"
    "MDQCAQAwCwYJYIZIAWUDBAMRBCKAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH\n"
    "BwcHBwcH\n"
    "-----END PRIVATE KEY-----\n";

/// `good` with the first `from` replaced.
std::string with(std::string_view from, std::string_view to)
{
    std::string text = good;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// A block whose content is not base64, and should not be read.
std::string block(const std::string& label)
{
    return "-----BEGIN " + label + "-----\nProc-Type: 4\n*\n-----END " + label + "-----\n";
}

std::string public_pem(const char* name)
{
    const Bytes file = write_public_key(public_half(key_of(name)), Format::pem);
    return {file.begin(), file.end()};
}

std::string with_line_ends(std::string_view line_end)
{
    std::string text;
    for (const char c : good) text += c == '\n' ? line_end : std::string_view(&c, 1);
    return text;
}

TEST(Pem, IsWrittenInLinesOf64)
{
    EXPECT_EQ(bytes_of(*write_private_key(key_of("ML-DSA-44"), PrivateForm::seed, Format::pem)),
              bytes_of(good));
    const std::string line(64, 'A');
    EXPECT_EQ(bytes_of(pem::encode("X", Bytes(96, 0))),
              bytes_of("-----BEGIN X-----\n" + line + "\n" + line + "\n-----END X-----\n"))
        << "without an empty line";
}

TEST(Pem, IsReadWithAnyLineEndsAmongWhiteSpaceTextAndOtherBlocks)
{
    const std::string mark = "\xEF\xBB\xBF";  // of byte order
    const std::string other = block("EC PARAMETERS"), unended = other.substr(0, other.size() - 1);
    const std::string shown = public_pem("ML-DSA-65");
    for (const std::string& text :
         {with_line_ends("\r\n"), with_line_ends("\r"), good.substr(0, good.size() - 1),
          with("MDQC", " M\tD\vQ\fC "), with("BwcHBwcH\n", "\n\nBwcH\n \nBwcH\n"),
          with("KEY-----\n", "KEY----- \t\n"), " \t" + good, with("H\nBw", "HBw"),
          "Subject: nobody\n0 -----\n" + good + "\nafter: all\n",  //
          mark + good, mark + "Subject: nobody\n" + good, mark + other + mark + good,
          other + "Bag Attributes\n    friendlyName: -----BEGIN CERTIFICATE-----\n" + block("X509 CRL") +
              good + "Key Attributes: <No Attributes>\n" + block("RSA PRIVATE KEY"),
          unended + good, unended + unended + good,  // cat joins files as they are
          shown + good, good + shown, block("CERTIFICATE") + shown + good}) {
        const auto key = read_private_key(bytes_of(text));
        ASSERT_TRUE(key) << key.error().message << "\n" << text;
        EXPECT_EQ(key->seed, SecretBytes(32, 7));
    }
}

TEST(Pem, OfAPublicKeyIsTheFirst)
{
    const std::string first = public_pem("ML-DSA-65"), second = public_pem("ML-DSA-44");
    for (const std::string& file :
         {first + second, good + first, first + good + block("CERTIFICATE") + good}) {
        const auto key = read_public_key(bytes_of(file));
        ASSERT_TRUE(key) << key.error().message;
        EXPECT_STREQ(girih_name(key->alg), "ML-DSA-65");
    }
    EXPECT_EQ(read(bytes_of(first + second))->kind, Kind::public_key);
    EXPECT_EQ(read_public_key(bytes_of(good)).error().message, "is a private key, not a public key");
    EXPECT_EQ(read_private_key(bytes_of(first)).error().message, "is a public key, not a private key");
}

TEST(Pem, OfACertificateHasTwoOlderLabels)
{
    for (const std::string_view label : {"CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE"}) {
        const auto found = read(bytes_of(pem::encode(label, Certificate{}.der())));
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_EQ(found->kind, Kind::certificate);
    }
}

TEST(MalformedPem, IsRefusedForItsOwnReason)
{
    const std::string begin = "-----BEGIN PRIVATE KEY-----\n", end = "-----END PRIVATE KEY-----\n";
    const std::string other = block("EC PARAMETERS"), unended = other.substr(0, other.size() - 1);
    const std::string body = good.substr(begin.size(), good.size() - begin.size() - end.size());
    const std::string encrypted = "ENCRYPTED PRIVATE KEY-----\n", rsa = "RSA PRIVATE KEY-----\n";
    for (const auto& [text, problem, says] : std::vector<std::tuple<std::string, Problem, const char*>>{
             {with("KEY-----\n", "KEY----\n"), pem_boundary, "line 1"},
             {with("KEY-----\n", "KEY------\n"), pem_boundary, "line 1"},
             {"ten chars: " + good, pem_boundary, "line 1"},
             {with("BEGIN PRIVATE KEY", "BEGIN "), pem_boundary, "line 1"},
             {with("BEGIN PRIVATE", "BEGIN_PRIVATE"), pem_boundary, "line 1"},
             {with("BEGIN PRIVATE", "BEGIN \x1b[2J"), pem_boundary, "line 1"},
             {with("END PRIVATE KEY-----", "END PRIVATE KEY----"), pem_boundary,
              "line 4: not a whole -----END PRIVATE KEY----- line"},
             {with("-----END", "-----ENT"), pem_boundary, "line 4"},
             {begin + body, pem_no_end, "line 1"},
             {with("END PRIVATE", "END PUBLIC"), pem_end_label,
              "line 4: END PUBLIC KEY closes BEGIN PRIVATE KEY of line 1"},
             {good + good, pem_several, "line 5: a second private key begins here, after that of line 1"},
             {good + block("ENCRYPTED PRIVATE KEY"), pem_several, "line 5"},
             {good + "-----BEGIN CERTIFICATE-----\n", pem_no_end, "line 5: BEGIN CERTIFICATE has no END"},
             {other + block("EC PRIVATE KEY") + other + block("TRUSTED CERTIFICATE"), pem_label,
              "PEM blocks of the kinds EC PARAMETERS, EC PRIVATE KEY and TRUSTED CERTIFICATE; \"openssl"},
             {"-----BEGIN " + rsa + "MAA=\n-----END " + rsa, pem_label, "RSA PRIVATE KEY"},
             {with("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\n"), pem_header, "line 2: a header"},
             {with("MDQC", "MD*C"), pem_character, "line 2: a character that is not base64"},
             {with("\nBwcH", "\nBw_H"), pem_character, "line 3"},
             {unended + with("MDQC", "MD*C"), pem_character, "line 5: a character that"},
             {with("MDQC", "MD\xC3\xA4"), pem_character, "line 2"},
             {with("\nBwcHBwcH", "=\nBwcHBwc"), pem_padding, "line 2: '=' before the end"},
             {with("BwcH\n-", "Bwc\n-"), pem_padding, "line 3"},
             {with("BwcH\n-", "B===\n-"), pem_padding, "line 3"},
             {with("BwcH\n-", "BwcHBx==\n-"), pem_unused_bits, "line 3"},
             {begin + end, der_truncated, "byte 0"},
             {"-----BEGIN " + encrypted + "MAA=\n-----END " + encrypted, der_truncated,
              "EncryptedPrivateKeyInfo ends where encryptionAlgorithm"},
             {"-----BEGIN PUBLIC KEY-----\n" + body + "-----END PUBLIC KEY-----", der_tag,
              "byte 2 of the DER: AlgorithmIdentifier (SEQUENCE) is expected, not INTEGER"},
         })
        expect_refused({bytes_of(text), problem, says});
    EXPECT_EQ(read(bytes_of("\n\n-----BEGIN PUBLIC KEY-----\n?\n-----END PUBLIC KEY-----\n")).error().line,
              4u);
}

// ---- Base64

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encoded(std::string_view bytes)
{
    Bytes characters(base64::encoded_size(bytes.size()));
    base64::encode(bytes_of(bytes), characters);
    return {characters.begin(), characters.end()};
}

base64::Flaw flaw_of(std::string_view characters)
{
    Bytes bytes(characters.size());
    return base64::decode(bytes_of(characters), bytes).flaw;
}

TEST(Base64, HasTheAlphabetForEverySextetAndByte)
{
    for (unsigned c = 0; c < 256; ++c) {
        const auto place = alphabet.find(static_cast<char>(c));
        const base64::Sextet s = base64::sextet(static_cast<Byte>(c));
        EXPECT_EQ(s.valid, place == std::string_view::npos ? 0 : ~0u) << c;
        EXPECT_EQ(s.value, place == std::string_view::npos ? 0 : place) << c;
    }
    for (std::uint32_t value = 0; value < alphabet.size(); ++value)
        EXPECT_EQ(base64::character(value), static_cast<Byte>(alphabet[value])) << value;
}

TEST(Base64, EncodesTheExamplesOfRfc4648)
{
    constexpr std::string_view examples[]{"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (std::size_t bytes = 0; bytes < std::size(examples); ++bytes)
        EXPECT_EQ(encoded(std::string_view("foobar").substr(0, bytes)), examples[bytes]);
}

TEST(Base64, DecodesWhatItEncodesForEveryLengthAndByte)
{
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        const Bytes characters = bytes_of(encoded(bytes));
        Bytes back(characters.size() / 4 * 3);
        const auto decoded = base64::decode(characters, back);
        ASSERT_EQ(decoded.flaw, base64::Flaw::none) << i;
        back.resize(decoded.bytes);
        EXPECT_EQ(back, bytes_of(bytes)) << i;
        bytes.push_back(static_cast<char>(i));
    }
}

TEST(Base64, RefusesCharactersLengthsAndBitsThatItDoesNotHave)
{
    for (const std::string_view text : {"-m9vYmFy", "Z-9vYmFy", "Zm-vYmFy", "Zm9-YmFy", "Zm9v-mFy",
                                        "Zm9vY-Fy", "Zm9vYm-y", "Zm9vYmF-", "Zm=vYmFy"})
        EXPECT_EQ(flaw_of(text), base64::Flaw::character) << text;
    for (const std::string_view text : {"Z", "Zg", "Zg=", "Zm9vY", "Zm9vYm", "Zm9vYmF", "Z===", "===="})
        EXPECT_EQ(flaw_of(text), base64::Flaw::padding) << text;
    for (const std::string_view text : {"Zh==", "Zv==", "Zn==", "Zm9=", "Zm+="})
        EXPECT_EQ(flaw_of(text), base64::Flaw::unused_bits) << text;
}

// ---- Raw keys, and files that are not keys

TEST(Recognition, RefusesWhatIsNoKeyAndNamesWhatARawKeyMayBe)
{
    const auto raw = [](std::size_t bytes, Problem problem, std::string_view says) {
        expect_refused({Bytes(bytes, 7), problem, says});
    };
    expect_refused({{}, empty, "empty"});
    expect_refused({bytes_of("hello\n"), unrecognised, "not PEM, DER, JWK or COSE_Key"});
    raw(32, raw_unnamed, "a raw seed, whose algorithm has to be named");
    raw(64, raw_unnamed, "a raw seed");
    raw(4032, raw_unnamed, "a raw ML-DSA-65 secret key");
    raw(1632, raw_unnamed, "a raw ML-KEM-512 secret key");
    raw(1763, raw_unnamed, "a raw sntrup761 secret key");
    raw(1952, raw_unnamed, "a raw ML-DSA-65 or Dilithium3 public key");
    raw(1184, raw_unnamed, "a raw ML-KEM-768 or ntrulpr857 public key");
    raw(1039, raw_unnamed, "a raw ntrulpr761 public key");
    raw(3309, unrecognised, "a raw ML-DSA-65 signature");
    raw(1088, unrecognised, "a raw ML-KEM-768 ciphertext");
    raw(1167, unrecognised, "a raw ntrulpr761 ciphertext");
    const Bytes unknown_scheme = sequence({sequence({{0x06, 1, 0x2A}}), octets({1, 2, 3})});
    expect_refused({unknown_scheme, encryption,
                    "byte 4 of the DER: the private key is encrypted with the scheme 1.2, which girih does "
                    "not decrypt"});
}

TEST(Recognition, ChecksRawKeysOfANamedAlgorithm)
{
    const girih_alg* ml_dsa = girih_algorithm("ML-DSA-65");
    const girih_alg* ml_kem = girih_algorithm("ML-KEM-512");
    const Bytes signing = secret_of("ML-DSA-65"), decapsulating = secret_of("ML-KEM-512");
    expect_refused({Bytes(1951, 1), raw_length, "a seed has 32, a secret key 4032, a public key 1952"},
                   ml_dsa);
    expect_refused({Bytes(63, 7), raw_length, "a seed has 64, a secret key 1632"}, ml_kem);
    expect_refused({with_byte(signing, 4031, 1), secret_key_mismatch, ""}, ml_dsa);
    expect_refused({with_byte(decapsulating, 1568, 1), secret_key_mismatch, "its hash"}, ml_kem);
    expect_refused({with_byte(decapsulating, 0, 1), secret_key_mismatch, "its s"}, ml_kem);
    Bytes like_der(32, 0);
    like_der[0] = 0x30, like_der[1] = 30;
    const auto key = read_private_key(like_der, ml_dsa);
    ASSERT_TRUE(key) << key.error().message;
    EXPECT_EQ(bytes_of(key->seed), like_der);
}

/// A certificate may quote another in a comment.
TEST(Recognition, TakesDerForDerWhateverTextIsInIt)
{
    const Bytes quote = element(0x0C, bytes_of("\n-----BEGIN CERTIFICATE-----\n"));
    const auto found = read(Certificate{.issuer = sequence({quote})}.der());
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->public_key(), certified_key());
}

TEST(Recognition, NamesUtf16)
{
    for (const bool is_big_endian : {false, true}) {
        Bytes file = is_big_endian ? Bytes{0xFE, 0xFF} : Bytes{0xFF, 0xFE};
        for (const char c : public_pem("ML-DSA-65")) {
            if (is_big_endian) file.push_back(0);
            file.push_back(static_cast<std::uint8_t>(c));
            if (!is_big_endian) file.push_back(0);
        }
        expect_refused({file, unrecognised, "PEM in UTF-16"});
        expect_refused({file, unrecognised, "PEM in UTF-16"}, girih_algorithm("ML-DSA-65"));
    }
}

TEST(Recognition, RefusesAKeyOfAnotherAlgorithm)
{
    for (const auto& [found, asked, says] :
         {std::tuple{"Dilithium3", "ML-DSA-65", "is a Dilithium3 key, not an ML-DSA-65 key"},
          std::tuple{"sntrup761", "ML-DSA-65", "is an sntrup761 key, not an ML-DSA-65 key"},
          std::tuple{"ML-KEM-768", "ML-KEM-512", "is an ML-KEM-768 key, not an ML-KEM-512 key"}})
        for (const Format format : {Format::pem, Format::der})
            expect_refused({write_public_key(public_half(key_of(found)), format), algorithm, says},
                           girih_algorithm(asked));
}

TEST(ErasingAllocator, LeavesNothingBehind)
{
    static unsigned char memory[64];
    std::fill(std::begin(memory), std::end(memory), 0xAA);
    erase(memory, sizeof memory);
    EXPECT_EQ(std::count(std::begin(memory), std::end(memory), 0), 64);
}

}  // namespace
}  // namespace girih::key_files
