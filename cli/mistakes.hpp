/// Error messages for a wrong command line, with suggestions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace girih::cli {

/// A given subcommand, or girih itself.
struct Given {
    std::string path;                      ///< its full name: "girih board"
    std::vector<std::string> subcommands;  ///< its subcommands
    std::vector<std::string> options;      ///< its options: "--json"
    std::vector<std::string> left;         ///< excess arguments
    bool has_subcommand;                   ///< whether one of its subcommands is given
};

[[nodiscard]] bool is_option(std::string_view argument);

/// The message for an unexpected argument.
[[nodiscard]] std::string unexpected_argument(const Given& given, const std::string& argument);

/// The error of a command line, in one line that ends with the help to read. `all` has the given
/// commands, outermost first; `error` is the parser's message.
[[nodiscard]] std::string mistake(const std::vector<Given>& all, const std::string& error);

}  // namespace girih::cli
