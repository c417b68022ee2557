/// The firmware's shell against another reading of its protocol: a line at a time, where the
/// shell takes characters.
#include "link/shell.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace girih::fuzz {
namespace {

using firmware::Answer;
using firmware::Command;
using firmware::Shell;
using firmware::Status;

/// Carries out a command: answers with its letter and argument, and a status chosen by the letter.
Status carry_out(char letter, std::string_view argument_or_none, std::string& out)
{
    out += letter;
    out += argument_or_none;
    out += "\r\n";
    return letter == 'O' ? Status::overflow : letter == 'E' ? Status::error : Status::ok;
}

std::string_view ending(Status status)
{
    return status == Status::ok ? "OK\r\n" : status == Status::error ? "ERROR\r\n" : "OVERFLOW\r\n";
}

/// An argument's bytes, after a mark that distinguishes an empty one from none.
std::string shown(BytesIn<> argument) { return '=' + std::string(argument.begin(), argument.end()); }

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

std::optional<unsigned> digit(char c)
{
    const std::size_t place = std::string_view("0123456789ABCDEF").find(upper(c));
    if (place == std::string_view::npos) return {};
    return static_cast<unsigned>(place);
}

/// The expected answer to a line, which has no line feed.
std::string answer_to(std::string_view line)
{
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return {};
    std::string head(line.substr(0, 4));
    std::ranges::transform(head, head.begin(), upper);
    if (head == "AT") return std::string(ending(Status::ok));
    const bool is_command = head.size() == 4 && head.starts_with("AT+") && head[3] >= 'A' && head[3] <= 'Z';
    if (!is_command || (line.size() > 4 && line[4] != ' ')) return std::string(ending(Status::error));

    std::string out;
    if (line.size() == 4) {
        const Status status = carry_out(head[3], "", out);
        return out.append(ending(status));
    }
    std::string bytes;
    const std::string_view digits = line.substr(5);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const auto value = digit(digits[i]);
        if (!value) return std::string(ending(Status::error));
        if (i == 2 * Shell::buffer_bytes) return std::string(ending(Status::overflow));
        if (i % 2 == 0)
            bytes += static_cast<char>(*value << 4);
        else
            bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) | *value);
    }
    if (digits.empty() || digits.size() % 2 != 0) return std::string(ending(Status::error));
    const Status status = carry_out(head[3], '=' + bytes, out);
    return out.append(ending(status));
}

Status run(void*, const Command& command, Answer& answer)
{
    require(command.has_argument == !command.argument.empty(), "an argument has bytes");
    require(command.argument.size() <= Shell::buffer_bytes, "an argument has room");
    std::string out;
    const Status status = carry_out(command.letter, command.has_argument ? shown(command.argument) : "", out);
    std::ranges::fill(command.argument, Byte{0xEE});  // which a command may do
    answer.text(out);
    return status;
}

}  // namespace

void check_input(Input input)
{
    const ByteString bytes = input.rest();
    const std::string_view text = as_text(bytes);
    std::string said;
    const firmware::Wire wire{[](void* to, char c) { *static_cast<std::string*>(to) += c; }, &said};
    const auto shell = std::make_unique<Shell>(wire, run, nullptr);
    std::string expected;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        for (std::size_t i = begin; i < end; ++i) shell->take(text[i]);
        require(said == expected, "nothing is answered before the line ends");
        if (end == text.size()) return;
        shell->take('\n');
        expected += answer_to(text.substr(begin, end - begin));
        require(said == expected, "a line is answered as the protocol has it");
        begin = end + 1;
    }
}

}  // namespace girih::fuzz
