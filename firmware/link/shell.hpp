/// The firmware's text protocol: lines of commands and lines of answers, one character at a time.
///
/// A command is `AT+x` or `AT+x HEX`, where x is a letter, in either case, ended by LF or CRLF. The
/// answer is any number of lines of text, then OK, ERROR or OVERFLOW; every line ends in CRLF. `AT`
/// alone answers OK; an empty line answers nothing. Bytes are hexadecimal: in either case in
/// commands, in upper case in answers.
///
/// The shell does not depend on a device: its user passes it characters and a function that writes
/// them. It stores only the decoded bytes, not the line, so an endless line costs no memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::firmware {

/// The output of an answer's characters.
struct Wire {
    void (*put)(void* device, char character);
    void* device;
};

/// The lines before the last one of an answer.
class Answer {
  public:
    explicit Answer(const Wire& wire) : wire_(&wire) {}

    void text(std::string_view text);
    void decimal(std::uint64_t number);
    void hex(BytesIn<> bytes);
    void end_line();

    void text_line(std::string_view line);
    void decimal_line(std::uint64_t number);
    void hex_line(BytesIn<> bytes);

  private:
    const Wire* wire_;
};

/// The end of an answer.
enum class Status {
    ok,
    error,    ///< unknown command, wrong argument, or not possible now
    overflow  ///< too many bytes
};

/// A parsed command line.
struct Command {
    char letter;  ///< in upper case
    bool has_argument;
    BytesOut<> argument;  ///< the shell's memory, which the command may overwrite
};

class Shell {
  public:
    /// The longest argument in bytes.
    static constexpr std::size_t buffer_bytes = 10240;

    /// Runs a command.
    using Run = Status (*)(void* context, const Command& command, Answer& answer);

    Shell(const Wire& wire, Run run, void* context) : wire_(wire), run_(run), context_(context) {}

    /// Takes the next character of a line, and answers at its end.
    void take(char character);

  private:
    enum class Expects { a, t, plus, letter, space, high_digit, low_digit, line_feed, nothing };

    void take_inside(char character);
    void finish();
    void end(Status status);
    void begin_line();
    void refuse(Status why);

    Wire wire_;
    Run run_;
    void* context_;

    Expects expects_ = Expects::a;
    Expects before_return_ = Expects::a;  ///< the expectation before the carriage return
    Status verdict_ = Status::ok;         ///< of the line so far
    char letter_ = 0;
    std::uint8_t high_ = 0;
    std::size_t size_ = 0;
    std::array<Byte, buffer_bytes> buffer_;
};

}  // namespace girih::firmware
