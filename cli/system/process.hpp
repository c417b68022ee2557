/// The command as a process: its start and end.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace girih::cli::system {

/// To be called first. Occupies the descriptors 0, 1 and 2, so that no other file gets one; makes
/// write errors ordinary failures, not signals; makes standard streams binary.
void prepare();

/// Excludes the command's memory from core dumps, if the system allows that; on Linux, also from
/// the user's other processes.
void keep_memory_private() noexcept;

/// The source of randomness and the reason of its failure. To be called just after the library
/// failed for that.
[[nodiscard]] std::string why_no_randomness();

/// The arguments after the command's name.
[[nodiscard]] std::vector<std::string> arguments(int argc, char** argv);

/// The path of a program in this program's folder.
[[nodiscard]] std::string path_beside(const std::string& program);
/// Replaces this process by another program. Returns only if that fails.
void become(const std::string& program, const std::vector<std::string>& arguments);

/// Runs work that must not be interrupted: signals, Ctrl-C and the closing of a window wait until
/// it has ended.
void uninterrupted(const std::function<void()>& work);

/// An environment variable; empty if it is not set.
[[nodiscard]] std::string variable(const char* name);

/// The environment variable of the user's home folder.
extern const char* const home_variable;

}  // namespace girih::cli::system
