/// Terminals: escapes, and typing passphrases.
#pragma once

#include <girih/key_files.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace girih::cli::system {

[[nodiscard]] bool is_terminal(int number) noexcept;
/// Whether it is a terminal that obeys escape sequences (ECMA-48).
[[nodiscard]] bool obeys_escapes(int number) noexcept;

/// Asks for one hidden line on the terminal that the command was started from, whatever its
/// standard streams are, and returns it without its end. Reads at most `max_bytes` bytes. Nothing
/// if there is no terminal that can hide typing. The terminal is restored even if the command is
/// ended meanwhile.
[[nodiscard]] std::optional<key_files::SecretBytes> ask_hidden(const std::string& question,
                                                               std::size_t max_bytes);

}  // namespace girih::cli::system
