#include <algorithm>

#include "cli/commands/subcommands.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/manifest/sums.hpp"
#include "cli/signatures/signature_file.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::vector<std::string> public_paths;
    std::optional<std::string> given_signature_path;
    std::string signature_path;
    std::vector<std::string> messages;
    std::string manifest_path;
    std::optional<std::string> sums_path;
    unsigned threads = 1;
    MessageInput message;
    bool json = false;
};

using Loaded = std::vector<LoadedPublicKey>;  // in the order of --public
using Keys = std::vector<key_files::PublicKey>;

std::string names_of(std::vector<std::string> paths)
{
    std::transform(paths.begin(), paths.end(), paths.begin(), input_name);
    return enumeration(paths, " or ");
}

/// The reason why the signature verifies with none of the keys.
std::string objection(const Options& options, const Keys& keys, const SignatureFile& signature)
{
    if (signature.text) {
        const auto is_by = [&](const key_files::PublicKey& key) {
            return key_of(*signature.text, key).has_value();
        };
        if (std::none_of(keys.begin(), keys.end(), is_by))
            return "is by the key " + signature.text->fingerprint + " of " + signature.text->algorithm +
                   ", which is not in " + names_of(options.public_paths);
    } else if (keys.size() == 1) {
        const girih_alg* const alg = keys.front().alg;
        const std::size_t right = girih_signature_bytes(alg);
        const bool is_fixed = girih_has_mu(alg) == 1;
        if (is_fixed ? signature.bytes.size() != right : signature.bytes.size() > right)
            return count_of(signature.bytes, right) + " bytes, but a signature by " + girih_name(alg) +
                   " has " + (is_fixed ? "" : "at most ") + std::to_string(right);
    }
    const bool is_for_hash =
        std::any_of(keys.begin(), keys.end(), [](const auto& key) { return key.for_hash_ml_dsa; });
    return "the signature does not verify for " + input_name(options.message.path()) + " and " +
           names_of(options.public_paths) +
           (is_for_hash && !options.message.says_pre_hash() && !options.message.is_mu()
                ? " as HashML-DSA, which the key is for (\"--pre-hash none\": as ML-DSA)"
                : "");
}

/// The index of the key with which the signature verifies; nothing if there is none.
std::optional<std::size_t> verifying_key(const Options& options, const Keys& keys,
                                         const SignatureFile& signature)
{
    const auto codes = verify(signature, options.message, keys);
    const auto good = std::find(codes.begin(), codes.end(), GIRIH_OK);
    if (good != codes.end()) return good - codes.begin();
    for (const int code : codes)
        if (code != GIRIH_ERROR_SIGNATURE) expect_ok(code);
    return {};
}

Json members_of(const Options& options, const Loaded& loaded, const SignatureFile& signature,
                std::optional<std::size_t> by)
{
    Json all{{"verified", by.has_value()}};
    if (by || loaded.size() == 1) {
        const std::size_t i = by.value_or(0);
        all["algorithm"] = signature.text && by ? signature.text->algorithm : girih_name(loaded[i].key.alg);
        all["fingerprint"] = fingerprint_of(loaded[i].key);
        all["public"] = options.public_paths[i];
        if (const char* pre_hash = options.message.pre_hash_for(loaded[i].key.for_hash_ml_dsa))
            all["pre_hash"] = pre_hash;
    }
    if (loaded.size() > 1) all["keys"] = options.public_paths;
    all["signature"] = options.signature_path;
    all["message"] = options.message.path();
    all["format"] = signature.text ? "text" : "raw";
    // Comments that are not verified are not shown.
    if (signature.text && by) all["comment"] = signature.text->comment;
    if (by ? loaded[*by].is_certificate : loaded.size() == 1 && loaded.front().is_certificate)
        all["certificate_checked"] = false;
    return all;
}

std::string good_verdict(const Options& options, const Loaded& loaded, const SignatureFile& signature,
                         std::size_t by)
{
    const auto& text = signature.text;
    std::string lines = printable(input_name(options.message.path())) + ": " +
                        coloured(Colour::good, "good") + " " +
                        (text ? text->algorithm : girih_name(loaded[by].key.alg)) + " signature by " +
                        printable(input_name(options.public_paths[by])) + "\n";
    if (text && !text->comment.empty()) lines += "comment: " + printable(text->comment) + "\n";
    if (text) lines += "key: " + text->fingerprint + "\n";
    return lines;
}

std::string signature_path_of(const Options& options)
{
    if (options.given_signature_path) return *options.given_signature_path;
    const std::string& signed_path = options.sums_path ? *options.sums_path : options.message.path();
    if (signed_path == "-")
        throw Failure(exit_usage, "--signature: not given, and standard input has no name to add .sig to");
    return signed_path + signature_suffix;
}

/// Several messages, each with the signature beside it.
void verify_all(const Options& options)
{
    const std::string count = std::to_string(options.messages.size()) + " files";
    if (options.given_signature_path)
        throw Failure(exit_usage, "--signature: one name for the signatures of " + count);
    if (options.public_paths.size() > 1)
        throw Failure(exit_usage, "--public: more than one key for " + count);
    if (std::find(options.messages.begin(), options.messages.end(), "-") != options.messages.end())
        throw Failure(exit_usage, "MESSAGE: standard input has no name to add .sig to");
    verify_files(options.public_paths.front(), options.messages, options.message, algorithm_of(options.alg),
                 options.threads, options.json);
}

void verify(Options& options)
{
    options.message.check();
    if (!options.manifest_path.empty())
        return verify_manifest(options.manifest_path, options.message, algorithm_of(options.alg),
                               options.threads, options.json);
    if (options.public_paths.empty()) options.public_paths = {public_path_of({}, Use::signatures)};
    if (options.messages.size() > 1) return verify_all(options);
    if (options.threads != 1) throw Failure(exit_usage, "--threads: needs --manifest or several files");
    if (!options.messages.empty()) options.message = options.message.with_path(options.messages.front());
    options.signature_path = signature_path_of(options);
    const std::string& message_path = options.sums_path ? *options.sums_path : options.message.path();
    std::vector<FileOption> inputs{{"--signature", options.signature_path}, {"MESSAGE", message_path}};
    for (const std::string& path : options.public_paths) inputs.push_back({"--public", path});
    refuse_shared_files(inputs, {});
    require_standard_output();
    Loaded loaded;
    Keys keys;
    for (const std::string& path : options.public_paths) {
        loaded.push_back(load_public_key_warning(path, algorithm_of(options.alg), Use::signatures));
        keys.push_back(loaded.back().key);
    }
    const SignatureFile signature = read_signature(options.signature_path);
    key_files::SecretBytes sums;
    if (options.sums_path) {
        Input file(*options.sums_path);
        // The whole file, so that the verified bytes are the ones used.
        sums = read_whole(file, max_sums_bytes, "more than " + std::to_string(max_sums_bytes) + " bytes");
        options.message = options.message.with_content(*options.sums_path, sums);
    }
    const auto by = verifying_key(options, keys, signature);
    Json members = members_of(options, loaded, signature, by);
    if (!by)
        fail_with({exit_unverified,
                   input_name(options.signature_path) + ": " + objection(options, keys, signature)},
                  options.json, members);
    if (!options.json) print(good_verdict(options, loaded, signature, *by));
    if (options.sums_path)
        return verify_sums(*options.sums_path, {reinterpret_cast<const char*>(sums.data()), sums.size()},
                           std::move(members), options.json);
    if (options.json) print_good_json(members);
}

}  // namespace

void add_verify(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(girih, "verify", "verify the signature of a file");
    const Option key =
        add(sub, "--public FILE", options->public_paths,
            "the public key, or a certificate (its key is used, unchecked); may be given again;\n"
            "if not given, " +
                default_public_name(Use::signatures));
    const Option signature = add(sub, "--signature FILE", options->given_signature_path,
                                 "the signature; if not given, MESSAGE.sig");
    const Option message =
        add(sub, "MESSAGE", options->messages,
            "the file that is signed, or several, each with MESSAGE.sig; - is standard input")
            .required();
    options->message.add_options(sub);
    const Option mu = options->message.add_mu_option(sub);
    const Option sums =
        add(sub, "--sums FILE", options->sums_path,
            "a signed file of sums, as sign --sums, sha256sum and sha512sum write it, and the files it names")
            .excludes(mu);
    sums.replaces({message});
    const Option manifest =
        add(sub, "--manifest FILE", options->manifest_path,
            "many signatures instead: lines of public key, signature and message, separated by tabs (or\n"
            "spaces); empty lines and those that begin with # are skipped")
            .excludes(sums);
    manifest.replaces({key, signature, message});
    add(sub, "--threads COUNT", options->threads, "how many threads check a manifest or several files")
        .between(1, 1024);
    add_raw_algorithm_option(sub, options->alg);
    const Option json = add(sub, "--json", options->json, "the verdict in JSON");
    add(sub, "-q,--quiet", is_quiet, "no verdict but the exit code; other errors are reported")
        .excludes(json);
    on_use(sub, [options] { return verify(*options); });
}

}  // namespace girih::cli
