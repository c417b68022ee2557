#include "cli/commands/subcommands.hpp"
#include "cli/manifest/sums.hpp"
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
                                      " bytes; at most " + std::to_string(longest_comment) + " are allowed");
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
        throw Failure(exit_usage, "--sums: a file with a name, not " + *options.sums_path);
    for (const std::string& path : options.messages)
        if (has_no_name(path))
            throw Failure(exit_usage, "--sums: " + input_name(path) + " has no name to write in it");
}

/// The content of a signature's file.
std::vector<std::uint8_t> sign(const Options& options, const key_files::PrivateKey& key,
                               const MessageInput& message)
{
    if (!options.text) return message.sign(key, options.deterministic);
    TextSignature signature{girih_name(key.alg), fingerprint_of(key), options.comment.value_or(""), {}};
    signature.bytes = message.with_header(header_of(signature)).sign(key, options.deterministic);
    const std::string text = write_text_signature(signature);
    return {text.begin(), text.end()};
}

Json members_of(const Options& options, const key_files::PrivateKey& key,
                const std::vector<FileOption>& outputs)
{
    Json all{{"algorithm", girih_name(key.alg)},
             {"fingerprint", fingerprint_of(key)},
             {"format", options.text ? "text" : "raw"}};
    if (const char* pre_hash = options.message.pre_hash_for(key.for_hash_ml_dsa)) all["pre_hash"] = pre_hash;
    if (options.sums_path) all["sums"] = *options.sums_path;
    Json signatures = Json::array();
    for (std::size_t i = options.sums_path ? 1 : 0; i < outputs.size(); ++i)
        signatures.push_back({{"message", options.sums_path ? *options.sums_path : options.messages[i]},
                              {"signature", outputs[i].path}});
    all["signatures"] = signatures;
    return all;
}

/// The contents of all outputs.
std::vector<std::vector<std::uint8_t>> contents_of(const Options& options, const key_files::PrivateKey& key)
{
    if (options.sums_path) {
        auto sums = sums_of(options.messages);
        auto signature = sign(options, key, options.message.with_content(*options.sums_path, sums));
        return {std::move(sums), std::move(signature)};
    }
    std::vector<std::vector<std::uint8_t>> signatures;
    for (const std::string& path : options.messages)
        signatures.push_back(sign(options, key, options.message.with_path(path)));
    return signatures;
}

void sign(Options& options)
{
    options.message.check();
    check_comment(options);
    check_sums(options);
    options.text = options.text || options.comment;
    if (options.text) (void)options.message.with_header("");
    const std::string secret_path = secret_path_of(options.secret_path, Use::signatures);
    const auto outputs = outputs_of(options);
    std::vector<FileOption> inputs = inputs_of(options);
    inputs.push_back({"--secret", secret_path});
    options.passphrase.append_to(inputs);
    refuse_shared_files(inputs, outputs);
    refuse_json_beside(options.json, outputs);
    NewFiles files;
    for (const FileOption& output : outputs)
        files.add(output.path, Access::umask,
                  options.text || output.option == "--sums" ? Content::text : Content::binary, options.force);
    const auto key =
        load_private_key(secret_path, algorithm_of(options.alg), Use::signatures, options.passphrase);
    options.message.warn_of_weak_pre_hash(key.alg);
    files.write(contents_of(options, key));
    files.commit(options.json, members_of(options, key, outputs));
}

}  // namespace

void add_sign(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(girih, "sign", "sign files of any size");
    add(sub, "MESSAGE", options->messages, "the files to sign, each by itself; - is standard input")
        .required();
    add_secret_option(sub, options->secret_path, Use::signatures);
    add(sub, "-o,--signature FILE", options->signature_path,
        "the signature's new file; - is standard output; if not given, MESSAGE.sig");
    add(sub, "--text", options->text,
        "a signature that says what it is: text with the algorithm, the key's fingerprint and a comment");
    add(sub, "--comment TEXT", options->comment,
        "its comment, one line, which is signed as well; implies --text")
        .allow_empty();
    options->message.add_options(sub);
    const Option mu = options->message.add_mu_option(sub);
    add(sub, "--sums FILE", options->sums_path,
        "instead of the messages, sign this new file of their SHA-256 sums (sha256sum's format)")
        .excludes(mu);
    add(sub, "--deterministic", options->deterministic, "draw no randomness: the same signature every time");
    add_raw_algorithm_option(sub, options->alg);
    options->passphrase.add_options(sub, "the passphrase of an encrypted key");
    add(sub, "--force", options->force, "replace signature files that exist");
    add_json_option(sub, options->json);
    add_footer(sub, "The signatures of several files are written when all are made: all of them, or none.");
    on_use(sub, [options] { return sign(*options); });
}

}  // namespace girih::cli
