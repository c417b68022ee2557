/// Every way to write a key: the exact bytes, which are read again, and refused where their
/// structure is damaged.
#include <girih/falcon.hpp>
#include <girih/ml_dsa.hpp>
#include <girih/ml_kem.hpp>
#include <girih/ntru_prime.hpp>

#include <optional>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

constexpr Format formats[]{Format::pem, Format::der, Format::raw};

struct Form {
    const girih_alg* alg;
    Format format;
    PrivateForm form;
    std::optional<Kdf> kdf = {};

    [[nodiscard]] Result<SecretBytes> write() const
    {
        const PrivateKey& key = key_of(alg);
        return kdf ? write_encrypted_private_key(key, form, format, words().bytes, quick(*kdf))
                   : write_private_key(key, form, format);
    }
    [[nodiscard]] std::string name() const
    {
        return girih_name(alg) + (", format " + std::to_string(static_cast<int>(format))) + ", form " +
               std::to_string(static_cast<int>(form)) +
               (kdf ? ", kdf " + std::to_string(static_cast<int>(*kdf)) : "");
    }
};

std::vector<PrivateForm> forms_of(const girih_alg* alg, Format format)
{
    if (format == Format::raw) return {PrivateForm::seed, PrivateForm::expanded};
    if (!has_all_forms(alg)) return {PrivateForm::expanded};
    return {PrivateForm::seed, PrivateForm::expanded, PrivateForm::both};
}

std::vector<Form> private_forms()
{
    std::vector<Form> all;
    for (const girih_alg* alg : algorithms())
        for (const Format format : formats)
            for (const PrivateForm form : forms_of(alg, format)) {
                all.push_back({alg, format, form});
                if (format == Format::raw) continue;
                for (const Kdf kdf : {Kdf::pbkdf2_sha256, Kdf::pbkdf2_sha512, Kdf::scrypt})
                    all.push_back({alg, format, form, kdf});
            }
    return all;
}

TEST(PrivateKey, ComesBackInEveryForm)
{
    for (const Form& form : private_forms()) {
        SCOPED_TRACE(form.name());
        const PrivateKey& key = key_of(form.alg);
        const auto file = form.write();
        ASSERT_TRUE(file) << file.error().message;
        const girih_alg* const named = needed_name(form.alg, form.format);
        const auto back = form.kdf ? read(*file, named, words()) : read(*file, named);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->kind, Kind::private_key);
        EXPECT_EQ(back->format, form.format);
        EXPECT_EQ(back->form, form.form);
        EXPECT_EQ(back->encryption ? std::optional(back->encryption->kdf) : std::nullopt, form.kdf);
        const auto& found = std::get<PrivateKey>(back->key);
        EXPECT_EQ(found.alg, form.alg);
        EXPECT_EQ(found.seed, form.form == PrivateForm::expanded ? SecretBytes{} : key.seed);
        EXPECT_EQ(found.expanded, key.expanded);
        EXPECT_EQ(found.public_key, key.public_key);
    }
}

TEST(PrivateKey, CutShortIsRefused)
{
    for (const Form& form : private_forms()) {
        if (form.format != Format::der) continue;
        SCOPED_TRACE(form.name());
        const Bytes file = bytes_of(*form.write());
        for (std::size_t bytes = 1; bytes < file.size(); bytes += 1 + bytes / 16) {
            const auto found = read(slice(file, 0, bytes), nullptr, words());
            ASSERT_FALSE(found) << bytes;
            EXPECT_EQ(found.error().problem, Problem::der_truncated) << bytes;
        }
    }
}

/// Where the content of the element at a place begins.
std::size_t content_of(const Bytes& file, std::size_t at)
{
    return at + 2 + (file[at + 1] < 0x80 ? 0 : file[at + 1] & 0x7Fu);
}

/// Every bit of the structure around a private key matters but the version's last: a key of version
/// 2 need not have a public key.
TEST(PrivateKey, WithADamagedStructureIsRefused)
{
    for (const Form& form : private_forms()) {
        if (form.format != Format::der || form.kdf) continue;
        SCOPED_TRACE(form.name());
        const Bytes file = bytes_of(*form.write());
        const std::size_t version = content_of(file, 0) + 2;
        const std::size_t content = content_of(file, version + 1 + algorithm_of(girih_name(form.alg)).size());
        for (std::size_t bit = 0; bit < 8 * content_of(file, content); ++bit) {
            const Bytes damaged = with_byte(file, bit / 8, static_cast<std::uint8_t>(1u << bit % 8));
            EXPECT_EQ(static_cast<bool>(read(damaged, form.alg)), bit == 8 * version) << bit;
        }
    }
}

// ---- To the byte

/// The content of privateKey, in the expanded form.
Bytes expanded_content(const girih_alg* alg)
{
    const PrivateKey& key = key_of(alg);
    if (is_ntru_prime(alg)) return parts_of(girih_name(alg)).content();
    if (has_all_forms(alg)) return octets(bytes_of(key.expanded));
    return octets(join({bytes_of(key.expanded), key.public_key}));
}

TEST(PrivateKey, IsWrittenAsItsStandardOrTheProgramsThatHaveItWriteIt)
{
    for (const girih_alg* alg : algorithms()) {
        const PrivateKey& key = key_of(alg);
        const auto expect = [&key](PrivateForm form, const Bytes& content) {
            EXPECT_EQ(bytes_of(*write_private_key(key, form, Format::der)),
                      pkcs8(girih_name(key.alg), content))
                << girih_name(key.alg);
        };
        const Bytes expanded = expanded_content(alg);
        expect(PrivateForm::expanded, expanded);
        if (!has_all_forms(alg)) continue;
        const Bytes seed = bytes_of(key.seed);
        expect(PrivateForm::seed, seed_choice(seed));
        expect(PrivateForm::both, sequence({octets(seed), expanded}));
    }
    EXPECT_EQ(key_of("ML-KEM-768").seed.size(), 64u) << "d and z";
}

TEST(PublicKey, IsWrittenAsSubjectPublicKeyInfoAndComesBackInEveryFormatAndFromACertificate)
{
    for (const girih_alg* alg : algorithms()) {
        const PublicKey key = public_half(key_of(alg));
        const Bytes info = public_key_info(girih_name(alg), public_key_bits(alg, key.bytes));
        EXPECT_EQ(write_public_key(key, Format::der), info);
        const auto certified =
            read_public_key(Certificate{.public_key = info}.der(), needed_name(alg, Format::der));
        ASSERT_TRUE(certified) << certified.error().message;
        EXPECT_EQ(certified->alg, alg);
        EXPECT_EQ(certified->bytes, key.bytes);
        for (const Format format : formats) {
            SCOPED_TRACE(girih_name(alg));
            const auto back = read(write_public_key(key, format), needed_name(alg, format));
            ASSERT_TRUE(back) << back.error().message;
            EXPECT_EQ(back->kind, Kind::public_key);
            EXPECT_EQ(back->format, format);
            EXPECT_EQ(back->alg(), alg);
            EXPECT_EQ(back->public_key(), key.bytes);
        }
    }
}

TEST(PublicKey, OfAnAlgorithmThatOnlyVerifiesIsThatOfTheWholeOne)
{
    for (const auto& [verifying, name] : {std::pair{girih_ml_dsa_44_verifying(), "ML-DSA-44"},
                                          {girih_dilithium5_verifying(), "Dilithium5"},
                                          {girih_falcon_padded_512_verifying(), "Falcon-padded-512"}}) {
        const PublicKey key = public_half(key_of(name));
        for (const Format format : formats) {
            const Bytes file = write_public_key(key, format);
            EXPECT_EQ(write_public_key({verifying, key.bytes}, format), file) << name;
            const auto back = read(file, verifying);
            ASSERT_TRUE(back) << back.error().message;
            EXPECT_EQ(back->alg(), key.alg);
            EXPECT_EQ(back->public_key(), key.bytes);
        }
        EXPECT_EQ(fingerprint({verifying, key.bytes}), fingerprint(key)) << name;
        EXPECT_EQ(read(write_public_key(key, Format::pem), girih_ml_dsa_87_verifying()).error().problem,
                  Problem::algorithm);
    }
}

// ---- Keys of the C++ headers

template <class Secret, class Shown>
void expect_typed(const char* name)
{
    const PrivateKey& key = key_of(name);
    for (const Format format : formats) {
        for (const PrivateForm form : {preferred_form(key, format), PrivateForm::expanded}) {
            const auto file = write_private_key(key, form, format);
            const auto secret = read<Secret>(*file);
            ASSERT_TRUE(secret) << secret.error().message;
            EXPECT_TRUE(std::ranges::equal(secret->bytes(), key.expanded)) << name;
            EXPECT_EQ(*write(*secret, format), *file) << name;
        }
        const auto shown = read<Shown>(write_public_key(public_half(key), format));
        ASSERT_TRUE(shown) << shown.error().message;
        EXPECT_TRUE(std::ranges::equal(shown->bytes(), key.public_key)) << name;
        EXPECT_EQ(write(*shown, format), write_public_key(public_half(key), format)) << name;
    }
    const auto locked = write_encrypted_private_key(key, PrivateForm::expanded, Format::pem, words().bytes,
                                                    quick(Kdf::pbkdf2_sha256));
    EXPECT_EQ(read<Secret>(*locked).error().problem, Problem::encrypted);
    EXPECT_THROW((void)read<Secret>(*locked).value(), std::runtime_error);
    EXPECT_EQ(read<Secret>(*locked, words()).value().bytes(), read<Secret>(*locked, words())->bytes());
    EXPECT_TRUE(read<Secret>(std::string{locked->begin(), locked->end()}, words()));
}

TEST(TypedKeys, AreReadFromEveryFormatAndStringsOfPem)
{
    expect_typed<ml_dsa_65::SigningKey, ml_dsa_65::VerifyingKey>("ML-DSA-65");
    expect_typed<falcon_padded_512::SigningKey, falcon_padded_512::VerifyingKey>("Falcon-padded-512");
    expect_typed<ml_kem_768::DecapsulationKey, ml_kem_768::EncapsulationKey>("ML-KEM-768");
    expect_typed<sntrup761::DecapsulationKey, sntrup761::EncapsulationKey>("sntrup761");
}

/// RFC 9881 and RFC 9935 prefer the seed.
TEST(TypedKeys, ThatWereGeneratedAreWrittenAsSeeds)
{
    const auto key = ml_kem_512::DecapsulationKey::generate();
    EXPECT_EQ(ml_kem_512::DecapsulationKey::from_seed(key.seed()).bytes(), key.bytes());
    const auto file = write(key, Format::pem);
    EXPECT_EQ(read(*file).value().form, PrivateForm::seed);
    EXPECT_EQ(read<ml_kem_512::DecapsulationKey>(*file).value().bytes(), key.bytes());
    EXPECT_TRUE(write_private_key(private_key_of(key), PrivateForm::both, Format::der));
    EXPECT_EQ(ml_kem_512::DecapsulationKey{key.bytes()}.seed().size(), 0U);
    EXPECT_FALSE(ml_kem_512::DecapsulationKey::try_from_seed(Bytes(63)));
}

TEST(TypedKeys, OfAnotherKindOrAlgorithmAreRefused)
{
    const auto file = write_private_key(key_of("ML-DSA-65"), PrivateForm::seed, Format::pem);
    EXPECT_EQ(read<ml_dsa_44::SigningKey>(*file).error().problem, Problem::algorithm);
    EXPECT_EQ(read<ml_dsa_65::VerifyingKey>(*file).error().problem, Problem::wrong_kind);
    PublicKey shown = public_half(key_of("ML-DSA-65"));
    EXPECT_EQ(read<ml_dsa_65::SigningKey>(write_public_key(shown, Format::pem)).error().problem,
              Problem::wrong_kind);
    shown.for_hash_ml_dsa = true;
    EXPECT_EQ(read<ml_dsa_65::VerifyingKey>(write_public_key(shown, Format::pem)).error().problem,
              Problem::algorithm);
}

// ---- Optional parts beside a private key

TEST(PrivateKey, IsReadWithAttributesAndItsPublicKey)
{
    const Bytes attributes = element(0xA0, {});
    for (const girih_alg* alg : algorithms()) {
        SCOPED_TRACE(girih_name(alg));
        const Bytes content = expanded_content(alg);
        const Bytes shown = public_field(public_key_bits(alg, key_of(alg).public_key));
        const auto is_read = [&](std::uint8_t version, const Bytes& rest) {
            const auto key = read_private_key(pkcs8(girih_name(alg), content, version, rest), alg);
            return key && key->alg == alg;
        };
        EXPECT_TRUE(is_read(0, attributes));
        EXPECT_TRUE(is_read(1, {})) << "version 2, and the public key left out";
        EXPECT_TRUE(is_read(1, attributes));
        EXPECT_TRUE(is_read(1, shown));
        EXPECT_TRUE(is_read(1, join({attributes, shown})));
    }
}

TEST(PrivateKey, HasToFitThePublicKeyBesideIt)
{
    for (const girih_alg* alg : algorithms()) {
        const Bytes good = key_of(alg).public_key;
        for (const std::size_t at : {std::size_t{0}, good.size() / 2, good.size() - 1}) {
            const Bytes shown = public_field(public_key_bits(alg, with_byte(good, at, 1)));
            SCOPED_TRACE(girih_name(alg));
            expect_refused({pkcs8(girih_name(alg), expanded_content(alg), 1, shown),
                            Problem::public_key_mismatch, "belongs to another key"},
                           needed_name(alg, Format::der));
        }
    }
}

/// Bouncy Castle 1.79 has a seed in an OCTET STRING, and a build option of oqs-provider leaves
/// Dilithium's public key out.
TEST(PrivateKey, IsReadFromFormsThatAreNotWritten)
{
    for (const char* name : {"ML-DSA-44", "ML-KEM-512"}) {
        const auto back = read(pkcs8(name, octets(bytes_of(key_of(name).seed))));
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->form, PrivateForm::seed);
        EXPECT_EQ(std::get<PrivateKey>(back->key).expanded, key_of(name).expanded);
    }
    EXPECT_TRUE(read_private_key(pkcs8("Dilithium3", octets(bytes_of(key_of("Dilithium3").expanded)))));
}

// ---- Requests

TEST(PrivateKey, IsPreferredAsItsSeedWhereFilesHoldOne)
{
    for (const girih_alg* alg : algorithms()) {
        PrivateKey key = key_of(alg);
        const std::string_view name = girih_name(alg);
        const bool is_falcon = name.starts_with("Falcon");
        const auto form_if = [](bool seed) { return seed ? PrivateForm::seed : PrivateForm::expanded; };
        EXPECT_EQ(preferred_form(key, Format::pem), form_if(has_all_forms(alg))) << name;
        EXPECT_EQ(preferred_form(key, Format::der), form_if(has_all_forms(alg))) << name;
        EXPECT_EQ(preferred_form(key, Format::raw), form_if(!is_ntru_prime(alg) && !is_falcon)) << name;
        key.seed.clear();
        for (const Format format : formats) EXPECT_EQ(preferred_form(key, format), PrivateForm::expanded);
    }
}

TEST(PrivateKey, IsNotWrittenInAFormThatItOrTheFormatLacks)
{
    const auto expect = [](const PrivateKey& key, PrivateForm form, Format format, Problem problem) {
        const auto file = write_private_key(key, form, format);
        ASSERT_FALSE(file);
        EXPECT_EQ(static_cast<int>(file.error().problem), static_cast<int>(problem)) << file.error().message;
    };
    for (const girih_alg* alg : algorithms()) {
        PrivateKey key = key_of(alg);
        expect(key, PrivateForm::both, Format::raw, Problem::no_form);
        for (const PrivateForm form : {PrivateForm::seed, PrivateForm::both})
            if (!has_all_forms(alg)) expect(key, form, Format::pem, Problem::no_form);
        key.seed.clear();
        for (const Format format : formats) expect(key, PrivateForm::seed, format, Problem::no_seed);
        expect(key, PrivateForm::both, Format::der, Problem::no_seed);
    }
    const auto file = write_private_key(key_of("ntrulpr653"), PrivateForm::seed, Format::pem);
    EXPECT_EQ(file.error().message, "PEM and DER hold an ntrulpr653 private key in its expanded form only");
}

TEST(PrivateKey, IsMadeOfASeedOfItsLengthAndNewEveryTime)
{
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    EXPECT_EQ(from_seed(alg, Bytes(31, 7)).error().problem, Problem::private_key_length);
    const auto first = generate(alg);
    const auto second = generate(alg);
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->seed, second->seed);
    EXPECT_NE(first->public_key, second->public_key);
}

}  // namespace
}  // namespace girih::key_files
