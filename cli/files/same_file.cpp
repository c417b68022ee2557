#include "cli/files/same_file.hpp"

#include <algorithm>
#include <optional>

#include "cli/arguments/command_line.hpp"
#include "cli/files/files.hpp"
#include "cli/output/terminal.hpp"
#include "cli/system/failure.hpp"

namespace girih::cli {
namespace {

using system::Kind;

/// A file of the command line, with its identity: its id or, if it does not exist, its folder's id
/// and its name. The id is unknown if the folder is not accessible: then no file there opens.
struct Named {
    const FileOption* file;
    std::optional<system::FileId> id;
    std::string name;  ///< empty if the file exists
    Kind kind = Kind::file;

    [[nodiscard]] bool is_same(const Named& other) const
    {
        return id && id == other.id && name == other.name;
    }
    /// Whether bytes written to the file can be read back.
    [[nodiscard]] bool is_storage() const { return kind == Kind::file || kind == Kind::blocks; }
};

Named look_up(const FileOption& file, int standard_descriptor)
{
    const auto number = file.path == "-" ? standard_descriptor : descriptor_named(file.path);
    if (const auto status = number ? system::status_of(*number) : system::status_of(file.path))
        return {&file, status->id, "", status->kind};
    if (file.path == "-") return {&file, {}, ""};
    const system::Name name = system::name_of(file.path);
    const auto folder = system::status_of(name.folder);
    return {&file, folder ? folder->id : std::nullopt, name.name};
}

[[noreturn]] void refuse(const Named& first, const Named& second)
{
    throw Failure(exit_usage, first.file->option + " and " + second.file->option + " are the same file");
}

bool collide(const Named& first, const Named& second)
{
    if (first.file->path == "-" && second.file->path == "-") return true;
    return first.is_same(second) && first.kind != Kind::characters;
}

}  // namespace

void refuse_shared_files(const std::vector<FileOption>& inputs, const std::vector<FileOption>& outputs)
{
    const auto is_standard_input = [](const FileOption& file) {
        return file.path == "-" || descriptor_named(file.path) == system::standard_input;
    };
    if (std::count_if(inputs.begin(), inputs.end(), is_standard_input) > 1)
        throw Failure(exit_usage, "standard input (-) can be only one of the files that are read");
    std::vector<Named> written;
    for (const FileOption& file : outputs) {
        const Named output = look_up(file, system::standard_output);
        for (const Named& before : written)
            if (collide(before, output)) refuse(before, output);
        for (const FileOption& other : inputs)
            if (const Named input = look_up(other, system::standard_input);
                output.is_same(input) && input.is_storage())
                refuse(output, input);
        written.push_back(output);
    }
}

void add_json_option(CLI::App& command, bool& json)
{
    add(command, "--json", json, "report in JSON what was done");
}

void refuse_json_beside(bool json, const std::vector<FileOption>& outputs)
{
    if (json) require_standard_output();
    for (const FileOption& output : outputs)
        if (json && is_standard_output(output.path))
            throw Failure(exit_usage, output.option + ": standard output has what --json tells");
}

}  // namespace girih::cli
