#include "key_files/encoding/base64.hpp"

#include "core/secret.hpp"
#include "key_files/encoding/character_range.hpp"

namespace girih::key_files::base64 {
namespace {

constexpr std::size_t group_characters = 4;
constexpr std::size_t group_bytes = 3;

/// Decodes one group without its last `missing` characters. Clears `valid` on a bad character.
std::uint32_t group_bits(BytesIn<> group, std::size_t missing, std::uint32_t& valid) noexcept
{
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < group_characters; ++i) {
        bits <<= 6;
        if (i < group_characters - missing) {
            const Sextet s = sextet(group[i]);
            bits |= s.value;
            valid &= s.valid;
        }
    }
    return bits;
}

}  // namespace

Sextet sextet(Byte character) noexcept
{
    const std::uint32_t c = character;
    const std::uint32_t upper = between(c, 'A', 'Z');
    const std::uint32_t lower = between(c, 'a', 'z');
    const std::uint32_t digit = between(c, '0', '9');
    const std::uint32_t plus = between(c, '+', '+');
    const std::uint32_t slash = between(c, '/', '/');
    return {(upper & (c - 'A')) | (lower & (c - 'a' + 26)) | (digit & (c - '0' + 52)) | (plus & 62) |
                (slash & 63),
            upper | lower | digit | plus | slash};
}

Byte character(std::uint32_t value) noexcept
{
    return static_cast<Byte>((between(value, 0, 25) & (value + 'A')) |
                             (between(value, 26, 51) & (value - 26 + 'a')) |
                             (between(value, 52, 61) & (value - 52 + '0')) | (between(value, 62, 62) & '+') |
                             (between(value, 63, 63) & '/'));
}

void encode(BytesIn<> bytes, BytesOut<> characters) noexcept
{
    for (std::size_t in = 0, out = 0; in < bytes.size(); in += group_bytes, out += group_characters) {
        const std::size_t count = bytes.size() - in < group_bytes ? bytes.size() - in : group_bytes;
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < group_bytes; ++i) bits = (bits << 8) | (i < count ? bytes[in + i] : 0u);
        for (std::size_t i = 0; i < group_characters; ++i)
            characters[out + i] = i <= count ? character((bits >> (18 - 6 * i)) & 63) : pad;
    }
}

std::size_t count_padding(BytesIn<> characters) noexcept
{
    std::size_t count = 0;
    while (count < characters.size() && characters[characters.size() - 1 - count] == pad) ++count;
    return count;
}

Decoded decode(BytesIn<> characters, BytesOut<> bytes) noexcept
{
    const std::size_t padding = count_padding(characters);
    if (characters.size() % group_characters != 0 || padding > 2) return {Flaw::padding, 0};

    std::uint32_t valid = ~0u;
    std::uint32_t unused = 0;
    std::size_t out = 0;
    for (std::size_t in = 0; in < characters.size(); in += group_characters) {
        const std::size_t missing = in + group_characters == characters.size() ? padding : 0;
        const std::uint32_t bits = group_bits(characters.subspan(in, group_characters), missing, valid);
        for (std::size_t i = 0; i < group_bytes; ++i) {
            const auto byte = static_cast<Byte>(bits >> (16 - 8 * i));
            if (i < group_bytes - missing)
                bytes[out++] = byte;
            else
                unused |= byte;
        }
    }
    if (declassify(Secret{~valid}, "whether a file is base64 is not secret") != 0)
        return {Flaw::character, 0};
    if (declassify(Secret{unused}, "bits that belong to no byte of the key") != 0)
        return {Flaw::unused_bits, 0};
    return {Flaw::none, out};
}

}  // namespace girih::key_files::base64
