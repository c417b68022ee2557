#include "cli/commands/subcommands.hpp"

namespace girih::cli {
namespace {

struct Options {
    std::string alg;
    std::optional<std::string> public_path;
    std::string output_path;
    MessageInput message;
    bool force = false;
    bool json = false;
};

void write_mu(Options& options)
{
    options.message.check();
    const std::string public_path = public_path_of(options.public_path, Use::signatures);
    refuse_shared_files({{"--public", public_path}, {"MESSAGE", options.message.path()}},
                        {{"--output", options.output_path}});
    refuse_json_beside(options.json, {{"--output", options.output_path}});
    NewFiles files;
    NewFile& file = files.add(options.output_path, Access::umask, Content::binary, options.force);
    const auto loaded = load_public_key_warning(public_path, algorithm_of(options.alg), Use::signatures);
    file.write(options.message.representative(loaded.key));
    files.commit(options.json, {{"algorithm", girih_name(loaded.key.alg)},
                                {"fingerprint", fingerprint_of(loaded.key)},
                                {"public", public_path},
                                {"message", options.message.path()},
                                {"output", options.output_path}});
}

}  // namespace

void add_mu(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(
        girih, "mu", "compute mu, the 64-byte representative of a file, for sign --mu and verify --mu");
    add_public_option(sub, options->public_path, Use::signatures,
                      "the public key that the signature will be verified with");
    add(sub, "-o,--output FILE", options->output_path, "the new file; - is standard output").required();
    (void)options->message.add_path(sub);
    options->message.add_options(sub);
    add_raw_algorithm_option(sub, options->alg);
    add(sub, "--force", options->force, "replace the file if it exists");
    add_json_option(sub, options->json);
    on_use(sub, [options] { return write_mu(*options); });
}

}  // namespace girih::cli
