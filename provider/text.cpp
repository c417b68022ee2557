#include "provider/text.hpp"

#include <string_view>

#include "key_files/encoding/character_range.hpp"

namespace girih::provider {
namespace {

void append(SecretBytes& out, std::string_view text) { out.insert(out.end(), text.begin(), text.end()); }

void append_part(SecretBytes& out, std::string_view label, std::span<const std::uint8_t> bytes)
{
    constexpr std::size_t in_line = 15;
    append(out, label);
    append(out, ":");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        append(out, i % in_line == 0 ? "\n    " : "");
        out.push_back(key_files::hex_digit(bytes[i] >> 4));
        out.push_back(key_files::hex_digit(bytes[i] & 15u));
        append(out, i + 1 < bytes.size() ? ":" : "");
    }
    append(out, "\n");
}

}  // namespace

SecretBytes as_text(const KeyObject& object, bool with_private)
{
    const Key& key = *object.key;
    const bool shows_private = with_private && key.has_private();
    SecretBytes out;
    out.reserve(16 * 1024 + 4 * (key.public_key().size() + key.private_key().size()));
    append(out, object.algorithm.name);
    append(out, shows_private ? " Private-Key:\n" : " Public-Key:\n");
    if (shows_private && !key.parts.seed.empty()) append_part(out, "seed", key.parts.seed);
    if (shows_private) append_part(out, "priv", key.private_key());
    append_part(out, "pub", key.public_key());
    return out;
}

}  // namespace girih::provider
