#include <girih/key_files.hpp>

#include <algorithm>
#include <array>
#include <variant>

#include "core/wipe.hpp"
#include "key_files/akp.hpp"
#include "key_files/encoding/cbor.hpp"
#include "key_files/encoding/json.hpp"
#include "key_files/encoding/pem.hpp"
#include "key_files/encryption/pbes2.hpp"
#include "key_files/foreign/files.hpp"
#include "key_files/structures.hpp"
#include "sha2/sha2.hpp"

namespace girih::key_files {
namespace {

/// `found` is a reference, so that one call may fill both arguments.
Result<KeyFile> private_file(Result<PrivateKey> key, Format format, const Found& found)
{
    if (!key) return key.error();
    key->for_hash_ml_dsa = found.for_hash_ml_dsa;
    return KeyFile{Kind::private_key, format, found.form, std::move(*key)};
}

Result<KeyFile> public_file(Result<PublicKey> key, Kind kind, Format format, const Found& found)
{
    if (!key) return key.error();
    key->for_hash_ml_dsa = found.for_hash_ml_dsa;
    return KeyFile{kind, format, PrivateForm::seed, std::move(*key)};
}

Result<KeyFile> read_as(Kind kind, BytesIn<> der, Format format)
{
    Found found;
    switch (kind) {
        case Kind::private_key:
            return private_file(read_pkcs8(der, found), format, found);
        case Kind::public_key:
            return public_file(read_public_key_info(der, found), kind, format, found);
        case Kind::certificate:
            break;
    }
    return public_file(read_certificate(der, found), Kind::certificate, format, found);
}

/// Reads the decrypted bytes even if their padding is wrong, and reports every failure alike.
Result<KeyFile> read_encrypted(BytesIn<> der, Format format, const Passphrase* passphrase)
{
    const auto locked = pbes2::parse(der, passphrase != nullptr ? passphrase->limits : Limits{});
    if (!locked) return locked.error();
    if (passphrase == nullptr)
        return Error{Problem::encrypted, "is an encrypted private key, which needs its passphrase"};
    const pbes2::Unlocked unlocked = pbes2::unlock(*locked, passphrase->bytes);
    auto file = read_as(Kind::private_key, unlocked.content, format);
    if (!file || !unlocked.is_padded)
        return Error{Problem::passphrase, "the passphrase is wrong, or the encrypted key was changed"};
    file->encryption = locked->how;
    return file;
}

Result<KeyFile> read_pem(BytesIn<> file, const Passphrase* passphrase, pem::Wanted wanted)
{
    const auto block = pem::decode(file, wanted);
    if (!block) return block.error();
    switch (block->holds) {
        case pem::Holds::private_key:
            return read_as(Kind::private_key, block->content, Format::pem);
        case pem::Holds::public_key:
            return read_as(Kind::public_key, block->content, Format::pem);
        case pem::Holds::certificate:
            return read_as(Kind::certificate, block->content, Format::pem);
        case pem::Holds::encrypted_private_key:
            break;
    }
    return read_encrypted(block->content, Format::pem, passphrase);
}

/// Distinguishes the structures by their first tags:
///   OneAsymmetricKey         { INTEGER
///   SubjectPublicKeyInfo     { { OBJECT IDENTIFIER ... } BIT STRING
///   EncryptedPrivateKeyInfo  { { OBJECT IDENTIFIER ... } OCTET STRING
///   Certificate              { { [0] or INTEGER
/// Anything else is read as one of them, to report where it departs.
Result<KeyFile> read_der(BytesIn<> file, const Passphrase* passphrase)
{
    std::optional<Error> error;
    der::Reader top(file, "the file", error);
    der::Reader outer = top.inside(der::sequence, "the key");
    if (error) return *error;  // cut off, whatever it is
    if (!outer.next_is(der::sequence)) return read_as(Kind::private_key, file, Format::der);
    const der::Reader inner = outer.inside(der::sequence, "the first field");
    if (!inner.next_is(der::object_identifier)) return read_as(Kind::certificate, file, Format::der);
    if (outer.next_is(der::octet_string)) return read_encrypted(file, Format::der, passphrase);
    return read_as(Kind::public_key, file, Format::der);
}

/// A raw key of an algorithm, if the length is right.
std::optional<Result<KeyFile>> read_raw(BytesIn<> file, const girih_alg* alg)
{
    if (file.size() == girih_seed_bytes(alg))
        return private_file(check_private_key(alg, {file, {}, {}, {}}), Format::raw, {PrivateForm::seed});
    if (file.size() == girih_secret_key_bytes(alg))
        return private_file(check_private_key(alg, {{}, file, {}, {}}), Format::raw, {PrivateForm::expanded});
    if (file.size() == girih_public_key_bytes(alg))
        return public_file(check_public_key({alg, Bytes(file.begin(), file.end())}), Kind::public_key,
                           Format::raw, {});
    return {};
}

Error raw_length_error(std::size_t bytes, const girih_alg* alg)
{
    return {Problem::raw_length, "neither PEM nor DER, and its " + std::to_string(bytes) +
                                     " bytes are not a raw " + girih_name(alg) + " key: a seed has " +
                                     std::to_string(girih_seed_bytes(alg)) + ", a secret key " +
                                     std::to_string(girih_secret_key_bytes(alg)) + ", a public key " +
                                     std::to_string(girih_public_key_bytes(alg))};
}

/// The algorithms whose `length` is `bytes`, as in "ML-DSA-44 or Dilithium2"; empty if there are
/// none.
std::string algorithms_with(std::size_t (*length)(const girih_alg*), std::size_t bytes)
{
    std::string names;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        if (length(alg) == bytes) names += (names.empty() ? "" : " or ") + std::string(girih_name(alg));
    return names;
}

/// The error for a file whose length alone says what it may be; nothing if it says nothing.
std::optional<Error> error_by_length(std::size_t bytes)
{
    const std::string secret = algorithms_with(girih_secret_key_bytes, bytes);
    const std::string shown = algorithms_with(girih_public_key_bytes, bytes);
    const std::string message = "neither PEM nor DER; its " + std::to_string(bytes) + " bytes may be a raw ";
    const std::string remedy = ", whose algorithm has to be named";
    if (!secret.empty()) return Error{Problem::raw_unnamed, message + secret + " secret key" + remedy};
    if (!shown.empty()) return Error{Problem::raw_unnamed, message + shown + " public key" + remedy};
    if (!algorithms_with(girih_seed_bytes, bytes).empty())
        return Error{Problem::raw_unnamed, message + "seed" + remedy};
    const std::string signature = algorithms_with(girih_signature_bytes, bytes);
    if (!signature.empty()) return Error{Problem::unrecognised, message + signature + " signature"};
    const std::string ciphertext = algorithms_with(girih_ciphertext_bytes, bytes);
    if (!ciphertext.empty()) return Error{Problem::unrecognised, message + ciphertext + " ciphertext"};
    return {};
}

/// Reads a JWK or a COSE_Key; nothing if the file does not begin like either.
std::optional<Result<KeyFile>> read_map(BytesIn<> file)
{
    if (json::recognised(file)) return akp::read_jwk(file);
    const Byte first = declassify(Secret(file.front()), "whether a file may be CBOR is not secret");
    if (first >> 5 == cbor::map) return akp::read_cose_key(file);
    return {};
}

/// Whether the file is one SEQUENCE, by its tag and length. Then it is not PEM, whatever text it
/// contains.
bool is_sequence(BytesIn<> file)
{
    std::optional<Error> error;
    der::Reader top(file, "the file", error);
    (void)top.element(der::sequence, "the key");
    return !error && top.at_end();
}

Result<KeyFile> read_any(BytesIn<> file, const girih_alg* alg, const Passphrase* passphrase,
                         pem::Wanted wanted)
{
    if (file.empty()) return Error{Problem::empty, "the file is empty"};
    if (file.size() > max_file_bytes)
        return Error{Problem::too_long, "the file has " + std::to_string(file.size()) +
                                            " bytes, but a key file has at most " +
                                            std::to_string(max_file_bytes)};
    if (pem::recognised(file) && !is_sequence(file)) {
        auto key = read_map(file);  // whose kid may contain what PEM begins with
        return key && *key ? std::move(*key) : read_pem(file, passphrase, wanted);
    }
    if (alg != nullptr) {
        if (auto raw = read_raw(file, alg)) return std::move(*raw);
    }
    if (pem::recognised_in_utf16(file))
        return Error{Problem::unrecognised, "PEM in UTF-16; key files are in ASCII or UTF-8"};
    const Byte first = declassify(Secret(file.front()), "whether a file may be DER is not secret");
    if (first == der::sequence) {
        if (auto foreign = foreign_sequence(file))
            return Error{Problem::unrecognised, "is " + std::move(*foreign)};
        return read_der(file, passphrase);
    }
    const auto by_length = error_by_length(file.size());
    if (auto key = read_map(file)) {
        // One in eight raw keys begins like a map.
        const bool is_no_map =
            !*key && (key->error().problem == Problem::json || key->error().problem == Problem::cbor);
        if (!is_no_map || !by_length) return std::move(*key);
    }
    auto foreign = by_length ? std::nullopt : foreign_file(file);
    if (foreign) return Error{Problem::unrecognised, "is " + std::move(*foreign)};
    if (alg != nullptr) return raw_length_error(file.size(), alg);
    return by_length ? *by_length : Error{Problem::unrecognised, "not PEM, DER, JWK or COSE_Key"};
}

/// Whether two algorithms have the same identifier, so that keys of one are keys of the other.
bool shares_identifier(const girih_alg* a, const girih_alg* b)
{
    return std::ranges::equal(by_algorithm(a).identifier, by_algorithm(b).identifier);
}

Result<KeyFile> expect_algorithm(Result<KeyFile> found, const girih_alg* alg)
{
    if (found && alg != nullptr && shares_identifier(found->alg(), alg))
        std::visit([alg](auto& key) { key.alg = alg; }, found->key);
    if (found && alg != nullptr && found->alg() != alg)
        return Error{Problem::algorithm,
                     "the key is " + with_article(found->alg()) + " key, not " + with_article(alg) + " key"};
    return found;
}

Result<KeyFile> read_for(const girih_alg* alg, BytesIn<> file, const Passphrase* passphrase,
                         pem::Wanted wanted = pem::Wanted::any)
{
    return expect_algorithm(read_any(file, alg, passphrase, wanted), alg);
}

/// Whether the format is of RFC 9964.
bool is_akp(Format format) { return format == Format::jwk || format == Format::cose_key; }

Result<PrivateKey> expect_private(Result<KeyFile> found)
{
    if (!found) return found.error();
    if (auto* key = std::get_if<PrivateKey>(&found->key)) return std::move(*key);
    const bool certificate = found->kind == Kind::certificate;
    return Error{Problem::wrong_kind,
                 std::string(certificate ? "is a certificate" : "is a public key") + ", not a private key"};
}

}  // namespace

void erase(void* bytes, std::size_t count) noexcept { wipe(std::span(static_cast<Byte*>(bytes), count)); }

const girih_alg* KeyFile::alg() const noexcept
{
    const auto* secret = std::get_if<PrivateKey>(&key);
    return secret != nullptr ? secret->alg : std::get_if<PublicKey>(&key)->alg;
}

const Bytes& KeyFile::public_key() const noexcept
{
    const auto* secret = std::get_if<PrivateKey>(&key);
    return secret != nullptr ? secret->public_key : std::get_if<PublicKey>(&key)->bytes;
}

bool KeyFile::for_hash_ml_dsa() const noexcept
{
    return std::visit([](const auto& either) { return either.for_hash_ml_dsa; }, key);
}

PublicKey KeyFile::public_part() const
{
    const auto* secret = std::get_if<PrivateKey>(&key);
    if (secret == nullptr) return *std::get_if<PublicKey>(&key);
    return {secret->alg, secret->public_key, secret->for_hash_ml_dsa, secret->kid};
}

Result<KeyFile> read(BytesView file, const girih_alg* alg)
{
    return read_for(by_algorithm(alg).alg, file, nullptr);
}

Result<KeyFile> read(BytesView file, const girih_alg* alg, const Passphrase& passphrase)
{
    return read_for(by_algorithm(alg).alg, file, &passphrase);
}

Result<PrivateKey> read_private_key(BytesView file, const girih_alg* alg)
{
    return expect_private(read(file, alg));
}

Result<PrivateKey> read_private_key(BytesView file, const girih_alg* alg, const Passphrase& passphrase)
{
    return expect_private(read(file, alg, passphrase));
}

Result<KeyFile> read_public(BytesView file, const girih_alg* alg)
{
    auto found = read_for(by_algorithm(alg).alg, file, nullptr, pem::Wanted::public_key);
    if (found && found->kind == Kind::private_key)
        return Error{Problem::wrong_kind, "is a private key, not a public key"};
    return found;
}

Result<PublicKey> read_public_key(BytesView file, const girih_alg* alg)
{
    auto found = read_public(file, alg);
    if (!found) return found.error();
    return std::move(*std::get_if<PublicKey>(&found->key));
}

PrivateForm preferred_form(const PrivateKey& key, Format format) noexcept
{
    const Identified algorithm = by_algorithm(key.alg);
    const bool holds_seed = algorithm.layout == PrivateLayout::choice || is_akp(format) ||
                            (format == Format::raw && algorithm.layout == PrivateLayout::oqs_provider);
    return holds_seed && !key.seed.empty() ? PrivateForm::seed : PrivateForm::expanded;
}

Result<SecretBytes> write_private_key(const PrivateKey& key, PrivateForm form, Format format)
{
    if (form != PrivateForm::expanded && key.seed.empty())
        return Error{Problem::no_seed,
                     "the key came without its seed, which cannot be computed from the expanded key"};
    if (format == Format::raw) {
        if (form == PrivateForm::both)
            return Error{Problem::no_form, "a raw key is the seed or the expanded key, not both"};
        return form == PrivateForm::seed ? key.seed : key.expanded;
    }
    if (is_akp(format)) {
        if (form != PrivateForm::seed)
            return Error{Problem::no_form, "a JWK or a COSE_Key holds the seed, not the expanded key"};
        return akp::write({key.alg, key.public_key, key.for_hash_ml_dsa, key.kid}, key.seed, format);
    }
    auto der = encode_pkcs8(key, form);
    if (!der || format == Format::der) return der;
    return pem::encode(pem::private_label, *der);
}

Result<SecretBytes> write_encrypted_private_key(const PrivateKey& key, PrivateForm form, Format format,
                                                BytesView passphrase, const Encryption& how)
{
    if (format != Format::pem && format != Format::der)
        return Error{Problem::no_form, (is_akp(format) ? "JWKs and COSE_Keys" : "raw keys") +
                                           std::string(" are not encrypted; PEM and DER keys are")};
    auto plain = write_private_key(key, form, Format::der);
    if (!plain) return plain;
    auto der = pbes2::lock(*plain, passphrase, how);
    if (!der || format == Format::der) return der;
    return pem::encode(pem::encrypted_label, *der);
}

Result<Bytes> write_public(const PublicKey& key, Format format)
{
    if (format == Format::raw) return key.bytes;
    auto file = is_akp(format) ? akp::write(key, {}, format) : encode_public_key_info(key);
    if (!file) return file.error();
    if (format == Format::pem) file = pem::encode(pem::public_label, *file);
    return Bytes(file->begin(), file->end());
}

Bytes write_public_key(const PublicKey& key, Format format)
{
    auto file = write_public(key, format);
    return file ? std::move(*file) : Bytes{};
}

std::array<std::uint8_t, 32> fingerprint(const PublicKey& key)
{
    sha2::Sha256 hash;
    hash.update(encode_public_key_info({key.alg, key.bytes}));
    return hash.digest();
}

}  // namespace girih::key_files
