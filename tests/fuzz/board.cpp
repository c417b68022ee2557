/// Answers of a board: none makes the host hold more than its limits, and the parsed answer is the
/// one that was sent.
#include "firmware/host/answers.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/files/hex.hpp"
#include "fuzz/fuzz.hpp"

namespace girih::fuzz {
namespace {

namespace board = cli::board;

/// The result of make(); nothing if the board's answer is malformed, reported in one line.
template <class Make>
auto unless_malformed(Make make) -> std::optional<decltype(make())>
{
    try {
        return make();
    } catch (const board::Malformed& malformed) {
        const std::string_view text = malformed.what();
        require(!text.empty() && text.size() < 300 &&
                    std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }),
                "what is wrong is said in a line that can be shown");
        return {};
    }
}

/// The same answer, from bytes that come `piece` at a time.
board::Answer in_pieces(std::string_view bytes, std::size_t most, std::size_t piece)
{
    board::Lines lines;
    board::Answering answering(most);
    board::Answer answer{};
    for (;;) {
        if (auto line = lines.next()) {
            if (answering.ends_with(*line)) return {answering.status(), std::move(answer.lines)};
            answer.lines.push_back(std::move(*line));
        } else {
            if (bytes.empty()) throw board::Malformed("does not end its answer");
            lines.append(bytes.substr(0, piece));
            bytes.remove_prefix(std::min(piece, bytes.size()));
        }
    }
}

bool is_decimal(std::string_view text)
{
    return !text.empty() && text.size() <= 19 && (text.size() == 1 || text[0] != '0') &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

void check_number(const std::string& line, std::uint64_t most)
{
    const auto number = unless_malformed([&] { return board::parse_number(line, most); });
    if (number)
        require(std::to_string(*number) == line && *number <= most, "a number is what its digits say");
    else
        require(!is_decimal(line) || std::stoull(line) > most, "a number is understood");
}

void check_bytes(const std::string& line, std::size_t least, std::size_t most)
{
    std::string lower = line;
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c; });
    const auto bytes = unless_malformed([&] { return board::parse_bytes(line, least, most); });
    if (bytes)
        require(bytes->size() >= least && bytes->size() <= most && cli::to_hex(*bytes) == lower,
                "bytes are what their digits say");
    else
        require(lower.size() % 2 != 0 || lower.size() < 2 * least || lower.size() > 2 * most ||
                    lower.find_first_not_of("0123456789abcdef") != std::string::npos,
                "bytes are understood");
}

void check_run(const std::string& line)
{
    const auto run = unless_malformed([&] { return board::parse_run(line); });
    if (!run) return;
    require(std::to_string(run->milliseconds) + ' ' + std::to_string(run->cycles) + ' ' +
                    std::to_string(run->stack_bytes) ==
                line,
            "a line of a benchmark is what it says");
    require(run->milliseconds <= board::max_milliseconds && run->cycles <= board::max_cycles &&
                run->stack_bytes <= board::max_stack_bytes,
            "a benchmark has limits");
}

void check_info(const board::Answer& answer)
{
    const auto info = unless_malformed([&] { return board::parse_info(answer.lines); });
    if (!info) return;
    require(answer.lines.size() == 4 && info->name == answer.lines[0] && !info->name.empty() &&
                info->name.size() <= board::longest_name,
            "a board has a name");
    const std::size_t lengths[] = {info->public_key_bytes, info->private_key_bytes, info->max_message_bytes};
    for (std::size_t i = 0; i < 3; ++i)
        require(lengths[i] <= board::max_bytes && std::to_string(lengths[i]) == answer.lines[i + 1],
                "a length is what was said, and has a limit");
}

}  // namespace

/// Two bytes say how many lines may come and how the rest is cut; two are a limit of
/// numbers and lengths.
void check_input(Input input)
{
    const std::size_t most = input.byte() % 32;
    const std::size_t piece = std::size_t{input.byte()} + 1;
    const std::size_t limit = input.number();
    const ByteString rest = input.rest();
    const std::string_view bytes = as_text(rest);
    const auto answer = unless_malformed([&] { return board::parse_answer(bytes, most); });
    const auto again = unless_malformed([&] { return in_pieces(bytes, most, piece); });
    require(answer.has_value() == again.has_value(),
            "an answer does not depend on the pieces that it comes in");
    if (!answer) return;
    require(answer->status == again->status && answer->lines == again->lines,
            "an answer does not depend on the pieces that it comes in");
    require(answer->lines.size() <= most, "an answer has as many lines as are asked for");
    for (const std::string& line : answer->lines) {
        require(line.size() <= board::longest_line + 1 &&
                    std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; }),
                "a line can be shown");
        check_number(line, limit);
        check_number(line, board::max_cycles);
        check_bytes(line, std::min<std::size_t>(limit, 64), board::max_bytes);
        check_run(line);
    }
    check_info(*answer);
}

}  // namespace girih::fuzz
