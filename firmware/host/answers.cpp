#include "firmware/host/answers.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "cli/files/hex.hpp"

namespace girih::cli::board {
namespace {

std::optional<Status> final_status(std::string_view line)
{
    if (line == "OK") return Status::ok;
    if (line == "ERROR") return Status::error;
    if (line == "OVERFLOW") return Status::overflow;
    return {};
}

constexpr bool is_printable(char c) { return ' ' <= c && c <= '~'; }

constexpr bool is_of_a_name(char c)
{
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
           std::string_view("-_.+").find(c) != std::string_view::npos;
}

/// The beginning of a line, for error messages.
std::string shown(std::string_view line)
{
    constexpr std::size_t longest = 60;
    return '"' + std::string(line.substr(0, longest)) + (line.size() > longest ? "...\"" : "\"");
}

}  // namespace

std::optional<std::string> Lines::next()
{
    const std::size_t end = waiting_.find('\n');
    constexpr std::size_t carriage_return = 1;
    if (std::min(end, waiting_.size()) > longest_line + carriage_return)
        throw Malformed("sends a line that does not end");
    if (end == std::string::npos) return {};
    std::string line = waiting_.substr(0, end);
    waiting_.erase(0, end + 1);
    if (line.ends_with('\r')) line.pop_back();
    if (!std::all_of(line.begin(), line.end(), is_printable))
        throw Malformed("sends something that is not text");
    return line;
}

bool Answering::ends_with(std::string_view line)
{
    if (const auto status = final_status(line)) {
        status_ = *status;
        return true;
    }
    if (line == "FAULT")
        throw Malformed("has stopped at a fault, such as a stack that was too small; reset it");
    if (++count_ > line_limit_)
        throw Malformed("answers with more than " + std::to_string(line_limit_) + " lines");
    return false;
}

Answer parse_answer(std::string_view bytes, std::size_t line_limit)
{
    constexpr std::size_t piece = 4096;  // the size of one read
    Lines lines;
    Answering answering(line_limit);
    Answer answer{};
    for (;;) {
        auto line = lines.next();
        if (!line) {
            if (bytes.empty()) throw Malformed("does not end its answer");
            lines.append(bytes.substr(0, piece));
            bytes.remove_prefix(std::min(piece, bytes.size()));
        } else if (answering.ends_with(*line)) {
            answer.status = answering.status();
            return answer;
        } else {
            answer.lines.push_back(std::move(*line));
        }
    }
}

Info parse_info(std::span<const std::string> lines)
{
    if (lines.size() != 4)
        throw Malformed("says what it is in " + std::to_string(lines.size()) + " lines, not 4");
    const std::string& name = lines[0];
    if (name.empty() || name.size() > longest_name || !std::all_of(name.begin(), name.end(), is_of_a_name))
        throw Malformed("calls itself " + shown(name) + ", which is no name");
    const auto length = [&](std::size_t i) { return std::size_t{parse_number(lines[i], max_bytes)}; };
    return {name, length(1), length(2), length(3)};
}

std::uint64_t parse_number(std::string_view line, std::uint64_t max)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    const bool is_number = error == std::errc{} && end == line.data() + line.size() &&
                           (line.size() == 1 || !line.starts_with('0'));
    if (!is_number || number > max)
        throw Malformed("says " + shown(line) + " where a number of at most " + std::to_string(max) +
                        " is needed");
    return number;
}

ByteString parse_bytes(std::string_view line, std::size_t min, std::size_t max)
{
    const std::string lengths =
        min == max ? std::to_string(max) : std::to_string(min) + " to " + std::to_string(max);
    if (line.size() / 2 > max || line.size() / 2 < min)
        throw Malformed("sends " + std::to_string(line.size()) + " digits where " + lengths +
                        " bytes are needed");
    const auto bytes = from_hex(line);
    if (!bytes) throw Malformed("says " + shown(line) + " where hexadecimal digits are needed");
    return {bytes->begin(), bytes->end()};
}

Run parse_run(std::string_view line)
{
    std::array<std::string_view, 3> words;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t end = i + 1 == words.size() ? line.size() : std::min(line.find(' '), line.size());
        words[i] = line.substr(0, end);
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return {parse_number(words[0], max_milliseconds), parse_number(words[1], max_cycles),
            parse_number(words[2], max_stack_bytes)};
}

}  // namespace girih::cli::board
