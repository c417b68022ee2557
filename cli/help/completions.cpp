#include "cli/help/documents.hpp"

#include <algorithm>

#include "cli/arguments/command_line.hpp"
#include "cli/files/keys.hpp"

namespace girih::cli {
namespace {

std::string joined(const std::vector<std::string>& parts, const std::string& between)
{
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
    return text;
}

/// The values to offer: declared words, or the library's names.
std::vector<std::string> words_of(const CLI::Option* option)
{
    const auto is = [&](const char* name) { return names_of(option).back() == name; };
    if (is("--alg")) return algorithm_names();
    if (is("--pre-hash")) {
        auto names = pre_hash_names();
        names.emplace_back("none");
        return names;
    }
    return value_of(option).words;
}

bool is_flag(const CLI::Option* option) { return !is_argument(option) && value_of(option).name.empty(); }

bool takes_file(const CLI::Option* option)
{
    if (!words_of(option).empty()) return false;
    return is_argument(option) || value_of(option).name == "FILE" || value_of(option).name == "FOLDER" ||
           value_of(option).name == "DEVICE" || value_of(option).name == "IMAGE";
}

std::vector<std::string> subcommand_names(const CLI::App& program)
{
    std::vector<std::string> names;
    for (const CLI::App* sub : subcommands_of(program)) names.push_back(sub->get_name());
    return names;
}

/// Text in single quotes, for a shell in which only a single quote ends them.
std::string in_quotes(const std::string& text)
{
    std::string all = "'";
    for (const char c : text) all += c == '\'' ? "'\\''" : std::string(1, c);
    return all + "'";
}

/// The first line of a description.
std::string first_line(const std::string& what) { return what.substr(0, what.find('\n')); }

// ---- bash

/// The cases of a command whose full name is `path`: the values of its options, and the next words,
/// among them these subcommands.
void add_bash_cases(const CLI::App& command, const std::string& path,
                    const std::vector<std::string>& subcommands, std::string& values, std::string& nexts)
{
    std::vector<std::string> next = subcommands;
    bool takes_files = false;
    for (const CLI::Option* option : command.get_options()) {
        const auto words = words_of(option);
        takes_files = takes_files || (is_argument(option) && takes_file(option));
        for (const std::string& word : is_argument(option) ? words : names_of(option)) next.push_back(word);
        if (is_argument(option) || is_flag(option)) continue;
        std::vector<std::string> patterns;
        for (const std::string& name : names_of(option))
            patterns.push_back(in_quotes(std::string(path).append(" ").append(name)));
        values += "        " + joined(patterns, "|") + ") ";
        if (!words.empty())
            values += "mapfile -t COMPREPLY < <(compgen -W " + in_quotes(joined(words, " ")) +
                      " -- \"$current\"); ";
        values += takes_file(option) ? "compopt -o default; return ;;\n" : "return ;;\n";
    }
    nexts += "        " + in_quotes(path) + ") words=" + in_quotes(joined(next, " ")) +
             (takes_files ? " files=yes" : "") + " ;;\n";
}

std::string bash_completion(const CLI::App& program)
{
    const std::string& name = program.get_name();
    std::string paths;
    std::string values;
    std::string nexts;
    const auto subcommands = subcommand_names(program);
    add_bash_cases(program, name, subcommands, values, nexts);
    for (const CLI::App* sub : subcommands_of(program)) {
        const std::string path = name + " " + sub->get_name();
        paths +=
            "            " + in_quotes(path) +
            (has_steps(program) ? "|" + in_quotes(name) + "' '*" + in_quotes(" " + sub->get_name()) : "") +
            ") path=" + in_quotes(path) + " ;;\n";
        // After a step come its options, or other steps.
        add_bash_cases(*sub, path, has_steps(program) ? subcommands : std::vector<std::string>(), values,
                       nexts);
    }
    return "# What bash completes of " + name + ": made by " + name + " completion bash.\n_" + name +
           "()\n{\n    local current=${COMP_WORDS[COMP_CWORD]} path=" + name +
           " words= files= i\n"
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
           "complete -F _" +
           name + " " + name + "\n";
}

// ---- zsh

/// Text within a specification of _arguments.
std::string zsh_text(const std::string& text)
{
    std::string all;
    for (const char c : first_line(text))
        all += (c == ':' || c == '[' || c == ']' || c == '\\' ? "\\" : "") + std::string(1, c);
    return all;
}

std::string zsh_value(const CLI::Option* option)
{
    const auto words = words_of(option);
    const std::string title = zsh_text(is_argument(option) ? names_of(option).back() : value_of(option).name);
    return ":" + title + ":" +
           (!words.empty()       ? "(" + joined(words, " ") + ")"
            : takes_file(option) ? "_files"
                                 : "");
}

std::string zsh_arguments(const CLI::App& command)
{
    std::string text;
    for (const CLI::Option* option : command.get_options()) {
        const std::string many = option->get_items_expected_max() > 1 ? "*" : "";
        if (is_argument(option)) {
            text += " \\\n            " + in_quotes(many + zsh_value(option));
            continue;
        }
        for (const std::string& name : names_of(option))
            text += " \\\n            " + in_quotes(many + name + "[" + zsh_text(option->get_description()) +
                                                    "]" + (is_flag(option) ? "" : zsh_value(option)));
    }
    return text;
}

/// A case for each subcommand.
std::string zsh_cases(const CLI::App& program)
{
    std::string commands;
    std::string cases;
    for (const CLI::App* sub : subcommands_of(program)) {
        commands += "        " +
                    in_quotes(zsh_text(sub->get_name()) + ":" + first_line(sub->get_description())) + "\n";
        cases += "        " + sub->get_name() + ")\n            _arguments" + zsh_arguments(*sub) +
                 "\n            ;;\n";
    }
    return "    local curcontext=$curcontext state line\n"
           "    local -a commands=(\n" +
           commands +
           "    )\n"
           "    _arguments -C" +
           zsh_arguments(program) +
           " \\\n            '1: :->command' '*:: :->rest'\n"
           "    case $state in\n"
           "    command) _describe command commands ;;\n"
           "    rest)\n        case $line[1] in\n" +
           cases + "        esac\n        ;;\n    esac\n";
}

/// A sequence of steps: their names, and the options of all.
std::string zsh_steps(const CLI::App& program)
{
    std::string text = "    _arguments" + zsh_arguments(program);
    for (const CLI::App* step : subcommands_of(program)) text += zsh_arguments(*step);
    return text + " \\\n            " + in_quotes("*:step:(" + joined(subcommand_names(program), " ") + ")") +
           "\n";
}

std::string zsh_completion(const CLI::App& program)
{
    const std::string& name = program.get_name();
    const std::string f = "_" + name;
    return "#compdef " + name + "\n# What zsh completes of " + name + ": made by " + name +
           " completion zsh.\n" + f + "()\n{\n" +
           (has_steps(program) ? zsh_steps(program) : zsh_cases(program)) + "}\nif [[ $funcstack[1] == " + f +
           " ]]; then " + f + " \"$@\"; else compdef " + f + " " + name + "; fi\n";
}

// ---- fish

std::string fish_quoted(const std::string& text)
{
    std::string all = "'";
    for (const char c : text) all += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
    return all + "'";
}

std::string fish_option(const std::string& complete, const CLI::Option* option)
{
    const auto words = words_of(option);
    std::string text = complete;
    if (is_argument(option))
        return text + (words.empty() ? " -F\n" : " -a " + fish_quoted(joined(words, " ")) + "\n");
    for (const std::string& name : names_of(option))
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!words.empty())
        text += " -x -a " + fish_quoted(joined(words, " "));
    else if (!is_flag(option))
        text += takes_file(option) ? " -r -F" : " -x";
    return text + " -d " + fish_quoted(first_line(option->get_description())) + "\n";
}

std::string fish_completion(const CLI::App& program)
{
    const std::string& name = program.get_name();
    const auto complete = [&](const std::string& when) { return "complete -c " + name + " -n " + when; };
    const std::string first = has_steps(program) ? "true" : "__fish_use_subcommand";
    std::string text = "# What fish completes of " + name + ": made by " + name + " completion fish.\n" +
                       "complete -c " + name + " -f\n";
    for (const CLI::Option* option : program.get_options())
        text += fish_option(complete(fish_quoted(first)), option);
    for (const CLI::App* sub : subcommands_of(program)) {
        text += complete(first) + " -a " + sub->get_name() + " -d " +
                fish_quoted(first_line(sub->get_description())) + "\n";
        const std::string seen = fish_quoted("__fish_seen_subcommand_from " + sub->get_name());
        for (const CLI::Option* option : sub->get_options()) text += fish_option(complete(seen), option);
    }
    return text;
}

}  // namespace

std::string completion_for(const std::string& shell, const CLI::App& program)
{
    return shell == "bash"  ? bash_completion(program)
           : shell == "zsh" ? zsh_completion(program)
                            : fish_completion(program);
}

}  // namespace girih::cli
