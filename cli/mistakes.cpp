#include "cli/mistakes.hpp"

#include <algorithm>

#include "cli/failure.hpp"
#include "cli/suggestions.hpp"

namespace girih::cli {
namespace {

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

std::string without_value(const std::string& option) { return option.substr(0, option.find('=')); }

bool is_option(const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; }

/// The innermost subcommand that was given, and how to ask for its help.
struct Given {
    const CLI::App* app;
    std::string path;
};

/// All that were given, outermost first.
std::vector<Given> given_of(const CLI::App& girih)
{
    std::vector<Given> all{{&girih, "girih"}};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const CLI::App* sub : all[i].app->get_subcommands())
            all.push_back({sub, all[i].path + " " + sub->get_name()});
    return all;
}

std::string see(const std::string& path) { return " (see " + path + " --help)"; }

/// An argument that is not expected where it is.
std::string stranger(const Given& given, const std::string& argument)
{
    const std::string name = without_value(argument);
    return "there is no " + name +
           did_you_mean(name, is_option(argument) ? options_of(*given.app) : subcommands_of(*given.app)) +
           see(given.path);
}

}  // namespace

std::string mistake(const CLI::App& girih, const CLI::ParseError& error)
{
    const auto all = given_of(girih);
    for (const Given& given : all) {
        const bool lacks_subcommand =
            given.app->get_subcommands().empty() && !subcommands_of(*given.app).empty();
        const auto left = given.app->remaining();
        if (lacks_subcommand && !left.empty()) return stranger(given, left.front());
    }
    // An option that does not exist explains what else is missing or too much.
    for (const Given& given : all) {
        const auto left = given.app->remaining();
        const auto option = std::find_if(left.begin(), left.end(), is_option);
        if (option != left.end()) return stranger(given, *option);
    }
    for (const Given& given : all) {
        const auto left = given.app->remaining();
        if (left.empty()) continue;
        std::string list;
        for (const std::string& argument : left) list += " " + argument;
        return "not expected:" + list + see(given.path);
    }
    if (all.size() > 1) return error.what() + see(all[1].path);
    return "say what to do: keygen, sign, verify, ... (see girih --help)";
}

std::vector<std::string> without_help_command(const CLI::App& girih, std::vector<std::string> arguments)
{
    if (arguments.empty() || arguments.front() != "help") return arguments;
    arguments.erase(arguments.begin());
    const CLI::App* app = &girih;
    std::string path = "girih";
    for (const std::string& name : arguments) {
        if (is_option(name)) continue;
        const auto found = app->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
        if (found.empty()) throw Failure(exit_usage, stranger({app, path}, name));
        app = found.front();
        path += " " + name;
    }
    arguments.emplace_back("--help");
    return arguments;
}

}  // namespace girih::cli
