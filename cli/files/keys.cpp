#include "cli/files/keys.hpp"

#include "cli/arguments/command_line.hpp"
#include "cli/arguments/suggestions.hpp"
#include "cli/files/files.hpp"
#include "cli/files/hex.hpp"
#include "cli/output/terminal.hpp"
#include "cli/system/failure.hpp"
#include "cli/system/process.hpp"
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

constexpr const char* folder_variable = "GIRIH_KEYS";

std::string stem_of(Use use) { return use == Use::signatures ? "girih" : "girih-kem"; }

std::string folder_of_keys()
{
    if (std::string folder = system::variable(folder_variable); !folder.empty()) return folder;
    const std::string home = system::variable(system::home_variable);
    if (home.empty())
        throw Failure(exit_usage, std::string("--secret: not given, and neither ") + folder_variable +
                                      " nor " + system::home_variable + " says where private keys are");
    return home + system::separator + ".girih";
}

/// Loads a key from a file by `read`.
template <class Read>
key_files::KeyFile load(const std::string& path, Read read)
{
    Input file(path);
    key_files::Result<key_files::KeyFile> key =
        read(read_whole(file, max_key_file_bytes, "too long for a key file"));
    if (!key) fail_key(path, key.error());
    const std::string others =
        key->kind == Kind::private_key && !key->encryption ? file.use_by_others() : std::string();
    if (!others.empty())
        warn(input_name(path) + ": is a private key that others besides its owner can use " + others);
    return std::move(*key);
}

/// "there is no X; did you mean Y?", or the existing names.
std::string unknown_name(const std::string& name, const std::vector<std::string>& known)
{
    const std::string meant = did_you_mean(name, known);
    return "there is no " + name + (meant.empty() ? "; there are " + enumeration(known, " and ") : meant);
}

}  // namespace

std::string enumeration(const std::vector<std::string>& names, const std::string& last)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? last : ", ") + names[i];
    return text;
}

std::vector<std::string> algorithm_names()
{
    std::vector<std::string> names;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        names.emplace_back(girih_name(alg));
    return names;
}

std::vector<std::string> pre_hash_names()
{
    std::vector<std::string> names;
    for (std::size_t i = 0; const char* name = girih_pre_hash_at(i); ++i) names.emplace_back(name);
    return names;
}

const char* pre_hash_of(const std::string& name)
{
    for (std::size_t i = 0; const char* known = girih_pre_hash_at(i); ++i)
        if (same_name(known, name)) return known;
    throw Failure(exit_usage, "--pre-hash: " + unknown_name(name, pre_hash_names()));
}

void add_secret_option(CLI::App& command, std::optional<std::string>& path, Use use)
{
    add(command, "--secret FILE", path,
        "the private key; - is standard input; if not given, " + default_secret_name(use));
}

Option add_public_option(CLI::App& command, std::optional<std::string>& path, Use use,
                         const std::string& what)
{
    return add(command, "--public FILE", path, what + "; if not given, " + default_public_name(use));
}

Option add_raw_algorithm_option(CLI::App& command, std::string& name)
{
    return add(command, "--alg NAME", name, "the key's algorithm: needed for a raw key, checked for others");
}

void add_shared_secret_option(CLI::App& command, std::string& path)
{
    add(command, "--shared-secret FILE", path,
        "the shared secret's new file, 32 bytes, which only its owner may read")
        .required();
}

Option add_format_option(CLI::App& command, std::string& format)
{
    return add(command, "--format FORMAT", format,
               "pem, der, raw, or for ML-DSA jwk or cose (RFC 9964); pem if not given")
        .one_of({"pem", "der", "raw", "jwk", "cose"});
}

void add_private_form_option(CLI::App& command, std::string& form, const std::string& when_absent)
{
    add(command, "--private-form FORM", form, "seed, expanded (from the seed) or both; " + when_absent)
        .one_of({"seed", "expanded", "both"});
}

Format format_of(std::string_view name)
{
    return name == "der"    ? Format::der
           : name == "raw"  ? Format::raw
           : name == "jwk"  ? Format::jwk
           : name == "cose" ? Format::cose_key
                            : Format::pem;
}

Content content_of(Format format)
{
    return format == Format::pem || format == Format::jwk ? Content::text : Content::binary;
}

PrivateForm private_form_of(std::string_view name)
{
    return name == "seed" ? PrivateForm::seed : name == "both" ? PrivateForm::both : PrivateForm::expanded;
}

std::string_view name_of(Kind kind)
{
    return kind == Kind::private_key  ? "private key"
           : kind == Kind::public_key ? "public key"
                                      : "certificate";
}

std::string_view name_of(Format format)
{
    return format == Format::pem   ? "PEM"
           : format == Format::der ? "DER"
           : format == Format::jwk ? "JWK"
           : format == Format::raw ? "raw"
                                   : "COSE_Key";
}

std::string_view name_of(PrivateForm form)
{
    return form == PrivateForm::seed ? "seed" : form == PrivateForm::expanded ? "expanded" : "both";
}

const girih_alg* algorithm_of(const std::string& name)
{
    if (name.empty()) return nullptr;
    const girih_alg* alg = girih_algorithm(name.c_str());
    if (alg == nullptr) throw Failure(exit_usage, "--alg: " + unknown_name(name, algorithm_names()));
    return alg;
}

std::string fingerprint_of(const key_files::KeyFile& file)
{
    return fingerprint_of(key_files::PublicKey{file.alg(), file.public_key()});
}

std::string fingerprint_of(const key_files::PrivateKey& key)
{
    return fingerprint_of(key_files::PublicKey{key.alg, key.public_key});
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
        throw Failure(exit_usage, (format == Format::jwk || format == Format::cose_key ? "--format: "
                                                                                       : "--private-form: ") +
                                      bytes.error().message);
    fail_key(source, bytes.error());
}

std::string_view never_encrypted(Format format)
{
    if (format == Format::pem || format == Format::der) return {};
    return format == Format::raw ? "raw keys" : "JWKs and COSE_Keys";
}

key_files::Bytes encode_public_key(const key_files::PublicKey& key, Format format)
{
    auto bytes = write_public(key, format);
    if (!bytes) throw Failure(exit_usage, "--format: " + bytes.error().message);
    return std::move(*bytes);
}

std::string secret_path_of(const std::optional<std::string>& given, Use use)
{
    return given ? *given : folder_of_keys() + system::separator + stem_of(use) + ".key";
}

std::string public_path_of(const std::optional<std::string>& given, Use use)
{
    return given.value_or(default_public_name(use));
}

std::string default_public_name(Use use) { return stem_of(use) + ".pub"; }

std::string default_secret_name(Use use)
{
    return stem_of(use) + ".key in ~" + system::separator + ".girih (or in " + folder_variable + ")";
}

void make_folder_of_keys()
{
    const std::string folder = folder_of_keys();
    if (!system::make_folder(folder)) throw Failure(exit_file, folder + ": " + system::reason());
}

}  // namespace girih::cli
