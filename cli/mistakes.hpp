/// What is wrong with a command line, and what somebody may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace girih::cli {

/// A subcommand that was given, or girih itself.
struct Given {
    std::string path;                      ///< how to ask for its help: "girih board"
    std::vector<std::string> subcommands;  ///< that it has
    std::vector<std::string> options;      ///< that it has: "--json"
    std::vector<std::string> left;         ///< arguments for which it has no place
    bool has_subcommand;                   ///< whether one of its subcommands was given
};

[[nodiscard]] bool is_option(std::string_view argument);

/// An argument that is not expected where it is.
[[nodiscard]] std::string stranger(const Given& given, const std::string& argument);

/// What is wrong with a command line, in one line that ends with whose help to look at. `all` is
/// what was given, outermost first, and `error` the parser's own words.
[[nodiscard]] std::string mistake(const std::vector<Given>& all, const std::string& error);

}  // namespace girih::cli
