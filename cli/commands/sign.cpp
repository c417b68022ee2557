#include <deque>

#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/default_keys.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/files/message.hpp"
#include "cli/files/same_file.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::optional<std::string> secret_path;
    std::optional<std::string> signature_path;
    std::vector<std::string> messages;
    Message message;
    bool deterministic = false;
    PassphraseSource passphrase;
    bool force = false;
};

/// The messages, as refuse_shared_files calls them.
std::vector<FileOption> inputs_of(const Options& options)
{
    std::vector<FileOption> files;
    for (const std::string& path : options.messages)
        files.push_back({options.messages.size() == 1 ? "MESSAGE" : path, path});
    return files;
}

/// Where the signatures go, in the order of the messages.
std::vector<FileOption> outputs_of(const Options& options)
{
    if (options.signature_path && options.messages.size() > 1)
        throw Failure(exit_usage, "--signature: one name for the signatures of " +
                                      std::to_string(options.messages.size()) +
                                      " files; without it, each has its own");
    if (options.signature_path) return {{"--signature", *options.signature_path}};
    std::vector<FileOption> files;
    for (const std::string& path : options.messages)
        files.push_back({"the signature of " + path, path == "-" ? path : path + signature_suffix});
    return files;
}

int sign(Options& options)
{
    options.message.check();
    const std::string secret_path = secret_path_of(options.secret_path, Use::signatures);
    const auto outputs = outputs_of(options);
    std::vector<FileOption> inputs = inputs_of(options);
    inputs.push_back({"--secret", secret_path});
    options.passphrase.append_to(inputs);
    refuse_shared_files(inputs, outputs);
    const auto key =
        load_private_key(secret_path, algorithm_of(options.alg), Use::signatures, options.passphrase);
    options.message.warn_of_weak_pre_hash(key.alg);

    std::deque<NewFile> files;
    for (const FileOption& output : outputs)
        files.emplace_back(output.path, Access::umask, Content::binary, options.force);
    std::vector<NewFile*> all;
    for (std::size_t i = 0; i < files.size(); ++i) {
        files[i].write(options.message.of(options.messages[i]).sign(key, options.deterministic));
        all.push_back(&files[i]);
    }
    commit_all(all);
    return exit_good;
}

}  // namespace

void add_sign(const Command& girih)
{
    auto options = std::make_shared<Options>();
    const Command sub = girih.subcommand("sign", "sign files of any size");
    sub.arguments("MESSAGE", options->messages,
                  "the files that are signed, each by itself; - is standard input")
        .required()
        .type_name("");
    add_secret_option(sub, options->secret_path, Use::signatures);
    sub.option("-o,--signature", options->signature_path,
               "the signature's new file; - is standard output; if not given, MESSAGE.sig")
        .type_name("FILE");
    options->message.add_options(sub);
    options->message.add_mu_option(sub);
    sub.flag("--deterministic", options->deterministic, "draw no randomness: the same signature every time");
    add_raw_algorithm_option(sub, options->alg);
    options->passphrase.add_options(sub, "the passphrase of an encrypted key");
    sub.flag("--force", options->force, "replace files of signatures that exist");
    sub.footer("The signatures of several files are written when all are made: all of them, or none.");
    sub.action([options] { return sign(*options); });
}

}  // namespace girih::cli
