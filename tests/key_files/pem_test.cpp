#include "key_files/pem.hpp"

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

const girih_alg* ml_dsa_44() { return girih_algorithm("ML-DSA-44"); }

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

void expect_read(const std::string& text)
{
    const auto key = read_private_key(bytes_of(text));
    ASSERT_TRUE(key) << key.error().message << "\n" << text;
    EXPECT_EQ(bytes_of(key->seed), Bytes(32, 7));
}

TEST(Pem, IsWrittenInLinesOf64)
{
    const auto text = write_private_key(key_of(ml_dsa_44()), PrivateForm::seed, Format::pem);
    ASSERT_TRUE(text);
    EXPECT_EQ(std::string(text->begin(), text->end()), good);
}

TEST(Pem, OfWholeLinesHasNoEmptyOne)
{
    const Bytes content(96, 0);
    const SecretBytes text = pem::encode("X", content);
    const std::string line(64, 'A');
    EXPECT_EQ(std::string(text.begin(), text.end()),
              "-----BEGIN X-----\n" + line + "\n" + line + "\n-----END X-----\n");
}

TEST(Pem, IsReadWithAnyLineEnds)
{
    for (const std::string_view line_end : {"\r\n", "\r"}) {
        std::string text;
        for (const char c : good) text += c == '\n' ? line_end : std::string_view(&c, 1);
        expect_read(text);
    }
    expect_read(good.substr(0, good.size() - 1));
}

TEST(Pem, IsReadWithWhiteSpaceAnywhereInTheBlock)
{
    expect_read(with("MDQC", " M\tD\vQ\fC "));
    expect_read(with("BwcHBwcH\n", "\n\nBwcH\n \nBwcH\n"));
    expect_read(with("KEY-----\n", "KEY----- \t\n"));
    expect_read(" \t" + good);
    expect_read(with("H\nBw", "HBw"));
}

TEST(Pem, IsReadBetweenExplanatoryText)
{
    expect_read("Subject: nobody\n0 -----\n" + good + "\nafter: all\n");
}

/// A block of what is not base64, which nobody is to look into.
std::string block(std::string_view label)
{
    const std::string name(label);
    return "-----BEGIN " + name + "-----\nProc-Type: 4\n*\n-----END " + name + "-----\n";
}

Bytes public_pem(const std::string& name)
{
    return write_public_key(public_half(key_of(girih_algorithm(name.c_str()))), Format::pem);
}

TEST(Pem, IsReadAfterAByteOrderMark)
{
    const std::string mark = "\xEF\xBB\xBF";
    expect_read(mark + good);
    expect_read(mark + "Subject: nobody\n" + good);
    expect_read(mark + block("EC PARAMETERS") + mark + good);
}

TEST(Pem, IsReadAmongBlocksOfOtherKinds)
{
    expect_read(block("EC PARAMETERS") + "Bag Attributes\n    friendlyName: -----BEGIN CERTIFICATE-----\n" +
                block("X509 CRL") + good + "Key Attributes: <No Attributes>\n" + block("RSA PRIVATE KEY"));
}

/// cat joins files as they are.
TEST(Pem, IsReadAfterAnEndLineThatHasNoEnd)
{
    const std::string other = block("EC PARAMETERS");
    expect_read(other.substr(0, other.size() - 1) + good);
    expect_read(other.substr(0, other.size() - 1) + other.substr(0, other.size() - 1) + good);
    expect_refused({"", bytes_of(other.substr(0, other.size() - 1) + with("MDQC", "MD*C")),
                    Problem::pem_character, "line 5: a character that is not base64"});
}

TEST(Pem, OfAPrivateKeyIsReadBesidePublicOnes)
{
    const std::string shown = [] {
        const Bytes file = public_pem("ML-DSA-65");
        return std::string(file.begin(), file.end());
    }();
    for (const std::string& file : {shown + good, good + shown, block("CERTIFICATE") + shown + good})
        expect_read(file);
}

TEST(Pem, OfAPublicKeyIsTheFirst)
{
    const Bytes first = public_pem("ML-DSA-65");
    for (const Bytes& file : {join({first, public_pem("ML-DSA-44")}), join({bytes_of(good), first}),
                              join({first, bytes_of(good + block("CERTIFICATE") + good)})}) {
        const auto key = read_public_key(file);
        ASSERT_TRUE(key) << key.error().message;
        EXPECT_STREQ(girih_name(key->alg), "ML-DSA-65");
    }
    EXPECT_EQ(read(join({first, public_pem("ML-DSA-44")}))->kind, Kind::public_key);
    const auto only_private = read_public_key(bytes_of(good));
    ASSERT_FALSE(only_private);
    EXPECT_EQ(only_private.error().message, "is a private key, not a public key");
}

TEST(Pem, OfACertificateHasTwoOlderLabels)
{
    const PublicKey key = public_half(key_of(ml_dsa_44()));
    const Bytes der = files_of(key.alg, key.bytes).back().second;
    for (const std::string_view label : {"CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE"}) {
        const auto found = read(bytes_of(pem::encode(label, der)));
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_EQ(found->kind, Kind::certificate);
    }
}

class MalformedPem : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedPem, IsRefusedForItsOwnReason) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Pem, MalformedPem,
    testing::Values(
        Malformed{"BeginWithFourDashes", bytes_of(with("KEY-----\n", "KEY----\n")), Problem::pem_boundary,
                  "line 1"},
        Malformed{"BeginWithSixDashes", bytes_of(with("KEY-----\n", "KEY------\n")), Problem::pem_boundary,
                  "line 1"},
        Malformed{"BeginNotAtTheLinesStart", bytes_of("ten chars: " + good), Problem::pem_boundary, "line 1"},
        Malformed{"BeginWithoutLabel", bytes_of(with("BEGIN PRIVATE KEY", "BEGIN ")), Problem::pem_boundary,
                  "line 1"},
        Malformed{"BeginWithoutBlank", bytes_of(with("BEGIN PRIVATE", "BEGIN_PRIVATE")),
                  Problem::pem_boundary, "line 1"},
        Malformed{"LabelWithControlCharacter", bytes_of(with("BEGIN PRIVATE", "BEGIN \x1b[2J")),
                  Problem::pem_boundary, "line 1"},
        Malformed{"EndWithFourDashes", bytes_of(with("END PRIVATE KEY-----", "END PRIVATE KEY----")),
                  Problem::pem_boundary, "line 4: not a whole -----END PRIVATE KEY----- line"},
        Malformed{"DashesInsteadOfEnd", bytes_of(with("-----END", "-----ENT")), Problem::pem_boundary,
                  "line 4"},
        Malformed{"NoEnd", bytes_of(good.substr(0, good.find("-----END"))), Problem::pem_no_end, "line 1"},
        Malformed{"EndOfAnotherLabel", bytes_of(with("END PRIVATE", "END PUBLIC")), Problem::pem_end_label,
                  "line 4: END PUBLIC KEY closes BEGIN PRIVATE KEY of line 1"},
        Malformed{"TwoPrivateKeys", bytes_of(good + good), Problem::pem_several,
                  "line 5: a second private key begins here, after that of line 1"},
        Malformed{"PrivateKeyAndAnEncryptedOne", bytes_of(good + block("ENCRYPTED PRIVATE KEY")),
                  Problem::pem_several, "line 5"},
        Malformed{"SecondBlockWithoutEnd", bytes_of(good + "-----BEGIN CERTIFICATE-----\n"),
                  Problem::pem_no_end, "line 5: BEGIN CERTIFICATE has no END"},
        Malformed{
            "BlocksOfOtherKinds",
            bytes_of(block("EC PARAMETERS") + block("EC PRIVATE KEY") + block("EC PARAMETERS") +
                     block("TRUSTED CERTIFICATE")),
            Problem::pem_label,
            "PEM blocks of the kinds EC PARAMETERS, EC PRIVATE KEY and TRUSTED CERTIFICATE; PRIVATE KEY"},
        Malformed{"Headers", bytes_of(with("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\n")),
                  Problem::pem_header, "line 2: a header"},
        Malformed{"BadCharacterInLine2", bytes_of(with("MDQC", "MD*C")), Problem::pem_character,
                  "line 2: a character that is not base64"},
        Malformed{"BadCharacterInLine3", bytes_of(with("\nBwcH", "\nBw_H")), Problem::pem_character,
                  "line 3"},
        Malformed{"ByteAbove127", bytes_of(with("MDQC", "MD\xC3\xA4")), Problem::pem_character, "line 2"},
        Malformed{"EqualsSignInTheMiddle", bytes_of(with("\nBwcHBwcH", "=\nBwcHBwc")), Problem::pem_padding,
                  "line 2: '=' before the end"},
        Malformed{"OneCharacterTooFew", bytes_of(with("BwcH\n-", "Bwc\n-")), Problem::pem_padding, "line 3"},
        Malformed{"ThreeEqualsSigns", bytes_of(with("BwcH\n-", "B===\n-")), Problem::pem_padding, "line 3"},
        Malformed{"UnusedBits", bytes_of(with("BwcH\n-", "BwcHBx==\n-")), Problem::pem_unused_bits, "line 3"},
        Malformed{"NothingInside", bytes_of("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"),
                  Problem::der_truncated, "byte 0"},
        Malformed{"UnknownLabel",
                  bytes_of("-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----\n"),
                  Problem::pem_label, "RSA PRIVATE KEY"},
        Malformed{
            "EncryptedKey",
            bytes_of("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n"),
            Problem::der_truncated, "EncryptedPrivateKeyInfo ends where encryptionAlgorithm"},
        Malformed{"PrivateKeyLabelledPublic",
                  bytes_of("-----BEGIN PUBLIC KEY-----" +
                           good.substr(good.find('\n'), good.find("-----END") - good.find('\n')) +
                           "-----END PUBLIC KEY-----"),
                  Problem::der_tag,
                  "byte 2 of the DER: AlgorithmIdentifier (SEQUENCE) is expected, and not INTEGER"}),
    name_of);

}  // namespace
}  // namespace girih::key_files
