/// The command line as data: what subcommands declared, for all that is made of it beside --help.
#pragma once

#include <string>
#include <vector>

namespace girih::cli {

/// An option, or an argument without a name.
struct DeclaredOption {
    std::vector<std::string> names;  ///< "-o" and "--signature"; of an argument the one in the help
    bool is_argument = false;
    std::string value;               ///< what its value is called, "FILE"; empty of a flag
    std::vector<std::string> words;  ///< all values that there are, if that was said
    std::string what;
    bool is_required = false;
    bool is_repeated = false;  ///< it may be given again
};

/// A subcommand, or girih itself.
struct DeclaredCommand {
    std::string name;
    std::string what;
    std::string footer;
    std::vector<DeclaredOption> options;
    std::vector<DeclaredCommand> commands;
};

}  // namespace girih::cli
