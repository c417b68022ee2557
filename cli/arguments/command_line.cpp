#include "cli/arguments/command_line.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace girih::cli {
namespace {

constexpr const char* filled = "filled";

std::string empty_error(const std::string& value) { return value.empty() ? "is empty" : ""; }

std::string decimal_error(const std::string& value)
{
    const bool is_decimal =
        value.find_first_not_of("0123456789") == value.npos && (value.size() == 1 || value[0] != '0');
    return is_decimal ? "" : value + " is not a decimal number";
}

template <class T>
CLI::Option* add_value(CLI::App& command, const std::string& name, T& value, const std::string& what)
{
    const std::size_t space = name.find(' ');
    const std::string type = space == std::string::npos ? "" : name.substr(space + 1);
    CLI::Option* const option = command.add_option(name.substr(0, space), value, what)->type_name(type);
    return option->transform(without_mark)->check(empty_error, "", filled);
}

}  // namespace

Option Option::required() const { return Option{option_->required()}; }

Option Option::excludes(Option other) const { return Option{option_->excludes(other.option_)}; }

Option Option::needs(Option other) const { return Option{option_->needs(other.option_)}; }

void Option::replaces(std::initializer_list<Option> others) const
{
    for (const Option& other : others) {
        CLI::Option* const replaced = other.option_;
        option_->excludes(replaced)->each([replaced](const std::string&) { replaced->required(false); });
    }
}

Option Option::one_of(const std::vector<std::string>& values) const
{
    return Option{option_->check(CLI::IsMember(values))};
}

Option Option::between(int low, int high) const { return Option{option_->check(CLI::Range(low, high))}; }

void Option::allow_empty() const { option_->get_validator(filled)->active(false); }

CLI::App& add_subcommand(CLI::App& program, const std::string& name, const std::string& what)
{
    return *program.add_subcommand(name, what);
}

void on_use(CLI::App& command, std::function<void()> action) { command.callback(std::move(action)); }

Option add(CLI::App& command, const std::string& name, bool& value, const std::string& what)
{
    return Option{command.add_flag(name, value, what)};
}

Option add(CLI::App& command, const std::string& name, std::string& value, const std::string& what)
{
    return Option{add_value(command, name, value, what)};
}

Option add(CLI::App& command, const std::string& name, std::optional<std::string>& value,
           const std::string& what)
{
    return Option{add_value(command, name, value, what)};
}

Option add(CLI::App& command, const std::string& name, unsigned& value, const std::string& what)
{
    return Option{add_value(command, name, value, what)->check(decimal_error)};
}

Option add(CLI::App& command, const std::string& name, std::optional<std::uint64_t>& value,
           const std::string& what)
{
    return Option{add_value(command, name, value, what)->check(decimal_error)};
}

Option add(CLI::App& command, const std::string& name, std::vector<std::string>& values,
           const std::string& what)
{
    return Option{add_value(command, name, values, what)->allow_extra_args(!name.starts_with('-'))};
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
