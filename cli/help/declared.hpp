/// The declared command line as data, for documents other than --help.
#pragma once

#include <string>
#include <vector>

namespace girih::cli {

/// An option or a positional argument.
struct DeclaredOption {
    std::vector<std::string> names;  ///< "-o" and "--signature"; for an argument, its name in the help
    bool is_argument = false;
    std::string value;               ///< the name of its value, "FILE"; empty for a flag
    std::vector<std::string> words;  ///< all possible values, if declared
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
