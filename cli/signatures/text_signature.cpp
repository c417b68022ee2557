#include "cli/signatures/text_signature.hpp"

#include <algorithm>
#include <optional>

#include "core/text_file.hpp"
#include "key_files/encoding/base64.hpp"

namespace girih::cli {
namespace {

namespace base64 = key_files::base64;

constexpr std::size_t fingerprint_digits = 64;
constexpr std::size_t line_characters = 64;

constexpr std::string_view algorithm_field = "algorithm:";
constexpr std::string_view key_field = "key:";
constexpr std::string_view comment_field = "comment:";

BytesIn<> bytes_of(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string field(std::string_view name, const std::string& value)
{
    return std::string(name) + (value.empty() ? "" : " " + value) + "\n";
}

/// Yields the lines of a file.
class Lines {
  public:
    explicit Lines(std::string_view text) : rest_(text) {}

    /// The next line without its end; nothing after the last.
    [[nodiscard]] std::optional<std::string_view> next()
    {
        if (rest_.empty()) return {};
        ++number_;
        return take_line(rest_);
    }

    [[nodiscard]] std::size_t number() const noexcept { return number_; }

    [[noreturn]] void fail(const std::string& what) const { throw MalformedSignature(number_, what); }

    /// The value of a line such as "key: VALUE".
    [[nodiscard]] std::string value_of(std::string_view name)
    {
        const auto line = next();
        if (!line) throw MalformedSignature(number_ + 1, "the file ends before " + std::string(name));
        const bool has_name = line->starts_with(name);
        const std::string_view value = has_name ? line->substr(name.size()) : "";
        if (!has_name || !(value.empty() || value.starts_with(' ')))
            fail("not \"" + std::string(name) + " ...\"");
        return std::string(value.substr(std::min<std::size_t>(value.size(), 1)));
    }

  private:
    std::string_view rest_;
    std::size_t number_ = 0;
};

void check_characters(const Lines& lines, std::string_view value, const std::string& name)
{
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (std::any_of(value.begin(), value.end(), is_control)) lines.fail("a control character in the " + name);
}

void check_comment(const Lines& lines, std::string_view comment)
{
    if (comment.size() > longest_comment)
        lines.fail("a comment of more than " + std::to_string(longest_comment) + " bytes");
    check_characters(lines, comment, "comment");
}

void check_fingerprint(const Lines& lines, std::string_view fingerprint)
{
    const auto is_digit = [](char c) { return ('0' <= c && c <= '9') || ('a' <= c && c <= 'f'); };
    if (fingerprint.size() != fingerprint_digits ||
        !std::all_of(fingerprint.begin(), fingerprint.end(), is_digit))
        lines.fail("not a fingerprint of " + std::to_string(fingerprint_digits) +
                   " hexadecimal digits in lower case");
}

/// The characters of the remaining lines.
std::string base64_of(Lines& lines)
{
    std::string characters;
    bool is_last = false;
    while (const auto line = lines.next()) {
        if (is_last || (line->empty() && !characters.empty()))
            lines.fail("a line after the last one of the signature, which has fewer than 64 characters");
        for (const char c : *line)
            if (c != base64::pad && base64::sextet(static_cast<std::uint8_t>(c)).valid == 0)
                lines.fail("a character outside base64");
        if (line->size() > line_characters) lines.fail("more than 64 characters");
        is_last = line->size() < line_characters;
        characters += *line;
    }
    return characters;
}

}  // namespace

bool begins_with_mark(std::span<const std::uint8_t> bytes)
{
    const BytesIn<> mark = bytes_of(text_signature_mark);
    return bytes.size() >= mark.size() && std::equal(mark.begin(), mark.end(), bytes.begin());
}

bool is_meant_as_text(std::span<const std::uint8_t> file)
{
    std::string text(file.begin(), file.end());
    if (begins_as_utf16(text)) {
        text.erase(0, 2);
        std::erase(text, '\0');
    }
    constexpr std::string_view unseen = " \t\r\n\xEF\xBB\xBF";
    text.erase(0, text.find_first_not_of(unseen));
    return begins_with_mark(bytes_of(text));
}

std::string header_of(const TextSignature& signature)
{
    return std::string(text_signature_title) + field(algorithm_field, signature.algorithm) +
           field(key_field, signature.fingerprint) + field(comment_field, signature.comment) + "\n";
}

std::string write_text_signature(const TextSignature& signature)
{
    std::vector<std::uint8_t> characters(base64::encoded_size(signature.bytes.size()));
    base64::encode(signature.bytes, characters);
    std::string text = header_of(signature);
    for (std::size_t i = 0; i < characters.size(); ++i) {
        text += static_cast<char>(characters[i]);
        if (i + 1 == characters.size() || (i + 1) % line_characters == 0) text += '\n';
    }
    return text;
}

TextSignature parse_text_signature(std::span<const std::uint8_t> file)
{
    if (file.size() > max_text_signature_bytes)
        throw MalformedSignature(
            1, "a signature of more than " + std::to_string(max_text_signature_bytes) + " bytes");
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    Lines lines(text_of_file(text, [](const char* error) { throw MalformedSignature(1, error); }));
    const auto title = lines.next();
    if (!title || !title->starts_with(text_signature_mark))
        throw MalformedSignature(1, "not \"" + std::string(text_signature_mark) + "...\"");
    if (std::string(*title) + "\n" != text_signature_title)
        lines.fail("a version of the format that this girih does not read; it reads 1");
    TextSignature signature;
    signature.algorithm = lines.value_of(algorithm_field);
    check_characters(lines, signature.algorithm, "algorithm");
    signature.fingerprint = lines.value_of(key_field);
    check_fingerprint(lines, signature.fingerprint);
    signature.comment = lines.value_of(comment_field);
    check_comment(lines, signature.comment);
    const auto empty = lines.next();
    if (!empty || !empty->empty())
        throw MalformedSignature(lines.number() + (empty ? 0 : 1), "not the empty line before the signature");
    const std::string characters = base64_of(lines);
    signature.bytes.resize(characters.size() / 4 * 3 + 3);
    const auto decoded = base64::decode(bytes_of(characters), signature.bytes);
    if (decoded.flaw != base64::Flaw::none || decoded.bytes == 0)
        throw MalformedSignature(std::max<std::size_t>(lines.number(), 6),
                                 "the signature's base64 is cut short or wrongly padded");
    signature.bytes.resize(decoded.bytes);
    return signature;
}

}  // namespace girih::cli
