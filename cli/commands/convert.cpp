#include "envelopes/envelopes.hpp"

#include "cli/commands/subcommands.hpp"

namespace girih::cli {
namespace {

using key_files::Format;
using key_files::PrivateForm;
using key_files::PrivateKey;
using key_files::Problem;

struct Options {
    std::string alg;
    std::string input_path;
    std::string output_path;
    std::string private_form;
    std::string format = "pem";
    std::optional<std::string> vkey;
    bool public_only = false;
    bool encrypt = false;
    bool decrypt = false;
    std::string kdf;
    PassphraseSource passphrase;
    PassphraseSource new_passphrase;
    bool force = false;
    bool json = false;
};

/// The requested form; by default the key's old form, unless the new format cannot hold it.
PrivateForm new_form(const Options& options, const PrivateKey& key, PrivateForm as_it_came)
{
    if (!options.private_form.empty()) return private_form_of(options.private_form);
    const Format format = format_of(options.format);
    const auto same = write_private_key(key, as_it_came, format);
    const bool held = same || same.error().problem != Problem::no_form;
    return held ? as_it_came : preferred_form(key, format);
}

/// The converted key. It is encrypted on request, or if it was encrypted and is not to be
/// decrypted, by default with its old passphrase.
key_files::SecretBytes converted(const Options& options, const PrivateKey& key,
                                 const key_files::KeyFile& file)
{
    Encoding encoding{new_form(options, key, file.form), format_of(options.format)};
    if (!options.decrypt && file.encryption)
        encoding.encryption = file.encryption->is_written() ? *file.encryption : encryption_of({});
    if (options.encrypt) encoding.encryption = encryption_of(options.kdf);
    if (!encoding.encryption) return encode_private_key(key, encoding, options.input_path);
    const bool keeps = !options.new_passphrase.is_given() &&
                       (options.passphrase.is_given() || (file.encryption && !options.encrypt));
    const auto& passphrase = keeps ? options.passphrase.get(input_name(options.input_path))
                                   : options.new_passphrase.get_new(options.output_path);
    return encode_private_key(key, encoding, options.input_path, passphrase);
}

/// Refuses contradictory options, and formats that cannot hold an encrypted key.
void check_encryption(const Options& options, const key_files::KeyFile& file, bool writes_secret)
{
    const bool asks = options.encrypt || options.new_passphrase.is_given() || !options.kdf.empty();
    if (!writes_secret && (asks || options.decrypt))
        throw Failure(exit_usage, "--encrypt, --decrypt: no private key is written");
    if (!options.encrypt && asks)
        throw Failure(exit_usage, "--encrypt: not given, but a new passphrase or --kdf is");
    if (options.decrypt && !file.encryption)
        throw Failure(exit_usage, "--decrypt: " + input_name(options.input_path) + " is not encrypted");
    const std::string keys{never_encrypted(format_of(options.format))};
    if (!keys.empty() && writes_secret && !options.decrypt && (options.encrypt || file.encryption))
        throw Failure(exit_usage,
                      "--format: " + keys + " are not encrypted; --decrypt writes the key as it is");
}

void convert(const Options& options)
{
    std::vector<FileOption> inputs{{"INPUT", options.input_path}};
    options.passphrase.append_to(inputs);
    options.new_passphrase.append_to(inputs);
    refuse_shared_files(inputs, {{"OUTPUT", options.output_path}});
    refuse_json_beside(options.json, {{"OUTPUT", options.output_path}});
    NewFiles files;
    NewFile& out =
        files.add(options.output_path, Access::owner, content_of(format_of(options.format)), options.force);
    const auto file = load_key(options.input_path, algorithm_of(options.alg), options.passphrase);
    const auto* secret = std::get_if<PrivateKey>(&file.key);
    const bool writes_secret = secret != nullptr && !options.public_only && !options.vkey;
    if (!writes_secret && !options.private_form.empty())
        throw Failure(exit_usage, "--private-form: no private key is written");
    check_encryption(options, file, writes_secret);
    if (file.for_hash_ml_dsa() && format_of(options.format) == Format::raw)
        warn("--format: a raw key does not say that it is for HashML-DSA, as " +
             input_name(options.input_path) + " does");

    if (writes_secret) {
        const auto bytes = converted(options, *secret, file);
        options.passphrase.forget();
        options.new_passphrase.forget();
        out.write(bytes);
    } else {
        out.set_access(Access::umask);
        auto key = file.public_part();
        if (options.vkey) key.kid.assign(options.vkey->begin(), options.vkey->end());
        const auto vkey = options.vkey ? envelopes::write_verifier_key(key) : key_files::Bytes{};
        if (!vkey) throw Failure(exit_usage, "--vkey: " + vkey.error().message);
        out.write(options.vkey ? *vkey : encode_public_key(key, format_of(options.format)));
    }
    files.commit(options.json, {{"algorithm", girih_name(file.alg())},
                                {"fingerprint", fingerprint_of(file)},
                                {"input", options.input_path},
                                {"output", options.output_path},
                                {"kind", writes_secret ? "private key" : "public key"},
                                {"format", options.vkey ? "vkey" : name_of(format_of(options.format))}});
}

}  // namespace

void add_convert(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub =
        add_subcommand(girih, "convert", "write a key in another format or form, or its public half");
    add(sub, "INPUT", options->input_path, "a key or certificate; - is standard input").required();
    add(sub, "OUTPUT", options->output_path, "the new file; - is standard output").required();
    add(sub, "--public-only", options->public_only, "write the public key of a private key");
    add_private_form_option(sub, options->private_form,
                            "if not given, as in INPUT if the format can hold that");
    add(sub, "--vkey NAME", options->vkey,
        "write the public key as a verifier key of C2SP's notes, with this name")
        .excludes(add_format_option(sub, options->format));
    add_raw_algorithm_option(sub, options->alg);
    const Option encrypt =
        add(sub, "--encrypt", options->encrypt, "encrypt OUTPUT; the default if INPUT is encrypted");
    add(sub, "--decrypt", options->decrypt, "write an encrypted key without encryption").excludes(encrypt);
    add_kdf_option(sub, options->kdf);
    options->passphrase.add_options(sub, "INPUT's passphrase, and OUTPUT's by default");
    options->new_passphrase.add_options(sub, "OUTPUT's passphrase, with --encrypt", "new-");
    add(sub, "--force", options->force, "replace OUTPUT if it exists");
    add_json_option(sub, options->json);
    on_use(sub, [options] { return convert(*options); });
}

}  // namespace girih::cli
