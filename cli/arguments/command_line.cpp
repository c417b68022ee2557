#include "cli/arguments/command_line.hpp"

namespace girih::cli {
namespace {

constexpr const char* filled = "filled";

std::string empty_error(const std::string& value) { return value.empty() ? "is empty" : ""; }

template <class T>
CLI::Option* add_value(CLI::App& command, const std::string& name, T& value, const std::string& what)
{
    const std::size_t space = name.find(' ');
    const std::string type = space == std::string::npos ? "" : name.substr(space + 1);
    CLI::Option* const option = command.add_option(name.substr(0, space), value, what)->type_name(type);
    return option->transform(without_mark)->check(empty_error, "", filled);
}

}  // namespace

CLI::Option* add(CLI::App& command, const std::string& name, std::string& value, const std::string& what)
{
    return add_value(command, name, value, what);
}

CLI::Option* add(CLI::App& command, const std::string& name, std::optional<std::string>& value,
                 const std::string& what)
{
    return add_value(command, name, value, what);
}

CLI::Option* add(CLI::App& command, const std::string& name, unsigned& value, const std::string& what)
{
    return add_value(command, name, value, what);
}

CLI::Option* add(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                 const std::string& what)
{
    return add_value(command, name, values, what)->allow_extra_args(!name.starts_with('-'));
}

void allow_empty(CLI::Option* option) { option->get_validator(filled)->active(false); }

void replace_options(CLI::Option* option, std::initializer_list<CLI::Option*> others)
{
    for (CLI::Option* const other : others)
        option->excludes(other)->each([other](const std::string&) { other->required(false); });
}

void add_footer(CLI::App& command, const std::string& text)
{
    // A subcommand inherits its parent's footer.
    const std::string inherited = command.get_footer();
    command.footer(inherited.empty() ? text : text + "\n" + inherited);
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& program)
{
    return program.get_subcommands([](const CLI::App*) { return true; });
}

bool has_steps(const CLI::App& program)
{
    return program.get_require_subcommand_min() > 0 && program.get_require_subcommand_max() == 0;
}

std::string without_mark(std::string word)
{
    if (word.starts_with(literal)) word.erase(0, 1);
    return word;
}

}  // namespace girih::cli
