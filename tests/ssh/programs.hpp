/// The programs of OpenSSH, run with files in a folder of their own.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "ssh/transport.hpp"

namespace girih::test::ssh {

/// Where a program is, or nothing; sshd is where PATH of a user need not lead.
[[nodiscard]] std::string find_program(std::string_view name);

/// Whether `ssh -Q kex` names a key exchange.
[[nodiscard]] bool has_key_exchange(std::string_view name);

/// A new folder, which is removed at the end.
class Folder {
  public:
    Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder();
    [[nodiscard]] std::string path(std::string_view name) const;
    void write(std::string_view name, std::string_view content) const;
    /// What a file holds; nothing if there is none.
    [[nodiscard]] std::string read(std::string_view name) const;

  private:
    std::string path_;
};

/// A program that runs, with its standard error in a file. At the end it has a second to end
/// by itself, which sshd uses to wait for its children, and is killed then; it is killed with
/// this process, too.
class Process {
  public:
    /// With `connection` as its standard input and output, unless that is -1.
    Process(const std::vector<std::string>& arguments, const std::string& errors, int connection = -1);
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process();
    /// Waits for its end, for at most 20 seconds.
    [[nodiscard]] int exit_code();

  private:
    [[nodiscard]] bool ends_within(std::chrono::seconds patience);

    pid_t id_;
    int status_ = 0;
};

}  // namespace girih::test::ssh
