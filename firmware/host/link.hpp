/// The host's end of the firmware's text protocol, over a descriptor that leads to a board.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/system/descriptor.hpp"
#include "firmware/host/answers.hpp"

namespace girih::cli::board {

/// A link to a board, which is not trusted: it can make this end use only limited memory and time.
/// Every error is a Failure that names the board.
class Link {
  public:
    using Seconds = std::chrono::seconds;
    /// Is called with each line as it arrives.
    using Watcher = std::function<void(const std::string& line)>;

    /// `patience` is the longest silence, and the longest time of an answer.
    Link(Descriptor descriptor, std::string name, Seconds patience);

    /// Waits until a board that was just switched on is ready, and returns its lines before that.
    [[nodiscard]] std::vector<std::string> wait_until_ready();

    /// Checks that a running board responds; drops earlier answers still on the way.
    void synchronize();

    /// Sends a command and waits for the end of its answer.
    [[nodiscard]] Answer ask(char letter, std::span<const std::uint8_t> argument = {});

    /// Sends a command whose answer, of up to `line_limit` lines, goes to `watcher` only; each line
    /// may take `patience`.
    [[nodiscard]] Status watch(char letter, std::span<const std::uint8_t> argument, std::size_t line_limit,
                               const Watcher& watcher);

    /// Sends a command that must succeed, and returns the answer's `lines` lines. `doing` is for
    /// the error message.
    [[nodiscard]] std::vector<std::string> demand(std::string_view doing, char letter,
                                                  std::span<const std::uint8_t> argument, std::size_t lines);

    [[nodiscard]] Info info();
    [[nodiscard]] std::uint64_t number(std::string_view doing, char letter, std::uint64_t max = UINT32_MAX);
    [[nodiscard]] ByteString bytes(std::string_view doing, char letter,
                                   std::span<const std::uint8_t> argument = {}, std::size_t min = 0,
                                   std::size_t max = max_bytes);

    /// Sends characters unchanged, for tests.
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
