/// The host's end of the firmware's text protocol, over whatever descriptor leads to a board.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/files.hpp"

namespace girih::cli::board {

using ByteString = std::vector<std::uint8_t>;

enum class Status { ok, error, overflow };

/// What a board answered: lines, and how they ended.
struct Answer {
    Status status;
    std::vector<std::string> lines;
};

/// What a board says of itself.
struct Info {
    std::string name;
    std::size_t public_key_bytes;
    std::size_t private_key_bytes;
    std::size_t max_message_bytes;
};

/// A conversation with a board. Whatever fails is a Failure that names the board.
class Link {
  public:
    using Seconds = std::chrono::seconds;
    /// Sees each line as it comes.
    using Watcher = std::function<void(const std::string& line)>;

    /// `patience` is how long a board may be silent.
    Link(Descriptor descriptor, std::string name, Seconds patience);

    /// Waits until a board that has just been switched on says that it is ready, and returns what it says before.
    [[nodiscard]] std::vector<std::string> wait_until_ready();

    /// Finds out whether a board that is on listens; drops what is on the way from before.
    void synchronize();

    /// Sends a command and waits for the end of its answer.
    [[nodiscard]] Answer ask(char letter, std::span<const std::uint8_t> argument = {},
                             const Watcher& watcher = {});

    /// The same for commands that must succeed: the lines, of which there are so many. `doing` is for the message.
    [[nodiscard]] std::vector<std::string> demand(std::string_view doing, char letter,
                                                  std::span<const std::uint8_t> argument, std::size_t lines);

    [[nodiscard]] Info info();
    [[nodiscard]] std::uint64_t number(std::string_view doing, char letter);
    [[nodiscard]] ByteString bytes(std::string_view doing, char letter,
                                   std::span<const std::uint8_t> argument = {});

    /// Characters as they are, for tests.
    void send(std::string_view text);
    /// The next line without its end.
    [[nodiscard]] std::string next_line();

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] bool wait_for(short event, Clock::duration longest) const;
    [[nodiscard]] std::optional<std::string> line_within(Clock::duration longest);
    [[nodiscard]] Answer read_answer(const Watcher& watcher);
    [[noreturn]] void fail(const std::string& what) const;

    Descriptor descriptor_;
    std::string name_;
    Clock::duration patience_;
    std::string waiting_;  ///< what was read and is no whole line yet
};

/// Verify's argument: the signature's length in two bytes, the signature, the message.
[[nodiscard]] ByteString signature_and_message(std::span<const std::uint8_t> signature,
                                               std::span<const std::uint8_t> message);

}  // namespace girih::cli::board
