/// girih completion and girih man: documents generated from the declarations of all subcommands.
#include <girih/girih.h>

#include <deque>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/help/completions.hpp"
#include "cli/help/man_pages.hpp"

namespace girih::cli {
namespace {

int write_completion(const Command& girih, const std::string& shell)
{
    const DeclaredCommand declared = girih.declared();
    print(shell == "bash"  ? bash_completion(declared)
          : shell == "zsh" ? zsh_completion(declared)
                           : fish_completion(declared));
    return exit_good;
}

struct Pages {
    std::string subcommand;
    std::optional<std::string> folder;
};

int write_pages(const Command& girih, const Pages& options)
{
    const std::string wanted = options.subcommand.empty() ? "girih.1" : "girih-" + options.subcommand + ".1";
    std::deque<NewFile> files;
    std::vector<NewFile*> all;
    for (const auto& [name, text] : man_pages(girih.declared(), GIRIH_VERSION)) {
        if (options.folder) {
            NewFile& file =
                files.emplace_back(*options.folder + "/" + name, Access::umask, Content::text, true);
            file.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
            all.push_back(&file);
        } else if (name == wanted) {
            print(text);
            return exit_good;
        }
    }
    if (!options.folder)
        throw Failure(exit_usage, "there is no subcommand " + options.subcommand + " (see girih --help)");
    commit_all(all);
    return exit_good;
}

}  // namespace

void add_completion(const Command& girih)
{
    auto shell = std::make_shared<std::string>();
    const Command sub =
        girih.subcommand("completion", "print a shell's script for completing girih's command line");
    sub.option("SHELL", *shell, "bash, zsh or fish").required().type_name("").one_of({"bash", "zsh", "fish"});
    sub.action([girih, shell] { return write_completion(girih, *shell); });
}

void add_man(const Command& girih)
{
    auto options = std::make_shared<Pages>();
    const Command sub = girih.subcommand("man", "print a manual page: girih man sign | man -l -");
    const Option page = sub.option("SUBCOMMAND", options->subcommand, "whose page; girih's own if not given");
    page.type_name("");
    sub.option("--folder", options->folder,
               "write all pages into this folder instead, over those that are there")
        .type_name("FOLDER")
        .excludes(page);
    sub.action([girih, options] { return write_pages(girih, *options); });
}

}  // namespace girih::cli
