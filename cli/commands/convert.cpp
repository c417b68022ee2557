#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/files/same_file.hpp"

namespace girih::cli {
namespace {

using key_files::Format;
using key_files::PrivateForm;
using key_files::PrivateKey;
using key_files::Problem;

struct Options {
    std::string alg;
    std::string input_path;
    std::string output_path;
    std::string private_form;
    std::string format = "pem";
    bool public_only = false;
    bool force = false;
};

/// In the form that was asked for; else as it came, unless the new format cannot hold that.
key_files::SecretBytes converted(const Options& options, const PrivateKey& key, PrivateForm as_it_came)
{
    const Format format = format_of(options.format);
    if (!options.private_form.empty())
        return encode_private_key(key, private_form_of(options.private_form), format, options.input_path);
    const auto same = write_private_key(key, as_it_came, format);
    const bool held = same || same.error().problem != Problem::no_form;
    return encode_private_key(key, held ? as_it_came : preferred_form(key, format), format,
                              options.input_path);
}

int convert(const Options& options)
{
    refuse_shared_files({{"INPUT", options.input_path}}, {{"OUTPUT", options.output_path}});
    const auto file = load_key(options.input_path, algorithm_of(options.alg));
    const auto* secret = std::get_if<PrivateKey>(&file.key);
    const bool writes_secret = secret != nullptr && !options.public_only;
    if (!writes_secret && !options.private_form.empty())
        throw Failure(exit_usage, "--private-form: no private key is written");

    NewFile out(options.output_path, writes_secret ? Access::owner : Access::umask,
                content_of(format_of(options.format)), options.force);
    if (writes_secret)
        out.write(converted(options, *secret, file.form));
    else
        out.write(write_public_key({file.alg(), file.public_key()}, format_of(options.format)));
    out.commit();
    return exit_good;
}

}  // namespace

void add_convert(const Command& girih)
{
    auto options = std::make_shared<Options>();
    const Command sub =
        girih.subcommand("convert", "write a key in another format or form, or its public half");
    sub.option("INPUT", options->input_path, "a key or certificate; - is standard input")
        .required()
        .type_name("");
    sub.option("OUTPUT", options->output_path, "the new file; - is standard output").required().type_name("");
    sub.flag("--public-only", options->public_only, "write the public key of a private key");
    add_private_form_option(sub, options->private_form,
                            "if not given, as in INPUT where the format can hold that");
    add_format_option(sub, options->format);
    add_raw_algorithm_option(sub, options->alg);
    sub.flag("--force", options->force, "replace OUTPUT if it exists");
    sub.action([options] { return convert(*options); });
}

}  // namespace girih::cli
