#include "cli/files/same_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "cli/failure.hpp"
#include "cli/files/files.hpp"

namespace girih::cli {
namespace {

/// What makes a file the same as another: its device and inode, or, of one that does not exist, its
/// folder's and its name.
struct Identity {
    dev_t device;
    ino_t inode;
    std::string name;  ///< empty of a file that exists
    mode_t mode;

    [[nodiscard]] bool is_same(const Identity& other) const
    {
        return device == other.device && inode == other.inode && name == other.name;
    }
};

/// Nothing for what is in no folder that can be looked into: it cannot be opened either.
std::optional<Identity> identity_of(const std::string& path, int standard_descriptor)
{
    struct stat status{};
    const bool exists =
        path == "-" ? ::fstat(standard_descriptor, &status) == 0 : ::stat(path.c_str(), &status) == 0;
    if (exists) return Identity{status.st_dev, status.st_ino, "", status.st_mode};
    const std::size_t slash = path.find_last_of('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (path == "-" || ::stat(folder.c_str(), &status) != 0) return {};
    return Identity{status.st_dev, status.st_ino, path.substr(slash + 1), S_IFREG};
}

/// Bytes that were written to it are what is read from it.
bool is_storage(const Identity& file) { return S_ISREG(file.mode) || S_ISBLK(file.mode); }

[[noreturn]] void refuse(const FileOption& first, const FileOption& second)
{
    throw Failure(exit_usage, first.option + " and " + second.option + " are the same file");
}

/// A file of the command line, looked up once.
struct Named {
    const FileOption* file;
    std::optional<Identity> identity;
};

std::vector<Named> look_up(const std::vector<FileOption>& files, int standard_descriptor)
{
    std::vector<Named> all;
    for (const FileOption& file : files) all.push_back({&file, identity_of(file.path, standard_descriptor)});
    return all;
}

bool is_same(const Named& one, const Named& other)
{
    return one.identity && other.identity && one.identity->is_same(*other.identity);
}

bool overwrites(const Named& output, const Named& input)
{
    return is_same(output, input) && is_storage(*input.identity);
}

bool collide(const Named& first, const Named& second)
{
    if (first.file->path == "-" && second.file->path == "-") return true;
    return is_same(first, second) && !S_ISCHR(first.identity->mode);
}

}  // namespace

void refuse_shared_files(const std::vector<FileOption>& inputs, const std::vector<FileOption>& outputs)
{
    const auto is_standard_input = [](const FileOption& file) {
        return file.path == "-" || descriptor_named(file.path) == STDIN_FILENO;
    };
    if (std::count_if(inputs.begin(), inputs.end(), is_standard_input) > 1)
        throw Failure(exit_usage, "standard input (-) can be only one of the files that are read");
    const auto read = look_up(inputs, STDIN_FILENO);
    const auto written = look_up(outputs, STDOUT_FILENO);
    for (auto output = written.begin(); output != written.end(); ++output) {
        for (auto before = written.begin(); before != output; ++before)
            if (collide(*before, *output)) refuse(*before->file, *output->file);
        for (const Named& input : read)
            if (overwrites(*output, input)) refuse(*output->file, *input.file);
    }
}

void refuse_json_beside(bool json, const std::vector<FileOption>& outputs)
{
    for (const FileOption& output : outputs)
        if (json && (output.path == "-" || descriptor_named(output.path) == STDOUT_FILENO))
            throw Failure(exit_usage, output.option + ": standard output has what --json tells");
}

}  // namespace girih::cli
