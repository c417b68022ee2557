#include "cli/commands/subcommands.hpp"

namespace girih::cli {
namespace {

using key_files::KeyFile;
using key_files::Kind;

struct Options {
    std::string alg;
    std::string path;
    PassphraseSource passphrase;
    bool json = false;
};

Json describe(const Options& options, const KeyFile& file)
{
    Json all{{"file", options.path},
             {"kind", name_of(file.kind)},
             {"algorithm", girih_name(file.alg())},
             {"format", name_of(file.format)}};
    if (file.kind == Kind::private_key) {
        all["form"] = name_of(file.form);
        if (file.encryption) all["encryption"] = encryption_in_words(*file.encryption);
        all["secret_key_bytes"] = girih_secret_key_bytes(file.alg());
    }
    if (file.for_hash_ml_dsa()) all["pre_hash"] = "SHA2-512";
    all["public_key_bytes"] = girih_public_key_bytes(file.alg());
    if (girih_is_kem(file.alg()) == 1) {
        all["ciphertext_bytes"] = girih_ciphertext_bytes(file.alg());
        all["shared_secret_bytes"] = girih_shared_secret_bytes(file.alg());
    } else {
        all["signature_bytes"] = girih_signature_bytes(file.alg());
    }
    all["fingerprint"] = fingerprint_of(file);
    all["fingerprint_of"] = "SHA-256 of the public key's SubjectPublicKeyInfo in DER";
    return all;
}

std::string form_in_words(key_files::PrivateForm form)
{
    return form == key_files::PrivateForm::seed       ? "seed"
           : form == key_files::PrivateForm::expanded ? "expanded key, without its seed"
                                                      : "seed and expanded key, which agree";
}

/// PEM and DER do not distinguish Falcon's constant-time format from the other.
std::string namesake_in_words(const KeyFile& file)
{
    const girih_alg* const other = namesake_of({file.alg(), file.public_key()});
    if (file.format == key_files::Format::raw || other == nullptr) return "";
    return std::string(" (") + girih_name(other) + " has the same key files)";
}

std::string in_words(const Options& options, const KeyFile& file)
{
    const auto bytes = [](std::size_t count) { return std::to_string(count) + " bytes"; };
    const auto line = [](std::string_view title, const std::string& text) {
        std::string padded(title);
        padded.resize(15, ' ');
        return padded + text + "\n";
    };
    std::string text =
        line("file", printable(input_name(options.path))) +
        line("kind",
             std::string(name_of(file.kind)) +
                 (file.kind == Kind::certificate ? ", whose signature and dates are not checked" : "")) +
        line("algorithm", std::string(girih_name(file.alg())) +
                              (file.for_hash_ml_dsa() ? ", for HashML-DSA with SHA-512" : "") +
                              namesake_in_words(file)) +
        line("format", std::string(name_of(file.format)));
    if (file.kind == Kind::private_key)
        text += line("form", form_in_words(file.form)) +
                (file.encryption ? line("encrypted", encryption_in_words(*file.encryption)) : "") +
                line("secret key", bytes(girih_secret_key_bytes(file.alg())));
    text += line("public key", bytes(girih_public_key_bytes(file.alg())));
    if (girih_is_kem(file.alg()) == 1)
        text += line("ciphertext", bytes(girih_ciphertext_bytes(file.alg()))) +
                line("shared secret", bytes(girih_shared_secret_bytes(file.alg())));
    else
        text += line("signature", bytes(girih_signature_bytes(file.alg())));
    return text + line("fingerprint", fingerprint_of(file)) +
           line("", "(SHA-256 of the public key's SubjectPublicKeyInfo in DER)");
}

void inspect(const Options& options)
{
    std::vector<FileOption> inputs{{"FILE", options.path}};
    options.passphrase.append_to(inputs);
    refuse_shared_files(inputs, {});
    const KeyFile file = load_key(options.path, algorithm_of(options.alg), options.passphrase);
    options.passphrase.forget();
    if (options.json)
        print_good_json(describe(options, file));
    else
        print(in_words(options, file));
}

}  // namespace

void add_inspect(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(girih, "inspect", "check a key file or certificate, and say what it is");
    add(sub, "FILE", options->path, "the key; - is standard input").required();
    add_raw_algorithm_option(sub, options->alg);
    options->passphrase.add_options(sub, "the passphrase of an encrypted key");
    add(sub, "--json", options->json, "in JSON");
    on_use(sub, [options] { return inspect(*options); });
}

}  // namespace girih::cli
