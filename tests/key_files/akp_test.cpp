/// JWK and COSE_Key (RFC 9964): RFC 9964's keys, round trips, and each check with a file with a
/// single fault.
#include <tuple>

#include "key_files/encoding/base64url.hpp"
#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;
using enum Problem;

/// The kid of RFC 9964's examples, whose seeds are zeros: a JWK's thumbprint, a COSE_Key's.
struct Example {
    const char* alg;
    const char* jwk_thumbprint;
    const char* cose_thumbprint;
    std::uint8_t number;  ///< the second byte of COSE's alg, below 0x38
};
constexpr Example examples[]{
    {"ML-DSA-44", "T4xl70S7MT6Zeq6r9V9fPJGVn76wfnXJ21-gyo0Gu6o",
     "b8969ab4b37da9f0684e42647eb8a0be8b5b661ebf5d76f0583bf5b8d3a8059a", 47},
    {"ML-DSA-65", "Suiu29qbfuaBaR4Ats-c6XQBePB_OpAxAwcTR_0KXVM",
     "b788acf242f1f1d6532926d816e76e1636874267f2a48c84c4e65789ab80cc02", 48},
    {"ML-DSA-87", "tRn1JNIkgMsABVQBlXeDHxAIcclh-2IX0UdDEzPt5XU",
     "d9bc439f97bd6d4093e68f0f3fcf09c9a97adf888ed7308dd565247a166cb4fa", 49},
};

PrivateKey key_of_zeros(const char* alg) { return from_seed(girih_algorithm(alg), Bytes(32)).value(); }

// ---- Text that is a JWK, and a COSE_Key by hand

std::string base64url(BytesIn<> bytes)
{
    const SecretBytes characters = base64url::encode(bytes);
    return {characters.begin(), characters.end()};
}

const PrivateKey& zeros()
{
    static const PrivateKey key = key_of_zeros("ML-DSA-44");
    return key;
}
const std::string pub = base64url(zeros().public_key);
const std::string seed = base64url(Bytes(32));

std::string entry(const std::string& name, const std::string& value)
{
    return "\"" + name + "\":\"" + value + "\"";
}

/// A JWK of the key of zeros whose members may be replaced, and to which `more` is added.
std::string jwk(const std::string& more = "", const std::string& shown = pub, const std::string& priv = seed,
                const std::string& alg = entry("alg", "ML-DSA-44"),
                const std::string& kty = entry("kty", "AKP"))
{
    return "{" + kty + "," + alg + "," + entry("pub", shown) + "," + entry("priv", priv) + more + "}";
}

Bytes head(std::uint8_t type, std::size_t argument)
{
    const auto first = static_cast<std::uint8_t>(type << 5);
    if (argument < 24) return {static_cast<std::uint8_t>(first | argument)};
    if (argument < 256) return {static_cast<std::uint8_t>(first | 24), static_cast<std::uint8_t>(argument)};
    return {static_cast<std::uint8_t>(first | 25), static_cast<std::uint8_t>(argument >> 8),
            static_cast<std::uint8_t>(argument)};
}
Bytes byte_string(const Bytes& content) { return join({head(2, content.size()), content}); }

const Bytes kty_akp{1, 7}, alg_44{3, 0x38, 47};
const Bytes pub_44 = join({{0x20}, byte_string(zeros().public_key)});
const Bytes priv_zeros = join({{0x21}, byte_string(Bytes(32))});
Bytes map_of(std::initializer_list<Bytes> pairs) { return join({head(5, pairs.size()), join(pairs)}); }

// ---- Keys that are read and written

TEST(Akp, KeysAndThumbprintsAreThoseOfRfc9964)
{
    for (const Example& example : examples) {
        const PrivateKey key = key_of_zeros(example.alg);
        const PublicKey shown{key.alg, key.public_key};
        EXPECT_EQ(thumbprint(shown, Format::jwk), bytes_of(example.jwk_thumbprint));
        EXPECT_EQ(thumbprint(shown, Format::cose_key), test::from_hex(example.cose_thumbprint));
        // The RFC's COSE_Key has its kid first.
        const Bytes kid = test::from_hex(example.cose_thumbprint);
        const Bytes file = map_of({join({{2}, byte_string(kid)}),
                                   kty_akp,
                                   {3, 0x38, example.number},
                                   join({{0x20}, byte_string(key.public_key)}),
                                   priv_zeros});
        const auto read_back = read(file);
        ASSERT_TRUE(read_back) << read_back.error().message;
        EXPECT_EQ(std::get<PrivateKey>(read_back->key).expanded, key.expanded);
        EXPECT_EQ(read_back->public_part().kid, kid);
        EXPECT_EQ(bytes_of(write_private_key(key, PrivateForm::seed, Format::cose_key).value()),
                  map_of({kty_akp,
                          join({{2}, byte_string(kid)}),
                          {3, 0x38, example.number},
                          join({{0x20}, byte_string(key.public_key)}),
                          priv_zeros}));
    }
}

TEST(Akp, WhatIsWrittenIsReadInBothFormats)
{
    for (const Example& example : examples) {
        PrivateKey key = from_seed(girih_algorithm(example.alg), Bytes(32, 9)).value();
        for (const Format format : {Format::jwk, Format::cose_key}) {
            for (const char* const kid : {"", "a \"key\" \\ \xC3\xA9", "-----BEGIN PUBLIC KEY-----"}) {
                key.kid = bytes_of(kid);
                const auto both = read(write_private_key(key, PrivateForm::seed, format).value());
                ASSERT_TRUE(both) << both.error().message;
                EXPECT_EQ(both->format, format);
                EXPECT_EQ(std::get<PrivateKey>(both->key).seed, key.seed);
                const PublicKey shown{key.alg, key.public_key, false, key.kid};
                const auto half = read(write_public(shown, format).value());
                ASSERT_TRUE(half) << half.error().message;
                EXPECT_EQ(half->kind, Kind::public_key);
                EXPECT_EQ(half->public_key(), key.public_key);
                for (const auto& found : {both->public_part(), half->public_part()})
                    EXPECT_EQ(found.kid, kid[0] == 0 ? thumbprint(shown, format) : key.kid);
            }
        }
    }
}

TEST(Akp, OtherKeysAndFormsAreNotWritten)
{
    PrivateKey key = zeros();
    for (const Format format : {Format::jwk, Format::cose_key}) {
        const PrivateKey falcon = key_of("Falcon-512");
        EXPECT_EQ(write_public({falcon.alg, falcon.public_key}, format).error().problem, no_form);
        EXPECT_TRUE(write_public_key({falcon.alg, falcon.public_key}, format).empty());
        EXPECT_TRUE(thumbprint({falcon.alg, falcon.public_key}, format).empty());
        EXPECT_EQ(write_public({key.alg, key.public_key, true}, format).error().problem, no_form);
        for (const PrivateForm form : {PrivateForm::expanded, PrivateForm::both})
            EXPECT_EQ(write_private_key(key, form, format).error().problem, no_form);
        EXPECT_EQ(write_encrypted_private_key(key, PrivateForm::seed, format, bytes_of("p")).error().problem,
                  no_form);
    }
    EXPECT_TRUE(thumbprint({key.alg, key.public_key}, Format::der).empty());
    key.kid = {0xFF};  // not text, which a JWK needs
    const auto file = read(write_private_key(key, PrivateForm::seed, Format::jwk).value());
    EXPECT_EQ(file->public_part().kid, thumbprint({key.alg, key.public_key}, Format::jwk));
}

// ---- Keys that are refused

TEST(Akp, RawKeysMayBeginLikeOne)
{
    for (const auto first : Bytes{0xA3, 0xBF, 0x7B}) {
        Bytes raw = zeros().public_key;
        raw[0] = first;
        expect_refused({raw, raw_unnamed, "1312 bytes may be a raw ML-DSA-44 or Dilithium2 public key"});
        EXPECT_EQ(read(raw, girih_algorithm("ML-DSA-65")).error().problem, raw_length);
    }
}

TEST(MalformedJwk, IsRefusedForItsOwnReason)
{
    const std::string other = base64url(from_seed(zeros().alg, Bytes(32, 1)).value().public_key);
    for (const std::string& good :
         {jwk(), jwk(",\"x\":[1,-2.5e+3,{\"a\":null,\"b\":[]},true,false,\"\\u00e9\\ud83d\\ude00\"]"),
          " \r\n\t" + jwk("," + entry("use", "sig")) + "\n",
          jwk("", pub, seed, entry("alg", "ML\\u002dDSA-44"))})
        EXPECT_TRUE(read(bytes_of(good))) << good;
    for (const auto& [file, problem, says] : std::vector<std::tuple<std::string, Problem, const char*>>{
             {jwk("", pub, seed, entry("x", "")), member, "the JWK: alg is missing"},
             {jwk("", pub, seed, "\"alg\":7"), member, "byte 19 of the JWK: alg is not a string"},
             {jwk("", pub, seed, entry("alg", "ml-dsa-44")), member, "alg is \"ml-dsa-44\""},
             {jwk("", pub, seed, entry("alg", "ML-DSA-65")), public_key_length, "pub has 1312 bytes"},
             {jwk("", pub, seed, entry("alg", "ML-DSA-44"), entry("x", "")), member, "kty is missing"},
             {jwk("", pub, seed, entry("alg", "ML-DSA-44"), entry("kty", "OKP")), member, "kty is \"OKP\""},
             {"{\"keys\":[" + jwk() + "]}", member, "a JWK Set"},
             {jwk("", ""), public_key_length, "pub has 0 bytes"},
             {jwk("", base64url(shorter(zeros().public_key))), public_key_length, "pub has 1311 bytes"},
             {jwk("", pub + "="), member, "pub is not base64url without padding"},
             {jwk("", "+" + pub.substr(1)), member, "pub is not base64url"},
             {jwk("", "/" + pub.substr(1)), member, "pub is not base64url"},
             {jwk("", " " + pub.substr(1)), member, "pub is not base64url"},
             {jwk("", pub.substr(0, pub.size() - 1)), member, "pub is not base64url"},
             {jwk("", other), public_key_mismatch, "public key"},
             {jwk("", pub, seed.substr(0, 42) + "B"), member, "priv is not base64url"},  // unused bits
             {jwk("", pub, base64url(Bytes(31))), private_key_length, "priv has 31 bytes"},
             {jwk("", pub, base64url(bytes_of(zeros().expanded))), private_key_length, "priv has 2560 bytes"},
             {jwk(",\"kid\":1"), member, "kid is not a string"},
             {jwk("," + entry("use", "enc")), member, "use is \"enc\""},
             {jwk("," + entry("alg", "ML-DSA-44")), json, "\"alg\" is present twice"},
             {jwk("," + entry("\\u0061lg", "ML-DSA-44")), json, "\"alg\" is present twice"},
             {jwk(",\"x\":{\"a\":1,\"a\":1}"), json, "\"a\" is present twice"},
         })
        expect_refused({bytes_of(file), problem, says});
}

TEST(MalformedJwk, JsonIsThatOfRfc8259)
{
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    const auto members = [](int count) {
        std::string text = "{\"\":0";
        for (int i = 1; i < count; ++i) text += ",\"" + std::to_string(i) + "\":0";
        return text + "}";
    };
    for (const std::string& value : {nested(32), members(1000)})
        EXPECT_TRUE(read(bytes_of(jwk(",\"x\":" + value))));
    for (const auto& [value, says] : std::vector<std::pair<std::string, const char*>>{
             {"", "a value is expected"},
             {"01", "'}' is expected"},
             {"1.", "a value is expected"},
             {"1e", "a value is expected"},
             {"+1", "a value is expected"},
             {"nul", "a value is expected"},
             {"'a'", "a value is expected"},
             {"[1,]", "a value is expected"},
             {"[1", "']' is expected"},
             {"{\"a\"}", "':' is expected"},
             {"{\"a\":1,}", "'\"' is expected"},
             {"{a:1}", "'\"' is expected"},
             {"\"\x01\"", "a control character"},
             {"\"\\x\"", "not an escape of JSON"},
             {"\"\\u12g4\"", "four hexadecimal"},
             {"\"\\ud800\"", "half of a surrogate"},
             {"\"\\udc00\"", "half of a surrogate"},
             {"\"\\ud800\\u0041\"", "half of a surrogate"},
             {"\"\x80\"", "not UTF-8"},
             {"\"\xC0\xAF\"", "not UTF-8"},
             {"\"\xE0\x9F\xBF\"", "not UTF-8"},
             {"\"\xED\xA0\x80\"", "not UTF-8"},
             {"\"\xF4\x90\x80\x80\"", "not UTF-8"},
             {"\"\xE2\x82\"", "not UTF-8"},
             {nested(33), "nest more than 32"},
             {"1}", "a byte after the object"},
             {members(1001), "more than 1000 members"},
         })
        expect_refused({bytes_of(jwk(",\"x\":" + value)), json, says});
    expect_refused({bytes_of(jwk() + "x"), json, "a byte after the object"});
    const std::string whole = jwk();
    for (std::size_t cut = 1; cut < whole.size(); cut += 97)
        expect_refused({bytes_of(whole.substr(0, cut)), json, " of the JWK: "});
}

TEST(MalformedCoseKey, IsRefusedForItsOwnReason)
{
    const Bytes other = join({{0x20}, byte_string(from_seed(zeros().alg, Bytes(32, 1)).value().public_key)});
    const auto with = [](const Bytes& more) { return map_of({kty_akp, alg_44, pub_44, priv_zeros, more}); };
    Bytes labels;
    for (std::uint8_t high = 1; high < 5; ++high)
        for (int low = 0; low < 256; ++low)
            labels.insert(labels.end(), {0x19, high, static_cast<std::uint8_t>(low), 0});
    for (const Bytes& good :
         {map_of({kty_akp, alg_44, pub_44, priv_zeros}), with({4, 0x81, 1}), with({0x61, 'x', 0xF6}),
          with({0x38, 99, 0xF9, 0, 0}), with({5, 0xC1, 0xA1, 0x61, 'a', 0x80})})
        EXPECT_TRUE(read(good)) << read(good).error().message;
    expect_refused(std::vector<Malformed>{
        {map_of({alg_44, pub_44, priv_zeros}), member, "kty (1) is missing"},
        {map_of({kty_akp, pub_44, priv_zeros}), member, "alg (3) is missing"},
        {map_of({kty_akp, alg_44, priv_zeros}), member, "pub (-1) is missing"},
        {map_of({{1, 2}, alg_44, pub_44}), member, "kty is 2"},
        {map_of({{1, 0x61, '7'}, alg_44, pub_44}), cbor, "byte 2 of the COSE_Key: kty is a text string"},
        {map_of({kty_akp, {3, 0x26}, pub_44}), member, "alg is -7"},
        {map_of({kty_akp, {3, 0x38, 48}, pub_44}), public_key_length, "pub has 1312 bytes"},
        {map_of({kty_akp, alg_44, {0x20, 0x60}}), cbor, "pub is a text string"},
        {map_of({kty_akp, alg_44, other, priv_zeros}), public_key_mismatch, "public key"},
        {map_of({kty_akp, alg_44, pub_44, join({{0x21}, byte_string(Bytes(33))})}), private_key_length,
         "33 bytes"},
        {map_of({kty_akp, kty_akp, alg_44, pub_44}), cbor, "twice"},
        {map_of({{0x18, 1, 7}, alg_44, pub_44}), cbor, "not in its shortest form"},
        {map_of({{1, 0x18, 7}, alg_44, pub_44}), cbor, "not in its shortest form"},
        {map_of({kty_akp, {3, 0x39, 0, 47}, pub_44}), cbor, "not in its shortest form"},
        {map_of({kty_akp, {3, 0x3B, 0x80, 0, 0, 0, 0, 0, 0, 0}, pub_44}), cbor, "more than 63 bits"},
        {join({{0xBF}, kty_akp, alg_44, pub_44, {0xFF}}), cbor, "an indefinite length"},
        {with({4, 0x9F, 1, 0xFF}), cbor, "an indefinite length"},
        {with({4, 0x1C}), cbor, "a reserved form"},
        {with({4, 0xF8, 24}), cbor, "not in its shortest form"},
        {with({4, 0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), cbor, "is cut short"},
        {with({4, 0x82, 0x81, 1}), cbor, "ends where an item is expected"},
        {with({0xF6, 1}), cbor, "a label is a simple value"},
        {longer(with({4, 1})), cbor, "1 byte too many"},
        {shorter(map_of({kty_akp, alg_44, pub_44})), cbor, "pub is cut short"},
        {{0xA1}, cbor, "ends where a label is expected"},
        {join({{0xB9, 0x03, 0xE9}, labels}), cbor, "more than 1000 labels"},
    });
}

}  // namespace
}  // namespace girih::key_files
