#include "key_files/encoding/der.hpp"

#include <array>
#include <vector>

#include "key_files/encoding/character_range.hpp"

namespace girih::key_files::der {
namespace {

/// X.690, Section 8.1.3: a first length byte below 0x80 is the length; above, the number of
/// bytes that follow.
constexpr Byte long_form = 0x80;
constexpr std::size_t max_length_bytes = 4;

/// X.690, Section 8.1.2: the parts of a tag.
constexpr Byte tag_class = 0xC0;
constexpr Byte constructed = 0x20;
constexpr Byte tag_number = 0x1F;

/// The nesting limit of elements. Certificates have about six levels.
constexpr std::size_t max_depth = 32;

std::string tag_name(Byte tag)
{
    switch (tag) {
        case boolean:
            return "BOOLEAN";
        case integer:
            return "INTEGER";
        case bit_string:
            return "BIT STRING";
        case octet_string:
            return "OCTET STRING";
        case null:
            return "NULL";
        case object_identifier:
            return "OBJECT IDENTIFIER";
        case enumerated:
            return "ENUMERATED";
        case sequence:
            return "SEQUENCE";
        case set:
            return "SET";
        default:
            return "the tag 0x" + to_hex(BytesIn<>{&tag, 1});
    }
}

/// Private keys are in OCTET STRINGs and, as a seed, in [0]; and in every element around these.
bool may_hold_secrets(Byte tag)
{
    return (tag & constructed) != 0 || tag == octet_string || tag == context_primitive(0);
}

/// Two's complement in the fewest bytes (X.690, Section 8.3.2): the first nine bits are
/// neither all 0 nor all 1.
bool is_shortest_integer(BytesIn<> content)
{
    if (content.size() < 2) return content.size() == 1;
    const bool negative = (content[1] & 0x80) != 0;
    return content[0] != (negative ? 0xFF : 0x00);
}

/// The first byte is the number of unused bits of the last byte, which are 0 (X.690, Sections 8.6.2
/// and 11.2).
bool is_bit_string(BytesIn<> content)
{
    if (content.empty() || content[0] > 7) return false;
    if (content.size() == 1) return content[0] == 0;
    return (content.back() & ((1u << content[0]) - 1)) == 0;
}

/// Base-128 numbers in the fewest bytes, the last one complete (X.690, Section 8.19.2).
bool is_identifier(BytesIn<> content)
{
    bool begins = true;
    for (const Byte byte : content) {
        if (begins && byte == 0x80) return false;
        begins = (byte & 0x80) == 0;
    }
    return !content.empty() && begins;
}

/// Whether an element of a universal type is in DER's form. (The content of other tags is unknown.)
bool is_written_as_der(Byte tag, BytesIn<> content)
{
    if ((tag & tag_class) != 0) return true;
    if ((tag & constructed) != 0) return tag == sequence || tag == set;  // strings are in one piece
    switch (tag) {
        case boolean:
            return content.size() == 1 && (content[0] == 0x00 || content[0] == 0xFF);
        case integer:
        case enumerated:
            return is_shortest_integer(content);
        case bit_string:
            return is_bit_string(content);
        case null:
            return content.empty();
        case object_identifier:
            return is_identifier(content);
        case 0x00:  // ends an indefinite length
        case 0x10:  // a SEQUENCE and a SET are always constructed
        case 0x11:
            return false;
        default:
            return true;
    }
}

}  // namespace

void Reader::fail_at(std::size_t offset, Problem problem, const std::string& what)
{
    rest_ = {};
    if (!*error_) *error_ = Error{problem, "byte " + std::to_string(offset) + " of the DER: " + what, offset};
}

void Reader::fail(Problem problem, const std::string& what) { fail_at(last_, problem, what); }

BytesIn<> Reader::take(std::size_t bytes) noexcept
{
    const BytesIn<> taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    offset_ += bytes;
    return taken;
}

Byte Reader::take_front() noexcept
{
    const Byte byte = front();
    (void)take(1);
    return byte;
}

std::optional<std::size_t> Reader::length(std::string_view field)
{
    const std::size_t start = offset_;
    const auto refuse = [&](Problem problem, const char* what) -> std::optional<std::size_t> {
        fail_at(start, problem, "the length of " + std::string(field) + what);
        return {};
    };
    if (rest_.empty()) return refuse(Problem::der_truncated, " is missing");
    const Byte first = take_front();
    if (first < long_form) return first;
    if (first == long_form)
        return refuse(Problem::der_indefinite, " is indefinite, which DER does not allow");
    const std::size_t count = first - long_form;
    if (count > max_length_bytes) return refuse(Problem::der_length_form, " takes more than four bytes");
    if (rest_.size() < count) return refuse(Problem::der_truncated, " is cut short");
    std::size_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value = (value << 8) | take_front();
    if (value < long_form || value >> (8 * (count - 1)) == 0)
        return refuse(Problem::der_length_form, " is not written in the fewest bytes");
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
    if (!next_is(tag)) {
        fail(Problem::der_tag, expected + " is expected, not " + tag_name(front()));
        return {};
    }
    (void)take(1);
    return content_of(tag, field);
}

BytesIn<> Reader::content_of(Byte tag, std::string_view field)
{
    const auto bytes = length(field);
    if (!bytes) return {};
    if (*bytes > rest_.size()) {
        fail(Problem::der_truncated, std::string(field) + " has " + std::to_string(*bytes) +
                                         " bytes by its length, but " + std::to_string(rest_.size()) +
                                         " are there");
        return {};
    }
    const BytesIn<> content = take(*bytes);
    if (!may_hold_secrets(tag)) declassify(content, "numbers, identifiers and BIT STRINGs hold no secrets");
    return content;
}

Reader Reader::inside(Byte tag, std::string_view field)
{
    const BytesIn<> content = element(tag, field);
    return {content, offset_ - content.size(), field, error_};
}

BytesIn<> Reader::well_formed(Byte tag, std::string_view field)
{
    const BytesIn<> content = element(tag, field);
    if (failed()) return {};
    check_value(tag, content);
    if ((tag & constructed) != 0) check_elements(content);
    return failed() ? BytesIn<>{} : content;
}

/// Iterative, so that a file cannot exhaust the stack.
void Reader::check_elements(BytesIn<> content)
{
    std::vector<Reader> open{{content, offset_ - content.size(), name_, error_}};
    while (!open.empty() && !failed()) {
        if (open.back().at_end()) {
            open.pop_back();
            continue;
        }
        Reader& in = open.back();
        in.last_ = in.offset_;
        const Byte tag = in.take_front();
        if ((tag & tag_number) == tag_number) return in.fail(Problem::der_tag, "a tag of more than one byte");
        const BytesIn<> value = in.content_of(tag, tag_name(tag));
        in.check_value(tag, value);
        if ((tag & constructed) == 0 || failed()) continue;
        if (open.size() == max_depth)
            return in.fail(Problem::der_nesting, "an element that is nested too deeply");
        open.push_back({value, in.offset_ - value.size(), name_, error_});
    }
}

void Reader::check_value(Byte tag, BytesIn<> content)
{
    if (!failed() && !is_written_as_der(tag, content))
        fail(Problem::der_value, tag_name(tag) + " is not in DER's form");
}

std::uint64_t Reader::number(std::string_view field)
{
    const BytesIn<> content = element(integer, field);
    check_value(integer, content);
    if (failed()) return 0;
    constexpr std::size_t max_bytes = sizeof(std::uint64_t);
    const bool has_sign_byte = content[0] == 0;
    if ((content[0] & 0x80) != 0 || content.size() > max_bytes + (has_sign_byte ? 1 : 0)) {
        fail(Problem::der_value, std::string(field) + " is negative, or has more than 64 bits");
        return 0;
    }
    std::uint64_t value = 0;
    for (const Byte byte : content) value = (value << 8) | byte;
    return value;
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

SecretBytes in_sequence(BytesIn<> elements)
{
    SecretBytes out;
    append(out, sequence, elements);
    return out;
}

void append_number(SecretBytes& out, std::uint64_t number)
{
    std::array<Byte, 1 + sizeof number> bytes{};  // a byte for the sign
    store_be64(&bytes[1], number);
    BytesIn<> shortest = bytes;
    while (!is_shortest_integer(shortest)) shortest = shortest.subspan(1);
    append(out, integer, shortest);
}

}  // namespace girih::key_files::der
