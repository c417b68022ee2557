#include <deque>

#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/default_keys.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/files/message.hpp"
#include "cli/files/same_file.hpp"
#include "cli/manifest/sums.hpp"
#include "cli/output/json.hpp"
#include "cli/output/terminal.hpp"
#include "cli/signatures/text_signature.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::optional<std::string> secret_path;
    std::optional<std::string> signature_path;
    std::vector<std::string> messages;
    std::optional<std::string> sums_path;
    MessageInput message;
    bool deterministic = false;
    bool text = false;
    std::optional<std::string> comment;
    PassphraseSource passphrase;
    bool force = false;
    bool json = false;
};

/// The messages, for refuse_shared_files.
std::vector<FileOption> inputs_of(const Options& options)
{
    std::vector<FileOption> files;
    for (const std::string& path : options.messages)
        files.push_back({options.messages.size() == 1 ? "MESSAGE" : path, path});
    return files;
}

/// The files of the signatures, in the order of the messages.
std::vector<FileOption> outputs_of(const Options& options)
{
    if (options.sums_path)
        return {{"--sums", *options.sums_path},
                options.signature_path
                    ? FileOption{"--signature", *options.signature_path}
                    : FileOption{"the signature of --sums", *options.sums_path + signature_suffix}};
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

void check_comment(const Options& options)
{
    if (!options.comment) return;
    if (options.comment->size() > longest_comment)
        throw Failure(exit_usage, "--comment: has " + std::to_string(options.comment->size()) +
                                      " bytes; at most " + std::to_string(longest_comment) + " are possible");
    if (!is_printable(*options.comment))
        throw Failure(exit_usage, "--comment: has a character that a terminal does not show as it is");
}

/// The content of the file of sums.
std::vector<std::uint8_t> sums_of(const std::vector<std::string>& messages)
{
    std::string text;
    for (const std::string& path : messages) text += line_of({sha256_of(path), path});
    if (text.size() > max_sums_bytes)
        throw Failure(exit_file, "--sums: more than " + std::to_string(max_sums_bytes) + " bytes");
    return {text.begin(), text.end()};
}

void check_sums(const Options& options)
{
    if (!options.sums_path) return;
    const auto has_no_name = [](const std::string& path) { return path == "-" || descriptor_named(path); };
    if (has_no_name(*options.sums_path))
        throw Failure(exit_usage, "--sums: a file that has a name, and not " + *options.sums_path);
    for (const std::string& path : options.messages)
        if (has_no_name(path))
            throw Failure(exit_usage, "--sums: " + input_name(path) + " has no name that could stand in it");
}

/// The content of a signature's file.
std::vector<std::uint8_t> sign(const Options& options, const key_files::PrivateKey& key,
                               const MessageInput& message)
{
    if (!options.text) return message.sign(key, options.deterministic);
    TextSignature signature{girih_name(key.alg),
                            fingerprint_of(key_files::PublicKey{key.alg, key.public_key}),
                            options.comment.value_or(""),
                            {}};
    signature.bytes = message.after(header_of(signature)).sign(key, options.deterministic);
    const std::string text = write_text_signature(signature);
    return {text.begin(), text.end()};
}

JsonObject members_of(const Options& options, const key_files::PrivateKey& key,
                      const std::vector<FileOption>& outputs)
{
    JsonObject all{{"algorithm", girih_name(key.alg)},
                   {"fingerprint", fingerprint_of(key_files::PublicKey{key.alg, key.public_key})},
                   {"format", options.text ? "text" : "raw"}};
    if (const char* pre_hash = options.message.pre_hash_for(key.for_hash_ml_dsa);
        pre_hash != nullptr && !options.message.is_mu())
        all.add("pre_hash", pre_hash);
    if (options.sums_path) all.add("sums", *options.sums_path);
    JsonArray signatures;
    for (std::size_t i = options.sums_path ? 1 : 0; i < outputs.size(); ++i)
        signatures.add(JsonObject{{"message", options.sums_path ? *options.sums_path : options.messages[i]},
                                  {"signature", outputs[i].path}});
    all.add("signatures", signatures);
    return all;
}

/// The contents of all outputs.
std::vector<std::vector<std::uint8_t>> contents_of(const Options& options, const key_files::PrivateKey& key)
{
    if (options.sums_path) {
        auto sums = sums_of(options.messages);
        auto signature = sign(options, key, options.message.of(*options.sums_path, sums));
        return {std::move(sums), std::move(signature)};
    }
    std::vector<std::vector<std::uint8_t>> signatures;
    for (const std::string& path : options.messages)
        signatures.push_back(sign(options, key, options.message.of(path)));
    return signatures;
}

/// The output files: all are written, or none.
class Outputs {
  public:
    Outputs(const Options& options, const std::vector<FileOption>& outputs)
    {
        for (const FileOption& output : outputs) {
            const bool is_text = options.text || output.option == "--sums";
            files_.emplace_back(output.path, Access::umask, is_text ? Content::text : Content::binary,
                                options.force);
        }
    }

    void write(const std::vector<std::vector<std::uint8_t>>& contents, const std::function<void()>& report)
    {
        std::vector<NewFile*> all;
        for (std::size_t i = 0; i < contents.size(); ++i) {
            files_[i].write(contents[i]);
            all.push_back(&files_[i]);
        }
        commit_all(all, report);
    }

  private:
    std::deque<NewFile> files_;
};

int sign(Options& options)
{
    options.message.check();
    check_comment(options);
    check_sums(options);
    options.text = options.text || options.comment;
    if (options.text) (void)options.message.after("");
    const std::string secret_path = secret_path_of(options.secret_path, Use::signatures);
    const auto outputs = outputs_of(options);
    std::vector<FileOption> inputs = inputs_of(options);
    inputs.push_back({"--secret", secret_path});
    options.passphrase.append_to(inputs);
    refuse_shared_files(inputs, outputs);
    refuse_json_beside(options.json, outputs);
    Outputs files(options, outputs);
    const auto key =
        load_private_key(secret_path, algorithm_of(options.alg), Use::signatures, options.passphrase);
    options.message.warn_of_weak_pre_hash(key.alg);
    files.write(contents_of(options, key), [&] {
        if (options.json) print_good_json(members_of(options, key, outputs));
    });
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
    sub.flag(
        "--text", options->text,
        "a signature that says what it is: text with the algorithm, the key's fingerprint and a comment");
    sub.option("--comment", options->comment, "its comment, one line, which is signed as well; means --text")
        .type_name("TEXT")
        .may_be_empty();
    options->message.add_options(sub);
    const Option mu = options->message.add_mu_option(sub);
    sub.option("--sums", options->sums_path,
               "instead of the messages, sign this new file of their SHA-256 sums (sha256sum's format)")
        .type_name("FILE")
        .excludes(mu);
    sub.flag("--deterministic", options->deterministic, "draw no randomness: the same signature every time");
    add_raw_algorithm_option(sub, options->alg);
    options->passphrase.add_options(sub, "the passphrase of an encrypted key");
    sub.flag("--force", options->force, "replace files of signatures that exist");
    add_json_option(sub, options->json);
    sub.footer("The signatures of several files are written when all are made: all of them, or none.");
    sub.action([options] { return sign(*options); });
}

}  // namespace girih::cli
