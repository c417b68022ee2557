#include "cli/help/man_pages.hpp"

#include <algorithm>
#include <cctype>

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

std::string tag_of(const DeclaredOption& option)
{
    if (option.is_argument) return italic(option.names.back());
    std::string tag;
    for (const std::string& name : option.names) tag += (tag.empty() ? "" : ", ") + bold(name);
    if (!option.value.empty()) tag += " " + italic(option.value);
    return tag;
}

std::string words_of(const DeclaredOption& option)
{
    std::string text;
    for (const std::string& word : option.words) text += (text.empty() ? "One of " : ", ") + bold(word);
    return text.empty() ? "" : ".br\n" + text + ".\n";
}

std::string synopsis_of(const DeclaredCommand& command, const std::string& path)
{
    std::string text = bold(path) + " [" + italic("options") + "]";
    for (const DeclaredOption& option : command.options) {
        if (option.is_required && !option.is_argument) text += " " + tag_of(option);
    }
    for (const DeclaredOption& option : command.options)
        if (option.is_argument) text += " " + tag_of(option) + (option.is_repeated ? "..." : "");
    if (!command.commands.empty()) text += " " + italic("subcommand") + " ...";
    return text + "\n";
}

std::string options_of(const DeclaredCommand& command)
{
    std::string text;
    for (const DeclaredOption& option : command.options)
        text += ".TP\n" + tag_of(option) + "\n" + lines(option.what) + words_of(option);
    return text;
}

/// The sections of girih's own page after its options.
constexpr const char* files_and_memory = R"(.SH FILES
A new file is written under a name that begins with .girih\- in its folder, and gets its own name when it
is complete. A signal leaves all files of a subcommand, or none and the files that were there. SIGKILL and
a power cut may leave some of several; files that begin with .girih\- then hold the others, and with
.B \-\-force
those that were replaced, private keys as well: rename them or remove them.
.SH SECURITY
Passphrases and keys are wiped after use, and are in no core dump. They are not locked in memory: swap and
hibernation may write them to disk. Encrypt those, or turn them off.
)";

std::string page(const DeclaredCommand& command, const std::string& path, const std::string& version)
{
    std::string name = path;
    std::replace(name.begin(), name.end(), ' ', '-');
    std::string text = ".\\\" Made by girih man.\n.TH " + roff(upper(name)) + R"( 1 "" "girih )" +
                       roff(version) + "\" \"girih\"\n.SH NAME\n" + roff(name) + " \\- " +
                       roff(command.what) + "\n.SH SYNOPSIS\n" + synopsis_of(command, path) +
                       ".SH OPTIONS\n" + options_of(command);
    if (!command.commands.empty()) text += ".SH SUBCOMMANDS\n";
    for (const DeclaredCommand& sub : command.commands) {
        text += ".TP\n" + bold(sub.name) + "\n" + lines(sub.what);
        // A subcommand's subcommands have no page of their own.
        if (path != "girih" && !sub.options.empty()) text += ".RS\n" + options_of(sub) + ".RE\n";
    }
    if (!command.footer.empty()) text += ".SH NOTES\n" + lines(command.footer);
    if (path == "girih") text += files_and_memory;
    return text + ".SH SEE ALSO\n" +
           (path == "girih"
                ? "girih help, and a page for each subcommand: " + bold("girih-sign") + "(1), ...\n"
                : bold("girih") + "(1)\n");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> man_pages(const DeclaredCommand& girih,
                                                           const std::string& version)
{
    std::vector<std::pair<std::string, std::string>> pages{
        {girih.name + ".1", page(girih, girih.name, version)}};
    for (const DeclaredCommand& command : girih.commands)
        pages.emplace_back(girih.name + "-" + command.name + ".1",
                           page(command, girih.name + " " + command.name, version));
    return pages;
}

}  // namespace girih::cli
