#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/files/message.hpp"
#include "cli/files/same_file.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::string secret_path;
    std::string signature_path;
    Message message;
    bool deterministic = false;
    PassphraseSource passphrase;
    bool force = false;
};

int sign(Options& options)
{
    options.message.check();
    std::vector<FileOption> inputs{{"--secret", options.secret_path}, {"MESSAGE", options.message.path()}};
    options.passphrase.append_to(inputs);
    refuse_shared_files(inputs, {{"--signature", options.signature_path}});
    const auto key =
        load_private_key(options.secret_path, algorithm_of(options.alg), Use::signatures, options.passphrase);
    options.message.warn_of_weak_pre_hash(key.alg);
    NewFile file(options.signature_path, Access::umask, Content::binary, options.force);
    file.write(options.message.sign(key, options.deterministic));
    file.commit();
    return exit_good;
}

}  // namespace

void add_sign(const Command& girih)
{
    auto options = std::make_shared<Options>();
    const Command sub = girih.subcommand("sign", "sign a file of any size");
    sub.option("--secret", options->secret_path, "the private key; - is standard input")
        .type_name("FILE")
        .required();
    sub.option("--signature", options->signature_path, "the signature's new file; - is standard output")
        .type_name("FILE")
        .required();
    options->message.add_options(sub);
    options->message.add_mu_option(sub);
    sub.flag("--deterministic", options->deterministic, "draw no randomness: the same signature every time");
    add_raw_algorithm_option(sub, options->alg);
    options->passphrase.add_options(sub, "the passphrase of an encrypted key");
    sub.flag("--force", options->force, "replace the signature's file if it exists");
    sub.action([options] { return sign(*options); });
}

}  // namespace girih::cli
