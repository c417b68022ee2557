/// The girih command: keys, signatures, key encapsulation and key files. See `girih --help`.
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments/program.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/system/process.hpp"

namespace girih::cli {
namespace {

/// The arguments of girih-board in `board ...` and `help board ...`, its former name; nothing for
/// other arguments.
std::optional<std::vector<std::string>> arguments_of_board(std::vector<std::string> arguments)
{
    const bool is_help = !arguments.empty() && arguments.front() == "help";
    const std::size_t place = is_help ? 1 : 0;
    if (arguments.size() <= place || arguments[place] != "board") return {};
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(place));
    return arguments;
}

/// Replaces this program by the girih-board in its folder, and says that name on standard error. To
/// be called before system::prepare(): girih-board inherits the descriptors and signals.
int run_board(const std::vector<std::string>& arguments)
{
    const std::string path = system::path_beside("girih-board");
    if (system::status_of(path)) {
        tell("board is now a separate program: girih-board");
        system::become(path, arguments);
    }
    system::prepare();
    return report({exit_file, "girih-board: is not installed beside girih: " + system::reason()},
                  asks_for_json(arguments));
}

void declare(CLI::App& girih)
{
    girih.require_subcommand(1);
    for (const auto& add_to :
         {add_keygen, add_sign, add_verify, add_mu, add_sign_envelope, add_verify_envelope, add_encap,
          add_decap, add_inspect, add_convert, add_list, add_selftest, add_bench, add_documents})
        add_to(girih);
}

}  // namespace
}  // namespace girih::cli

int main(int argc, char** argv)
{
    using namespace girih::cli;
    const std::vector<std::string> arguments = system::arguments(argc, argv);
    if (const auto for_board = arguments_of_board(arguments)) return run_board(*for_board);
    return run_program("girih",
                       "Lattice signatures and key encapsulation: makes keys, signs, verifies, agrees on "
                       "secrets, and reads key files.",
                       declare, arguments);
}
