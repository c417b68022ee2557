#include "cli/command_line.hpp"

#include <girih/girih.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/mistakes.hpp"

namespace girih::cli {
namespace {

/// Marks a word that can only be a value. CLI11 would turn a bracketed one into a list, and does
/// not continue a list after "--".
constexpr char literal = '\x01';

std::string without_mark(std::string word)
{
    if (word.starts_with(literal)) word.erase(0, 1);
    return word;
}

/// The start of the value within an option's word: after "=", or after a single letter.
std::size_t value_within(const std::string& word)
{
    if (word.starts_with("--")) return word.find('=') == std::string::npos ? word.size() : word.find('=') + 1;
    return word.starts_with('-') ? std::min(word.size(), std::size_t{2}) : 0;
}

/// The words in the form and order for CLI11: last first.
std::vector<std::string> marked(std::vector<std::string> words)
{
    const auto end = std::find(words.begin(), words.end(), "--");
    const auto mark = [&](std::string& word, bool is_value) {
        const std::size_t begin = is_value ? 0 : value_within(word);
        const auto value = std::string_view(word).substr(begin);
        if (is_value || value.starts_with(literal) || (value.starts_with('[') && value.ends_with(']')))
            word.insert(begin, 1, literal);
    };
    std::for_each(words.begin(), end, [&](std::string& word) { mark(word, false); });
    std::for_each(end, words.end(), [&](std::string& word) { mark(word, true); });
    if (end != words.end()) words.erase(end);
    std::reverse(words.begin(), words.end());
    return words;
}

constexpr const char* filled = "filled";

/// Rejects empty values.
std::string empty_error(const std::string& value) { return value.empty() ? "is empty" : ""; }

Option with_value(CLI::Option* option)
{
    return Option(option->transform(without_mark)->check(empty_error, "", filled));
}

std::vector<std::string> subcommands_of(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(sub->get_name());
    return names;
}

std::vector<std::string> options_of(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

/// A subcommand with its parents: "girih board sign".
std::string path_of(const CLI::App& app)
{
    const CLI::App* const parent = app.get_parent();
    return (parent == nullptr ? "" : path_of(*parent) + " ") + app.get_name();
}

Given given(const CLI::App& app)
{
    std::vector<std::string> remaining = app.remaining();
    std::transform(remaining.begin(), remaining.end(), remaining.begin(), without_mark);
    return {path_of(app), subcommands_of(app), options_of(app), std::move(remaining),
            !app.get_subcommands().empty()};
}

/// A command and its given subcommands, outermost first.
std::vector<const CLI::App*> all_given(const CLI::App& outermost)
{
    std::vector<const CLI::App*> apps{&outermost};
    for (std::size_t i = 0; i < apps.size(); ++i)
        for (const CLI::App* sub : apps[i]->get_subcommands()) apps.push_back(sub);
    return apps;
}

/// Turns `help A B` into `A B --help`. Other arguments are unchanged. Fails if there is no such
/// subcommand.
std::vector<std::string> without_help_command(const CLI::App& girih, std::vector<std::string> arguments)
{
    if (arguments.empty() || arguments.front() != "help") return arguments;
    arguments.erase(arguments.begin());
    const CLI::App* app = &girih;
    for (const std::string& name : arguments) {
        if (is_option(name)) continue;
        const auto found = app->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
        if (found.empty()) throw Failure(exit_usage, unexpected_argument(given(*app), name));
        app = found.front();
    }
    arguments.emplace_back("--help");
    return arguments;
}

/// Splits a type such as "FORMAT:{pem,der,raw}": returns the words, and leaves the rest.
std::vector<std::string> take_words(std::string& type)
{
    const std::size_t colon = type.find(':');
    std::string rest = colon == std::string::npos ? "" : type.substr(colon + 1);
    type = type.substr(0, colon);
    if (!rest.starts_with('{') || !rest.ends_with('}')) return {};
    std::vector<std::string> words;
    std::istringstream list(rest.substr(1, rest.size() - 2));
    for (std::string word; std::getline(list, word, ',');) words.push_back(word);
    return words;
}

DeclaredOption declared_option(const CLI::Option& option)
{
    DeclaredOption one;
    one.is_argument = !option.nonpositional();
    if (one.is_argument) one.names = {option.get_name()};
    for (const std::string& name : option.get_snames()) one.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) one.names.push_back("--" + name);
    if (option.get_type_size_max() != 0) one.value = option.get_type_name();
    one.words = take_words(one.value);
    one.what = option.get_description();
    one.is_required = option.get_required();
    one.is_repeated = option.get_items_expected_max() > 1;
    return one;
}

DeclaredCommand declared_command(const CLI::App& app)
{
    DeclaredCommand command{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
    for (const CLI::Option* option : app.get_options()) command.options.push_back(declared_option(*option));
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        command.commands.push_back(declared_command(*sub));
    return command;
}

}  // namespace

Option Option::required() const
{
    option_->required();
    return *this;
}

Option Option::type_name(const char* name) const
{
    option_->type_name(name);
    return *this;
}

Option Option::one_of(std::initializer_list<std::string> words) const
{
    option_->check(CLI::IsMember(std::vector<std::string>(words)));
    return *this;
}

Option Option::between(int min, int max) const
{
    option_->check(CLI::Range(min, max));
    return *this;
}

Option Option::may_be_empty() const
{
    option_->get_validator(filled)->active(false);
    return *this;
}

Option Option::excludes(Option other) const
{
    option_->excludes(other.option_);
    return *this;
}

Option Option::needs(Option other) const
{
    option_->needs(other.option_);
    return *this;
}

Option Option::replaces(std::initializer_list<Option> others) const
{
    for (const Option& other : others) {
        option_->excludes(other.option_);
        option_->each([one = other.option_](const std::string&) { one->required(false); });
    }
    return *this;
}

Command Command::subcommand(const char* name, const char* what) const
{
    return {*app_->add_subcommand(name, what), *chosen_};
}

void Command::footer(const std::string& text) const
{
    // A subcommand inherits its parent's footer.
    const std::string inherited = app_->get_footer();
    app_->footer(inherited.empty() ? text : text + "\n" + inherited);
}

Option Command::option(const char* name, std::string& value, const std::string& what) const
{
    return with_value(app_->add_option(name, value, what));
}

Option Command::option(const char* name, std::optional<std::string>& value, const std::string& what) const
{
    return with_value(app_->add_option(name, value, what));
}

Option Command::option(const char* name, unsigned& value, const std::string& what) const
{
    return with_value(app_->add_option(name, value, what));
}

Option Command::option(const char* name, std::vector<std::string>& values, const std::string& what) const
{
    return with_value(app_->add_option(name, values, what)->allow_extra_args(false));
}

Option Command::arguments(const char* name, std::vector<std::string>& values, const std::string& what) const
{
    return with_value(app_->add_option(name, values, what));
}

Option Command::flag(const char* name, bool& value, const char* what) const
{
    return Option(app_->add_flag(name, value, what));
}

DeclaredCommand Command::declared() const { return declared_command(*app_); }

void Command::require_subcommand() const { app_->require_subcommand(1); }

void Command::require_subcommands() const { app_->require_subcommand(1, 0); }

void Command::action(Action work, std::initializer_list<Option> any, const char* words) const
{
    std::vector<const CLI::Option*> needed;
    for (const Option& option : any) needed.push_back(option.option_);
    app_->callback([chosen = chosen_, work = std::move(work), needed = std::move(needed), words] {
        const auto is_given = [](const CLI::Option* option) { return option->count() != 0; };
        if (!needed.empty() && std::none_of(needed.begin(), needed.end(), is_given))
            throw CLI::RequiredError(words);
        *chosen = work;
    });
}

void Command::when_given_once(std::function<void()> f) const
{
    app_->callback([app = app_, f = std::move(f)] {
        if (app->count() > 1) throw Failure(exit_usage, app->get_name() + ": given twice, and may be once");
        f();
    });
}

CommandLine::CommandLine(const char* what) : app_(std::make_unique<CLI::App>(what, "girih"))
{
    app_->set_version_flag("--version", std::string("girih ") + GIRIH_VERSION);
    app_->allow_windows_style_options(false);  // /name is a file on every system
}

CommandLine::~CommandLine() = default;

Command CommandLine::girih() { return {*app_, chosen_}; }

bool CommandLine::is_set(const char* flag) const
{
    const auto all = all_given(*app_);
    return std::any_of(all.begin(), all.end(), [flag](const CLI::App* app) {
        const CLI::Option* const option = app->get_option_no_throw(flag);
        return option != nullptr && option->count() != 0 && option->as<bool>();
    });
}

std::optional<Action> CommandLine::parse(const std::vector<std::string>& arguments)
{
    auto words = marked(without_help_command(*app_, arguments));
    try {
        app_->parse(std::move(words));
        return chosen_;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) {
            std::string what = error.what();
            std::erase(what, literal);
            std::vector<Given> all;
            for (const CLI::App* app : all_given(*app_)) all.push_back(given(*app));
            throw Failure(exit_usage, mistake(all, what));
        }
        std::ostringstream text;
        app_->exit(error, text, text);
        print(text.str());
        return {};
    }
}

}  // namespace girih::cli
