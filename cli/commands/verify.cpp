#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/default_keys.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/files/message.hpp"
#include "cli/files/same_file.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/output/json.hpp"
#include "cli/output/terminal.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::optional<std::string> given_public_path;
    std::optional<std::string> given_signature_path;
    std::string public_path;
    std::string signature_path;
    std::string manifest_path;
    unsigned threads = 1;
    Message message;
    bool json = false;
};

/// Why the signature does not verify; empty if it does.
std::string objection(const Options& options, const key_files::PublicKey& key)
{
    const std::size_t right = girih_signature_bytes(key.alg);
    const auto signature = read_small(options.signature_path, right);
    const int code = options.message.verify(key, signature);
    if (girih_has_mu(key.alg) == 1 ? signature.size() != right : signature.size() > right)
        return (signature.size() > right ? "more than " + std::to_string(right)
                                         : std::to_string(signature.size())) +
               " bytes, and a signature by " + girih_name(key.alg) + " has " +
               (girih_has_mu(key.alg) == 1 ? "" : "at most ") + std::to_string(right);
    if (code != GIRIH_ERROR_SIGNATURE) expect_ok(code);
    return code == GIRIH_OK ? ""
                            : "the signature does not verify for " + input_name(options.message.path()) +
                                  " and " + input_name(options.public_path);
}

JsonObject members_of(const Options& options, const LoadedPublicKey& loaded, bool verified)
{
    JsonObject all{{"verified", verified},
                   {"algorithm", girih_name(loaded.key.alg)},
                   {"fingerprint", fingerprint_of(loaded.key)},
                   {"public", options.public_path},
                   {"signature", options.signature_path},
                   {"message", options.message.path()}};
    if (loaded.is_certificate) all.add("certificate_checked", false);
    return all;
}

std::string praise(const Options& options, const LoadedPublicKey& loaded)
{
    return printable(input_name(options.message.path())) + ": good " + girih_name(loaded.key.alg) +
           " signature by " + printable(input_name(options.public_path)) + "\n";
}

std::string signature_path_of(const Options& options)
{
    if (options.given_signature_path) return *options.given_signature_path;
    if (options.message.path() == "-")
        throw Failure(exit_usage, "--signature: not given, and standard input has no name to add .sig to");
    return options.message.path() + signature_suffix;
}

int verify(Options& options)
{
    options.message.check();
    if (!options.manifest_path.empty())
        return verify_manifest(options.manifest_path, options.message, algorithm_of(options.alg),
                               options.threads, options.json);
    options.public_path = public_path_of(options.given_public_path, Use::signatures);
    options.signature_path = signature_path_of(options);
    refuse_shared_files({{"--public", options.public_path},
                         {"--signature", options.signature_path},
                         {"MESSAGE", options.message.path()}},
                        {});
    require_standard_output();
    const auto loaded =
        load_public_key_warning(options.public_path, algorithm_of(options.alg), Use::signatures);
    const std::string why_not = objection(options, loaded.key);
    if (!why_not.empty()) {
        const Failure failure(exit_unverified, input_name(options.signature_path) + ": " + why_not);
        if (!options.json) throw failure;
        print_bad_json(failure, members_of(options, loaded, false));
        throw failure.reported();
    }
    if (options.json)
        print_good_json(members_of(options, loaded, true));
    else
        print(praise(options, loaded));
    return exit_good;
}

}  // namespace

void add_verify(const Command& girih)
{
    auto options = std::make_shared<Options>();
    const Command sub = girih.subcommand("verify", "verify the signature of a file");
    const Option key =
        sub.option("--public", options->given_public_path,
                   "the public key, or a certificate (its key is used, unchecked); if not given, " +
                       default_public_name(Use::signatures))
            .type_name("FILE");
    const Option signature =
        sub.option("--signature", options->given_signature_path, "the signature; if not given, MESSAGE.sig")
            .type_name("FILE");
    const Option message = options->message.add_path(sub);
    options->message.add_options(sub);
    options->message.add_mu_option(sub);
    const Option manifest =
        sub.option("--manifest", options->manifest_path,
                   "many signatures instead: a line each, with public key, signature and message")
            .type_name("FILE")
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
