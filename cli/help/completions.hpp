/// Shell completions of girih's command line.
#pragma once

#include <string>

#include "cli/help/declared.hpp"

namespace girih::cli {

/// The completion script for a shell.
[[nodiscard]] std::string bash_completion(const DeclaredCommand& girih);
[[nodiscard]] std::string zsh_completion(const DeclaredCommand& girih);
[[nodiscard]] std::string fish_completion(const DeclaredCommand& girih);

}  // namespace girih::cli
