#include "key_files/der.hpp"

#include <array>

namespace girih::key_files::der {
namespace {

/// X.690, Section 8.1.3: a first length byte below 0x80 is the length; above, the number of bytes that
/// follow.
constexpr Byte long_form = 0x80;
constexpr std::size_t most_length_bytes = 4;

std::string hex(Byte byte)
{
    constexpr std::string_view digits = "0123456789abcdef";
    return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

std::string tag_name(Byte tag)
{
    switch (tag) {
        case integer:
            return "INTEGER";
        case bit_string:
            return "BIT STRING";
        case octet_string:
            return "OCTET STRING";
        case object_identifier:
            return "OBJECT IDENTIFIER";
        case sequence:
            return "SEQUENCE";
        default:
            return "the tag " + hex(tag);
    }
}

}  // namespace

void Reader::fail_at(std::size_t offset, Problem problem, const std::string& what)
{
    rest_ = {};
    if (!*error_) *error_ = Error{problem, "byte " + std::to_string(offset) + " of the DER: " + what};
}

void Reader::fail(Problem problem, const std::string& what) { fail_at(last_, problem, what); }

BytesIn<> Reader::take(std::size_t bytes) noexcept
{
    const BytesIn<> taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    offset_ += bytes;
    return taken;
}

std::optional<std::size_t> Reader::length(std::string_view field)
{
    const std::size_t start = offset_;
    const std::string of = "the length of " + std::string(field);
    if (rest_.empty()) {
        fail_at(start, Problem::der_truncated, of + " is missing");
        return {};
    }
    const Byte first = take(1)[0];
    if (first < long_form) return first;
    if (first == long_form) {
        fail_at(start, Problem::der_indefinite, of + " is indefinite, which DER does not allow");
        return {};
    }
    const std::size_t count = first - long_form;
    if (count > most_length_bytes) {
        fail_at(start, Problem::der_length_form, of + " takes more than four bytes");
        return {};
    }
    if (rest_.size() < count) {
        fail_at(start, Problem::der_truncated, of + " is cut short");
        return {};
    }
    std::size_t value = 0;
    for (const Byte byte : take(count)) value = (value << 8) | byte;
    if (value < long_form || value >> (8 * (count - 1)) == 0) {
        fail_at(start, Problem::der_length_form, of + " is not written in the fewest bytes");
        return {};
    }
    return value;
}

BytesIn<> Reader::element(Byte tag, std::string_view field)
{
    if (failed()) return {};
    last_ = offset_;
    const std::string expected = std::string(field) + " (" + tag_name(tag) + ")";
    if (rest_.empty()) {
        fail(Problem::der_truncated, std::string(name_) + " ends where " + expected + " is expected");
        return {};
    }
    if (rest_.front() != tag) {
        fail(Problem::der_tag, expected + " is expected, and not " + tag_name(rest_.front()));
        return {};
    }
    (void)take(1);
    const auto bytes = length(field);
    if (!bytes) return {};
    if (*bytes > rest_.size()) {
        fail(Problem::der_truncated, std::string(field) + " has " + std::to_string(*bytes) +
                                         " bytes by its length, and " + std::to_string(rest_.size()) +
                                         " are there");
        return {};
    }
    return take(*bytes);
}

Reader Reader::inside(Byte tag, std::string_view field)
{
    const BytesIn<> content = element(tag, field);
    return {content, offset_ - content.size(), field, error_};
}

BytesIn<> Reader::whole_bytes(Byte tag, std::string_view field)
{
    const BytesIn<> content = element(tag, field);
    if (failed()) return {};
    if (content.empty() || content[0] != 0) {
        fail(Problem::der_unused_bits, std::string(field) + " is not a whole number of bytes");
        return {};
    }
    return content.subspan(1);
}

Reader Reader::inside_whole_bytes(Byte tag, std::string_view field)
{
    const BytesIn<> content = whole_bytes(tag, field);
    return {content, offset_ - content.size(), field, error_};
}

void Reader::end()
{
    if (failed() || rest_.empty()) return;
    const bool one = rest_.size() == 1;
    fail_at(
        offset_, Problem::der_trailing,
        std::to_string(rest_.size()) + (one ? " byte" : " bytes") + " too many after " + std::string(name_));
}

void append(SecretBytes& out, Byte tag, BytesIn<> content)
{
    out.push_back(tag);
    if (content.size() < long_form) {
        out.push_back(static_cast<Byte>(content.size()));
    } else {
        std::size_t count = 1;
        while (content.size() >> (8 * count) != 0) ++count;
        out.push_back(static_cast<Byte>(long_form | count));
        while (count-- > 0) out.push_back(static_cast<Byte>(content.size() >> (8 * count)));
    }
    out.insert(out.end(), content.begin(), content.end());
}

}  // namespace girih::key_files::der
