#include "cli/board/link.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "cli/failure.hpp"
#include "cli/hex.hpp"

namespace girih::cli::board {
namespace {

using namespace std::chrono_literals;

/// More than 10,240 bytes in hexadecimal, which take less than two seconds at 115200 baud.
constexpr std::size_t longest_line = 32768;
constexpr auto time_of_longest_line = 2s;

std::optional<Status> final_status(std::string_view line)
{
    if (line == "OK") return Status::ok;
    if (line == "ERROR") return Status::error;
    if (line == "OVERFLOW") return Status::overflow;
    return {};
}

/// A line for an error message: short, and without anything that a terminal would act on.
std::string shown(std::string_view line)
{
    constexpr std::size_t longest = 60;
    std::string text{line.substr(0, longest)};
    for (char& c : text)
        if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
    return '"' + text + (line.size() > longest ? "...\"" : "\"");
}

}  // namespace

Link::Link(Descriptor descriptor, std::string name, Seconds patience)
    : descriptor_(std::move(descriptor)), name_(std::move(name)), patience_(patience)
{
}

void Link::fail(const std::string& what) const { throw Failure(exit_file, name_ + ": " + what); }

bool Link::wait_for(short event, Clock::duration longest) const
{
    const auto end = Clock::now() + longest;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0) return false;
        pollfd watched{descriptor_.number(), event, 0};
        const int ready = ::poll(&watched, 1, static_cast<int>(left));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) fail(std::string("cannot wait for it: ") + std::strerror(errno));
    }
}

void Link::send(std::string_view text)
{
    while (!text.empty()) {
        if (!wait_for(POLLOUT, patience_)) fail("takes no more characters");
        const ssize_t sent = ::write(descriptor_.number(), text.data(), text.size());
        if (sent > 0)
            text.remove_prefix(static_cast<std::size_t>(sent));
        else if (errno != EINTR && errno != EAGAIN)
            fail(std::string("cannot be written to: ") + std::strerror(errno));
    }
}

std::optional<std::string> Link::line_within(Clock::duration longest)
{
    const auto end_of_patience = Clock::now() + longest;
    for (;;) {
        if (const auto end = waiting_.find('\n'); end != std::string::npos) {
            std::string line = waiting_.substr(0, end);
            waiting_.erase(0, end + 1);
            if (!line.empty() && line.back() == '\r') line.pop_back();
            return line;
        }
        if (waiting_.size() > longest_line) fail("sends a line that does not end");
        if (!wait_for(POLLIN, end_of_patience - Clock::now())) return {};
        std::array<char, 4096> room{};
        const ssize_t got = ::read(descriptor_.number(), room.data(), room.size());
        if (got > 0) {
            waiting_.append(room.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
            fail(got == 0 ? "has gone away" : std::string("cannot be read: ") + std::strerror(errno));
        }
    }
}

std::string Link::next_line()
{
    auto line = line_within(patience_ + time_of_longest_line);
    if (!line)
        fail("no answer for " + std::to_string(std::chrono::floor<Seconds>(patience_).count()) +
             " seconds (--timeout allows more)");
    return std::move(*line);
}

std::vector<std::string> Link::wait_until_ready()
{
    std::vector<std::string> said;
    for (std::string line = next_line(); line != "READY"; line = next_line()) said.push_back(line);
    return said;
}

void Link::synchronize()
{
    // An empty line ends whatever was begun. What that is answered, and what comes from before, is read and forgotten.
    for (int attempt = 0; attempt < 3; ++attempt) {
        send("\r\n");
        const auto end = Clock::now() + 3s;
        while (Clock::now() < end && line_within(200ms)) {
        }
        waiting_.clear();
        send("AT\r\n");
        if (line_within(1s) == "OK") return;
    }
    fail(
        "nothing that speaks girih's protocol answers; is the firmware on it, and nobody else's program on "
        "the port?");
}

Answer Link::read_answer(const Watcher& watcher)
{
    Answer answer{};
    for (;;) {
        std::string line = next_line();
        if (const auto status = final_status(line)) {
            answer.status = *status;
            return answer;
        }
        if (watcher) watcher(line);
        answer.lines.push_back(std::move(line));
    }
}

Answer Link::ask(char letter, std::span<const std::uint8_t> argument, const Watcher& watcher)
{
    std::string line = "AT+";
    line += letter;
    if (!argument.empty()) line.append(" ").append(to_hex(argument));
    send(line.append("\r\n"));
    return read_answer(watcher);
}

std::vector<std::string> Link::demand(std::string_view doing, char letter,
                                      std::span<const std::uint8_t> argument, std::size_t lines)
{
    Answer answer = ask(letter, argument);
    const std::string what{doing};
    if (answer.status == Status::overflow) fail(what + ": too many bytes for the board");
    if (answer.status == Status::error) fail(what + ": the board refuses");
    if (answer.lines.size() != lines)
        fail(what + ": expected " + std::to_string(lines) + " lines, and got " +
             std::to_string(answer.lines.size()));
    return std::move(answer.lines);
}

namespace {

std::optional<std::uint64_t> decimal(const std::string& line)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc{} || end != line.data() + line.size()) return {};
    return number;
}

}  // namespace

Info Link::info()
{
    const auto lines = demand("asking what it is", 'I', {}, 4);
    std::array<std::size_t, 3> sizes{};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto size = decimal(lines[i + 1]);
        if (!size) fail("a length was expected, and came " + shown(lines[i + 1]));
        sizes[i] = static_cast<std::size_t>(*size);
    }
    return {lines[0], sizes[0], sizes[1], sizes[2]};
}

std::uint64_t Link::number(std::string_view doing, char letter)
{
    const auto lines = demand(doing, letter, {}, 1);
    const auto number = decimal(lines[0]);
    if (!number) fail("a number was expected, and came " + shown(lines[0]));
    return *number;
}

ByteString Link::bytes(std::string_view doing, char letter, std::span<const std::uint8_t> argument)
{
    const auto lines = demand(doing, letter, argument, 1);
    const auto bytes = from_hex(lines[0]);
    if (!bytes) fail("hexadecimal digits were expected, and came " + shown(lines[0]));
    return {bytes->begin(), bytes->end()};
}

ByteString signature_and_message(std::span<const std::uint8_t> signature,
                                 std::span<const std::uint8_t> message)
{
    ByteString all;
    all.reserve(2 + signature.size() + message.size());
    all.push_back(static_cast<std::uint8_t>(signature.size() >> 8));
    all.push_back(static_cast<std::uint8_t>(signature.size()));
    all.insert(all.end(), signature.begin(), signature.end());
    all.insert(all.end(), message.begin(), message.end());
    return all;
}

}  // namespace girih::cli::board
