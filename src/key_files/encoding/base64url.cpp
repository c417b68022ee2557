#include "key_files/encoding/base64url.hpp"

#include "core/secret.hpp"
#include "key_files/encoding/base64.hpp"
#include "key_files/encoding/character_range.hpp"

namespace girih::key_files::base64url {
namespace {

/// Exchanges '+' with '-' and '/' with '_', in which the two alphabets differ: a character outside
/// one of them becomes a character outside the other.
Byte exchanged(Byte character) noexcept
{
    const std::uint32_t c = character;
    const std::uint32_t is_62 = between(c, '+', '+') | between(c, '-', '-');
    const std::uint32_t is_63 = between(c, '/', '/') | between(c, '_', '_');
    return static_cast<Byte>(c ^ (is_62 & ('+' ^ '-')) ^ (is_63 & ('/' ^ '_')));
}

}  // namespace

SecretBytes encode(BytesIn<> bytes)
{
    SecretBytes text(base64::encoded_size(bytes.size()));
    base64::encode(bytes, text);
    text.resize((bytes.size() * 4 + 2) / 3);
    for (Byte& character : text) character = exchanged(character);
    return text;
}

std::optional<SecretBytes> decode(BytesIn<> characters)
{
    if (characters.size() % 4 == 1) return {};
    const std::uint32_t ends_in_pad = characters.empty() ? 0 : between(characters.back(), '=', '=');
    if (declassify(Secret{ends_in_pad}, "whether a file is base64url is not secret") != 0) return {};
    SecretBytes padded(base64::encoded_size(characters.size() * 3 / 4), base64::pad);
    for (std::size_t i = 0; i < characters.size(); ++i) padded[i] = exchanged(characters[i]);
    SecretBytes bytes(padded.size() / 4 * 3);
    const auto decoded = base64::decode(padded, bytes);
    if (decoded.flaw != base64::Flaw::none) return {};
    bytes.resize(decoded.bytes);
    return bytes;
}

}  // namespace girih::key_files::base64url
