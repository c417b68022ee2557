/// The subcommands, and the headers that they share. Each `add_` function adds one to a program.
#pragma once

#include "cli/arguments/command_line.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/files/same_file.hpp"
#include "cli/output/json.hpp"
#include "cli/output/terminal.hpp"
#include "cli/signatures/message.hpp"
#include "cli/system/failure.hpp"

namespace girih::cli {

void add_keygen(CLI::App& girih);
void add_sign(CLI::App& girih);
void add_verify(CLI::App& girih);
void add_sign_envelope(CLI::App& girih);
void add_verify_envelope(CLI::App& girih);
void add_encap(CLI::App& girih);
void add_decap(CLI::App& girih);
void add_mu(CLI::App& girih);
void add_inspect(CLI::App& girih);
void add_convert(CLI::App& girih);
void add_list(CLI::App& girih);
void add_selftest(CLI::App& girih);
void add_bench(CLI::App& girih);
/// Adds completion and man, for any program.
void add_documents(CLI::App& program);

}  // namespace girih::cli
