#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "core/text_file.hpp"
#include "core/utf8.hpp"
#include "envelopes/forms.hpp"
#include "key_files/encoding/base64.hpp"
#include "key_files/encoding/character_range.hpp"
#include "key_files/encoding/json.hpp"
#include "sha2/sha2.hpp"

namespace girih::envelopes::note {
namespace {

namespace base64 = key_files::base64;
using key_files::to_hex;
using key_files::json::bytes_of;
using key_files::json::text_of;

constexpr std::size_t max_note_bytes = std::size_t{1} << 20;
constexpr std::size_t max_name_bytes = 255;  // of a cosigner and of an origin, whose length is a byte
constexpr std::size_t key_id_bytes = 4;
constexpr std::size_t time_bytes = 8;
constexpr Byte signature_type = 6;  // timestamped ML-DSA-44 (sub)tree cosignatures
constexpr std::string_view label("subtree/v1\n\0", 12);
constexpr std::string_view dash = "\xE2\x80\x94 ";  // an em dash and a space

void append(Bytes& out, std::string_view text) { out.insert(out.end(), text.begin(), text.end()); }

void append_number(Bytes& out, std::uint64_t number)
{
    out.resize(out.size() + 8);
    store_be64(&out[out.size() - 8], number);
}

std::string to_base64(BytesIn<> bytes)
{
    Bytes characters(base64::encoded_size(bytes.size()));
    base64::encode(bytes, characters);
    return std::string(text_of(characters));
}

std::optional<Bytes> from_base64(std::string_view characters)
{
    Bytes bytes(characters.size() / 4 * 3);
    const auto [flaw, count] = base64::decode(bytes_of(characters), bytes);
    if (flaw != base64::Flaw::none) return {};
    bytes.resize(count);
    return bytes;
}

/// Takes the text before a separator off the front, and the separator; all of it if there is none.
std::string_view take(std::string_view& text, char separator)
{
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
}

[[noreturn]] void refuse(std::size_t line, const std::string& what)
{
    key_files::refuse(Problem::member, "line " + std::to_string(line) + " of the note: " + what);
}

/// Whether Unicode's White_Space property holds.
constexpr bool is_space(std::uint32_t point)
{
    return point == ' ' || (0x09 <= point && point <= 0x0D) || point == 0x85 || point == 0xA0 ||
           point == 0x1680 || (0x2000 <= point && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
           point == 0x202F || point == 0x205F || point == 0x3000;
}

bool is_name(std::string_view name)
{
    for (std::size_t i = 0, bytes = 0; i < name.size(); i += bytes) {
        const Character next = first_character(name.substr(i));
        bytes = next.bytes;
        if (bytes == 0 || next.point < ' ' || next.point == '+' || is_space(next.point)) return false;
    }
    return !name.empty();
}

/// Refuses a key whose name no note can hold.
Bytes key_id(const PublicKey& key)
{
    if (!is_name(text_of(key.kid)) || key.kid.size() > max_name_bytes)
        key_files::refuse(Problem::no_form,
                          "kid: a note's key name is 1 to 255 bytes of UTF-8, without spaces, control "
                          "characters and '+'");
    constexpr std::array<Byte, 2> line_end_and_type{'\n', signature_type};
    const auto digest = sha2::Sha256{}.update(key.kid).update(line_end_and_type).update(key.bytes).digest();
    return {digest.begin(), digest.begin() + key_id_bytes};
}

/// The text of a note, and its signature lines; a text alone has none.
std::pair<std::string_view, std::string_view> split(std::string_view file)
{
    const auto fail = [](const std::string& what) { key_files::refuse(Problem::member, what); };
    if (file.size() > max_note_bytes) fail("more than 1 MiB for a note");
    if (begins_as_utf16(file)) fail(std::string("the note: ") + utf16_error);
    const auto fail_at = [&](std::size_t byte, const char* what) {
        fail("byte " + std::to_string(byte) + " of the note: " + what);
    };
    if (file.starts_with(byte_order_mark)) fail_at(0, "a byte order mark, which notes do not have");
    for (std::size_t i = 0, bytes = 0; i < file.size(); i += bytes) {
        const Character next = first_character(file.substr(i));
        bytes = next.bytes;
        if (bytes == 0) fail_at(i, "not UTF-8");
        if (next.point == '\r') fail_at(i, "a carriage return; the lines of notes end in LF alone");
        if (next.point < ' ' && next.point != '\n') fail_at(i, "a control character");
    }
    if (!file.ends_with('\n')) fail("the note: the last line does not end in a line feed");
    const std::size_t end = file.rfind("\n\n");
    if (end == file.npos) return {file, {}};
    if (end + 2 == file.size()) fail("the note: no signature after the empty line");
    return {file.substr(0, end + 1), file.substr(end + 2)};
}

/// The cosigned_message of a checkpoint. Takes the lines that it covers off the front.
Bytes message(std::string_view name, std::uint64_t time, std::string_view& checkpoint)
{
    const std::string_view origin = take(checkpoint, '\n');
    if (origin.empty() || origin.size() > max_name_bytes) refuse(1, "the origin has 1 to 255 bytes");

    const std::string_view digits = take(checkpoint, '\n');
    std::uint64_t size = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    const bool has_leading_zero = digits.size() > 1 && digits[0] == '0';
    if (error != std::errc{} || rest != digits.data() + digits.size() || has_leading_zero)
        refuse(2, "not the size of a tree, a decimal number without leading zeros");

    const auto root = from_base64(take(checkpoint, '\n'));
    const auto empty_root = sha2::hash<sha2::sha256>({});
    if (!root || root->size() != empty_root.size()) refuse(3, "not a root hash, 32 bytes in base64");
    if (size == 0 && !std::ranges::equal(*root, empty_root)) refuse(3, "not the root hash of the empty tree");
    if (time >> 63 != 0) key_files::refuse(Problem::member, "the note: a time of 2^63 seconds or more");

    Bytes out;
    append(out, label);
    out.push_back(static_cast<Byte>(name.size()));
    append(out, name);
    append_number(out, time);
    out.push_back(static_cast<Byte>(origin.size()));
    append(out, origin);
    append_number(out, 0);  // the first leaf
    append_number(out, size);
    out.insert(out.end(), root->begin(), root->end());
    return out;
}

}  // namespace

Envelope parse(BytesIn<> file, const PublicKey& key, std::uint64_t time)
{
    const auto [text, signatures] = split(text_of(file));
    const Bytes id = key_id(key);
    Envelope envelope{key.alg, {}, {}, owned(bytes_of(text)), {}};
    auto number = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 2;
    for (std::string_view rest = signatures; !rest.empty(); ++number) {
        std::string_view line = take(rest, '\n');
        if (!line.starts_with(dash)) refuse(number, "no em dash and space before a signature");
        line.remove_prefix(dash.size());
        const std::string_view name = take(line, ' ');
        if (!is_name(name)) refuse(number, "no key name, or a space or plus in it");
        const auto bytes = from_base64(line);
        if (!bytes || bytes->size() <= key_id_bytes) refuse(number, "no key ID and signature in base64");
        if (name != text_of(key.kid) || !std::equal(id.begin(), id.end(), bytes->begin())) continue;
        if (envelope.kid) refuse(number, "a second signature by the key");
        if (bytes->size() != key_id_bytes + time_bytes + girih_signature_bytes(key.alg))
            refuse(number, "not the length of a time and a signature of ML-DSA-44");
        envelope.kid = key.kid;
        envelope.time = load_be64(bytes->data() + key_id_bytes);
        envelope.signature.assign(bytes->begin() + key_id_bytes + time_bytes, bytes->end());
    }
    std::string_view extension = text;
    envelope.signed_header = message(text_of(key.kid), envelope.time.value_or(time), extension);
    envelope.unsigned_lines = owned(bytes_of(extension));
    envelope.payload->resize(text.size() - extension.size());
    number = 4;
    for (std::string_view rest = extension; !rest.empty(); ++number)
        if (take(rest, '\n').empty()) refuse(number, "an empty line within the checkpoint");
    return envelope;
}

Bytes write(BytesIn<> file, const Envelope& envelope, const PublicKey& key, std::uint64_t time)
{
    Bytes content = key_id(key);
    append_number(content, time);
    content.insert(content.end(), envelope.signature.begin(), envelope.signature.end());
    Bytes out = owned(file);
    const bool has_signatures = file.size() > envelope.payload->size();  // which is the whole text
    if (!has_signatures) out.push_back('\n');
    append(out, std::string(dash) + std::string(text_of(key.kid)) + ' ' + to_base64(content) + '\n');
    if (out.size() > max_note_bytes)
        key_files::refuse(Problem::member, "the note: more than 1 MiB with this signature");
    return out;
}

Bytes write_verifier_key(const PublicKey& key)
{
    Bytes content{signature_type};
    content.insert(content.end(), key.bytes.begin(), key.bytes.end());
    Bytes out = key.kid;
    append(out, '+' + to_hex(key_id(key)) + '+' + to_base64(content) + '\n');
    return out;
}

PublicKey read_verifier_key(BytesIn<> file)
{
    const auto fail = [](const std::string& what) {
        key_files::refuse(Problem::member, "the verifier key: " + what);
    };
    std::string_view text = text_of_file(text_of(file), fail);
    std::string_view rest = take_line(text);
    if (!text.empty()) fail("a second line, but a verifier key is one line");
    const std::string_view name = take(rest, '+');
    const std::string_view id = take(rest, '+');
    const auto content = from_base64(rest);
    PublicKey key{girih_algorithm("ML-DSA-44"), {}, false, owned(bytes_of(name))};
    if (!content) fail("no name, key ID and key in base64 with '+' between them");
    if (content->size() != 1 + girih_public_key_bytes(key.alg) || content->front() != signature_type)
        fail("not type 6 and a key of ML-DSA-44");
    key.bytes.assign(content->begin() + 1, content->end());
    if (id != to_hex(key_id(key))) fail("the key ID is not " + to_hex(key_id(key)));
    return key;
}

}  // namespace girih::envelopes::note
