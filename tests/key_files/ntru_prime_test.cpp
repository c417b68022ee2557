#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

/// The parts of a secret key, which a test may replace.
struct Parts {
    Bytes f;             ///< or a
    Bytes g_reciprocal;  ///< of Streamlined NTRU Prime only
    Bytes public_key;
    Bytes rho;
    Bytes hash;

    [[nodiscard]] Bytes sequence(const Bytes& rest = {}) const
    {
        const Bytes reciprocal = g_reciprocal.empty() ? Bytes{} : element(0x04, g_reciprocal);
        return element(0x30, join({element(0x04, f), reciprocal, element(0x04, public_key),
                                   element(0x04, rho), element(0x04, hash), rest}));
    }
};

Bytes slice(const Bytes& bytes, std::size_t begin, std::size_t count)
{
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

/// The secret key of sntrup761: 191 bytes of f, 191 of 1/g, 1158 of h, 191 of rho
/// and 32 of its hash.
Parts sntrup761_parts(const PrivateKey& key)
{
    const Bytes all = bytes_of(key.expanded);
    return {slice(all, 0, 191), slice(all, 191, 191), slice(all, 382, 1158), slice(all, 1540, 191),
            slice(all, 1731, 32)};
}

/// The secret key of ntrulpr653: 164 bytes of a, 897 of the public key, 32 of rho
/// and 32 of the hash.
Parts ntrulpr653_parts(const PrivateKey& key)
{
    const Bytes all = bytes_of(key.expanded);
    return {slice(all, 0, 164), {}, slice(all, 164, 897), slice(all, 1061, 32), slice(all, 1093, 32)};
}

PrivateKey sntrup761_key(std::uint8_t value = 7) { return key_of(girih_algorithm("sntrup761"), value); }
PrivateKey ntrulpr653_key(std::uint8_t value = 7) { return key_of(girih_algorithm("ntrulpr653"), value); }

TEST(NtruPrime, PublicKeyIsAnOctetStringInTheBitString)
{
    const Bytes key = sntrup761_key().public_key;
    // SEQUENCE { SEQUENCE { OBJECT IDENTIFIER 1.3.6.1.4.1.22554.5.7.2.2 }, BIT STRING
    // { OCTET STRING } }
    const Bytes head{0x30, 0x82, 0x04, 0x9F,                                                  //
                     0x30, 0x0E, 0x06, 0x0C,                                                  //
                     0x2B, 0x06, 0x01, 0x04, 0x01, 0x81, 0xB0, 0x1A, 0x05, 0x07, 0x02, 0x02,  //
                     0x03, 0x82, 0x04, 0x8B, 0x00,                                            //
                     0x04, 0x82, 0x04, 0x86};
    EXPECT_EQ(write_public_key({girih_algorithm("sntrup761"), key}, Format::der), join({head, key}));
}

TEST(NtruPrime, StreamlinedPrivateKeyIsASequenceOfItsParts)
{
    const PrivateKey key = sntrup761_key();
    const Parts parts = sntrup761_parts(key);
    // SEQUENCE { INTEGER 0, SEQUENCE { OBJECT IDENTIFIER }, OCTET STRING { SEQUENCE {
    // OCTET STRING, ... } } }
    const Bytes head{0x30, 0x82, 0x07, 0x0D,                                                  //
                     0x02, 0x01, 0x00,                                                        //
                     0x30, 0x0E, 0x06, 0x0C,                                                  //
                     0x2B, 0x06, 0x01, 0x04, 0x01, 0x81, 0xB0, 0x1A, 0x05, 0x07, 0x02, 0x02,  //
                     0x04, 0x82, 0x06, 0xF6,                                                  //
                     0x30, 0x82, 0x06, 0xF2};
    const Bytes small{0x04, 0x81, 0xBF};
    EXPECT_EQ(bytes_of(*write_private_key(key, PrivateForm::expanded, Format::der)),
              join({head,
                    small,
                    parts.f,
                    small,
                    parts.g_reciprocal,
                    {0x04, 0x82, 0x04, 0x86},
                    parts.public_key,
                    small,
                    parts.rho,
                    {0x04, 0x20},
                    parts.hash}));
}

TEST(NtruPrime, LprimePrivateKeyIsASequenceOfItsParts)
{
    const PrivateKey key = ntrulpr653_key();
    EXPECT_EQ(bytes_of(*write_private_key(key, PrivateForm::expanded, Format::der)),
              pkcs8("ntrulpr653", ntrulpr653_parts(key).sequence()));
}

TEST(NtruPrime, PrivateKeyIsReadWithAttributesAndItsPublicKey)
{
    const PrivateKey key = sntrup761_key();
    const Bytes content = sntrup761_parts(key).sequence();
    const Bytes attributes = element(0xA0, {});
    const Bytes public_key = element(0x81, public_key_bits(key.alg, key.public_key));
    EXPECT_TRUE(read_private_key(pkcs8("sntrup761", content, 0, attributes)));
    EXPECT_TRUE(read_private_key(pkcs8("sntrup761", content, 1, join({attributes, public_key}))));
}

TEST(NtruPrime, SeedsAreForRawFilesAndOnlyIfAskedFor)
{
    const PrivateKey key = ntrulpr653_key();
    for (const Format format : {Format::pem, Format::der, Format::raw})
        EXPECT_EQ(preferred_form(key, format), PrivateForm::expanded);
    for (const PrivateForm form : {PrivateForm::seed, PrivateForm::both}) {
        const auto file = write_private_key(key, form, Format::pem);
        ASSERT_FALSE(file);
        EXPECT_EQ(file.error().message,
                  "PEM and DER hold an ntrulpr653 private key in its expanded form only");
    }
}

Bytes without_last(const Bytes& bytes) { return slice(bytes, 0, bytes.size() - 1); }

std::vector<Malformed> malformed_public()
{
    const girih_alg* alg = girih_algorithm("sntrup761");
    const Bytes key = sntrup761_key().public_key;
    const auto info = [](const Bytes& bits) { return public_key_info("sntrup761", bits); };
    const Bytes good = public_key_bits(alg, key);
    return {
        {"PublicKeyWithoutOctetString", info(join({{0, 0}, key})), Problem::der_tag,
         "the public key (OCTET STRING) is expected"},
        {"PublicKeyCutShort", info(without_last(good)), Problem::der_truncated, "1157 are there"},
        {"BytesAfterThePublicKey", info(join({good, {0}})), Problem::der_trailing,
         "1 byte too many after subjectPublicKey"},
        {"PublicKeyWithUnusedBits", info(with_byte(good, 0, 1)), Problem::der_unused_bits,
         "subjectPublicKey"},
        {"PublicKeyTooShort", info(public_key_bits(alg, without_last(key))), Problem::public_key_length,
         "the sntrup761 public key has 1157 bytes, and should have 1158"},
        {"PublicKeyTooLong", info(public_key_bits(alg, join({key, {0}}))), Problem::public_key_length,
         "1159 bytes"},
        {"PublicKeyOfAnotherSet", public_key_info("sntrup653", good), Problem::public_key_length,
         "the sntrup653 public key has 1158 bytes"},
    };
}

/// A file with one part replaced.
template <class Change>
Bytes changed(std::string_view alg, Parts parts, Change change)
{
    change(parts);
    return pkcs8(alg, parts.sequence());
}

std::vector<Malformed> malformed_structures()
{
    const std::string alg = "sntrup761";
    const PrivateKey key = sntrup761_key();
    const PrivateKey other = sntrup761_key(8);
    const Parts parts = sntrup761_parts(key);
    const Bytes content = parts.sequence();
    const auto with_public = [](const Bytes& bits) { return element(0x81, bits); };
    return {
        {"WithoutSequence", pkcs8(alg, element(0x04, bytes_of(key.expanded))), Problem::der_tag,
         "the secret key (SEQUENCE) is expected, and not OCTET STRING"},
        {"WithASeed", pkcs8(alg, element(0x80, bytes_of(key.seed))), Problem::der_tag, "SEQUENCE"},
        {"BytesAfterTheSequence", pkcs8(alg, join({content, {0}})), Problem::der_trailing, "privateKey"},
        {"BytesAfterTheHash", pkcs8(alg, parts.sequence({5, 0})), Problem::der_trailing,
         "2 bytes too many after the secret key"},
        {"WithoutHash",
         pkcs8(alg, element(0x30, join({element(0x04, parts.f), element(0x04, parts.g_reciprocal),
                                        element(0x04, parts.public_key), element(0x04, parts.rho)}))),
         Problem::der_truncated, "the secret key ends where the hash of the public key"},
        {"PartThatIsAnInteger", pkcs8(alg, element(0x30, element(0x02, parts.f))), Problem::der_tag,
         "f (OCTET STRING) is expected, and not INTEGER"},
        {"PartsOfLprime", pkcs8(alg, ntrulpr653_parts(ntrulpr653_key()).sequence()),
         Problem::private_key_length, "f has 164 bytes, and should have 191"},
        {"PublicKeyOfAnother",
         pkcs8(alg, content, 1, with_public(public_key_bits(key.alg, other.public_key))),
         Problem::public_key_mismatch, "belongs to another key"},
        {"PublicKeyBesideItWithoutOctetString",
         pkcs8(alg, content, 1, with_public(join({{0, 0}, key.public_key}))), Problem::der_tag,
         "the public key (OCTET STRING) is expected"},
    };
}

std::vector<Malformed> malformed_streamlined()
{
    const PrivateKey other = sntrup761_key(8);
    const auto with = [parts = sntrup761_parts(sntrup761_key())](auto change) {
        return changed("sntrup761", parts, change);
    };
    const Parts others = sntrup761_parts(other);
    const std::string_view mismatch = "1/g, the public key or its hash is not that of the rest";
    return {
        {"FTooShort", with([](Parts& p) { p.f.pop_back(); }), Problem::private_key_length,
         "f has 190 bytes, and should have 191"},
        {"FTooLong", with([](Parts& p) { p.f.push_back(0); }), Problem::private_key_length, "f has 192"},
        {"GTooShort", with([](Parts& p) { p.g_reciprocal.pop_back(); }), Problem::private_key_length,
         "1/g has 190"},
        {"PublicPartTooShort", with([](Parts& p) { p.public_key.pop_back(); }), Problem::private_key_length,
         "the public key beside it has 1157"},
        {"RhoTooShort", with([](Parts& p) { p.rho.pop_back(); }), Problem::private_key_length, "rho has 190"},
        {"HashTooLong", with([](Parts& p) { p.hash.resize(64); }), Problem::private_key_length,
         "the hash of the public key has 64 bytes, and should have 32"},
        {"FNotSmall", with([](Parts& p) { p.f[0] = 0xFF; }), Problem::secret_key_range,
         "f or 1/g is no small polynomial, or f is of another weight"},
        {"FOfAnotherWeight", with([](Parts& p) { p.f[0] = p.f[1] = 0x55; }), Problem::secret_key_range,
         "weight"},
        {"FWithBitsAfterTheLast", with([](Parts& p) { p.f[190] |= 4; }), Problem::secret_key_range, "small"},
        {"GNotSmall", with([](Parts& p) { p.g_reciprocal[5] = 0xC0; }), Problem::secret_key_range, "small"},
        {"FOfAnother", with([&others](Parts& p) { p.f = others.f; }), Problem::secret_key_mismatch, mismatch},
        {"GOfAnother", with([&others](Parts& p) { p.g_reciprocal = others.g_reciprocal; }),
         Problem::secret_key_mismatch, mismatch},
        {"PublicPartOfAnother", with([&others](Parts& p) {
             p.public_key = others.public_key;
             p.hash = others.hash;
         }),
         Problem::secret_key_mismatch, mismatch},
        {"WrongHash", with([](Parts& p) { p.hash[31] ^= 1; }), Problem::secret_key_mismatch, mismatch},
    };
}

std::vector<Malformed> malformed_lprime()
{
    const Parts others = ntrulpr653_parts(ntrulpr653_key(8));
    const auto with = [parts = ntrulpr653_parts(ntrulpr653_key())](auto change) {
        return changed("ntrulpr653", parts, change);
    };
    const std::string_view mismatch = "contradicts itself: the public key or its hash is not";
    return {
        {"ATooShort", with([](Parts& p) { p.f.pop_back(); }), Problem::private_key_length,
         "a has 163 bytes, and should have 164"},
        {"LprimeRhoTooLong", with([](Parts& p) { p.rho.push_back(0); }), Problem::private_key_length,
         "rho has 33 bytes, and should have 32"},
        {"LprimeWithReciprocal", with([](Parts& p) { p.g_reciprocal = p.f; }), Problem::private_key_length,
         "the public key beside it has 164 bytes, and should have 897"},
        {"ANotSmall", with([](Parts& p) { p.f[3] = 0x03; }), Problem::secret_key_range,
         "a is no small polynomial, or of another weight"},
        {"AOfAnother", with([&others](Parts& p) { p.f = others.f; }), Problem::secret_key_mismatch, mismatch},
        {"LprimePublicPartOfAnother", with([&others](Parts& p) {
             p.public_key = others.public_key;
             p.hash = others.hash;
         }),
         Problem::secret_key_mismatch, mismatch},
        {"LprimeWrongHash", with([](Parts& p) { p.hash[0] ^= 1; }), Problem::secret_key_mismatch, mismatch},
    };
}

class MalformedNtruPrime : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedNtruPrime, IsRefusedForItsOwnReason) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Public, MalformedNtruPrime, testing::ValuesIn(malformed_public()), name_of);
INSTANTIATE_TEST_SUITE_P(Structure, MalformedNtruPrime, testing::ValuesIn(malformed_structures()), name_of);
INSTANTIATE_TEST_SUITE_P(Streamlined, MalformedNtruPrime, testing::ValuesIn(malformed_streamlined()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Lprime, MalformedNtruPrime, testing::ValuesIn(malformed_lprime()), name_of);

}  // namespace
}  // namespace girih::key_files
