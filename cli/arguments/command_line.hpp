/// Subcommands and options, declared for CLI11, which parses the command line. CLI11 is headers
/// alone, and each file that includes it compiles for three seconds: those that declare options do
/// not.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its name
class App;
class Option;
}  // namespace CLI

namespace girih::cli {

/// An option, a flag or a positional argument.
class Option {
  public:
    explicit Option(CLI::Option* option) : option_{option} {}

    Option required() const;
    /// Refuses both together.
    Option excludes(Option other) const;
    /// Refuses this one without the other.
    Option needs(Option other) const;
    /// Makes this one exclude others, which are then not required.
    void replaces(std::initializer_list<Option> others) const;
    /// Refuses values that are not in the list, or not between `low` and `high`.
    Option one_of(const std::vector<std::string>& values) const;
    Option between(int low, int high) const;
    /// Allows an empty value.
    void allow_empty() const;

  private:
    CLI::Option* option_;
};

CLI::App& add_subcommand(CLI::App& program, const std::string& name, const std::string& what);
/// Calls `action` for the subcommand, once the whole command line is right.
void on_use(CLI::App& command, std::function<void()> action);

/// Adds a flag.
Option add(CLI::App& command, const std::string& name, bool& value, const std::string& what);
/// Adds an option with a value, as the help shows it: "--long VALUE" or "-s,--long VALUE"; or a
/// positional argument, "NAME". `what` is its description. An empty value is refused; a value that
/// is not given is unchanged. An option with several values is repeated.
Option add(CLI::App& command, const std::string& name, std::string& value, const std::string& what);
Option add(CLI::App& command, const std::string& name, std::optional<std::string>& value,
           const std::string& what);
Option add(CLI::App& command, const std::string& name, unsigned& value, const std::string& what);
Option add(CLI::App& command, const std::string& name, std::optional<std::uint64_t>& value,
           const std::string& what);
Option add(CLI::App& command, const std::string& name, std::vector<std::string>& values,
           const std::string& what);

/// Adds last lines to the help of a subcommand, before those of its program.
void add_footer(CLI::App& command, const std::string& text);

/// All subcommands of a program.
[[nodiscard]] std::vector<const CLI::App*> subcommands_of(const CLI::App& program);
/// Whether they are steps, which may follow each other.
[[nodiscard]] bool has_steps(const CLI::App& program);

/// Marks a word that can only be a value. CLI11 would turn a bracketed one into a list, and does
/// not continue a list after "--".
inline constexpr char literal = '\x01';
[[nodiscard]] std::string without_mark(std::string word);

}  // namespace girih::cli
