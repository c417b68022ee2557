/// The girih command: keys, signatures, key encapsulation and key files. See `girih --help`.
#include <girih/girih.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <optional>
#include <sstream>
#include <string>

#include "cli/failure.hpp"
#include "cli/files.hpp"
#include "cli/subcommands.hpp"

namespace girih::cli {
namespace {

/// One line on standard error. Where even that cannot be written, the exit code is all there is.
int report(const std::string& what, ExitCode code)
{
    std::string line = "girih: " + what;
    std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    std::cerr << line << std::endl;
    return code;
}

/// What is wrong with a command line, and whose help to look at.
std::string mistake(const CLI::App& girih, const CLI::ParseError& error)
{
    const auto given = girih.get_subcommands();
    const auto strangers = girih.remaining();
    if (!given.empty())
        return std::string(error.what()) + " (see girih " + given.front()->get_name() + " --help)";
    if (!strangers.empty()) return "there is no " + strangers.front() + " (see girih --help)";
    return "say what to do: keygen, sign, verify, ... (see girih --help)";
}

/// Parses the command line. Nothing, if it is to be followed; else it was for help, and this is the exit code.
std::optional<int> parse(CLI::App& girih, int argc, char** argv)
{
    try {
        girih.parse(argc, argv);
        return {};
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success))
            throw Failure(exit_usage, mistake(girih, error));
        std::ostringstream text;
        girih.exit(error, text, text);
        print(text.str());
        return exit_good;
    }
}

void require_engine()
{
    if (girih_engine() != nullptr) return;
    const char* wanted = std::getenv("GIRIH_ISA");
    throw Failure(exit_file, std::string(girih_error_text(GIRIH_ERROR_ENGINE)) +
                                 (wanted != nullptr ? " (GIRIH_ISA is " + std::string(wanted) + ")" : ""));
}

int run(int argc, char** argv)
{
    CLI::App girih(
        "Lattice signatures and key encapsulation: makes keys, signs, verifies, agrees on secrets, and reads "
        "key files.",
        "girih");
    girih.set_version_flag("--version", std::string("girih ") + GIRIH_VERSION);
    girih.footer(
        "A file named - is standard input or output. Nothing is replaced without --force.\n"
        "Exit codes: 0 good, 1 a signature does not verify or the self-test found a fault,\n"
        "2 a wrong command line, 3 a file that cannot be read, written or used.");
    girih.require_subcommand(1);
    Action chosen;
    for (const auto& add : {add_keygen, add_sign, add_verify, add_mu, add_encap, add_decap, add_inspect,
                            add_convert, add_board, add_list, add_selftest})
        add(girih, chosen);

    if (const auto code = parse(girih, argc, argv)) return *code;
    require_engine();
    return chosen();
}

}  // namespace
}  // namespace girih::cli

int main(int argc, char** argv)
{
    using namespace girih::cli;
    occupy_standard_descriptors();
    // A closed pipe and a limit on file sizes are failures to write, and reported like others.
    for (const int signal : {SIGPIPE, SIGXFSZ}) (void)std::signal(signal, SIG_IGN);
    try {
        return run(argc, argv);
    } catch (const Failure& failure) {
        return report(failure.what(), failure.code());
    } catch (const std::bad_alloc&) {
        return report("out of memory", exit_file);
    }
}
