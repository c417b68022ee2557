/// Documents of a program's command line.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace girih::cli {

/// Whether it is a positional argument.
[[nodiscard]] bool is_argument(const CLI::Option* option);
/// "-o" and "--signature"; for an argument, its name in the help.
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option* option);

/// The value of an option or argument.
struct Value {
    std::string name;                ///< in the help: "FILE"; empty for a flag
    std::vector<std::string> words;  ///< all possible ones, if declared
};
[[nodiscard]] Value value_of(const CLI::Option* option);

/// The completion script for bash, zsh or fish.
[[nodiscard]] std::string completion_for(const std::string& shell, const CLI::App& program);

/// Names and texts of the manual pages, in the macros of man(7): girih.1, and one for each
/// subcommand, such as girih-sign.1; the steps of a program are on its own page.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> man_pages(const CLI::App& program,
                                                                         const std::string& version);

}  // namespace girih::cli
