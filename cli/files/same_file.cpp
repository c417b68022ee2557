#include "cli/files/same_file.hpp"

#include <algorithm>
#include <optional>

#include "cli/failure.hpp"
#include "cli/files/files.hpp"

namespace girih::cli {
namespace {

using system::Kind;

/// The identity of a file: its id or, if it does not exist, its folder's id and its name.
struct Identity {
    system::FileId id;
    std::string name;  ///< empty if the file exists
    Kind kind;

    [[nodiscard]] bool is_same(const Identity& other) const { return id == other.id && name == other.name; }
};

/// The status of a file on the command line, if it exists.
std::optional<system::Status> status_of(const std::string& path, int standard_descriptor)
{
    if (path == "-") return system::status_of(standard_descriptor);
    if (const auto number = descriptor_named(path)) return system::status_of(*number);
    return system::status_of(path);
}

/// Nothing if the folder is not accessible: then the file cannot be opened either.
std::optional<Identity> identity_of(const std::string& path, int standard_descriptor)
{
    if (const auto status = status_of(path, standard_descriptor)) {
        if (!status->id) return {};
        return Identity{*status->id, "", status->kind};
    }
    if (path == "-") return {};
    const system::Name name = system::name_of(path);
    const auto folder = system::status_of(name.folder);
    if (!folder || !folder->id) return {};
    return Identity{*folder->id, name.name, Kind::file};
}

/// Whether bytes written to the file can be read back.
bool is_storage(const Identity& file) { return file.kind == Kind::file || file.kind == Kind::blocks; }

[[noreturn]] void refuse(const FileOption& first, const FileOption& second)
{
    throw Failure(exit_usage, first.option + " and " + second.option + " are the same file");
}

/// A file of the command line, with its identity.
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
    return is_same(first, second) && first.identity->kind != Kind::characters;
}

}  // namespace

void refuse_shared_files(const std::vector<FileOption>& inputs, const std::vector<FileOption>& outputs)
{
    const auto is_standard_input = [](const FileOption& file) {
        return file.path == "-" || descriptor_named(file.path) == system::standard_input;
    };
    if (std::count_if(inputs.begin(), inputs.end(), is_standard_input) > 1)
        throw Failure(exit_usage, "standard input (-) can be only one of the files that are read");
    const auto read = look_up(inputs, system::standard_input);
    const auto written = look_up(outputs, system::standard_output);
    for (auto output = written.begin(); output != written.end(); ++output) {
        for (auto before = written.begin(); before != output; ++before)
            if (collide(*before, *output)) refuse(*before->file, *output->file);
        for (const Named& input : read)
            if (overwrites(*output, input)) refuse(*output->file, *input.file);
    }
}

void refuse_json_beside(bool json, const std::vector<FileOption>& outputs)
{
    if (json) require_standard_output();
    for (const FileOption& output : outputs)
        if (json && is_standard_output(output.path))
            throw Failure(exit_usage, output.option + ": standard output has what --json tells");
}

}  // namespace girih::cli
