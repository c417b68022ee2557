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

#include "cli/board/answers.hpp"
#include "cli/system/descriptor.hpp"

namespace girih::cli::board {

/// A conversation with a board, which is not trusted: what it can make this end hold, or wait for,
/// has limits. Whatever fails is a Failure that names the board.
class Link {
  public:
    using Seconds = std::chrono::seconds;
    /// Sees each line as it comes.
    using Watcher = std::function<void(const std::string& line)>;

    /// `patience` is how long a board may be silent, and how long an answer may take.
    Link(Descriptor descriptor, std::string name, Seconds patience);

    /// Waits until a board that has just been switched on says that it is ready, and returns
    /// what it says before.
    [[nodiscard]] std::vector<std::string> wait_until_ready();

    /// Finds out whether a board that is on listens; drops what is on the way from before.
    void synchronize();

    /// Sends a command and waits for the end of its answer.
    [[nodiscard]] Answer ask(char letter, std::span<const std::uint8_t> argument = {});

    /// The same for an answer of up to `most` lines, which only `watcher` sees; it may take
    /// `patience` for each.
    [[nodiscard]] Status watch(char letter, std::span<const std::uint8_t> argument, std::size_t most,
                               const Watcher& watcher);

    /// The same for commands that must succeed: the lines, of which there are so many. `doing`
    /// is for the message.
    [[nodiscard]] std::vector<std::string> demand(std::string_view doing, char letter,
                                                  std::span<const std::uint8_t> argument, std::size_t lines);

    [[nodiscard]] Info info();
    [[nodiscard]] std::uint64_t number(std::string_view doing, char letter, std::uint64_t most = UINT32_MAX);
    [[nodiscard]] ByteString bytes(std::string_view doing, char letter,
                                   std::span<const std::uint8_t> argument = {}, std::size_t least = 0,
                                   std::size_t most = most_bytes);

    /// Characters as they are, for tests.
    void send(std::string_view text);
    /// The next line without its end.
    [[nodiscard]] std::string next_line();

    /// Ends with a Failure that names the board.
    [[noreturn]] void fail(const std::string& what) const;

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::optional<std::string> line_before(Clock::time_point end);
    [[nodiscard]] std::string next_line_before(Clock::time_point end);
    [[nodiscard]] bool receive_before(Clock::time_point end);
    [[nodiscard]] Clock::time_point end_of_patience() const;
    void drop_what_comes();
    void send_command(char letter, std::span<const std::uint8_t> argument);

    Descriptor descriptor_;
    std::string name_;
    Clock::duration patience_;
    Lines lines_;
};

/// Verify's argument: the signature's length in two bytes, the signature, the message.
[[nodiscard]] ByteString signature_and_message(std::span<const std::uint8_t> signature,
                                               std::span<const std::uint8_t> message);

}  // namespace girih::cli::board
