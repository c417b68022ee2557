#include "cli/help/completions.hpp"

#include <girih/girih.h>

#include <algorithm>
#include <functional>

namespace girih::cli {
namespace {

std::string joined(const std::vector<std::string>& parts, const std::string& between)
{
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
    return text;
}

std::vector<std::string> names_at(const char* (*name_at)(std::size_t))
{
    std::vector<std::string> names;
    for (std::size_t i = 0; const char* name = name_at(i); ++i) names.emplace_back(name);
    return names;
}

const char* algorithm_name_at(std::size_t i)
{
    const girih_alg* alg = girih_algorithm_at(i);
    return alg == nullptr ? nullptr : girih_name(alg);
}

/// The values to offer: declared words, or the library's names.
std::vector<std::string> words_of(const DeclaredOption& option)
{
    const auto is = [&](const char* name) { return option.names.back() == name; };
    if (is("--alg")) return names_at(algorithm_name_at);
    if (is("--pre-hash")) {
        auto names = names_at(girih_pre_hash_at);
        names.emplace_back("none");
        return names;
    }
    return option.words;
}

bool is_flag(const DeclaredOption& option) { return !option.is_argument && option.value.empty(); }

bool takes_file(const DeclaredOption& option)
{
    if (!words_of(option).empty()) return false;
    return option.is_argument || option.value == "FILE" || option.value == "FOLDER" ||
           option.value == "DEVICE" || option.value == "IMAGE";
}

bool has_file_argument(const DeclaredCommand& command)
{
    return std::any_of(command.options.begin(), command.options.end(),
                       [](const DeclaredOption& option) { return option.is_argument && takes_file(option); });
}

std::vector<std::string> names_of(const std::vector<DeclaredCommand>& commands)
{
    std::vector<std::string> names;
    for (const DeclaredCommand& command : commands) names.push_back(command.name);
    return names;
}

/// The possible next words: options, subcommands, and the values of arguments.
std::vector<std::string> next_words(const DeclaredCommand& command)
{
    std::vector<std::string> words = names_of(command.commands);
    for (const DeclaredOption& option : command.options)
        for (const std::string& word : option.is_argument ? words_of(option) : option.names)
            words.push_back(word);
    return words;
}

/// Is called with each command and its full name.
using Visitor = std::function<void(const DeclaredCommand&, const std::string& path)>;
void each_command(const DeclaredCommand& command, const std::string& path, const Visitor& f)
{
    f(command, path);
    for (const DeclaredCommand& sub : command.commands) each_command(sub, path + " " + sub.name, f);
}

/// Text in single quotes, for a shell in which only a single quote ends them.
std::string quoted(const std::string& text)
{
    std::string all = "'";
    for (const char c : text) all += c == '\'' ? "'\\''" : std::string(1, c);
    return all + "'";
}

/// The first line of a description.
std::string first_line(const std::string& what) { return what.substr(0, what.find('\n')); }

// ---- zsh

/// Text within a specification of _arguments.
std::string zsh_text(const std::string& text)
{
    std::string all;
    for (const char c : first_line(text))
        all += (c == ':' || c == '[' || c == ']' || c == '\\' ? "\\" : "") + std::string(1, c);
    return all;
}

std::string zsh_value(const DeclaredOption& option)
{
    const auto words = words_of(option);
    const std::string title = zsh_text(option.is_argument ? option.names.back() : option.value);
    return ":" + title + ":" +
           (!words.empty()       ? "(" + joined(words, " ") + ")"
            : takes_file(option) ? "_files"
                                 : "");
}

std::string zsh_arguments(const DeclaredCommand& command)
{
    std::string text;
    for (const DeclaredOption& option : command.options) {
        const std::string many = option.is_repeated ? "*" : "";
        if (option.is_argument) {
            text += " \\\n            " + quoted(many + zsh_value(option));
            continue;
        }
        for (const std::string& name : option.names)
            text += " \\\n            " + quoted(many + name + "[" + zsh_text(option.what) + "]" +
                                                 (is_flag(option) ? "" : zsh_value(option)));
    }
    return text;
}

// ---- fish

std::string fish_quoted(const std::string& text)
{
    std::string all = "'";
    for (const char c : text) all += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
    return all + "'";
}

std::string fish_option(const DeclaredOption& option, const std::string& when)
{
    const auto words = words_of(option);
    std::string text = "complete -c girih -n " + fish_quoted(when);
    if (option.is_argument)
        return text + (words.empty() ? " -F\n" : " -a " + fish_quoted(joined(words, " ")) + "\n");
    for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!words.empty())
        text += " -x -a " + fish_quoted(joined(words, " "));
    else if (!is_flag(option))
        text += takes_file(option) ? " -r -F" : " -x";
    return text + " -d " + fish_quoted(first_line(option.what)) + "\n";
}

}  // namespace

std::string bash_completion(const DeclaredCommand& girih)
{
    std::string paths;
    std::string values;
    std::string nexts;
    each_command(girih, girih.name, [&](const DeclaredCommand& command, const std::string& path) {
        const std::size_t last = path.rfind(' ');
        if (last != std::string::npos && last == path.find(' '))
            paths += "            " + quoted(path) + ") path=" + quoted(path) + " ;;\n";
        else if (last != std::string::npos)  // several subcommands may follow each other
            paths += "            " + quoted(path) + "|" + quoted(path.substr(0, last)) + "' '*" +
                     quoted(path.substr(last)) + ") path=" + quoted(path) + " ;;\n";
        for (const DeclaredOption& option : command.options) {
            if (option.is_argument || is_flag(option)) continue;
            std::vector<std::string> patterns;
            for (const std::string& name : option.names)
                patterns.push_back(quoted(std::string(path).append(" ").append(name)));
            values += "        " + joined(patterns, "|") + ") ";
            const auto words = words_of(option);
            if (!words.empty())
                values += "mapfile -t COMPREPLY < <(compgen -W " + quoted(joined(words, " ")) +
                          " -- \"$current\"); ";
            values += takes_file(option) ? "compopt -o default; return ;;\n" : "return ;;\n";
        }
        nexts += "        " + quoted(path) + ") words=" + quoted(joined(next_words(command), " ")) +
                 (has_file_argument(command) ? " files=yes" : "") + " ;;\n";
    });
    return "# What bash completes of girih: made by girih completion bash.\n"
           "_girih()\n{\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} path=girih words= files= i\n"
           "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
           "        case \"$path ${COMP_WORDS[i]}\" in\n" +
           paths +
           "        esac\n    done\n"
           "    COMPREPLY=()\n"
           "    case \"$path ${COMP_WORDS[COMP_CWORD - 1]}\" in\n" +
           values +
           "    esac\n"
           "    case $path in\n" +
           nexts +
           "    esac\n"
           "    if [[ -n $files && $current != -* ]]; then\n"
           "        compopt -o default\n"
           "        return\n"
           "    fi\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
           "}\n"
           "complete -F _girih girih\n";
}

std::string zsh_completion(const DeclaredCommand& girih)
{
    std::string commands;
    std::string cases;
    for (const DeclaredCommand& command : girih.commands) {
        commands += "        " + quoted(zsh_text(command.name) + ":" + first_line(command.what)) + "\n";
        // A sequence of steps: their names, and the options of all.
        std::string arguments = zsh_arguments(command);
        if (!command.commands.empty()) {
            for (const DeclaredCommand& step : command.commands) arguments += zsh_arguments(step);
            arguments +=
                " \\\n            " + quoted("*:step:(" + joined(names_of(command.commands), " ") + ")");
        }
        cases += "        " + command.name + ")\n            _arguments" + arguments + "\n            ;;\n";
    }
    return "#compdef girih\n"
           "# What zsh completes of girih: made by girih completion zsh.\n"
           "_girih()\n{\n"
           "    local curcontext=$curcontext state line\n"
           "    local -a commands=(\n" +
           commands +
           "    )\n"
           "    _arguments -C" +
           zsh_arguments({girih.name, "", "", girih.options, {}}) +
           " \\\n            '1: :->command' '*:: :->rest'\n"
           "    case $state in\n"
           "    command) _describe command commands ;;\n"
           "    rest)\n        case $line[1] in\n" +
           cases +
           "        esac\n        ;;\n    esac\n}\n"
           "if [[ $funcstack[1] == _girih ]]; then _girih \"$@\"; else compdef _girih girih; fi\n";
}

std::string fish_completion(const DeclaredCommand& girih)
{
    std::string text =
        "# What fish completes of girih: made by girih completion fish.\n"
        "complete -c girih -f\n";
    for (const DeclaredOption& option : girih.options) text += fish_option(option, "__fish_use_subcommand");
    for (const DeclaredCommand& command : girih.commands) {
        text += "complete -c girih -n __fish_use_subcommand -a " + command.name + " -d " +
                fish_quoted(first_line(command.what)) + "\n";
        const std::string seen = "__fish_seen_subcommand_from " + command.name;
        for (const DeclaredOption& option : command.options) text += fish_option(option, seen);
        for (const DeclaredCommand& step : command.commands) {
            text += "complete -c girih -n " + fish_quoted(seen) + " -a " + step.name + " -d " +
                    fish_quoted(first_line(step.what)) + "\n";
            const std::string both = seen + "; and __fish_seen_subcommand_from " + step.name;
            for (const DeclaredOption& option : step.options) text += fish_option(option, both);
        }
    }
    return text;
}

}  // namespace girih::cli
