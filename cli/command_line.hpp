/// The command line, which subcommands declare.
///
/// CLI11 parses it. Only command_line.cpp includes its headers, which take longer to compile than
/// the rest of the command.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/help/declared.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
class Option;
}  // namespace CLI

namespace girih::cli {

/// The work of a subcommand. Returns the exit code.
using Action = std::function<int()>;

/// An option or a positional argument; valid as long as the command line.
class Option {
  public:
    explicit Option(CLI::Option* option) noexcept : option_(option) {}

    Option required() const;
    /// Names the value in the help; an empty name shows none.
    Option type_name(const char* name) const;
    /// Restricts the value to these words.
    Option one_of(std::initializer_list<std::string> words) const;
    Option between(int min, int max) const;
    /// Allows an empty value, which is refused by default.
    Option may_be_empty() const;

    Option excludes(Option other) const;
    Option needs(Option other) const;
    /// Excludes other options, which are then not required.
    Option replaces(std::initializer_list<Option> others) const;

  private:
    friend class Command;

    CLI::Option* option_;
};

/// A subcommand or girih itself; valid as long as the command line.
class Command {
  public:
    Command(CLI::App& app, Action& chosen) noexcept : app_(&app), chosen_(&chosen) {}

    /// Adds a subcommand. `what`, here and below, is its description in the help.
    Command subcommand(const char* name, const char* what) const;
    /// Sets the help's last lines; a subcommand's precede girih's own.
    void footer(const std::string& text) const;

    /// Adds an option, named "--long" or "-s,--long", or a positional argument. A value that is not
    /// given is unchanged.
    Option option(const char* name, std::string& value, const std::string& what) const;
    Option option(const char* name, std::optional<std::string>& value, const std::string& what) const;
    Option option(const char* name, unsigned& value, const std::string& what) const;
    /// Adds an option that may be repeated, with one value each time.
    Option option(const char* name, std::vector<std::string>& values, const std::string& what) const;
    /// Adds any number of positional arguments.
    Option arguments(const char* name, std::vector<std::string>& values, const std::string& what) const;
    Option flag(const char* name, bool& value, const char* what) const;

    /// All declarations of this command and its subcommands.
    [[nodiscard]] DeclaredCommand declared() const;

    /// Requires one of its subcommands; require_subcommands, at least one.
    void require_subcommand() const;
    void require_subcommands() const;

    /// Sets the work of this subcommand. If `any` is not empty, one of these options is required;
    /// `words` name them in the error.
    void action(Action work, std::initializer_list<Option> any = {}, const char* words = "") const;
    /// Calls f if this subcommand is given, in the order of the command line. It may not be given
    /// twice.
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

    /// The command girih itself.
    [[nodiscard]] Command girih();

    /// Parses arguments and returns the work that they ask for. Nothing if they ask for help or the
    /// version, which is then printed. Fails if they are wrong.
    [[nodiscard]] std::optional<Action> parse(const std::vector<std::string>& arguments);

    /// Whether a flag of the given subcommand is set, after parse().
    [[nodiscard]] bool is_set(const char* flag) const;

  private:
    std::unique_ptr<CLI::App> app_;
    Action chosen_;
};

}  // namespace girih::cli
