#include <array>

#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/default_keys.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/files/message.hpp"
#include "cli/files/same_file.hpp"
#include "cli/output/json.hpp"

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

int write_mu(Options& options)
{
    options.message.check();
    const std::string public_path = public_path_of(options.public_path, Use::signatures);
    refuse_shared_files({{"--public", public_path}, {"MESSAGE", options.message.path()}},
                        {{"--output", options.output_path}});
    refuse_json_beside(options.json, {{"--output", options.output_path}});
    NewFile file(options.output_path, Access::umask, Content::binary, options.force);
    const auto loaded = load_public_key_warning(public_path, algorithm_of(options.alg), Use::signatures);
    file.write(options.message.representative(loaded.key));
    commit_all(std::array{&file}, [&] {
        if (options.json)
            print_good_json({{"algorithm", girih_name(loaded.key.alg)},
                             {"fingerprint", fingerprint_of(loaded.key)},
                             {"public", public_path},
                             {"message", options.message.path()},
                             {"output", options.output_path}});
    });
    return exit_good;
}

}  // namespace

void add_mu(const Command& girih)
{
    auto options = std::make_shared<Options>();
    const Command sub = girih.subcommand(
        "mu", "compute mu, the 64-byte representative of a file, for sign --mu and verify --mu");
    add_public_option(sub, options->public_path, Use::signatures,
                      "the public key that the signature will be verified with");
    sub.option("-o,--output", options->output_path, "the new file; - is standard output")
        .type_name("FILE")
        .required();
    (void)options->message.add_path(sub);
    options->message.add_options(sub);
    add_raw_algorithm_option(sub, options->alg);
    sub.flag("--force", options->force, "replace the file if it exists");
    add_json_option(sub, options->json);
    sub.action([options] { return write_mu(*options); });
}

}  // namespace girih::cli
