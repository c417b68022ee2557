/// What a board says, taken apart. A board is not trusted: it may be broken, somebody
/// else's, or hostile.
///
/// Everything here is a function of bytes and knows no device, so that it can be tested and fuzzed
/// without one. What girih's firmware would never say is Malformed; nothing else is thrown but
/// std::bad_alloc, and no answer makes any of these functions hold more than the limits below.
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
inline constexpr std::size_t most_bytes = 10240;
/// They are hexadecimal, and nothing is longer.
inline constexpr std::size_t longest_line = 2 * most_bytes;
/// Lines before the last of an answer, except a benchmark's.
inline constexpr std::size_t most_lines = 16;
inline constexpr std::size_t longest_name = 32;
/// 2^48 cycles take a week at 480 MHz, and sums of 65,535 such figures fit in 64 bits.
inline constexpr std::uint64_t most_cycles = (std::uint64_t{1} << 48) - 1;
inline constexpr std::uint64_t most_milliseconds = UINT32_MAX;
inline constexpr std::uint64_t most_stack_bytes = UINT32_MAX;

/// What a board said is nothing that girih's firmware says. The text is the rest of a
/// sentence about the board.
class Malformed : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// How an answer ends.
enum class Status { ok, error, overflow };

/// What a board answered: lines, and how they ended.
struct Answer {
    Status status;
    std::vector<std::string> lines;
};

/// What a board says of itself.
struct Info {
    std::string name;              ///< letters, digits and "-_.+", at most longest_name of them
    std::size_t public_key_bytes;  ///< at most most_bytes, like the others
    std::size_t private_key_bytes;
    std::size_t max_message_bytes;
};

/// A line of a benchmark.
struct Run {
    std::uint64_t milliseconds = 0;
    std::uint64_t cycles = 0;
    std::uint64_t stack_bytes = 0;
};

/// Bytes as they come, cut into lines.
class Lines {
  public:
    void append(std::string_view bytes) { waiting_.append(bytes); }
    /// The next line without its end, or nothing if it is not whole yet. Malformed if it is too
    /// long, or has bytes that are not printable ASCII.
    [[nodiscard]] std::optional<std::string> next();
    /// Whether nothing has come since the last line.
    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
    void clear() noexcept { waiting_.clear(); }

  private:
    std::string waiting_;
};

/// An answer while its lines come.
class Answering {
  public:
    /// `most` lines may come before the last.
    explicit Answering(std::size_t most) : most_(most) {}

    /// Whether this line was the last. Malformed if there are too many.
    [[nodiscard]] bool ends_with(std::string_view line);
    /// How it ended.
    [[nodiscard]] Status status() const noexcept { return status_; }

  private:
    std::size_t most_;
    std::size_t count_ = 0;
    Status status_ = Status::error;
};

/// The answer at the beginning of these bytes, of at most `most` lines before the last. Malformed
/// too if it does not end. With parse_info, parse_number, parse_bytes and parse_run this is all
/// that girih makes of a board's bytes, and what a fuzzer calls.
[[nodiscard]] Answer parse_answer(std::string_view bytes, std::size_t most = most_lines);

/// The lines of the answer to I, of which there have to be four.
[[nodiscard]] Info parse_info(std::span<const std::string> lines);

/// A decimal number without a sign or leading zeros, at most `most`.
[[nodiscard]] std::uint64_t parse_number(std::string_view line, std::uint64_t most);

/// Hexadecimal digits that make `least` to `most` bytes.
[[nodiscard]] ByteString parse_bytes(std::string_view line, std::size_t least, std::size_t most);

/// A line of a benchmark: three numbers.
[[nodiscard]] Run parse_run(std::string_view line);

}  // namespace girih::cli::board
