/// A program: girih itself, or girih-board.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

#include "cli/system/failure.hpp"

namespace girih::cli {

/// Declares the options and subcommands of a program. A subcommand does its work in its callback,
/// and throws if that fails.
using Declare = std::function<void(CLI::App& program)>;

/// Whether arguments ask for errors in JSON, even if they are wrong otherwise.
[[nodiscard]] bool asks_for_json(const std::vector<std::string>& arguments);

/// Reports a failure in one line on standard error and, with `json`, as an object on standard
/// output. Returns the exit code.
[[nodiscard]] int report(const Failure& failure, bool json);

/// Runs a program, reports a failure, and returns the exit code.
[[nodiscard]] int run_program(const char* name, const std::string& what, const Declare& declare,
                              const std::vector<std::string>& arguments);

}  // namespace girih::cli
