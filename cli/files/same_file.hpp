/// Files that the command line names, compared as files: by device and inode, through every link.
#pragma once

#include <string>
#include <vector>

namespace girih::cli {

/// A file, and what names it on the command line.
struct FileOption {
    std::string option;
    std::string path;  ///< "-" is standard input or output
};

/// Refuses a command line that would write over one of its inputs, or write two outputs to one
/// file, however they are spelt; also standard input for more than one of its inputs. Terminals and
/// devices such as /dev/null may be shared.
void refuse_shared_files(const std::vector<FileOption>& inputs, const std::vector<FileOption>& outputs);

/// With --json, refuses standard output for a file: the object is there. Fails if that cannot be
/// written, before there are files.
void refuse_json_beside(bool json, const std::vector<FileOption>& outputs);

}  // namespace girih::cli
