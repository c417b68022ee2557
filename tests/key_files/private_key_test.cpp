#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

constexpr std::size_t rho_and_k_bytes = 64;      // what the expanded key holds before tr
constexpr std::size_t rho_k_and_tr_bytes = 128;  // and before s1, in ML-DSA

std::vector<PrivateForm> forms_of(const girih_alg* alg, Format format)
{
    if (format == Format::raw) return {PrivateForm::seed, PrivateForm::expanded};
    if (!has_all_forms(alg)) return {PrivateForm::expanded};
    return {PrivateForm::seed, PrivateForm::expanded, PrivateForm::both};
}

void expect_round_trip(const PrivateKey& key, PrivateForm form, Format format)
{
    const auto file = write_private_key(key, form, format);
    ASSERT_TRUE(file) << file.error().message;
    const auto back = read(*file, needed_name(key.alg, format));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->kind, Kind::private_key);
    EXPECT_EQ(back->format, format);
    EXPECT_EQ(back->form, form);
    const auto& read_key = std::get<PrivateKey>(back->key);
    EXPECT_EQ(read_key.alg, key.alg);
    EXPECT_EQ(bytes_of(read_key.seed), form == PrivateForm::expanded ? Bytes{} : bytes_of(key.seed));
    EXPECT_EQ(bytes_of(read_key.expanded), bytes_of(key.expanded));
    EXPECT_EQ(read_key.public_key, key.public_key);
}

TEST(PrivateKey, ComesBackInEveryFormOfEveryFormat)
{
    for (const girih_alg* alg : algorithms()) {
        const PrivateKey key = key_of(alg);
        for (const Format format : {Format::pem, Format::der, Format::raw}) {
            for (const PrivateForm form : forms_of(alg, format)) {
                SCOPED_TRACE(std::string(girih_name(alg)) + ", format " +
                             std::to_string(static_cast<int>(format)) + ", form " +
                             std::to_string(static_cast<int>(form)));
                expect_round_trip(key, form, format);
            }
        }
    }
}

TEST(PrivateKey, IsWrittenAsRfc9881HasIt)
{
    const PrivateKey key = key_of(girih_algorithm("ML-DSA-65"));
    const Bytes seed = bytes_of(key.seed);
    const Bytes expanded = bytes_of(key.expanded);
    const auto written = [&key](PrivateForm form) {
        return bytes_of(*write_private_key(key, form, Format::der));
    };
    EXPECT_EQ(written(PrivateForm::seed), pkcs8("ML-DSA-65", element(0x80, seed)));
    EXPECT_EQ(written(PrivateForm::expanded), pkcs8("ML-DSA-65", element(0x04, expanded)));
    EXPECT_EQ(written(PrivateForm::both),
              pkcs8("ML-DSA-65", element(0x30, join({element(0x04, seed), element(0x04, expanded)}))));
}

TEST(PrivateKey, OfDilithiumIsSecretKeyAndPublicKeyInOneOctetString)
{
    const PrivateKey key = key_of(girih_algorithm("Dilithium3"));
    const Bytes secret = bytes_of(key.expanded);
    EXPECT_EQ(bytes_of(*write_private_key(key, PrivateForm::expanded, Format::der)),
              pkcs8("Dilithium3", element(0x04, join({secret, key.public_key}))));
    EXPECT_TRUE(read_private_key(pkcs8("Dilithium3", element(0x04, secret)))) << "without its public key";
}

TEST(PrivateKey, IsReadWithAttributesAndItsPublicKey)
{
    const PrivateKey key = key_of(girih_algorithm("ML-DSA-44"));
    const Bytes seed = element(0x80, bytes_of(key.seed));
    const Bytes attributes = element(0xA0, {});
    const Bytes public_key = element(0x81, join({{0}, key.public_key}));
    EXPECT_TRUE(read_private_key(pkcs8("ML-DSA-44", seed, 0, attributes)));
    EXPECT_TRUE(read_private_key(pkcs8("ML-DSA-44", seed, 1, public_key)));
    EXPECT_TRUE(read_private_key(pkcs8("ML-DSA-44", seed, 1, join({attributes, public_key}))));
    EXPECT_TRUE(read_private_key(pkcs8("ML-DSA-44", seed, 1))) << "version 2, and the public key left out";
    EXPECT_TRUE(read_private_key(pkcs8("ML-DSA-44", seed, 1, attributes)));
}

/// As Bouncy Castle 1.79 has it.
TEST(PrivateKey, IsReadFromASeedInAnOctetString)
{
    for (const char* name : {"ML-DSA-44", "ML-KEM-512"}) {
        const PrivateKey key = key_of(girih_algorithm(name));
        const auto back = read(pkcs8(name, element(0x04, bytes_of(key.seed))));
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->form, PrivateForm::seed);
        EXPECT_EQ(std::get<PrivateKey>(back->key).expanded, key.expanded);
    }
}

TEST(PrivateKey, IsNewEveryTime)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    const auto first = generate(alg);
    const auto second = generate(alg);
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    EXPECT_NE(bytes_of(first->seed), bytes_of(second->seed));
    EXPECT_NE(first->public_key, second->public_key);
}

TEST(PrivateKey, IsPreferredAsItsSeedWhereThereIsOne)
{
    PrivateKey ml_dsa = key_of(girih_algorithm("ML-DSA-44"));
    EXPECT_EQ(preferred_form(ml_dsa, Format::pem), PrivateForm::seed);
    EXPECT_EQ(preferred_form(ml_dsa, Format::raw), PrivateForm::seed);
    ml_dsa.seed.clear();
    EXPECT_EQ(preferred_form(ml_dsa, Format::pem), PrivateForm::expanded);
    const PrivateKey dilithium = key_of(girih_algorithm("Dilithium2"));
    EXPECT_EQ(preferred_form(dilithium, Format::der), PrivateForm::expanded);
    EXPECT_EQ(preferred_form(dilithium, Format::raw), PrivateForm::seed);
}

TEST(PrivateKey, OfEveryAlgorithmHasToFitThePublicKeyBesideIt)
{
    for (const girih_alg* alg : algorithms()) {
        const girih_alg* const named = needed_name(alg, Format::der);
        const PrivateKey key = key_of(alg);
        const Bytes version_1 = bytes_of(*write_private_key(key, PrivateForm::expanded, Format::der));
        // The same with version 2 and a public key, which may be spoilt in any byte.
        const auto with_public = [&](const Bytes& public_key) {
            const std::size_t head = 4 + 3;  // SEQUENCE with two bytes of length, INTEGER
            const Bytes rest(version_1.begin() + head, version_1.end());
            return element(0x30,
                           join({element(0x02, {1}), rest, element(0x81, public_key_bits(alg, public_key))}));
        };
        EXPECT_TRUE(read(with_public(key.public_key), named)) << girih_name(alg);
        for (const std::size_t at : {std::size_t{0}, key.public_key.size() / 2, key.public_key.size() - 1}) {
            Bytes changed = key.public_key;
            changed[at] ^= 1;
            SCOPED_TRACE(std::string(girih_name(alg)) + ", byte " + std::to_string(at));
            expect_refused({"", with_public(changed), Problem::public_key_mismatch, "another key"}, named);
        }
    }
}

void expect_unwritable(const PrivateKey& key, PrivateForm form, Format format, Problem problem)
{
    const auto file = write_private_key(key, form, format);
    ASSERT_FALSE(file);
    EXPECT_EQ(static_cast<int>(file.error().problem), static_cast<int>(problem)) << file.error().message;
}

TEST(PrivateKey, IsNotWrittenInAFormThatTheFormatLacks)
{
    const PrivateKey ml_dsa = key_of(girih_algorithm("ML-DSA-44"));
    const PrivateKey dilithium = key_of(girih_algorithm("Dilithium2"));
    expect_unwritable(ml_dsa, PrivateForm::both, Format::raw, Problem::no_form);
    expect_unwritable(dilithium, PrivateForm::seed, Format::pem, Problem::no_form);
    expect_unwritable(dilithium, PrivateForm::both, Format::der, Problem::no_form);
}

TEST(PrivateKey, WithoutASeedIsNotWrittenWithOne)
{
    PrivateKey key = key_of(girih_algorithm("ML-DSA-44"));
    key.seed.clear();
    expect_unwritable(key, PrivateForm::seed, Format::pem, Problem::no_seed);
    expect_unwritable(key, PrivateForm::both, Format::der, Problem::no_seed);
    expect_unwritable(key, PrivateForm::seed, Format::raw, Problem::no_seed);
}

TEST(PrivateKey, IsNotMadeOfASeedOfAnotherLength)
{
    const auto key = from_seed(girih_algorithm("ML-DSA-44"), Bytes(31, 7));
    ASSERT_FALSE(key);
    EXPECT_EQ(static_cast<int>(key.error().problem), static_cast<int>(Problem::private_key_length));
}

std::vector<Malformed> malformed_ml_dsa()
{
    const std::string alg = "ML-DSA-44";
    const PrivateKey key = key_of(girih_algorithm("ML-DSA-44"));
    const PrivateKey other = key_of(girih_algorithm("ML-DSA-44"), 8);
    const Bytes seed = bytes_of(key.seed);
    const Bytes expanded = bytes_of(key.expanded);
    const Bytes seed_choice = element(0x80, seed);
    const Bytes good = pkcs8(alg, seed_choice);
    const Bytes version = element(0x02, {0});
    const auto both = [&alg](const Bytes& s, const Bytes& e, const Bytes& rest = {}) {
        return pkcs8(alg, element(0x30, join({element(0x04, s), element(0x04, e), rest})));
    };
    const auto with_public = [](const Bytes& bits) { return element(0x81, bits); };
    const Bytes short_one(31, 7), long_one(33, 7);
    const Bytes short_expanded(expanded.begin(), expanded.end() - 1), long_expanded = join({expanded, {0}});

    return {
        {"CutShort", Bytes(good.begin(), good.end() - 1), Problem::der_truncated, "byte 0"},
        {"TagOnly", {0x30}, Problem::der_truncated, "byte 1 of the DER: the length of"},
        {"LengthCutShort", {0x30, 0x82, 0x0A}, Problem::der_truncated, "is cut short"},
        {"IndefiniteLength", join({{0x30, 0x80}, Bytes(good.begin() + 2, good.end()), {0, 0}}),
         Problem::der_indefinite, "byte 1"},
        {"LongFormOfAShortLength", join({{0x30, 0x81}, Bytes(good.begin() + 1, good.end())}),
         Problem::der_length_form, "fewest bytes"},
        {"ShortLengthWithALeadingZero", join({{0x30, 0x82, 0}, Bytes(good.begin() + 1, good.end())}),
         Problem::der_length_form, "fewest bytes"},
        {"LengthOfFiveBytes", join({{0x30, 0x85, 0, 0, 0, 0}, Bytes(good.begin() + 1, good.end())}),
         Problem::der_length_form, "more than four"},
        {"BytesAfterTheFile", join({good, {0}}), Problem::der_trailing,
         "1 byte too many after the private key"},
        {"BytesAfterPrivateKey", pkcs8(alg, seed_choice, 0, {0x05, 0x00}), Problem::der_trailing,
         "2 bytes too many after OneAsymmetricKey"},
        {"BytesAfterSeed", pkcs8(alg, join({seed_choice, {0}})), Problem::der_trailing,
         "too many after privateKey"},
        {"BytesAfterExpandedKey", pkcs8(alg, join({element(0x04, expanded), {0}})), Problem::der_trailing,
         "too many after privateKey"},
        {"BytesAfterBoth", both(seed, expanded, {0}), Problem::der_trailing, "too many after both"},
        {"NoVersionLooksEncrypted", element(0x30, join({algorithm_of(alg), element(0x04, seed_choice)})),
         Problem::encryption, "the scheme 2.16.840"},
        {"VersionTwo", pkcs8(alg, seed_choice, 2), Problem::version, "byte 2 of the DER: the version"},
        {"VersionOfTwoBytes",
         element(0x30, join({element(0x02, {0, 0}), algorithm_of(alg), element(0x04, seed_choice)})),
         Problem::version, "byte 2"},
        {"VersionZeroWithPublicKey", pkcs8(alg, seed_choice, 0, with_public(join({{0}, key.public_key}))),
         Problem::version, "version 0"},
        {"AttributesOfBrokenDer", pkcs8(alg, seed_choice, 0, element(0xA0, {0x30, 1})),
         Problem::der_truncated, "SEQUENCE has 1 bytes by its length"},
        {"NoAlgorithm", element(0x30, join({version, element(0x04, seed_choice)})), Problem::der_tag,
         "AlgorithmIdentifier (SEQUENCE) is expected, and not OCTET STRING"},
        {"NoIdentifier", element(0x30, join({version, element(0x30, {}), element(0x04, seed_choice)})),
         Problem::der_truncated, "AlgorithmIdentifier ends where algorithm"},
        {"ForeignAlgorithm", pkcs8("Ed25519", element(0x04, seed)), Problem::unknown_algorithm,
         "1.3.101.112 (Ed25519)"},
        {"UnknownAlgorithm", pkcs8("2.999.3", element(0x04, seed)), Problem::unknown_algorithm,
         "the algorithm 2.999.3, which"},
        {"Parameters",
         element(
             0x30,
             join({version,
                   element(0x30, join({element(0x06, {0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x11}), {5, 0}})),
                   element(0x04, seed_choice)})),
         Problem::parameters, "ML-DSA-44"},
        {"NoPrivateKey", element(0x30, join({version, algorithm_of(alg)})), Problem::der_truncated,
         "OneAsymmetricKey ends where privateKey"},
        {"PrivateKeyOfNoChoice", pkcs8(alg, element(0x02, {1})), Problem::private_choice, "none of seed"},
        {"SeedWithoutTagTooLong", pkcs8(alg, long_one), Problem::private_choice, "none of seed"},
        {"SeedTooShort", pkcs8(alg, element(0x80, short_one)), Problem::private_key_length,
         "seed has 31 bytes"},
        {"SeedTooLong", pkcs8(alg, element(0x80, long_one)), Problem::private_key_length,
         "seed has 33 bytes"},
        {"ExpandedTooShort", pkcs8(alg, element(0x04, short_expanded)), Problem::private_key_length,
         "2559 bytes"},
        {"ExpandedTooLong", pkcs8(alg, element(0x04, long_expanded)), Problem::private_key_length,
         "2561 bytes"},
        {"SeedOfBothTooShort", both(short_one, expanded), Problem::private_key_length, "seed has 31 bytes"},
        {"ExpandedOfBothTooShort", both(seed, short_expanded), Problem::private_key_length, "2559 bytes"},
        {"HalvesDisagree", both(seed, bytes_of(other.expanded)), Problem::halves_mismatch, "seed"},
        {"LastByteOfHalvesDisagrees", both(seed, with_byte(expanded, expanded.size() - 1, 1)),
         Problem::halves_mismatch, "seed"},
        {"CoefficientOutOfRange", pkcs8(alg, element(0x04, with_byte(expanded, rho_k_and_tr_bytes, 0xFF))),
         Problem::secret_key_range, "out of range"},
        {"WrongTr", pkcs8(alg, element(0x04, with_byte(expanded, rho_and_k_bytes, 1))),
         Problem::secret_key_mismatch, "contradicts itself"},
        {"WrongT0", pkcs8(alg, element(0x04, with_byte(expanded, expanded.size() - 1, 1))),
         Problem::secret_key_mismatch, "contradicts itself"},
        {"PublicKeyOfAnother", pkcs8(alg, seed_choice, 1, with_public(join({{0}, other.public_key}))),
         Problem::public_key_mismatch, "belongs to another key"},
        {"PublicKeyTooShort", pkcs8(alg, seed_choice, 1, with_public({0, 1, 2})), Problem::public_key_length,
         "public key has 2 bytes"},
        {"PublicKeyWithUnusedBits", pkcs8(alg, seed_choice, 1, with_public(join({{1}, key.public_key}))),
         Problem::der_unused_bits, "publicKey"},
        {"PublicKeyEmpty", pkcs8(alg, seed_choice, 1, with_public({})), Problem::der_unused_bits,
         "publicKey"},
    };
}

std::vector<Malformed> malformed_dilithium()
{
    const std::string alg = "Dilithium2";
    const PrivateKey key = key_of(girih_algorithm("Dilithium2"));
    const PrivateKey other = key_of(girih_algorithm("Dilithium2"), 8);
    const Bytes secret = bytes_of(key.expanded);
    const Bytes whole = element(0x04, join({secret, key.public_key}));
    return {
        {"DilithiumWithTheSeedOfMlDsa", pkcs8(alg, element(0x80, bytes_of(key.seed))), Problem::der_tag,
         "the secret key (OCTET STRING) is expected, and not the tag 0x80"},
        {"DilithiumWithoutInnerString", pkcs8(alg, join({secret, key.public_key})), Problem::der_tag,
         "OCTET STRING"},
        {"DilithiumTooShort", pkcs8(alg, element(0x04, Bytes(secret.begin(), secret.end() - 1))),
         Problem::private_key_length, "2527 bytes, and should have 2528, or 3840 with the public key"},
        {"DilithiumTooLong", pkcs8(alg, element(0x04, join({secret, key.public_key, {0}}))),
         Problem::private_key_length, "3841 bytes"},
        {"DilithiumWithTrailingBytes", pkcs8(alg, join({whole, {0}})), Problem::der_trailing, "privateKey"},
        {"DilithiumWithThePublicKeyOfAnother", pkcs8(alg, element(0x04, join({secret, other.public_key}))),
         Problem::public_key_mismatch, "belongs to another key"},
        {"DilithiumWithASecondPublicKeyOfAnother",
         pkcs8(alg, whole, 1, element(0x81, join({{0}, other.public_key}))), Problem::public_key_mismatch,
         "belongs to another key"},
    };
}

class MalformedPrivateKey : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedPrivateKey, IsRefusedForItsOwnReason) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(MlDsa, MalformedPrivateKey, testing::ValuesIn(malformed_ml_dsa()), name_of);
INSTANTIATE_TEST_SUITE_P(Dilithium, MalformedPrivateKey, testing::ValuesIn(malformed_dilithium()), name_of);

}  // namespace
}  // namespace girih::key_files
