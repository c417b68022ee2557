#include "cli/help/documents.hpp"

#include <algorithm>
#include <cctype>

#include "cli/arguments/command_line.hpp"

namespace girih::cli {
namespace {

/// Text escaped for roff: no escapes, no requests, hyphens that can be copied.
std::string roff(const std::string& text)
{
    std::string all;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && (c == '.' || c == '\'')) all += "\\&";
        all += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
        begins_line = c == '\n';
    }
    return all;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string upper(std::string text)
{
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

/// Keeps line breaks.
std::string lines(const std::string& text)
{
    std::string all;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        all += (begin == 0 ? "" : ".br\n") + roff(text.substr(begin, end - begin)) + "\n";
        begin = end + 1;
    }
    return all;
}

std::string tag_of(const CLI::Option* option)
{
    if (is_argument(option)) return italic(names_of(option).back());
    std::string tag;
    for (const std::string& name : names_of(option)) tag += (tag.empty() ? "" : ", ") + bold(name);
    const std::string value = value_of(option).name;
    return tag + (value.empty() ? "" : " " + italic(value));
}

std::string words_of(const CLI::Option* option)
{
    std::string text;
    for (const std::string& word : value_of(option).words)
        text += (text.empty() ? "One of " : ", ") + bold(word);
    return text.empty() ? "" : ".br\n" + text + ".\n";
}

std::string synopsis_of(const CLI::App& command, const std::string& path)
{
    std::string text = bold(path) + " [" + italic("options") + "]";
    std::string arguments;
    for (const CLI::Option* option : command.get_options()) {
        if (is_argument(option))
            arguments += " " + tag_of(option) + (option->get_items_expected_max() > 1 ? "..." : "");
        else if (option->get_required())
            text += " " + tag_of(option);
    }
    return text + arguments + (subcommands_of(command).empty() ? "" : " " + italic("subcommand") + " ...") +
           "\n";
}

std::string options_of(const CLI::App& command)
{
    std::string text;
    for (const CLI::Option* option : command.get_options())
        text += ".TP\n" + tag_of(option) + "\n" + lines(option->get_description()) + words_of(option);
    return text;
}

/// The sections of girih's own page after its options.
constexpr const char* files_and_memory = R"(.SH FILES
A new file is written under a name that begins with .girih\- in its folder, and gets its own name when it
is complete. After a signal, either all files of a subcommand are in place, or none is and earlier files
are unchanged. After SIGKILL or a power cut, only some may be; files that begin with .girih\- then hold
the others and, with
.BR \-\-force ,
the files that were replaced, private keys as well: rename them or remove them.
.SH SECURITY
Passphrases and keys are wiped after use, and are not in core dumps. They are not locked in memory: swap
and hibernation may write them to disk. Encrypt swap and hibernation, or turn them off.
)";

/// The page of a program, or of its subcommand.
std::string page(const CLI::App& program, const CLI::App& command, const std::string& version)
{
    const bool is_program = &command == &program;
    const std::string after = is_program ? "" : command.get_name();
    const std::string name = program.get_name() + (is_program ? "" : "-") + after;
    std::string text = ".\\\" Made by " + program.get_name() + " man.\n.TH " + roff(upper(name)) +
                       R"( 1 "" "girih )" + roff(version) + "\" \"girih\"\n.SH NAME\n" + roff(name) +
                       " \\- " + roff(command.get_description()) + "\n.SH SYNOPSIS\n" +
                       synopsis_of(command, program.get_name() + (is_program ? "" : " ") + after) +
                       ".SH OPTIONS\n" + options_of(command);
    if (is_program) text += ".SH SUBCOMMANDS\n";
    for (const CLI::App* sub : subcommands_of(command)) {
        text += ".TP\n" + bold(sub->get_name()) + "\n" + lines(sub->get_description());
        if (has_steps(program)) text += ".RS\n" + options_of(*sub) + ".RE\n";
    }
    if (!command.get_footer().empty()) text += ".SH NOTES\n" + lines(command.get_footer());
    if (is_program) text += files_and_memory;
    return text + ".SH SEE ALSO\n" +
           (is_program && !has_steps(program)
                ? "girih help, and a page for each subcommand: " + bold("girih-sign") + "(1), ...\n"
                : bold("girih") + "(1)\n");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> man_pages(const CLI::App& program,
                                                           const std::string& version)
{
    std::vector<std::pair<std::string, std::string>> pages{
        {program.get_name() + ".1", page(program, program, version)}};
    if (!has_steps(program))
        for (const CLI::App* sub : subcommands_of(program))
            pages.emplace_back(program.get_name() + "-" + sub->get_name() + ".1",
                               page(program, *sub, version));
    return pages;
}

}  // namespace girih::cli
