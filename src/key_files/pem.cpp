#include "key_files/pem.hpp"

#include <algorithm>
#include <optional>

#include "core/secret.hpp"
#include "key_files/base64.hpp"

namespace girih::key_files::pem {
namespace {

constexpr std::string_view begin_mark = "-----BEGIN";
constexpr std::string_view end_mark = "-----END";
constexpr std::string_view dashes = "-----";
constexpr std::size_t longest_shown = 64;    // of a label, in a message
constexpr std::size_t line_characters = 64;  // RFC 7468, Section 2: generators wrap at exactly 64

constexpr bool is_blank(Byte c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
constexpr bool is_line_end(Byte c) { return c == '\r' || c == '\n'; }

bool starts_with(BytesIn<> line, std::string_view mark)
{
    return line.size() >= mark.size() && std::equal(mark.begin(), mark.end(), line.begin());
}

BytesIn<> trim(BytesIn<> line)
{
    while (!line.empty() && is_blank(line.front())) line = line.subspan(1);
    while (!line.empty() && is_blank(line.back())) line = line.first(line.size() - 1);
    return line;
}

/// Hands out a file's lines without their ends: LF, CR LF or CR. Counts from 1.
class Lines {
  public:
    explicit Lines(BytesIn<> text) noexcept : rest_(text) {}

    std::optional<BytesIn<>> next()
    {
        if (rest_.empty()) return {};
        const auto end =
            static_cast<std::size_t>(std::find_if(rest_.begin(), rest_.end(), is_line_end) - rest_.begin());
        const BytesIn<> line = rest_.first(end);
        const bool crlf = rest_.size() > end + 1 && rest_[end] == '\r' && rest_[end + 1] == '\n';
        rest_ = rest_.subspan(std::min(rest_.size(), end + (crlf ? 2 : 1)));
        ++number_;
        return trim(line);
    }
    [[nodiscard]] std::size_t number() const noexcept { return number_; }

  private:
    BytesIn<> rest_;
    std::size_t number_ = 0;
};

Error at_line(std::size_t number, Problem problem, const std::string& what)
{
    return {problem, "line " + std::to_string(number) + ": " + what, Error::nowhere, number};
}

/// The label of a boundary line, if it is "-----BEGIN label-----" to the letter.
std::optional<std::string> boundary_label(BytesIn<> line, std::string_view mark)
{
    if (line.size() < mark.size() + 1 + dashes.size() || line[mark.size()] != ' ') return {};
    const BytesIn<> tail = line.last(dashes.size());
    if (!starts_with(tail, dashes)) return {};
    const BytesIn<> label = line.subspan(mark.size() + 1, line.size() - mark.size() - 1 - dashes.size());
    const bool printable =
        std::all_of(label.begin(), label.end(), [](Byte c) { return c >= ' ' && c <= '~'; });
    if (!printable || label.empty() || label.back() == '-') return {};
    return std::string(label.begin(), label.end());
}

/// A whole boundary line with its end.
std::string boundary(std::string_view mark, std::string_view label)
{
    std::string line(mark);
    line += ' ';
    line += label;
    line += dashes;
    return line += '\n';
}

/// What stands between the boundaries: its characters without white space, and where its lines are.
struct Body {
    SecretBytes characters;
    /// First character and line number of each line that is not empty.
    std::vector<std::pair<std::size_t, std::size_t>> lines;

    void add(BytesIn<> line, std::size_t number)
    {
        if (!line.empty()) lines.emplace_back(characters.size(), number);
        for (const Byte c : line)
            if (!is_blank(c)) characters.push_back(c);
    }
    [[nodiscard]] std::size_t line_of(std::size_t character) const
    {
        std::size_t found = 0;
        for (const auto& [first, number] : lines)
            if (first <= character) found = number;
        return found;
    }
};

/// Whether a line is "Name: value" (RFC 1421), as before a block that OpenSSL
/// encrypted in its own way.
bool is_header(BytesIn<> line) { return std::find(line.begin(), line.end(), Byte{':'}) != line.end(); }

/// Why a body is no base64, and in which line. Linear in the body's length.
Error flaw_of(const Body& body, base64::Flaw flaw)
{
    const auto& text = body.characters;
    const std::size_t last = text.empty() ? 0 : text.size() - 1;
    if (flaw == base64::Flaw::unused_bits)
        return at_line(body.line_of(last), Problem::pem_unused_bits,
                       "the last base64 character has bits that belong to no byte");
    // Where a file is no base64, its characters are no key.
    const std::size_t digits = text.size() - base64::count_padding(text);
    for (std::size_t i = 0; i < digits; ++i) {
        if (text[i] == base64::pad)
            return at_line(body.line_of(i), Problem::pem_padding, "'=' before the end of the base64");
        if (base64::sextet(text[i]).valid == 0)
            return at_line(body.line_of(i), Problem::pem_character, "a character that is not base64");
    }
    return at_line(body.line_of(last), Problem::pem_padding,
                   "the base64 ends with the wrong number of characters or '='");
}

Result<Block> decode_body(std::string label, const Body& body)
{
    Block block{std::move(label), SecretBytes(body.characters.size() / 4 * 3)};
    const auto decoded = base64::decode(body.characters, block.content);
    if (decoded.flaw != base64::Flaw::none) return flaw_of(body, decoded.flaw);
    block.content.resize(decoded.bytes);
    return block;
}

/// Reads the lines up to END into `body`. Nothing if all is well.
std::optional<Error> read_body(Lines& lines, const std::string& label, Body& body)
{
    const std::size_t first = lines.number();
    while (const auto line = lines.next()) {
        if (starts_with(*line, end_mark)) {
            const auto end_label = boundary_label(*line, end_mark);
            if (!end_label)
                return at_line(lines.number(), Problem::pem_boundary,
                               "not a whole -----END " + shown(label) + "----- line");
            if (*end_label == label) return {};
            return at_line(lines.number(), Problem::pem_end_label,
                           "END " + shown(*end_label) + " closes BEGIN " + shown(label) + " of line " +
                               std::to_string(first));
        }
        if (starts_with(*line, "-"))
            return at_line(lines.number(), Problem::pem_boundary,
                           "an -----END " + shown(label) + "----- line is expected here");
        if (is_header(*line))
            return at_line(lines.number(), Problem::pem_header,
                           "a header such as Proc-Type, which key files do not have (RFC 7468); "
                           "of encrypted private keys, those in PKCS#8 are read");
        body.add(*line, lines.number());
    }
    return at_line(first, Problem::pem_no_end, "BEGIN " + shown(label) + " has no END");
}

}  // namespace

std::string shown(std::string_view label)
{
    std::string text(label.substr(0, longest_shown));
    if (label.size() > longest_shown) text += "...";
    return text;
}

bool recognised(BytesIn<> file) noexcept
{
    Secret<std::uint32_t> found;
    for (std::size_t i = 0; i + begin_mark.size() <= file.size(); ++i) {
        Secret<std::uint32_t> difference;
        for (std::size_t j = 0; j < begin_mark.size(); ++j)
            difference |= Secret<std::uint32_t>(file[i + j] ^ static_cast<Byte>(begin_mark[j]));
        found |= (difference - Secret<std::uint32_t>(1)) >> 31;  // 1 where the difference, a byte, is 0
    }
    return declassify(found, "whether a file is PEM is no secret") != 0;
}

Result<Block> decode(BytesIn<> file)
{
    Lines lines(file);
    std::string label;
    Body body;
    bool found = false;
    while (const auto line = lines.next()) {
        if (!recognised(*line)) continue;
        const auto line_label =
            starts_with(*line, begin_mark) ? boundary_label(*line, begin_mark) : std::nullopt;
        if (!line_label)
            return at_line(lines.number(), Problem::pem_boundary, "not a whole -----BEGIN ...----- line");
        if (found)
            return at_line(lines.number(), Problem::pem_several,
                           "a second PEM block begins here; a key file has one");
        found = true;
        label = *line_label;
        if (const auto error = read_body(lines, label, body)) return *error;
    }
    return decode_body(std::move(label), body);
}

SecretBytes encode(std::string_view label, BytesIn<> content)
{
    SecretBytes characters(base64::encoded_size(content.size()));
    base64::encode(content, characters);
    const std::string first = boundary(begin_mark, label);
    const std::string last = boundary(end_mark, label);
    const std::size_t lines = (characters.size() + line_characters - 1) / line_characters;

    SecretBytes out(first.size() + characters.size() + lines + last.size());
    auto end = std::copy(first.begin(), first.end(), out.begin());
    for (std::size_t i = 0; i < characters.size(); i += line_characters) {
        const auto line = BytesIn<>(characters).subspan(i, std::min(line_characters, characters.size() - i));
        end = std::copy(line.begin(), line.end(), end);
        *end++ = '\n';
    }
    std::copy(last.begin(), last.end(), end);
    return out;
}

}  // namespace girih::key_files::pem
