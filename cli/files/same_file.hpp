/// Comparison of files on the command line: by device and inode, through every link.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments/command_line.hpp"

namespace girih::cli {

/// A file, and the option that names it.
struct FileOption {
    std::string option;
    std::string path;  ///< "-" is standard input or output
};

/// Refuses a command line that would overwrite one of its inputs or write two outputs to one file,
/// however they are spelt, or that has standard input for more than one input. Terminals and
/// devices such as /dev/null may be shared.
void refuse_shared_files(const std::vector<FileOption>& inputs, const std::vector<FileOption>& outputs);

/// Adds --json to a subcommand that writes files.
void add_json_option(CLI::App& command, bool& json);
/// With --json, refuses standard output for a file, because the object goes there. Fails if
/// standard output cannot be written, before files are made.
void refuse_json_beside(bool json, const std::vector<FileOption>& outputs);

}  // namespace girih::cli
