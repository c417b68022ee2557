/// What is wrong with a command line, and what somebody may have meant.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace girih::cli {

/// What is wrong with a command line that CLI11 refused, in one line that ends with whose help to look at.
[[nodiscard]] std::string mistake(const CLI::App& girih, const CLI::ParseError& error);

/// `help A B` as `A B --help`. Other arguments stay as they are. Fails if there is no such subcommand.
[[nodiscard]] std::vector<std::string> without_help_command(const CLI::App& girih,
                                                            std::vector<std::string> arguments);

}  // namespace girih::cli
