/// The girih command: keys, signatures, key encapsulation and key files. See `girih --help`.
#include <girih/girih.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/output/json.hpp"
#include "cli/output/terminal.hpp"
#include "cli/system/process.hpp"

namespace girih::cli {
namespace {

/// Reports a failure and returns its exit code: one line on standard error and, with --json, an
/// object on standard output.
int report(const Failure& failure, bool json)
{
    tell_failure(failure.what());
    if (json && !failure.is_reported()) {
        try {
            print_bad_json(failure);
        } catch (const std::exception&) {
            // Standard output cannot be written; the exit code tells.
        }
    }
    return failure.code();
}

void require_engine()
{
    if (girih_engine() != nullptr) return;
    const std::string wanted = system::variable("GIRIH_ISA");
    throw Failure(exit_file, std::string(girih_error_text(GIRIH_ERROR_ENGINE)) +
                                 (wanted.empty() ? "" : " (GIRIH_ISA is " + wanted + ")"));
}

/// Sets `json` as soon as the command line is parsed.
int run(const std::vector<std::string>& arguments, bool& json)
{
    CommandLine line(
        "Lattice signatures and key encapsulation: makes keys, signs, verifies, agrees on secrets, and reads "
        "key files.");
    const Command girih = line.girih();
    girih.footer(
        "A file named - is standard input or output. Without --force, no file is replaced, and\n"
        "only text is written to a terminal.\n"
        "Exit codes: 0 good, 1 a signature does not verify or the self-test found a fault,\n"
        "2 a wrong command line, 3 a file that cannot be read, written or used.");
    girih.require_subcommand();
    for (const auto& add :
         {add_keygen, add_sign, add_verify, add_mu, add_encap, add_decap, add_inspect, add_convert, add_board,
          add_list, add_selftest, add_bench, add_completion, add_man})
        add(girih);
    // Declared for the list of subcommands; it is handled as --help.
    (void)girih.subcommand("help", "the same as --help, also for a subcommand: girih help sign");

    const auto work = line.parse(arguments);
    json = line.is_set("--json");
    if (!work) return exit_good;
    require_engine();
    system::keep_memory_private();
    const int code = (*work)();
    close_standard_output();
    return code;
}

/// Whether to report an error in the command line in JSON.
bool asks_for_json(const std::vector<std::string>& arguments)
{
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    return std::any_of(arguments.begin(), end, [](const std::string& word) {
        return word == "--json" || (word.starts_with("--json=") && word != "--json=false");
    });
}

}  // namespace
}  // namespace girih::cli

int main(int argc, char** argv)
{
    using namespace girih::cli;
    system::prepare();
    const std::vector<std::string> arguments = system::arguments(argc, argv);
    bool json = asks_for_json(arguments);
    try {
        return run(arguments, json);
    } catch (...) {
        return report(current_failure(), json);
    }
}
