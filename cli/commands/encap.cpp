#include "cli/commands/subcommands.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::optional<std::string> public_path;
    std::string ciphertext_path;
    std::string shared_secret_path;
    bool force = false;
    bool json = false;
};

void encapsulate(const Options& options)
{
    const std::string public_path = public_path_of(options.public_path, Use::key_encapsulation);
    const std::vector<FileOption> outputs{{"--ciphertext", options.ciphertext_path},
                                          {"--shared-secret", options.shared_secret_path}};
    refuse_shared_files({{"--public", public_path}}, outputs);
    refuse_json_beside(options.json, outputs);
    NewFiles files;
    NewFile& secret_file =
        files.add(options.shared_secret_path, Access::owner, Content::binary, options.force);
    NewFile& ciphertext_file =
        files.add_first(options.ciphertext_path, Access::umask, Content::binary, options.force);
    const auto loaded =
        load_public_key_warning(public_path, algorithm_of(options.alg), Use::key_encapsulation);
    const key_files::PublicKey& key = loaded.key;

    std::vector<std::uint8_t> ciphertext(girih_ciphertext_bytes(key.alg));
    key_files::SecretBytes secret(girih_shared_secret_bytes(key.alg));
    expect_ok(girih_encapsulate(key.alg, nullptr, key.bytes.data(), key.bytes.size(), ciphertext.data(),
                                ciphertext.size(), secret.data(), secret.size()));
    ciphertext_file.write(ciphertext);
    secret_file.write(secret);
    files.commit(options.json, {{"algorithm", girih_name(key.alg)},
                                {"fingerprint", fingerprint_of(key)},
                                {"public", public_path},
                                {"ciphertext", options.ciphertext_path},
                                {"shared_secret", options.shared_secret_path}});
}

}  // namespace

void add_encap(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(girih, "encap", "make a shared secret, and a ciphertext that carries it");
    add_public_option(sub, options->public_path, Use::key_encapsulation,
                      "the receiver's public key, or a certificate (its key is used, unchecked)");
    add(sub, "--ciphertext FILE", options->ciphertext_path, "the ciphertext's new file; - is standard output")
        .required();
    add_shared_secret_option(sub, options->shared_secret_path);
    add_raw_algorithm_option(sub, options->alg);
    add(sub, "--force", options->force, "replace files that exist");
    add_json_option(sub, options->json);
    on_use(sub, [options] { return encapsulate(*options); });
}

}  // namespace girih::cli
