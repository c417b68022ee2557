#include "cli/arguments/program.hpp"

#include <girih/girih.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "cli/arguments/command_line.hpp"
#include "cli/arguments/suggestions.hpp"
#include "cli/output/json.hpp"
#include "cli/output/terminal.hpp"
#include "cli/system/failure.hpp"
#include "cli/system/process.hpp"

namespace girih::cli {
namespace {

using Words = std::vector<std::string>;

// ---- Words for CLI11

/// The start of the value within an option's word: after "=", or after a single letter.
std::size_t value_within(const std::string& word)
{
    if (word.starts_with("--")) return word.find('=') == std::string::npos ? word.size() : word.find('=') + 1;
    return word.starts_with('-') ? std::min(word.size(), std::size_t{2}) : 0;
}

/// The words in the form and order for CLI11: last first.
Words marked(Words words)
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

// ---- Mistakes, each explained in one line that ends with the help to read

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

/// " (see girih sign --help)"
std::string see(const CLI::App& app)
{
    std::string path = app.get_name() + " --help)";
    for (const CLI::App* up = app.get_parent(); up != nullptr; up = up->get_parent())
        path.insert(0, up->get_name() + " ");
    return " (see " + path;
}

std::string unexpected(const CLI::App& app, const std::string& word)
{
    const std::string name = word.substr(0, word.find('='));
    if (name == "encrypt" || name == "decrypt")
        return "there is no " + name + ": girih encrypts no files; age 1.3 or later does (age-keygen -pq)" +
               see(app);
    Words known;
    if (is_option(word))
        for (const CLI::Option* option : app.get_options())
            for (const std::string& one : option->get_lnames()) known.push_back("--" + one);
    else
        for (const CLI::App* sub : subcommands_of(app)) known.push_back(sub->get_name());
    return "there is no " + name + did_you_mean(name, known) + see(app);
}

Words excess(const CLI::App& app)
{
    Words words = app.remaining();
    std::transform(words.begin(), words.end(), words.begin(), without_mark);
    return words;
}

/// The program and its given subcommands, outermost first.
std::vector<const CLI::App*> all_given(const CLI::App& program)
{
    std::vector<const CLI::App*> apps{&program};
    for (std::size_t i = 0; i < apps.size(); ++i)
        for (const CLI::App* sub : apps[i]->get_subcommands()) apps.push_back(sub);
    return apps;
}

std::string mistake(const CLI::App& program, const CLI::ParseError& error)
{
    const auto all = all_given(program);
    for (const CLI::App* app : all) {
        const bool lacks_subcommand = app->get_subcommands().empty() && !subcommands_of(*app).empty();
        if (const Words words = excess(*app); lacks_subcommand && !words.empty())
            return unexpected(*app, words.front());
    }
    // An unknown option is reported first, because it may explain other errors.
    for (const CLI::App* app : all) {
        const Words words = excess(*app);
        const auto option = std::find_if(words.begin(), words.end(), is_option);
        if (option != words.end()) return unexpected(*app, *option);
    }
    for (const CLI::App* app : all) {
        std::string list;
        for (const std::string& word : excess(*app)) list += " " + word;
        if (!list.empty()) return "not expected:" + list + see(*app);
    }
    std::string what = error.what();
    std::erase(what, literal);
    if (has_steps(program)) return what + see(program);
    return all.size() > 1 ? what + see(*all[1]) : "say what to do: keygen, sign, verify, ..." + see(program);
}

// ---- Running

/// Turns `help A B` into `A B --help`. Other arguments are unchanged. Fails if there is no such
/// subcommand.
Words without_help_command(const CLI::App& program, Words arguments)
{
    if (arguments.empty() || arguments.front() != "help") return arguments;
    arguments.erase(arguments.begin());
    const CLI::App* app = &program;
    for (const std::string& name : arguments) {
        if (is_option(name)) continue;
        const auto found = app->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
        if (found.empty()) throw Failure(exit_usage, unexpected(*app, name));
        app = found.front();
    }
    arguments.emplace_back("--help");
    return arguments;
}

/// Whether a flag is set, of any given subcommand.
bool is_set(const CLI::App& program, const char* flag)
{
    const auto all = all_given(program);
    return std::any_of(all.begin(), all.end(), [flag](const CLI::App* app) {
        const CLI::Option* const option = app->get_option_no_throw(flag);
        return option != nullptr && option->count() != 0 && option->as<bool>();
    });
}

void require_engine()
{
    if (girih_engine() != nullptr) return;
    const std::string wanted = system::variable("GIRIH_ISA");
    throw Failure(exit_file, std::string(girih_error_text(GIRIH_ERROR_ENGINE)) +
                                 (wanted.empty() ? "" : " (GIRIH_ISA is " + wanted + ")"));
}

/// Parses the arguments, which does the work; or prints help or the version, if they ask for it.
void parse(CLI::App& program, const Words& arguments)
{
    try {
        program.parse(marked(without_help_command(program, arguments)));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success))
            throw Failure(exit_usage, mistake(program, error));
        std::ostringstream text;
        program.exit(error, text, text);
        return print(text.str());
    }
    close_standard_output();
}

}  // namespace

bool asks_for_json(const Words& arguments)
{
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    return std::any_of(arguments.begin(), end, [](const std::string& word) {
        return word == "--json" || (word.starts_with("--json=") && word != "--json=false");
    });
}

int report(const Failure& failure, bool json)
{
    if (!is_quiet || failure.code() != exit_unverified) tell_failure(failure.what());
    if (json && !failure.is_reported()) {
        try {
            print_bad_json(failure);
        } catch (const std::exception&) {
            // Standard output cannot be written; the exit code tells.
        }
    }
    return failure.code();
}

int run_program(const char* name, const std::string& what, const Declare& declare, const Words& arguments)
{
    program_name = name;
    system::prepare();
    bool json = asks_for_json(arguments);
    try {
        CLI::App program(what, name);
        program.set_version_flag("--version", std::string(name) + " " GIRIH_VERSION);
        program.allow_windows_style_options(false);  // /name is a file on every system
        program.footer(
            "A file named - is standard input or output. Without --force, no file is replaced, and\n"
            "only text is written to a terminal.\n"
            "Exit codes: 0 good, 1 a signature does not verify or the self-test found a fault,\n"
            "2 a wrong command line, 3 a file that cannot be read, written or used.");
        declare(program);
        // Declared for the list of subcommands; it is handled as --help.
        add_subcommand(program, "help",
                       "the same as --help, also for a subcommand: " + program.get_name() + " help sign");
        program.parse_complete_callback([&] {  // before the callbacks of subcommands
            json = is_set(program, "--json");
            require_engine();
            system::keep_memory_private();
        });
        parse(program, arguments);
        return exit_good;
    } catch (...) {
        return report(current_failure(), json);
    }
}

}  // namespace girih::cli
