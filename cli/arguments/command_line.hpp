/// Additions to CLI11, which parses the command line.
#pragma once

#include <CLI/CLI.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace girih::cli {

/// Adds an option with a value, as the help shows it: "--long VALUE" or "-s,--long VALUE"; or a
/// positional argument, "NAME". `what` is its description. An empty value is refused; a value that
/// is not given is unchanged. An option with several values is repeated.
CLI::Option* add(CLI::App& command, const std::string& name, std::string& value, const std::string& what);
CLI::Option* add(CLI::App& command, const std::string& name, std::optional<std::string>& value,
                 const std::string& what);
CLI::Option* add(CLI::App& command, const std::string& name, unsigned& value, const std::string& what);
CLI::Option* add(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                 const std::string& what);

/// Allows an option to be given an empty value.
void allow_empty(CLI::Option* option);
/// Makes an option exclude others, which are then not required.
void replace_options(CLI::Option* option, std::initializer_list<CLI::Option*> others);

/// Adds last lines to the help of a subcommand, before those of its program.
void add_footer(CLI::App& command, const std::string& text);

/// All subcommands of a program.
[[nodiscard]] std::vector<const CLI::App*> subcommands_of(const CLI::App& program);
/// Whether they are steps, which may follow each other.
[[nodiscard]] bool has_steps(const CLI::App& program);

/// Marks a word that can only be a value. CLI11 would turn a bracketed one into a list, and does
/// not continue a list after "--".
inline constexpr char literal = '\x01';
[[nodiscard]] std::string without_mark(std::string word);

}  // namespace girih::cli
