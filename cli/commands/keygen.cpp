#include "cli/commands/subcommands.hpp"
#include "cli/files/hex.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::optional<std::string> secret_path;
    std::optional<std::string> public_path;
    std::optional<std::string> seed_hex;
    std::string generator = "fast";
    std::string private_form;
    std::string format = "pem";
    bool encrypt = false;
    std::string kdf;
    PassphraseSource passphrase;
    bool force = false;
    bool json = false;
};

/// The key of round 3's reference implementation. Its seed is left out, because readers would make
/// another key from it.
key_files::PrivateKey make_reference_key(const girih_alg* alg, key_files::SecretBytes seed)
{
    if (seed.empty()) {
        seed.resize(girih_seed_bytes(alg));
        expect_ok(girih_draw_seed(alg, nullptr, seed.data(), seed.size()));
    }
    key_files::PrivateKey key{alg,
                              {},
                              key_files::SecretBytes(girih_secret_key_bytes(alg)),
                              key_files::Bytes(girih_public_key_bytes(alg))};
    const int code =
        girih_falcon_reference_keygen(alg, seed.data(), seed.size(), key.public_key.data(),
                                      key.public_key.size(), key.expanded.data(), key.expanded.size());
    if (code == GIRIH_ERROR_ALGORITHM)
        throw Failure(exit_usage, "--generator: " + std::string(girih_name(alg)) + " has only one");
    expect_ok(code);
    return key;
}

key_files::PrivateKey make_key(const Options& options)
{
    const girih_alg* alg = algorithm_of(options.alg);
    std::optional<key_files::SecretBytes> seed;
    if (options.seed_hex) {
        seed = from_hex(*options.seed_hex);
        if (!seed || seed->size() != girih_seed_bytes(alg))
            throw Failure(exit_usage, "--seed-hex: not " + std::to_string(2 * girih_seed_bytes(alg)) +
                                          " hexadecimal digits");
    }
    if (options.generator == "reference")
        return make_reference_key(alg, std::move(seed).value_or(key_files::SecretBytes()));
    auto key = seed ? key_files::from_seed(alg, *seed) : key_files::generate(alg);
    if (!key) throw Failure(exit_file, explained(key.error().message));
    return std::move(*key);
}

/// Whether to print the private key's file name: only if it is a default, and standard output holds
/// no key.
bool tells_names(const Options& options, const std::string& public_path)
{
    return !options.secret_path && !options.json && !is_standard_output(public_path);
}

/// Warns that PEM and DER do not record Falcon's constant-time format, so readers have to name it.
void warn_of_forgotten_format(const key_files::PublicKey& key, key_files::Format format)
{
    if (format == key_files::Format::raw) return;
    const auto back = key_files::read(write_public_key(key, format));
    if (back && back->alg() != key.alg)
        warn("the key's files say " + std::string(girih_name(back->alg())) + ": give \"--alg " +
             girih_name(key.alg) + "\" wherever they are read");
}

void keygen(const Options& options)
{
    const Use use = girih_is_kem(algorithm_of(options.alg)) == 1 ? Use::key_encapsulation : Use::signatures;
    const std::string secret_path = secret_path_of(options.secret_path, use);
    const std::string public_path = public_path_of(options.public_path, use);
    std::vector<FileOption> inputs;
    options.passphrase.append_to(inputs);
    const std::vector<FileOption> outputs{{"--secret", secret_path}, {"--public", public_path}};
    refuse_shared_files(inputs, outputs);
    refuse_json_beside(options.json, outputs);
    if (tells_names(options, public_path)) require_standard_output();
    const key_files::Format format = format_of(options.format);
    if (!options.encrypt && (options.passphrase.is_given() || !options.kdf.empty()))
        throw Failure(exit_usage, "--encrypt: not given, but a passphrase or --kdf is");
    const std::string keys{never_encrypted(format)};
    if (options.encrypt && !keys.empty())
        throw Failure(exit_usage, "--encrypt: " + keys + " are not encrypted; PEM and DER keys are");
    if (!options.secret_path) make_folder_of_keys();
    NewFiles files;
    NewFile& secret_file = files.add(secret_path, Access::owner, content_of(format), options.force);
    NewFile& public_file = files.add_first(public_path, Access::umask, content_of(format), options.force);

    const key_files::PrivateKey key = make_key(options);
    const key_files::PrivateForm form =
        options.private_form.empty() ? preferred_form(key, format) : private_form_of(options.private_form);
    Encoding encoding{form, format};
    std::span<const std::uint8_t> passphrase;
    if (options.encrypt) {
        encoding.encryption = encryption_of(options.kdf);
        passphrase = options.passphrase.get_new(secret_path);
    }
    const auto secret_bytes = encode_private_key(key, encoding, secret_path, passphrase);
    options.passphrase.forget();

    public_file.write(encode_public_key({key.alg, key.public_key}, format));
    secret_file.write(secret_bytes);
    files.commit([&] {
        warn_of_forgotten_format({key.alg, key.public_key}, format);
        if (options.json)
            print_good_json({{"algorithm", girih_name(key.alg)},
                             {"fingerprint", fingerprint_of(key)},
                             {"secret", secret_path},
                             {"public", public_path}});
        if (tells_names(options, public_path))
            print("private key: " + printable(secret_path) + "\npublic key: " + printable(public_path) +
                  "\n");
    });
}

}  // namespace

void add_keygen(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(girih, "keygen", "make a key pair");
    add(sub, "--alg NAME", options->alg, "the algorithm; list shows them").required();
    add(sub, "--secret FILE", options->secret_path,
        "the new private key, for its owner only; if not given, " + default_secret_name(Use::signatures));
    add(sub, "--public FILE", options->public_path,
        "the public key's new file; if not given, " + default_public_name(Use::signatures));
    add(sub, "--seed-hex HEX", options->seed_hex,
        "make the key from this seed; others can see the seed in the list of processes");
    add(sub, "--generator NAME", options->generator,
        "Falcon: fast, or reference, which makes the keys of round 3's known answers")
        .one_of({"fast", "reference"});
    add_private_form_option(sub, options->private_form,
                            "if not given, seed, or expanded where seeds are not in use");
    add_format_option(sub, options->format);
    add(sub, "--encrypt", options->encrypt, "encrypt the private key with a passphrase");
    add_kdf_option(sub, options->kdf);
    options->passphrase.add_options(sub, "the passphrase");
    add(sub, "--force", options->force, "replace files that exist");
    add_footer(
        sub,
        "The default names of keys for key encapsulation are girih-kem.key and girih-kem.pub.\n"
        "PEM and DER files of Falcon-CT keys name Falcon-512 or Falcon-1024, which have the same keys:\n"
        "give --alg again to read them.");
    add_json_option(sub, options->json);
    on_use(sub, [options] { return keygen(*options); });
}

}  // namespace girih::cli
