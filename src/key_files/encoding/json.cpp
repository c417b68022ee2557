#include "key_files/encoding/json.hpp"

#include <algorithm>

#include "core/text_file.hpp"
#include "core/utf8.hpp"
#include "key_files/encoding/base64url.hpp"
#include "key_files/encoding/character_range.hpp"

namespace girih::key_files::json {
namespace {

constexpr unsigned deepest = 32;
constexpr std::size_t most_members = 1000;

bool is_space(Byte c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void append_utf8(SecretBytes& out, std::uint32_t code)
{
    const std::size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (length == 1) return out.push_back(static_cast<Byte>(code));
    out.push_back(static_cast<Byte>(0xF00u >> length | code >> (6 * (length - 1))));
    for (std::size_t i = length - 1; i-- > 0;)
        out.push_back(static_cast<Byte>(0x80 | (code >> (6 * i) & 0x3F)));
}

/// Recursive descent.
class Parser {
  public:
    /// Begins at a byte, and counts from the first.
    Parser(BytesIn<> text, const std::string& name, std::size_t begin) : text_(text), name_(name), at_(begin)
    {
    }

    Members whole_object()
    {
        skip_space();
        Members members = object(0);
        skip_space();
        if (!at_end()) fail("a byte after the object");
        return members;
    }

  private:
    [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
    [[nodiscard]] bool next_is(char c) const { return !at_end() && text_[at_] == static_cast<Byte>(c); }
    void skip_space()
    {
        while (!at_end() && is_space(text_[at_])) ++at_;
    }
    bool take(char c)
    {
        const bool is_there = next_is(c);
        at_ += is_there ? 1 : 0;
        return is_there;
    }
    void expect(char c)
    {
        if (!take(c)) fail(std::string("'") + c + "' is expected");
    }
    [[noreturn]] void fail(const std::string& what) const { fail(what, at_); }
    [[noreturn]] void fail(const std::string& what, std::size_t byte) const
    {
        refuse(Problem::json, "byte " + std::to_string(byte) + " of " + name_ + ": " + what, byte);
    }

    /// Elements between brackets, divided by commas.
    template <class Element>
    void list(char open, char close, Element element)
    {
        expect(open);
        skip_space();
        if (take(close)) return;
        do {
            skip_space();
            element();
            skip_space();
        } while (take(','));
        expect(close);
    }

    Members object(unsigned depth)
    {
        Members members;
        list('{', '}', [&] {
            const std::size_t place = at_;
            const auto [found, is_new] = members.try_emplace(string());
            auto& [name, member] = *found;
            if (!is_new) fail("the member " + shown(name) + " is present twice", place);
            if (members.size() > most_members) fail("more than 1000 members", place);
            skip_space();
            expect(':');
            skip_space();
            member.byte = at_;
            if (next_is('"'))
                member.text = string();
            else
                value(depth + 1);
        });
        return members;
    }

    void value(unsigned depth)
    {
        if (depth > deepest) fail("values nest more than " + std::to_string(deepest) + " deep");
        if (next_is('{')) return (void)object(depth);
        if (next_is('[')) return list('[', ']', [&] { value(depth + 1); });
        if (next_is('"')) return (void)string();
        const std::string_view rest = text_of(text_.subspan(at_));
        for (const std::string_view word : {"true", "false", "null"})
            if (rest.starts_with(word)) return (void)(at_ += word.size());
        number();
    }

    void number()
    {
        const auto digits = [this] {
            const std::size_t begin = at_;
            while (!at_end() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
            if (at_ == begin) fail("a value is expected");
        };
        (void)take('-');
        if (!take('0')) digits();
        if (take('.')) digits();
        if (!take('e') && !take('E')) return;
        if (!take('+')) (void)take('-');
        digits();
    }

    SecretBytes string()
    {
        SecretBytes out;
        expect('"');
        while (!take('"')) {
            if (at_end()) fail("the string does not end");
            const std::size_t length = first_character(text_of(text_.subspan(at_))).bytes;
            if (length == 0) fail("not UTF-8");
            if (text_[at_] < 0x20) fail("a control character in a string");
            if (take('\\'))
                escaped(out);
            else
                for (const std::size_t end = at_ + length; at_ < end; ++at_) out.push_back(text_[at_]);
        }
        return out;
    }

    void escaped(SecretBytes& out)
    {
        constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        const std::size_t which = at_end() ? letters.npos : letters.find(static_cast<char>(text_[at_]));
        if (which != letters.npos) {
            ++at_;
            return out.push_back(static_cast<Byte>(meant[which]));
        }
        if (!take('u')) fail("not an escape of JSON");
        std::uint32_t code = four_digits();
        if (code >= 0xD800 && code < 0xDC00 && take('\\') && take('u')) {
            const std::uint32_t low = four_digits();
            if (low >= 0xDC00 && low < 0xE000) code = 0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00));
        }
        if (code >= 0xD800 && code < 0xE000) fail("half of a surrogate pair");
        append_utf8(out, code);
    }

    std::uint32_t four_digits()
    {
        constexpr std::string_view hex = "0123456789abcdefABCDEF";
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const std::size_t which = at_end() ? hex.npos : hex.find(static_cast<char>(text_[at_]));
            if (which == hex.npos) fail("four hexadecimal digits are expected");
            code = code << 4 | static_cast<std::uint32_t>(which < 16 ? which : which - 6);
        }
        return code;
    }

    BytesIn<> text_;
    const std::string& name_;
    std::size_t at_;
};

}  // namespace

Object::Object(BytesIn<> text, std::string_view name, std::size_t begin)
    : name_(name), members_(Parser(text, name_, begin).whole_object())
{
}

Object Object::of_file(BytesIn<> file, std::string_view name)
{
    const auto fail = [&](const char* error) {
        key_files::refuse(Problem::json, std::string(name) + ": " + error);
    };
    return {file, name, file.size() - text_of_file(text_of(file), fail).size()};
}

const Member* Object::find(std::string_view name) const
{
    const auto found = members_.find(SecretBytes(name.begin(), name.end()));
    return found == members_.end() ? nullptr : &found->second;
}

void Object::refuse(std::string_view name, const std::string& what) const
{
    const Member* const member = find(name);
    const std::size_t byte = member == nullptr ? Error::nowhere : member->byte;
    const std::string place = member == nullptr ? "" : "byte " + std::to_string(byte) + " of ";
    key_files::refuse(Problem::member, place + name_ + ": " + std::string(name) + " " + what, byte);
}

const SecretBytes* Object::optional_string(std::string_view name) const
{
    const Member* const member = find(name);
    if (member == nullptr) return nullptr;
    if (!member->text) refuse(name, "is not a string");
    return &*member->text;
}

const SecretBytes& Object::string(std::string_view name) const
{
    const SecretBytes* const text = optional_string(name);
    if (text == nullptr) refuse(name, "is missing");
    return *text;
}

SecretBytes Object::base64url(std::string_view name) const
{
    auto decoded = base64url::decode(string(name));
    if (!decoded) refuse(name, "is not base64url without padding");
    return std::move(*decoded);
}

bool recognised(BytesIn<> file) noexcept
{
    const BytesIn<> text = bytes_of(without_byte_order_mark(text_of(file)));
    const auto first = std::ranges::find_if_not(text, is_space);
    return first != text.end() && *first == '{';
}

bool is_text(BytesIn<> bytes) noexcept
{
    while (!bytes.empty()) {
        const std::size_t length = first_character(text_of(bytes)).bytes;
        if (length == 0 || bytes[0] < 0x20 || bytes[0] == 0x7F) return false;
        bytes = bytes.subspan(length);
    }
    return true;
}

void append_member(SecretBytes& out, std::string_view name, BytesIn<> value)
{
    out.push_back(out.empty() ? '{' : ',');
    out.push_back('"');
    out.insert(out.end(), name.begin(), name.end());
    for (const char c : {'"', ':', '"'}) out.push_back(static_cast<Byte>(c));
    for (const Byte c : value) {
        if (c == '"' || c == '\\') out.push_back('\\');
        out.push_back(c);
    }
    out.push_back('"');
}

std::string shown(BytesIn<> text)
{
    constexpr std::size_t longest = 64;
    const bool is_printable = std::ranges::all_of(text, [](Byte c) { return c >= ' ' && c <= '~'; });
    const BytesIn<> start = text.first(std::min(text.size(), longest));
    const std::string all = is_printable ? '"' + std::string(text_of(start)) : "h'" + to_hex(start);
    return all + (text.size() > longest ? "..." : "") + (is_printable ? '"' : '\'');
}

}  // namespace girih::key_files::json
