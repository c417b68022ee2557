/// girih-board: works with a microcontroller that runs girih's firmware. See `girih-board --help`.
#include <algorithm>
#include <memory>
#include <utility>

#include "cli/arguments/command_line.hpp"
#include "cli/arguments/program.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/files/same_file.hpp"
#include "cli/system/failure.hpp"
#include "cli/system/process.hpp"
#include "firmware/host/port.hpp"
#include "firmware/host/steps.hpp"

namespace girih::cli::board {
namespace {

/// Refuses steps that read a file that another one writes, except that a new signature may be
/// verified.
void refuse_shared_files_of_steps(const Options& options)
{
    const auto given = [](std::initializer_list<FileOption> all) {
        std::vector<FileOption> some;
        std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                     [](const FileOption& file) { return !file.path.empty(); });
        return some;
    };
    const FileOption image{"--emulate", options.image};
    const FileOption to_sign{"the file to sign", options.sign_path};
    const FileOption to_verify{"the file to verify", options.verify_path};
    const FileOption secret{"import --secret", options.import_secret_path};
    const FileOption imported{"import --public", options.import_public_path};
    const FileOption expected{"sign --public", options.expected_public_path};
    const FileOption key{"keygen --public", options.public_path};
    const FileOption made{"sign --signature", options.made_signature_path};
    const FileOption checked{"verify --signature", options.signature_path};
    std::vector<FileOption> inputs = given({image, secret, imported, to_sign, to_verify});
    options.import_passphrase.append_to(inputs);
    const std::vector<FileOption> outputs = given({key, made});
    refuse_shared_files(inputs, outputs);
    refuse_shared_files(given({expected}), given({made}));
    refuse_shared_files(given({checked}), given({key}));
    for (const FileOption& file : given({expected, checked})) inputs.push_back(file);
    refuse_shared_files(inputs, {});  // only one may be standard input
    refuse_json_beside(options.json, outputs);
}

void talk(const Options& options, const std::vector<Step>& steps, Link& link, Outputs& out)
{
    Conversation conversation(link);
    for (const Step step : steps) step(options, conversation, out);
}

void run(const Options& options, const std::vector<Step>& steps)
{
    refuse_shared_files_of_steps(options);
    Outputs out(options);
    const Link::Seconds patience{options.timeout_seconds};
    if (!options.image.empty()) {
        Emulator emulator(options.image);
        Link link(emulator.take_port(), "the emulator", patience);
        for (const std::string& line : link.wait_until_ready()) tell(line);
        talk(options, steps, link, out);
    } else {
        Link link(open_port(options.port), options.port, patience);
        link.synchronize();
        talk(options, steps, link, out);
    }
    if (!out.figures.is_null()) print_good_json(out.figures);
}

void declare(CLI::App& program)
{
    auto options = std::make_shared<Options>();
    auto steps = std::make_shared<std::vector<Step>>();
    const Option port = add(program, "--port DEVICE", options->port, "its serial port, such as /dev/ttyACM0");
    add(program, "--emulate IMAGE", options->image, "instead of a board, run an image in QEMU")
        .excludes(port);
    add(program, "--timeout SECONDS", options->timeout_seconds, "how many seconds a board may be silent")
        .between(1, 86400);
    add(program, "--force", options->force, "replace files that exist");
    add_footer(
        program,
        "Several steps may follow each other, each once: girih-board --emulate IMAGE keygen ... sign ... "
        "verify ...");
    program.require_subcommand(1, 0);

    const auto add_step = [&](const char* name, const char* what, Step step) -> CLI::App& {
        CLI::App& added = add_subcommand(program, name, what);
        on_use(added, [&added, steps, step] {
            if (added.count() > 1)
                throw Failure(exit_usage, added.get_name() + ": given twice, and may be once");
            steps->push_back(step);
        });
        return added;
    };
    add_step("info", "show the board's algorithm and sizes", show_info);
    CLI::App& making =
        add_step("keygen", "make a key pair on the board; the private key stays there", make_key);
    add(making, "--public FILE", options->public_path, "the public key's new file").required();
    CLI::App& importing = add_step(
        "import", "send the board a private key, or a public one if its image only verifies", import_key);
    const Option secret =
        add(importing, "--secret FILE", options->import_secret_path, "the private key").required();
    add(importing, "--public FILE", options->import_public_path, "the public key").replaces({secret});
    options->import_passphrase.add_options(importing, "the passphrase of an encrypted private key");
    CLI::App& signing = add_step("sign", "sign a file on the board, and verify the signature here", sign);
    add(signing, "file FILE", options->sign_path, "the message").required();
    add(signing, "--signature FILE", options->made_signature_path, "the signature's new file").required();
    add(signing, "--public FILE", options->expected_public_path,
        "the key that the signature has to verify with, for an image that only signs");
    CLI::App& verifying = add_step("verify", "verify a signature on the board, under its own key", verify);
    add(verifying, "file FILE", options->verify_path, "the message").required();
    add(verifying, "--signature FILE", options->signature_path, "the signature").required();
    CLI::App& timing =
        add_step("bench", "time the board's operations with new keys; its old key is lost", benchmark);
    add(timing, "--json", options->json, "the figures in JSON");
    CLI::App& reporting = add_step("report", "like bench, as a table in Markdown", report);
    add(timing, "--runs COUNT", options->bench_runs, "how often each").between(1, 65535);
    add(reporting, "--runs COUNT", options->report_runs, "how often each").between(1, 65535);
    add_documents(program);

    on_use(program, [options, steps] {
        if (steps->empty()) return;  // a document
        if (options->port.empty() && options->image.empty()) throw CLI::RequiredError("--port or --emulate");
        run(*options, *steps);
    });
}

}  // namespace
}  // namespace girih::cli::board

int main(int argc, char** argv)
{
    return girih::cli::run_program("girih-board", "work with a microcontroller that runs girih's firmware",
                                   girih::cli::board::declare, girih::cli::system::arguments(argc, argv));
}
