#include "cli/mistakes.hpp"

#include <algorithm>

#include "cli/suggestions.hpp"

namespace girih::cli {
namespace {

std::string without_value(const std::string& option) { return option.substr(0, option.find('=')); }

std::string see(const std::string& path) { return " (see " + path + " --help)"; }

}  // namespace

bool is_option(std::string_view argument) { return argument.size() > 1 && argument.front() == '-'; }

std::string unexpected_argument(const Given& given, const std::string& argument)
{
    const std::string name = without_value(argument);
    return "there is no " + name +
           did_you_mean(name, is_option(argument) ? given.options : given.subcommands) + see(given.path);
}

std::string mistake(const std::vector<Given>& all, const std::string& error)
{
    for (const Given& given : all) {
        const bool lacks_subcommand = !given.has_subcommand && !given.subcommands.empty();
        if (lacks_subcommand && !given.left.empty()) return unexpected_argument(given, given.left.front());
    }
    // An unknown option is reported first, because it may explain other errors.
    for (const Given& given : all) {
        const auto option = std::find_if(given.left.begin(), given.left.end(), is_option);
        if (option != given.left.end()) return unexpected_argument(given, *option);
    }
    for (const Given& given : all) {
        if (given.left.empty()) continue;
        std::string list;
        for (const std::string& argument : given.left) list += " " + argument;
        return "not expected:" + list + see(given.path);
    }
    if (all.size() > 1) return error + see(all[1].path);
    return "say what to do: keygen, sign, verify, ... (see girih --help)";
}

}  // namespace girih::cli
