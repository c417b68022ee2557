#include "cli/files/keys.hpp"

#include "cli/command_line.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/files/hex.hpp"
#include "cli/files/message.hpp"
#include "cli/output/terminal.hpp"
#include "cli/suggestions.hpp"
#include "core/text.hpp"

namespace girih::cli {
namespace {

using key_files::Error;
using key_files::Format;
using key_files::Kind;
using key_files::PrivateForm;
using key_files::Problem;

/// Far above the longest key file, a certificate with many extensions.
constexpr std::size_t max_key_file_bytes = key_files::max_file_bytes;

std::string enumeration(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

[[noreturn]] void fail_key(const std::string& path, const Error& error)
{
    const bool wants_algorithm = error.problem == Problem::raw_unnamed;
    throw Failure(exit_file,
                  input_name(path) + ": " + explained(error.message) + (wants_algorithm ? " (--alg)" : ""));
}

[[noreturn]] void fail_kind(const std::string& path, Kind kind, const std::string& need)
{
    throw Failure(exit_file, input_name(path) + ": is a " + std::string(name_of(kind)) + "; " + need);
}

void check_use(const std::string& path, const girih_alg* alg, Use use)
{
    const bool is_kem = girih_is_kem(alg) == 1;
    if (is_kem == (use == Use::key_encapsulation)) return;
    throw Failure(exit_file, input_name(path) + ": its algorithm, " + girih_name(alg) +
                                 (is_kem ? ", encapsulates keys and does not sign"
                                         : ", signs and does not encapsulate keys"));
}

key_files::SecretBytes read_key_file(const std::string& path, Input& file)
{
    auto bytes = read_small(file, max_key_file_bytes);
    if (bytes.size() > max_key_file_bytes)
        throw Failure(exit_file, input_name(path) + ": too long for a key file");
    return bytes;
}

void warn_of_others(const std::string& path, const std::string& use)
{
    if (!use.empty()) warn(input_name(path) + ": is a private key that others than its owner can use " + use);
}

std::vector<std::string> all_algorithms()
{
    std::vector<std::string> names;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        names.emplace_back(girih_name(alg));
    return names;
}

std::vector<std::string> all_pre_hashes()
{
    std::vector<std::string> names;
    for (std::size_t i = 0; const char* name = girih_pre_hash_at(i); ++i) names.emplace_back(name);
    return names;
}

/// Loads a key from a file by `read`.
template <class Read>
key_files::KeyFile load(const std::string& path, Read read)
{
    Input file(path);
    key_files::Result<key_files::KeyFile> key = read(read_key_file(path, file));
    if (!key) fail_key(path, key.error());
    if (key->kind == Kind::private_key && !key->encryption) warn_of_others(path, file.use_by_others());
    return std::move(*key);
}

/// "there is no X; did you mean Y?", or the existing names.
std::string unknown_name(const std::string& name, const std::vector<std::string>& known)
{
    const std::string meant = did_you_mean(name, known);
    return "there is no " + name + (meant.empty() ? "; there are " + enumeration(known) : meant);
}

}  // namespace

std::string pre_hash_names() { return enumeration(all_pre_hashes()); }

const char* pre_hash_of(const std::string& name)
{
    for (std::size_t i = 0; const char* known = girih_pre_hash_at(i); ++i)
        if (same_name(known, name)) return known;
    throw Failure(exit_usage, "--pre-hash: " + unknown_name(name, all_pre_hashes()));
}

void add_raw_algorithm_option(const Command& subcommand, std::string& name)
{
    subcommand.option("--alg", name, "the key's algorithm: needed for a raw key, checked for others")
        .type_name("NAME");
}

void add_shared_secret_option(const Command& subcommand, std::string& path)
{
    subcommand
        .option("--shared-secret", path,
                "the shared secret's new file, 32 bytes, which only its owner may read")
        .type_name("FILE")
        .required();
}

void add_format_option(const Command& subcommand, std::string& format)
{
    subcommand.option("--format", format, "pem, der or raw; pem if not given")
        .type_name("FORMAT")
        .one_of({"pem", "der", "raw"});
}

void add_private_form_option(const Command& subcommand, std::string& form, const std::string& when_absent)
{
    subcommand.option("--private-form", form, "seed, expanded (from the seed) or both; " + when_absent)
        .type_name("FORM")
        .one_of({"seed", "expanded", "both"});
}

Format format_of(std::string_view name)
{
    return name == "der" ? Format::der : name == "raw" ? Format::raw : Format::pem;
}

Content content_of(Format format) { return format == Format::pem ? Content::text : Content::binary; }

PrivateForm private_form_of(std::string_view name)
{
    return name == "seed" ? PrivateForm::seed : name == "both" ? PrivateForm::both : PrivateForm::expanded;
}

std::string_view name_of(Kind kind)
{
    switch (kind) {
        case Kind::private_key:
            return "private key";
        case Kind::public_key:
            return "public key";
        case Kind::certificate:
            break;
    }
    return "certificate";
}

std::string_view name_of(Format format)
{
    switch (format) {
        case Format::pem:
            return "PEM";
        case Format::der:
            return "DER";
        case Format::raw:
            break;
    }
    return "raw";
}

std::string_view name_of(PrivateForm form)
{
    switch (form) {
        case PrivateForm::seed:
            return "seed";
        case PrivateForm::expanded:
            return "expanded";
        case PrivateForm::both:
            break;
    }
    return "both";
}

const girih_alg* algorithm_of(const std::string& name)
{
    if (name.empty()) return nullptr;
    const girih_alg* alg = girih_algorithm(name.c_str());
    if (alg == nullptr) throw Failure(exit_usage, "--alg: " + unknown_name(name, all_algorithms()));
    return alg;
}

std::string fingerprint_of(const key_files::KeyFile& file)
{
    return fingerprint_of(key_files::PublicKey{file.alg(), file.public_key()});
}

std::string fingerprint_of(const key_files::PublicKey& key) { return to_hex(key_files::fingerprint(key)); }

const girih_alg* namesake_of(const key_files::PublicKey& key)
{
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        if (alg != key.alg && girih_public_key_bytes(alg) == key.bytes.size() &&
            key_files::fingerprint({alg, key.bytes}) == key_files::fingerprint(key))
            return alg;
    return nullptr;
}

key_files::KeyFile load_key(const std::string& path, const girih_alg* alg, const PassphraseSource& passphrase)
{
    return load(path, [&](const auto& file) {
        auto key = key_files::read(file, alg);
        if (key || key.error().problem != Problem::encrypted) return key;
        return key_files::read(file, alg, key_files::Passphrase{passphrase.get(input_name(path))});
    });
}

key_files::PrivateKey load_private_key(const std::string& path, const girih_alg* alg, Use use,
                                       const PassphraseSource& passphrase)
{
    auto file = load_key(path, alg, passphrase);
    passphrase.forget();
    check_use(path, file.alg(), use);
    if (auto* key = std::get_if<key_files::PrivateKey>(&file.key)) return std::move(*key);
    fail_kind(path, file.kind, "--secret needs a private key");
}

LoadedPublicKey load_public_key(const std::string& path, const girih_alg* alg, Use use)
{
    auto file = load(path, [&](const auto& bytes) {
        auto key = key_files::read_public(bytes, alg);
        if (!key && (key.error().problem == Problem::wrong_kind || key.error().problem == Problem::encrypted))
            fail_kind(path, Kind::private_key, "--public needs a public key");
        return key;
    });
    check_use(path, file.alg(), use);
    return {std::move(*std::get_if<key_files::PublicKey>(&file.key)), file.kind == Kind::certificate};
}

LoadedPublicKey load_public_key_warning(const std::string& path, const girih_alg* alg, Use use)
{
    auto key = load_public_key(path, alg, use);
    if (key.is_certificate)
        warn(
            input_name(path) +
            ": is a certificate, of which only the key is used; its own signature and dates are not checked");
    return key;
}

key_files::SecretBytes encode_private_key(const key_files::PrivateKey& key, const Encoding& encoding,
                                          const std::string& source, std::span<const std::uint8_t> passphrase)
{
    const auto& [form, format, encryption] = encoding;
    auto bytes = encryption ? write_encrypted_private_key(key, form, format, passphrase, *encryption)
                            : write_private_key(key, form, format);
    if (bytes) return std::move(*bytes);
    if (bytes.error().problem == Problem::no_form)
        throw Failure(exit_usage, "--private-form: " + bytes.error().message);
    fail_key(source, bytes.error());
}

}  // namespace girih::cli
