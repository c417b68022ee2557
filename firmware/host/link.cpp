#include "firmware/host/link.hpp"

#include <array>

#include "cli/system/failure.hpp"
#include "firmware/host/port.hpp"
#include "key_files/encoding/character_range.hpp"

namespace girih::cli::board {
namespace {

using namespace std::chrono_literals;

/// The time of longest_line at 115200 baud.
constexpr auto time_of_longest_line = 2s;

/// Calls f, which parses an answer, and turns Malformed into a Failure that names the board.
template <class F>
auto understood(const Link& link, F f)
{
    try {
        return f();
    } catch (const Malformed& malformed) {
        link.fail(malformed.what());
    }
}

}  // namespace

Link::Link(Descriptor descriptor, std::string name, Seconds patience)
    : descriptor_(std::move(descriptor)), name_(std::move(name)), patience_(patience)
{
}

void Link::fail(const std::string& what) const { throw Failure(exit_file, name_ + ": " + what); }

Link::Clock::time_point Link::end_of_patience() const
{
    return Clock::now() + patience_ + time_of_longest_line;
}

void Link::send(std::string_view text)
{
    const auto end = end_of_patience();
    while (!text.empty()) {
        const Transfer sent = board::send(descriptor_.number(), text, end);
        if (sent.ending == Ending::late) fail("takes no more characters");
        if (sent.ending != Ending::done) fail("cannot be written to: " + system::reason());
        text.remove_prefix(sent.characters);
    }
}

/// Waits for bytes and reads them. False if nothing came in time.
bool Link::receive_before(Clock::time_point end)
{
    std::array<char, 4096> buffer{};
    const Transfer got = receive(descriptor_.number(), buffer, end);
    if (got.ending == Ending::late) return false;
    if (got.ending == Ending::gone) fail("has gone away");
    if (got.ending == Ending::failed) fail("cannot be read: " + system::reason());
    lines_.append({buffer.data(), got.characters});
    return true;
}

std::optional<std::string> Link::line_before(Clock::time_point end)
{
    for (;;) {
        auto line = lines_.next();
        if (line || !receive_before(end)) return line;
    }
}

std::string Link::next_line_before(Clock::time_point end)
{
    auto line = understood(*this, [&] { return line_before(end); });
    if (!line)
        fail("no answer for " + std::to_string(std::chrono::floor<Seconds>(patience_).count()) +
             " seconds (--timeout allows more)");
    return std::move(*line);
}

std::string Link::next_line() { return next_line_before(end_of_patience()); }

std::vector<std::string> Link::wait_until_ready()
{
    const auto end = end_of_patience();
    std::vector<std::string> said;
    for (std::string line = next_line_before(end); line != "READY"; line = next_line_before(end)) {
        if (said.size() == max_lines)
            fail("says more than " + std::to_string(max_lines) + " lines before it is ready");
        said.push_back(std::move(line));
    }
    return said;
}

/// Drops bytes until none has come for a while, or time is up.
void Link::drop_what_comes()
{
    const auto end = Clock::now() + 3s;
    do {
        lines_.clear();
    } while (Clock::now() < end && receive_before(Clock::now() + 200ms));
    lines_.clear();
}

void Link::synchronize()
{
    // An empty line ends any unfinished command. Its answer, and answers to earlier commands, are
    // dropped.
    for (int attempt = 0; attempt < 3; ++attempt) {
        send("\r\n");
        drop_what_comes();
        send("AT\r\n");
        try {
            if (line_before(Clock::now() + 1s) == "OK") return;
        } catch (const Malformed&) {
            // Not an answer: perhaps the end of an earlier one.
        }
    }
    fail(
        "nothing that speaks girih's protocol answers; is the firmware on it, and nobody else's program on "
        "the port?");
}

/// The argument may be a private key.
void Link::send_command(char letter, std::span<const std::uint8_t> argument)
{
    // Unasked bytes would be taken for the answer to this command.
    if (!lines_.empty()) fail("says more than it was asked");
    key_files::SecretBytes line{'A', 'T', '+', static_cast<std::uint8_t>(letter)};
    if (!argument.empty()) {
        line.reserve(line.size() + 1 + 2 * argument.size() + 2);
        line.push_back(' ');
        for (const std::uint8_t byte : argument) {  // in constant time, except in the length
            line.push_back(key_files::hex_digit(byte >> 4));
            line.push_back(key_files::hex_digit(byte & 15));
        }
    }
    line.insert(line.end(), {'\r', '\n'});
    send({reinterpret_cast<const char*>(line.data()), line.size()});
}

Answer Link::ask(char letter, std::span<const std::uint8_t> argument)
{
    send_command(letter, argument);
    const auto end = end_of_patience();
    Answering answering(max_lines);
    Answer answer{};
    for (;;) {
        std::string line = next_line_before(end);
        if (understood(*this, [&] { return answering.ends_with(line); })) {
            answer.status = answering.status();
            return answer;
        }
        answer.lines.push_back(std::move(line));
    }
}

Status Link::watch(char letter, std::span<const std::uint8_t> argument, std::size_t line_limit,
                   const Watcher& watcher)
{
    send_command(letter, argument);
    Answering answering(line_limit);
    for (;;) {
        const std::string line = next_line();
        const bool is_last = understood(*this, [&] {
            const bool ends = answering.ends_with(line);
            if (!ends) watcher(line);
            return ends;
        });
        if (is_last) return answering.status();
    }
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

Info Link::info()
{
    const auto lines = demand("asking what it is", 'I', {}, 4);
    return understood(*this, [&] { return parse_info(lines); });
}

std::uint64_t Link::number(std::string_view doing, char letter, std::uint64_t max)
{
    const auto lines = demand(doing, letter, {}, 1);
    return understood(*this, [&] { return parse_number(lines[0], max); });
}

ByteString Link::bytes(std::string_view doing, char letter, std::span<const std::uint8_t> argument,
                       std::size_t min, std::size_t max)
{
    const auto lines = demand(doing, letter, argument, 1);
    return understood(*this, [&] { return parse_bytes(lines[0], min, max); });
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
