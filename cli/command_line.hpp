/// The command line, as subcommands declare theirs.
///
/// CLI11 takes it apart. Its headers take longer to compile than all the rest of the command, and
/// command_line.cpp alone includes them.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/help/declared.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 calls itself so
class App;
class Option;
}  // namespace CLI

namespace girih::cli {

/// The work of a subcommand. Returns the exit code.
using Action = std::function<int()>;

/// An option, or an argument without a name, for as long as there is the command line that has it.
class Option {
  public:
    explicit Option(CLI::Option* option) noexcept : option_(option) {}

    Option required() const;
    /// What the help calls its value; nothing, if this is empty.
    Option type_name(const char* name) const;
    /// What its value has to be.
    Option one_of(std::initializer_list<std::string> words) const;
    Option between(int least, int most) const;
    /// Other values may not.
    Option may_be_empty() const;

    Option excludes(Option other) const;
    Option needs(Option other) const;
    /// Excludes others, which are not required where this is given.
    Option replaces(std::initializer_list<Option> others) const;

  private:
    friend class Command;

    CLI::Option* option_;
};

/// A subcommand, or girih itself, for as long as there is the command line that has it.
class Command {
  public:
    Command(CLI::App& app, Action& chosen) noexcept : app_(&app), chosen_(&chosen) {}

    /// Adds a subcommand. `what` it does, here and below, is for the help.
    Command subcommand(const char* name, const char* what) const;
    /// The help's last lines; those of a subcommand come before girih's own.
    void footer(const std::string& text) const;

    /// Adds an option whose name begins with two hyphens, perhaps after a short one and a comma, or
    /// an argument. A value that is not given stays as it is.
    Option option(const char* name, std::string& value, const std::string& what) const;
    Option option(const char* name, std::optional<std::string>& value, const std::string& what) const;
    Option option(const char* name, unsigned& value, const std::string& what) const;
    /// An option that may be given again, with one value each time.
    Option option(const char* name, std::vector<std::string>& values, const std::string& what) const;
    /// Arguments, as many as there are.
    Option arguments(const char* name, std::vector<std::string>& values, const std::string& what) const;
    Option flag(const char* name, bool& value, const char* what) const;

    /// All that was declared of it, its subcommands included.
    [[nodiscard]] DeclaredCommand declared() const;

    /// One of its subcommands has to be given, or several.
    void require_subcommand() const;
    void require_subcommands() const;

    /// If this is the subcommand that was given, that is the work. One of some options, in these
    /// words, has to be given then.
    void action(Action work, std::initializer_list<Option> any = {}, const char* words = "") const;
    /// Calls f if this is given, in the order of the command line. It may not be given twice.
    void when_given_once(std::function<void()> f) const;

  private:
    CLI::App* app_;
    Action* chosen_;
};

/// The whole command line of girih.
class CommandLine {
  public:
    explicit CommandLine(const char* what);
    ~CommandLine();

    /// girih itself.
    [[nodiscard]] Command girih();

    /// Takes arguments apart: the work that they ask for. Nothing, if they asked for help or for
    /// the version, which is printed then. Fails if they make no sense.
    [[nodiscard]] std::optional<Action> parse(const std::vector<std::string>& arguments);

    /// Whether a flag of a subcommand that was given is set, once arguments have been taken apart.
    [[nodiscard]] bool is_set(const char* flag) const;

  private:
    std::unique_ptr<CLI::App> app_;
    Action chosen_;
};

}  // namespace girih::cli
