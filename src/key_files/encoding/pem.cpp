#include "key_files/encoding/pem.hpp"

#include <algorithm>
#include <optional>

#include "core/secret.hpp"
#include "core/text_file.hpp"
#include "key_files/encoding/base64.hpp"
#include "key_files/foreign/files.hpp"

namespace girih::key_files::pem {
namespace {

constexpr std::string_view begin_mark = "-----BEGIN";
constexpr std::string_view end_mark = "-----END";
constexpr std::string_view dashes = "-----";
/// "-----BEGIN" in UTF-16 of either byte order, from its first nonzero byte to its last.
constexpr std::string_view begin_mark_in_utf16("-\0-\0-\0-\0-\0B\0E\0G\0I\0N", 19);
constexpr std::size_t longest_shown = 64;    // of a label in a message
constexpr std::size_t line_characters = 64;  // RFC 7468, Section 2: generators wrap at exactly 64

constexpr bool is_blank(Byte c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
constexpr bool is_line_end(Byte c) { return c == '\r' || c == '\n'; }

bool starts_with(BytesIn<> line, std::string_view mark)
{
    const auto same = [](char c, Byte byte) { return static_cast<Byte>(c) == byte; };
    return line.size() >= mark.size() && std::equal(mark.begin(), mark.end(), line.begin(), same);
}

/// Whether the bytes contain `mark`. Constant time, except for the verdict.
bool contains(BytesIn<> bytes, std::string_view mark) noexcept
{
    Secret<std::uint32_t> found;
    for (std::size_t i = 0; i + mark.size() <= bytes.size(); ++i) {
        Secret<std::uint32_t> difference;
        for (std::size_t j = 0; j < mark.size(); ++j)
            difference |= Secret<std::uint32_t>(bytes[i + j] ^ static_cast<Byte>(mark[j]));
        found |= (difference - Secret<std::uint32_t>(1)) >> 31;  // 1 where the difference, a byte, is 0
    }
    return declassify(found, "whether a file is PEM is not secret") != 0;
}

BytesIn<> trim(BytesIn<> line)
{
    while (!line.empty() && is_blank(line.front())) line = line.subspan(1);
    while (!line.empty() && is_blank(line.back())) line = line.first(line.size() - 1);
    return line;
}

/// Yields the lines of a file without their ends: LF, CR LF or CR. Counts from 1.
class Lines {
  public:
    /// `number` is the number of the preceding line.
    explicit Lines(BytesIn<> text, std::size_t number = 0) noexcept : rest_(text), number_(number) {}

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
    [[nodiscard]] BytesIn<> rest() const noexcept { return rest_; }

    /// Makes `tail`, the end of the last line, the next line, with the same number.
    void put_back(BytesIn<> tail) noexcept
    {
        rest_ = {tail.data(), rest_.data() + rest_.size()};
        --number_;
    }

  private:
    BytesIn<> rest_;
    std::size_t number_;
};

Error at_line(std::size_t number, Problem problem, const std::string& what)
{
    return {problem, "line " + std::to_string(number) + ": " + what, Error::nowhere, number};
}

/// The label of a boundary line, if it is exactly "-----BEGIN label-----".
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

/// A label for messages: truncated if longer than any in use.
std::string shown(std::string_view label)
{
    std::string text(label.substr(0, longest_shown));
    if (label.size() > longest_shown) text += "...";
    return text;
}

/// The body between the boundaries: its characters without white space, and the place of each line.
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

/// Whether a line is "Name: value" (RFC 1421), as in OpenSSL's own encryption of blocks.
bool is_header(BytesIn<> line) { return std::find(line.begin(), line.end(), Byte{':'}) != line.end(); }

/// The error of a body that is not base64, with its line. Linear in the body's length.
Error flaw_of(const Body& body, base64::Flaw flaw)
{
    const auto& text = body.characters;
    const std::size_t last = text.empty() ? 0 : text.size() - 1;
    if (flaw == base64::Flaw::unused_bits)
        return at_line(body.line_of(last), Problem::pem_unused_bits,
                       "the last base64 character has bits that belong to no byte");
    // Characters that are not base64 are not a secret key.
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

Result<SecretBytes> decode_body(const Body& body)
{
    SecretBytes content(body.characters.size() / 4 * 3);
    const auto decoded = base64::decode(body.characters, content);
    if (decoded.flaw != base64::Flaw::none) return flaw_of(body, decoded.flaw);
    content.resize(decoded.bytes);
    return content;
}

/// A block in its file, whose body is not yet decoded.
struct Place {
    Holds holds;
    BytesIn<> text;
    std::size_t line;  ///< of BEGIN
};

Result<Block> decode_block(const Place& place)
{
    Lines lines(place.text, place.line);
    Body body;
    while (const auto line = lines.next()) {
        if (is_header(*line))
            return at_line(lines.number(), Problem::pem_header,
                           "a header such as Proc-Type, which key files do not have (RFC 7468); "
                           "\"openssl pkcs8 -topk8\" writes an encrypted private key without");
        body.add(*line, lines.number());
    }
    auto content = decode_body(body);
    if (!content) return content.error();
    return Block{place.holds, std::move(*content)};
}

/// The text before END; END is then the next line.
Result<BytesIn<>> text_of_block(Lines& lines, const std::string& label)
{
    const std::size_t first = lines.number();
    const BytesIn<> begin = lines.rest();
    std::string end = boundary(end_mark, label);
    end.pop_back();  // the line feed
    for (BytesIn<> here = begin; const auto line = lines.next(); here = lines.rest()) {
        if (!starts_with(*line, "-")) continue;
        if (!starts_with(*line, end_mark))
            return at_line(lines.number(), Problem::pem_boundary,
                           "an -----END " + shown(label) + "----- line is expected here");
        const BytesIn<> text = begin.first(begin.size() - here.size());
        // Joined files, the first of which lacks a line feed at its end.
        if (starts_with(*line, end) && starts_with(line->subspan(end.size()), begin_mark)) {
            lines.put_back(line->subspan(end.size()));
            return text;
        }
        const auto end_label = boundary_label(*line, end_mark);
        if (!end_label)
            return at_line(lines.number(), Problem::pem_boundary,
                           "not a whole -----END " + shown(label) + "----- line");
        if (*end_label == label) return text;
        return at_line(lines.number(), Problem::pem_end_label,
                       "END " + shown(*end_label) + " closes BEGIN " + shown(label) + " of line " +
                           std::to_string(first));
    }
    return at_line(first, Problem::pem_no_end, "BEGIN " + shown(label) + " has no END");
}

/// The last two are older names of CERTIFICATE (RFC 7468, Section 5.1).
std::optional<Holds> holds_by(std::string_view label)
{
    if (label == private_label) return Holds::private_key;
    if (label == encrypted_label) return Holds::encrypted_private_key;
    if (label == public_label) return Holds::public_key;
    if (label == "CERTIFICATE" || label == "X509 CERTIFICATE" || label == "X.509 CERTIFICATE")
        return Holds::certificate;
    return {};
}

/// The candidate blocks of a file, and the labels of others.
class Blocks {
  public:
    explicit Blocks(Wanted wanted) noexcept : wanted_(wanted) {}

    [[nodiscard]] std::optional<Error> add(const std::string& label, BytesIn<> text, std::size_t line)
    {
        const auto holds = holds_by(label);
        if (!holds) {
            const bool is_new = std::find(others_.begin(), others_.end(), label) == others_.end();
            if (is_new && others_.size() < max_others) others_.push_back(label);
            return {};
        }
        const bool is_public = *holds == Holds::public_key || *holds == Holds::certificate;
        std::optional<Place>& place = is_public ? public_ : private_;
        if (!place)
            place = {*holds, text, line};
        else if (!is_public && wanted_ == Wanted::any)
            return at_line(line, Problem::pem_several,
                           "a second private key begins here, after that of line " +
                               std::to_string(place->line) + "; a key file has one");
        return {};
    }

    void add_begin_within_a_line(std::size_t line)
    {
        if (!begin_within_) begin_within_ = line;
    }

    [[nodiscard]] Result<Place> wanted() const
    {
        if (private_ && (wanted_ == Wanted::any || !public_)) return *private_;
        if (public_) return *public_;
        if (!others_.empty()) {
            std::string names;
            for (std::size_t i = 0; i < others_.size(); ++i)
                names += (i == 0 ? "" : i + 1 < others_.size() ? ", " : " and ") + shown(others_[i]);
            std::string_view remedy =
                "PRIVATE KEY, ENCRYPTED PRIVATE KEY, PUBLIC KEY and CERTIFICATE are read";
            for (const std::string& label : others_)
                if (const std::string_view known = remedy_of(label); !known.empty()) remedy = known;
            return Error{Problem::pem_label,
                         (others_.size() == 1 ? "a PEM block of the kind " : "PEM blocks of the kinds ") +
                             names + "; " + std::string(remedy)};
        }
        if (!begin_within_) return Error{Problem::pem_boundary, "no -----BEGIN ...----- line"};
        return at_line(*begin_within_, Problem::pem_boundary, "not a whole -----BEGIN ...----- line");
    }

  private:
    static constexpr std::size_t max_others = 4;  // named in a message

    Wanted wanted_;
    std::optional<Place> private_;
    std::optional<Place> public_;
    std::vector<std::string> others_;
    std::optional<std::size_t> begin_within_;
};

}  // namespace

bool recognised(BytesIn<> file) noexcept { return contains(file, begin_mark); }

bool recognised_in_utf16(BytesIn<> file) noexcept { return contains(file, begin_mark_in_utf16); }

Result<Block> decode(BytesIn<> file, Wanted wanted)
{
    Lines lines(file);
    Blocks blocks(wanted);
    while (auto line = lines.next()) {
        if (starts_with(*line, byte_order_mark)) line = line->subspan(byte_order_mark.size());
        if (!starts_with(*line, begin_mark)) {
            if (recognised(*line)) blocks.add_begin_within_a_line(lines.number());
            continue;
        }
        const std::size_t number = lines.number();
        const auto label = boundary_label(*line, begin_mark);
        if (!label) return at_line(number, Problem::pem_boundary, "not a whole -----BEGIN ...----- line");
        const auto text = text_of_block(lines, *label);
        if (!text) return text.error();
        if (auto error = blocks.add(*label, *text, number)) return std::move(*error);
    }
    const auto place = blocks.wanted();
    if (!place) return place.error();
    return decode_block(*place);
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
