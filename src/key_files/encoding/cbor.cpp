#include "key_files/encoding/cbor.hpp"

#include <set>

namespace girih::key_files::cbor {
namespace {

/// Low bits of a first byte, after which an argument of 1, 2, 4 or 8 bytes follows.
constexpr Byte one_byte = 24, eight_bytes = 27;

constexpr std::size_t most_labels = 1000;

std::string_view name_of(Byte type)
{
    constexpr std::string_view names[]{"an unsigned integer",
                                       "a negative integer",
                                       "a byte string",
                                       "a text string",
                                       "an array",
                                       "a map",
                                       "a tag",
                                       "a simple value"};
    return names[type];
}

}  // namespace

void Reader::fail(Problem problem, const std::string& what) const
{
    refuse(problem, "byte " + std::to_string(item_) + " of " + name_ + ": " + what, item_);
}

Reader::Head Reader::any_head(std::string_view field)
{
    item_ = at_;
    if (at_end()) fail(Problem::cbor, name_ + " ends where " + std::string(field) + " is expected");
    const Byte first = file_[at_++];
    Head head{static_cast<Byte>(first >> 5), static_cast<Byte>(first & 31)};
    if (head.argument < one_byte) return head;
    if (head.argument > eight_bytes) fail(Problem::cbor, "an indefinite length or a reserved form");
    const std::size_t width = std::size_t{1} << (head.argument - one_byte);
    head.argument = 0;
    for (const Byte byte : content(width, field)) head.argument = head.argument << 8 | byte;
    std::uint64_t smallest = width == 1 ? one_byte : std::uint64_t{1} << (4 * width);
    // A simple value of 2, 4 or 8 bytes is a floating-point number, which may have any value.
    if (head.type == simple) smallest = width == 1 ? 32 : 0;
    if (head.argument < smallest) fail(Problem::cbor, "a number that is not in its shortest form");
    return head;
}

BytesIn<> Reader::content(std::uint64_t count, std::string_view field)
{
    if (count > file_.size() - at_) fail(Problem::cbor, std::string(field) + " is cut short");
    at_ += count;
    return file_.subspan(at_ - count, count);
}

std::uint64_t Reader::head(Major type, std::string_view field)
{
    const Head head = any_head(field);
    if (head.type != type)
        fail(Problem::cbor, std::string(field) + " is " + std::string(name_of(head.type)) +
                                ", but should be " + std::string(name_of(type)));
    return head.argument;
}

BytesIn<> Reader::byte_string(std::string_view field) { return content(head(bytes, field), field); }

std::int64_t Reader::number(std::string_view field)
{
    const bool is_negative = next_is(negative_number);
    const std::uint64_t magnitude = head(is_negative ? negative_number : unsigned_number, field);
    if (magnitude > INT64_MAX) fail(Problem::cbor, std::string(field) + " has more than 63 bits");
    return is_negative ? -1 - static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

bool Reader::take(Byte byte) noexcept
{
    if (at_end() || file_[at_] != byte) return false;
    item_ = at_++;
    return true;
}

void Reader::entries(std::string_view field, const std::function<bool(std::int64_t label)>& value)
{
    std::set<SecretBytes> labels;
    for (std::uint64_t rest = head(map, field); rest > 0; --rest) {
        const std::size_t begin = at_;
        const bool is_text = next_is(text);
        std::int64_t number_label = 0;
        if (is_text)
            (void)content(head(text, "a label"), "a label");
        else
            number_label = number("a label");
        const BytesIn<> label = file_.subspan(begin, at_ - begin);
        if (!labels.emplace(label.begin(), label.end()).second)
            fail(Problem::cbor, "a label that is in " + std::string(field) + " twice");
        if (labels.size() > most_labels) fail(Problem::cbor, "more than 1000 labels");
        if (is_text || !value(number_label)) skip();
    }
}

void Reader::skip()
{
    for (std::uint64_t items = 1; items > 0; --items) {
        const Head head = any_head("an item");
        const std::uint64_t inside = head.type == map ? 2 : head.type == array ? 1 : 0;
        // Each item has at least one byte, so there cannot be more of them.
        if (inside > 0 && head.argument > file_.size() - at_) fail(Problem::cbor, "an item is cut short");
        if (head.type == bytes || head.type == text) (void)content(head.argument, "an item");
        items += head.type == tag ? 1 : inside * head.argument;
    }
}

void Reader::end()
{
    item_ = at_;
    const std::size_t rest = file_.size() - at_;
    if (rest != 0)
        fail(Problem::cbor,
             std::to_string(rest) + (rest == 1 ? " byte" : " bytes") + " too many after " + name_);
}

void append_head(SecretBytes& out, Major type, std::uint64_t argument)
{
    const Byte high = static_cast<Byte>(type << 5);
    if (argument < one_byte) return out.push_back(static_cast<Byte>(high | argument));
    std::size_t log = 0;
    while (log < 3 && argument >> (8u << log) != 0) ++log;
    out.push_back(static_cast<Byte>(high | (one_byte + log)));
    for (std::size_t i = std::size_t{1} << log; i-- > 0;)
        out.push_back(static_cast<Byte>(argument >> (8 * i)));
}

void append_number(SecretBytes& out, std::int64_t number)
{
    if (number < 0) return append_head(out, negative_number, static_cast<std::uint64_t>(-1 - number));
    append_head(out, unsigned_number, static_cast<std::uint64_t>(number));
}

void append_bytes(SecretBytes& out, BytesIn<> content)
{
    append_head(out, bytes, content.size());
    out.insert(out.end(), content.begin(), content.end());
}

}  // namespace girih::key_files::cbor
