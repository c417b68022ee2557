/// The subcommands. Each `add_` puts one on the command line; when it is the one that was given, `chosen`
/// becomes its work, which returns the exit code.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace girih::cli {

using Action = std::function<int()>;

void add_keygen(CLI::App& girih, Action& chosen);
void add_sign(CLI::App& girih, Action& chosen);
void add_verify(CLI::App& girih, Action& chosen);
void add_encap(CLI::App& girih, Action& chosen);
void add_decap(CLI::App& girih, Action& chosen);
void add_mu(CLI::App& girih, Action& chosen);
void add_inspect(CLI::App& girih, Action& chosen);
void add_convert(CLI::App& girih, Action& chosen);
void add_board(CLI::App& girih, Action& chosen);
void add_list(CLI::App& girih, Action& chosen);
void add_selftest(CLI::App& girih, Action& chosen);

}  // namespace girih::cli
