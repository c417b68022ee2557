#include "cli/files/same_file.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "cli/arguments/command_line.hpp"
#include "cli/files/files.hpp"
#include "cli/output/terminal.hpp"
#include "cli/system/failure.hpp"

namespace girih::cli {
namespace {

using system::Kind;

/// The identity of a file: its id or, if it does not exist, its folder's id and its name.
struct Identity {
    system::FileId id;
    std::string name;  ///< empty if the file exists
    auto operator<=>(const Identity&) const = default;
};

struct Named {
    std::optional<Identity> identity;  ///< none if the folder is not accessible: no file there opens
    Kind kind = Kind::file;
};

Named look_up(const FileOption& file, int standard_descriptor)
{
    const auto number = file.path == "-" ? standard_descriptor : descriptor_named(file.path);
    const auto identity = [](const std::optional<system::FileId>& id, const std::string& name) {
        return id ? std::optional(Identity{*id, name}) : std::nullopt;
    };
    if (const auto status = number ? system::status_of(*number) : system::status_of(file.path))
        return {identity(status->id, ""), status->kind};
    if (file.path == "-") return {};
    const system::Name name = system::name_of(file.path);
    const auto folder = system::status_of(name.folder);
    return {identity(folder ? folder->id : std::nullopt, name.name)};
}

/// The first file of each identity.
using Files = std::map<Identity, const FileOption*>;

[[noreturn]] void refuse(const FileOption& first, const FileOption& second)
{
    throw Failure(exit_usage, first.option + " and " + second.option + " are the same file");
}

}  // namespace

void refuse_shared_files(const std::vector<FileOption>& inputs, const std::vector<FileOption>& outputs)
{
    const auto is_standard_input = [](const FileOption& file) {
        return file.path == "-" || descriptor_named(file.path) == system::standard_input;
    };
    if (std::count_if(inputs.begin(), inputs.end(), is_standard_input) > 1)
        throw Failure(exit_usage, "standard input (-) can be only one of the files that are read");
    Files read;  // of those, only storage: bytes written to it can be read back
    for (const FileOption& file : inputs)
        if (const Named input = look_up(file, system::standard_input);
            input.identity && (input.kind == Kind::file || input.kind == Kind::blocks))
            read.emplace(*input.identity, &file);
    Files written;
    const FileOption* standard_output = nullptr;
    for (const FileOption& file : outputs) {
        if (file.path == "-" && standard_output != nullptr) refuse(*standard_output, file);
        if (file.path == "-") standard_output = &file;
        const Named output = look_up(file, system::standard_output);
        if (!output.identity) continue;
        if (const auto at = written.find(*output.identity); at != written.end()) refuse(*at->second, file);
        if (const auto at = read.find(*output.identity); at != read.end()) refuse(file, *at->second);
        if (output.kind != Kind::characters) written.emplace(*output.identity, &file);
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
            throw Failure(exit_usage, output.option + ": standard output is taken by --json");
}

}  // namespace girih::cli
