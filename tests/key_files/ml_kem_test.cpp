#include <algorithm>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

constexpr unsigned q = 3329;

std::vector<const girih_alg*> ml_kems()
{
    return {girih_algorithm("ML-KEM-512"), girih_algorithm("ML-KEM-768"), girih_algorithm("ML-KEM-1024")};
}

/// Sets coefficient `i` of a packed vector that begins at byte `from`: 12 bits, the lowest first.
Bytes with_coefficient(Bytes bytes, std::size_t i, unsigned value, std::size_t from = 0)
{
    for (std::size_t bit = 0; bit < 12; ++bit) {
        const std::size_t at = 8 * from + 12 * i + bit;
        const auto mask = static_cast<std::uint8_t>(1u << at % 8);
        bytes[at / 8] =
            static_cast<std::uint8_t>((value >> bit & 1) != 0 ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
    }
    return bytes;
}

TEST(MlKem, PublicKeyIsReadFromEveryKindOfFile)
{
    for (const girih_alg* alg : ml_kems()) {
        const Bytes good = key_of(alg).public_key;
        for (const auto& [kind, file] : files_of(alg, good)) {
            const auto back = read_public_key(file, kind == "raw" ? alg : nullptr);
            ASSERT_TRUE(back) << girih_name(alg) << ", " << kind << ": " << back.error().message;
            EXPECT_EQ(back->bytes, good);
            EXPECT_EQ(back->alg, alg);
        }
    }
}

/// FIPS 203, Section 7.2, the modulus check.
TEST(MlKem, PublicKeyWithACoefficientOfQOrMoreIsRefused)
{
    for (const girih_alg* alg : ml_kems()) {
        const Bytes good = key_of(alg).public_key;
        const std::size_t last = (good.size() - 32) * 8 / 12 - 1;
        for (const std::size_t i : {std::size_t{0}, last / 2, last}) {
            for (const unsigned value : {q, q + 1, (1u << 12) - 1})
                for (const auto& [kind, file] : files_of(alg, with_coefficient(good, i, value))) {
                    SCOPED_TRACE(std::string(girih_name(alg)) + ", " + kind + ", " + std::to_string(value));
                    expect_refused(
                        {"", file, Problem::public_key_range, "no ML-KEM key: a coefficient is not below q"},
                        alg);
                }
            EXPECT_TRUE(read(with_coefficient(good, i, q - 1), alg)) << girih_name(alg);
        }
    }
}

TEST(MlKem, PrivateKeyIsWrittenAsRfc9935HasIt)
{
    const PrivateKey key = key_of(girih_algorithm("ML-KEM-768"));
    const Bytes seed = bytes_of(key.seed);
    const Bytes expanded = bytes_of(key.expanded);
    const auto written = [&key](PrivateForm form) {
        return bytes_of(*write_private_key(key, form, Format::der));
    };
    EXPECT_EQ(seed.size(), 64U) << "d and z";
    EXPECT_EQ(written(PrivateForm::seed), pkcs8("ML-KEM-768", element(0x80, seed)));
    EXPECT_EQ(written(PrivateForm::expanded), pkcs8("ML-KEM-768", element(0x04, expanded)));
    EXPECT_EQ(written(PrivateForm::both),
              pkcs8("ML-KEM-768", element(0x30, join({element(0x04, seed), element(0x04, expanded)}))));
}

TEST(MlKem, PrivateKeyIsReadWithAttributesAndItsPublicKey)
{
    const PrivateKey key = key_of(girih_algorithm("ML-KEM-512"));
    const Bytes seed = element(0x80, bytes_of(key.seed));
    const Bytes attributes = element(0xA0, {});
    const Bytes public_key = element(0x81, join({{0}, key.public_key}));
    EXPECT_TRUE(read_private_key(pkcs8("ML-KEM-512", seed, 0, attributes)));
    EXPECT_TRUE(read_private_key(pkcs8("ML-KEM-512", seed, 1, join({attributes, public_key}))));
}

TEST(MlKem, PrivateKeyIsPreferredAsItsSeed)
{
    PrivateKey key = key_of(girih_algorithm("ML-KEM-1024"));
    for (const Format format : {Format::pem, Format::der, Format::raw})
        EXPECT_EQ(preferred_form(key, format), PrivateForm::seed);
    key.seed.clear();
    EXPECT_EQ(preferred_form(key, Format::pem), PrivateForm::expanded);
    const auto both = write_private_key(key, PrivateForm::both, Format::pem);
    ASSERT_FALSE(both);
    EXPECT_EQ(static_cast<int>(both.error().problem), static_cast<int>(Problem::no_seed));
}

/// The expanded key of ML-KEM-512: 768 bytes of s, 800 of the public key, 32 of its hash, 32 of z.
constexpr std::size_t public_key_at = 768;
constexpr std::size_t rho_at = public_key_at + 768;
constexpr std::size_t hash_at = public_key_at + 800;
constexpr std::size_t z_at = hash_at + 32;

std::vector<Malformed> malformed()
{
    const std::string alg = "ML-KEM-512";
    const PrivateKey key = key_of(girih_algorithm("ML-KEM-512"));
    const PrivateKey other = key_of(girih_algorithm("ML-KEM-512"), 8);
    const Bytes seed = bytes_of(key.seed);
    const Bytes expanded = bytes_of(key.expanded);
    const auto file = [&alg](const Bytes& content) { return pkcs8(alg, element(0x04, content)); };
    const auto both = [&alg](const Bytes& s, const Bytes& e, const Bytes& rest = {}) {
        return pkcs8(alg, element(0x30, join({element(0x04, s), element(0x04, e), rest})));
    };
    const auto slice = [](const Bytes& bytes, std::size_t begin, std::size_t end) {
        return Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                     bytes.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const Bytes others = bytes_of(other.expanded);
    const Bytes short_seed(63, 7), long_seed(65, 7), half_a_seed(32, 7);
    const Bytes short_expanded(expanded.begin(), expanded.end() - 1), long_expanded = join({expanded, {0}});
    const std::string_view wrong_hash = "its hash is not that of the public key in it";
    const std::string_view wrong_s = "its s is not that of the public key in it";
    const std::string_view not_below_q = "a coefficient that is not below q";
    return {
        {"NoChoice", pkcs8(alg, element(0x02, {1})), Problem::private_choice, "both (RFC 9935)"},
        {"SeedTooShort", pkcs8(alg, element(0x80, short_seed)), Problem::private_key_length,
         "seed has 63 bytes, and should have 64"},
        {"SeedTooLong", pkcs8(alg, element(0x80, long_seed)), Problem::private_key_length,
         "seed has 65 bytes"},
        {"SeedOfDAlone", pkcs8(alg, element(0x80, half_a_seed)), Problem::private_key_length,
         "seed has 32 bytes"},
        {"ExpandedTooShort", file(short_expanded), Problem::private_key_length, "1631 bytes"},
        {"ExpandedTooLong", file(long_expanded), Problem::private_key_length, "1633 bytes"},
        {"ExpandedOfAnotherSet", file(bytes_of(key_of(girih_algorithm("ML-KEM-768")).expanded)),
         Problem::private_key_length, "2400 bytes"},
        {"SeedOfBothTooShort", both(short_seed, expanded), Problem::private_key_length, "63 bytes"},
        {"ExpandedOfBothTooShort", both(seed, short_expanded), Problem::private_key_length, "1631 bytes"},
        {"BytesAfterSeed", pkcs8(alg, join({element(0x80, seed), {0}})), Problem::der_trailing,
         "too many after privateKey"},
        {"BytesAfterBoth", both(seed, expanded, {0}), Problem::der_trailing, "too many after both"},
        {"HalvesDisagree", both(seed, others), Problem::halves_mismatch,
         "the expanded key is not the one that the seed"},
        {"LastByteOfSDisagrees", both(seed, with_byte(expanded, public_key_at - 1, 1)),
         Problem::halves_mismatch, "the expanded key is not the one that the seed"},
        {"ZDisagrees", both(seed, with_byte(expanded, z_at, 1)), Problem::halves_mismatch,
         "its z is not that of the seed"},
        {"LastByteOfZDisagrees", both(seed, with_byte(expanded, expanded.size() - 1, 0x80)),
         Problem::halves_mismatch, "its z is not that of the seed"},
        {"SNotBelowQ", file(with_coefficient(expanded, 0, q)), Problem::secret_key_range, not_below_q},
        {"LastOfSNotBelowQ", file(with_coefficient(expanded, 511, 4095)), Problem::secret_key_range,
         not_below_q},
        {"TNotBelowQ", file(with_coefficient(expanded, 5, q, public_key_at)), Problem::secret_key_range,
         not_below_q},
        {"WrongHash", file(with_byte(expanded, hash_at, 1)), Problem::secret_key_mismatch, wrong_hash},
        {"LastByteOfWrongHash", file(with_byte(expanded, z_at - 1, 0x80)), Problem::secret_key_mismatch,
         wrong_hash},
        {"WrongRho", file(with_byte(expanded, rho_at, 1)), Problem::secret_key_mismatch, wrong_hash},
        {"WrongS", file(with_byte(expanded, 0, 1)), Problem::secret_key_mismatch, wrong_s},
        {"SOfAnother", file(join({slice(others, 0, public_key_at), slice(expanded, public_key_at, 1632)})),
         Problem::secret_key_mismatch, wrong_s},
        {"PublicKeyAndHashOfAnother",
         file(join({slice(expanded, 0, public_key_at), slice(others, public_key_at, 1632)})),
         Problem::secret_key_mismatch, wrong_s},
        {"PublicKeyOfAnotherBesideIt",
         pkcs8(alg, element(0x80, seed), 1, element(0x81, join({{0}, other.public_key}))),
         Problem::public_key_mismatch, "belongs to another key"},
        {"PublicKeyInAnOctetString", public_key_info(alg, join({{0}, element(0x04, key.public_key)})),
         Problem::public_key_length, "the ML-KEM-512 public key has 804 bytes, and should have 800"},
        {"PublicKeyOfAnotherSet", public_key_info("ML-KEM-768", join({{0}, key.public_key})),
         Problem::public_key_length, "the ML-KEM-768 public key has 800 bytes"},
        {"Parameters",
         element(0x30,
                 join({element(0x30, join({element(0x06, {0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 1}), {5, 0}})),
                       element(0x03, join({{0}, key.public_key}))})),
         Problem::parameters, "ML-KEM-512"},
    };
}

class MalformedMlKem : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedMlKem, IsRefusedForItsOwnReason) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Key, MalformedMlKem, testing::ValuesIn(malformed()), name_of);

/// A raw key's length is all that there is to recognise it by.
TEST(MlKem, RawKeysAreChecked)
{
    const girih_alg* alg = girih_algorithm("ML-KEM-512");
    const Bytes expanded = bytes_of(key_of(alg).expanded);
    EXPECT_TRUE(read_private_key(expanded, alg));
    expect_refused({"", with_byte(expanded, hash_at, 1), Problem::secret_key_mismatch, "its hash"}, alg);
    expect_refused({"", with_byte(expanded, 0, 1), Problem::secret_key_mismatch, "its s"}, alg);
    expect_refused({"", Bytes(63, 7), Problem::raw_length, "a seed has 64, a secret key 1632"}, alg);
    expect_refused({"", Bytes(64, 7), Problem::raw_unnamed, "a raw seed"});
    expect_refused({"", expanded, Problem::raw_unnamed, "a raw ML-KEM-512 secret key"});
    expect_refused({"", Bytes(1184, 7), Problem::raw_unnamed, "a raw ML-KEM-768 or ntrulpr857 public key"});
    expect_refused({"", Bytes(1088, 7), Problem::unrecognised, "a raw ML-KEM-768 ciphertext"});
}

TEST(MlKem, KeyOfAnotherAlgorithmIsNamed)
{
    const Bytes file = write_public_key(public_half(key_of(girih_algorithm("ML-KEM-768"))), Format::pem);
    expect_refused({"", file, Problem::algorithm, "is an ML-KEM-768 key, not an ML-KEM-512 key"},
                   girih_algorithm("ML-KEM-512"));
}

}  // namespace
}  // namespace girih::key_files
