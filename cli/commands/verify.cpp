#include <algorithm>

#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/default_keys.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/files/message.hpp"
#include "cli/files/same_file.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/manifest/rows.hpp"
#include "cli/manifest/sums.hpp"
#include "cli/output/json.hpp"
#include "cli/output/terminal.hpp"
#include "cli/signatures/signature_file.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::vector<std::string> public_paths;
    std::optional<std::string> given_signature_path;
    std::string signature_path;
    std::string manifest_path;
    std::optional<std::string> sums_path;
    unsigned threads = 1;
    MessageInput message;
    bool json = false;
};

using Loaded = std::vector<LoadedPublicKey>;  // in the order of --public
using Keys = std::vector<key_files::PublicKey>;

std::string count_of_bytes(const SignatureFile& signature, std::size_t right)
{
    return signature.bytes.size() > right ? "more than " + std::to_string(right)
                                          : std::to_string(signature.bytes.size());
}

/// "a.pub", "a.pub or b.pub".
std::string names_of(const std::vector<std::string>& paths)
{
    std::string names;
    for (std::size_t i = 0; i < paths.size(); ++i)
        names += (i == 0 ? "" : i + 1 == paths.size() ? " or " : ", ") + input_name(paths[i]);
    return names;
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
            return count_of_bytes(signature, right) + " bytes, and a signature by " + girih_name(alg) +
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

JsonObject members_of(const Options& options, const Loaded& loaded, const SignatureFile& signature,
                      std::optional<std::size_t> by)
{
    JsonObject all{{"verified", by.has_value()}};
    if (by || loaded.size() == 1) {
        const std::size_t i = by.value_or(0);
        all.add("algorithm",
                signature.text && by ? signature.text->algorithm : girih_name(loaded[i].key.alg));
        all.add("fingerprint", fingerprint_of(loaded[i].key));
        all.add("public", options.public_paths[i]);
        if (const char* pre_hash = options.message.pre_hash_for(loaded[i].key.for_hash_ml_dsa);
            pre_hash != nullptr && !options.message.is_mu())
            all.add("pre_hash", pre_hash);
    }
    if (loaded.size() > 1) {
        JsonArray keys;
        for (const std::string& path : options.public_paths) keys.add(path);
        all.add("keys", keys);
    }
    all.add("signature", options.signature_path);
    all.add("message", options.message.path());
    all.add("format", signature.text ? "text" : "raw");
    // Comments that are not verified are not shown.
    if (signature.text && by) all.add("comment", signature.text->comment);
    if (by ? loaded[*by].is_certificate : loaded.size() == 1 && loaded.front().is_certificate)
        all.add("certificate_checked", false);
    return all;
}

std::string praise(const Options& options, const Loaded& loaded, const SignatureFile& signature,
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
    if (options.sums_path && *options.sums_path == "-")
        throw Failure(exit_usage, "--signature: not given, and standard input has no name to add .sig to");
    if (options.sums_path) return *options.sums_path + signature_suffix;
    if (options.message.path() == "-")
        throw Failure(exit_usage, "--signature: not given, and standard input has no name to add .sig to");
    return options.message.path() + signature_suffix;
}

/// Reads the whole file, so that the verified bytes are the ones used.
key_files::SecretBytes read_sums(const std::string& path)
{
    auto sums = read_small(path, max_sums_bytes);
    if (sums.size() > max_sums_bytes)
        throw Failure(exit_file,
                      input_name(path) + ": more than " + std::to_string(max_sums_bytes) + " bytes");
    return sums;
}

/// Checks the files named in a file of sums whose signature was verified.
int verify_sums(const std::string& path, std::span<const std::uint8_t> text, JsonObject& members, bool json)
try {
    const SumsReport report(parse_sums({reinterpret_cast<const char*>(text.data()), text.size()}));
    members.add(report.json());
    if (!json) print(report.text());
    try {
        report.demand_good(path);
    } catch (const Failure& failure) {
        if (!json) throw;
        print_bad_json(failure, members);
        throw failure.reported();
    }
    if (json) print_good_json(members);
    return exit_good;
} catch (const MalformedManifest& malformed) {
    throw Failure(exit_file, input_name(path) + ": " + malformed.what());
}

int verify(Options& options)
{
    options.message.check();
    if (!options.manifest_path.empty())
        return verify_manifest(options.manifest_path, options.message, algorithm_of(options.alg),
                               options.threads, options.json);
    if (options.public_paths.empty()) options.public_paths = {public_path_of({}, Use::signatures)};
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
        sums = read_sums(*options.sums_path);
        options.message = options.message.of(*options.sums_path, sums);
    }
    const auto by = verifying_key(options, keys, signature);
    JsonObject members = members_of(options, loaded, signature, by);
    if (!by) {
        const Failure failure(
            exit_unverified, input_name(options.signature_path) + ": " + objection(options, keys, signature));
        if (!options.json) throw failure;
        print_bad_json(failure, members);
        throw failure.reported();
    }
    if (!options.json) print(praise(options, loaded, signature, *by));
    if (options.sums_path) return verify_sums(*options.sums_path, sums, members, options.json);
    if (options.json) print_good_json(members);
    return exit_good;
}

}  // namespace

void add_verify(const Command& girih)
{
    auto options = std::make_shared<Options>();
    const Command sub = girih.subcommand("verify", "verify the signature of a file");
    const Option key =
        sub.option("--public", options->public_paths,
                   "the public key, or a certificate (its key is used, unchecked); may be given again;\n"
                   "if not given, " +
                       default_public_name(Use::signatures))
            .type_name("FILE");
    const Option signature =
        sub.option("--signature", options->given_signature_path, "the signature; if not given, MESSAGE.sig")
            .type_name("FILE");
    const Option message = options->message.add_path(sub);
    options->message.add_options(sub);
    const Option mu = options->message.add_mu_option(sub);
    const Option sums =
        sub.option(
               "--sums", options->sums_path,
               "a signed file of SHA-256 sums, as sign --sums and sha256sum write it, and the files it names")
            .type_name("FILE")
            .excludes(mu)
            .replaces({message});
    const Option manifest =
        sub.option("--manifest", options->manifest_path,
                   "many signatures instead: a line each, with public key, signature and message")
            .type_name("FILE")
            .excludes(sums)
            .replaces({key, signature, message});
    sub.option("--threads", options->threads, "how many threads check a manifest")
        .type_name("COUNT")
        .between(1, 1024)
        .needs(manifest);
    add_raw_algorithm_option(sub, options->alg);
    sub.flag("--json", options->json, "the verdict in JSON");
    sub.action([options] { return verify(*options); });
}

}  // namespace girih::cli
