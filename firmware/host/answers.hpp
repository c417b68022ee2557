/// Parses the answers of a board. A board is not trusted: it may be broken, somebody else's, or
/// hostile.
///
/// Everything here is a function of bytes, so that it can be tested and fuzzed without a device. An
/// answer that girih's firmware would never give is Malformed; nothing else is thrown but
/// std::bad_alloc, and no answer makes these functions hold more than the limits below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace girih::cli::board {

using ByteString = std::vector<std::uint8_t>;

/// Bytes of an argument, and of an answer: Shell::buffer_bytes of the firmware.
inline constexpr std::size_t max_bytes = 10240;
/// Arguments and answers are hexadecimal, and are the longest lines.
inline constexpr std::size_t longest_line = 2 * max_bytes;
/// Lines before the last of an answer, except a benchmark's.
inline constexpr std::size_t max_lines = 16;
inline constexpr std::size_t longest_name = 32;
/// 2^48 cycles are a week at 480 MHz, and the sum of 65,535 such figures fits in 64 bits.
inline constexpr std::uint64_t max_cycles = (std::uint64_t{1} << 48) - 1;
inline constexpr std::uint64_t max_milliseconds = UINT32_MAX;
inline constexpr std::uint64_t max_stack_bytes = UINT32_MAX;

/// An answer that girih's firmware never gives. The text completes a sentence about the board.
class Malformed : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The end of an answer.
enum class Status { ok, error, overflow };

/// A board's answer: its lines, and its end.
struct Answer {
    Status status;
    std::vector<std::string> lines;
};

/// A board's description of itself.
struct Info {
    std::string name;              ///< letters, digits and "-_.+", at most longest_name of them
    std::size_t public_key_bytes;  ///< at most max_bytes, like the others
    std::size_t private_key_bytes;
    std::size_t max_message_bytes;
};

/// A line of a benchmark.
struct Run {
    std::uint64_t milliseconds = 0;
    std::uint64_t cycles = 0;
    std::uint64_t stack_bytes = 0;
};

/// Cuts incoming bytes into lines.
class Lines {
  public:
    void append(std::string_view bytes) { waiting_.append(bytes); }
    /// The next line without its end, or nothing if it is incomplete. Malformed if it is too long,
    /// or has bytes that are not printable ASCII.
    [[nodiscard]] std::optional<std::string> next();
    /// Whether no byte followed the last line.
    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
    void clear() noexcept { waiting_.clear(); }

  private:
    std::string waiting_;
};

/// An answer whose lines are still arriving.
class Answering {
  public:
    /// At most `line_limit` lines may precede the last.
    explicit Answering(std::size_t line_limit) : line_limit_(line_limit) {}

    /// Adds a line; whether it was the last. Malformed if there are too many.
    [[nodiscard]] bool ends_with(std::string_view line);
    /// The end of the answer.
    [[nodiscard]] Status status() const noexcept { return status_; }

  private:
    std::size_t line_limit_;
    std::size_t count_ = 0;
    Status status_ = Status::error;
};

/// The answer at the beginning of these bytes, with at most `line_limit` lines before the last.
/// Malformed if it does not end. A board's bytes reach only this and parse_info, parse_number,
/// parse_bytes and parse_run, which a fuzzer calls.
[[nodiscard]] Answer parse_answer(std::string_view bytes, std::size_t line_limit = max_lines);

/// Parses the answer to I, which has four lines.
[[nodiscard]] Info parse_info(std::span<const std::string> lines);

/// A decimal number without a sign or leading zeros, at most `max`.
[[nodiscard]] std::uint64_t parse_number(std::string_view line, std::uint64_t max);

/// Hexadecimal digits of `min` to `max` bytes.
[[nodiscard]] ByteString parse_bytes(std::string_view line, std::size_t min, std::size_t max);

/// A line of a benchmark: three numbers.
[[nodiscard]] Run parse_run(std::string_view line);

}  // namespace girih::cli::board
