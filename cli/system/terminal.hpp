/// Terminals: who is there to read, and to type a passphrase.
#pragma once

#include <girih/key_files.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace girih::cli::system {

[[nodiscard]] bool is_terminal(int number) noexcept;
/// Whether it is one that moves its cursor and colours its text as it is told (ECMA-48).
[[nodiscard]] bool obeys_escapes(int number) noexcept;

/// Asks on the terminal that the command was started from, whatever its standard streams are: one
/// line, which is not shown, without its end. Not more than `most` bytes are read. Nothing, if
/// there is no terminal that can hide what is typed. What ends the command meanwhile leaves the
/// terminal as it was.
[[nodiscard]] std::optional<key_files::SecretBytes> ask_hidden(const std::string& question, std::size_t most);

}  // namespace girih::cli::system
