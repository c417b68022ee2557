/// The subcommands. Each `add_` function adds one to the command line.
#pragma once

namespace girih::cli {

class Command;

void add_keygen(const Command& girih);
void add_sign(const Command& girih);
void add_verify(const Command& girih);
void add_encap(const Command& girih);
void add_decap(const Command& girih);
void add_mu(const Command& girih);
void add_inspect(const Command& girih);
void add_convert(const Command& girih);
void add_board(const Command& girih);
void add_list(const Command& girih);
void add_selftest(const Command& girih);
void add_bench(const Command& girih);
void add_completion(const Command& girih);
void add_man(const Command& girih);

}  // namespace girih::cli
