/// The command as a process: what it is started with, and how it is ended.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace girih::cli::system {

/// To be called first. Descriptors 0, 1 and 2 are taken, so that no file of ours gets one of these
/// numbers; what cannot be written is a failure of the writing, and ends nothing; standard streams
/// carry bytes as they are.
void prepare();

/// From here on, no core dump has the command's memory, where the system can be told so; on Linux,
/// other processes of the user cannot look into it either.
void keep_memory_private() noexcept;

/// What was asked for randomness, and why it gave none, just after the library failed for that.
[[nodiscard]] std::string why_no_randomness();

/// The words after the command's name, of main's arguments.
[[nodiscard]] std::vector<std::string> arguments(int argc, char** argv);

/// Does work that nothing from outside ends half done: signals, Ctrl-C and the closing of a window
/// wait until it is done or has failed.
void uninterrupted(const std::function<void()>& work);

/// A variable of the environment; empty if it is not set.
[[nodiscard]] std::string variable(const char* name);

/// The variable that names the folder of the user, and the folder of private keys in it, as the
/// help says it.
extern const char* const home_variable;
extern const char* const folder_of_keys_in_help;

}  // namespace girih::cli::system
