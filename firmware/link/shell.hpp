/// The text protocol of the firmware: lines of commands in, lines of answers out, a
/// character at a time.
///
/// A command is `AT+x` or `AT+x HEX`, where x is a letter, in either case, ended by LF or CRLF. The
/// answer is any number of lines of text, then OK, ERROR or OVERFLOW; every line ends in CRLF. `AT`
/// alone answers OK; an empty line answers nothing. Bytes are hexadecimal: in either case when they
/// come in, in upper case when they go out.
///
/// The shell knows nothing of devices: whoever has one gives it characters and a function to
/// put some. It keeps no line, only the bytes that the line's digits make, so a line that never
/// ends costs nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::firmware {

/// Where the characters of an answer go.
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

/// How an answer ends.
enum class Status {
    ok,
    error,    ///< no such command, or not with these bytes, or not now
    overflow  ///< more bytes than there is room for
};

/// A command line that was understood.
struct Command {
    char letter;  ///< in upper case
    bool has_argument;
    BytesOut<> argument;  ///< the shell's own memory: whoever carries the command out may overwrite it
};

class Shell {
  public:
    /// Bytes of an argument.
    static constexpr std::size_t buffer_bytes = 10240;

    /// Carries out a command.
    using Run = Status (*)(void* context, const Command& command, Answer& answer);

    Shell(const Wire& wire, Run run, void* context) : wire_(wire), run_(run), context_(context) {}

    /// The next character of the line. Answers when it is the last one.
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
    Expects before_return_ = Expects::a;  ///< what was expected when the carriage return came
    Status verdict_ = Status::ok;         ///< of the line so far
    char letter_ = 0;
    std::uint8_t high_ = 0;
    std::size_t size_ = 0;
    std::array<Byte, buffer_bytes> buffer_;
};

}  // namespace girih::firmware
