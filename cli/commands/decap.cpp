#include "cli/commands/subcommands.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::optional<std::string> secret_path;
    std::string ciphertext_path;
    std::string shared_secret_path;
    PassphraseSource passphrase;
    bool force = false;
    bool json = false;
};

key_files::SecretBytes read_ciphertext(const std::string& path, const girih_alg* alg)
{
    const std::size_t right = girih_ciphertext_bytes(alg);
    auto ciphertext = read_small(path, right);
    if (ciphertext.size() != right)
        throw Failure(exit_file, input_name(path) + ": " + count_of(ciphertext, right) +
                                     " bytes, but a ciphertext for " + girih_name(alg) + " has " +
                                     std::to_string(right));
    return ciphertext;
}

/// A ciphertext that is not the key's is not an error: it gives a secret that nobody else has
/// (implicit rejection).
void decapsulate(const Options& options)
{
    const std::string secret_path = secret_path_of(options.secret_path, Use::key_encapsulation);
    std::vector<FileOption> inputs{{"--secret", secret_path}, {"--ciphertext", options.ciphertext_path}};
    options.passphrase.append_to(inputs);
    refuse_shared_files(inputs, {{"--shared-secret", options.shared_secret_path}});
    refuse_json_beside(options.json, {{"--shared-secret", options.shared_secret_path}});
    NewFiles files;
    NewFile& file = files.add(options.shared_secret_path, Access::owner, Content::binary, options.force);
    const auto key =
        load_private_key(secret_path, algorithm_of(options.alg), Use::key_encapsulation, options.passphrase);
    const auto ciphertext = read_ciphertext(options.ciphertext_path, key.alg);

    key_files::SecretBytes secret(girih_shared_secret_bytes(key.alg));
    expect_ok(girih_decapsulate(key.alg, key.expanded.data(), key.expanded.size(), ciphertext.data(),
                                ciphertext.size(), secret.data(), secret.size()));
    file.write(secret);
    files.commit(options.json, {{"algorithm", girih_name(key.alg)},
                                {"fingerprint", fingerprint_of(key)},
                                {"secret", secret_path},
                                {"ciphertext", options.ciphertext_path},
                                {"shared_secret", options.shared_secret_path}});
}

}  // namespace

void add_decap(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(girih, "decap", "recover the shared secret from a ciphertext");
    add_secret_option(sub, options->secret_path, Use::key_encapsulation);
    add(sub, "--ciphertext FILE", options->ciphertext_path,
        "the ciphertext; one that is not for this key, or was changed, gives another secret")
        .required();
    add_shared_secret_option(sub, options->shared_secret_path);
    add_raw_algorithm_option(sub, options->alg);
    options->passphrase.add_options(sub, "the passphrase of an encrypted key");
    add(sub, "--force", options->force, "replace the shared secret's file if it exists");
    add_json_option(sub, options->json);
    on_use(sub, [options] { return decapsulate(*options); });
}

}  // namespace girih::cli
