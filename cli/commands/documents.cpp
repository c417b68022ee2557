/// completion and man: documents generated from the declarations of a program's subcommands.
#include <girih/girih.h>

#include "cli/commands/subcommands.hpp"
#include "cli/help/documents.hpp"

namespace girih::cli {
namespace {

struct Pages {
    std::string subcommand;
    std::optional<std::string> folder;
};

void write_pages(const CLI::App& program, const Pages& options)
{
    const auto pages = man_pages(program, GIRIH_VERSION);
    if (!options.folder) {
        const std::string& sub = options.subcommand;
        const std::string wanted = program.get_name() + (sub.empty() ? "" : "-" + sub) + ".1";
        for (const auto& [name, text] : pages)
            if (name == wanted) return print(text);
        throw Failure(exit_usage, "there is no subcommand " + sub + " (see girih --help)");
    }
    NewFiles files;
    for (const auto& [name, text] : pages)
        files.add(*options.folder + "/" + name, Access::umask, Content::text, true)
            .write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    files.commit();
}

}  // namespace

void add_documents(CLI::App& program)
{
    auto shell = std::make_shared<std::string>();
    const std::string name = program.get_name();
    CLI::App& completion = add_subcommand(
        program, "completion", "print a shell's script for completing " + name + "'s command line");
    add(completion, "SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
    on_use(completion, [&program, shell] { print(completion_for(*shell, program)); });

    auto pages = std::make_shared<Pages>();
    const bool is_one_page = has_steps(program);
    CLI::App& man =
        add_subcommand(program, "man",
                       "print " + (is_one_page ? "the manual page: " + name + " man | man -l -"
                                               : "a manual page: " + name + " man sign | man -l -"));
    const Option folder = add(man, "--folder FOLDER", pages->folder,
                              "write all pages into this folder instead, replacing those that exist");
    if (!is_one_page)
        add(man, "SUBCOMMAND", pages->subcommand, "whose page; " + name + "'s own if not given")
            .excludes(folder);
    on_use(man, [&program, pages] { write_pages(program, *pages); });
}

}  // namespace girih::cli
