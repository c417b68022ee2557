#include "cli/files/hex.hpp"

namespace girih::cli {
namespace {

using key_files::between;

/// The value of a digit. Clears `valid` if the character is not one.
std::uint32_t digit_value(char digit, std::uint32_t& valid)
{
    const std::uint32_t c = static_cast<unsigned char>(digit);
    const std::uint32_t decimal = between(c, '0', '9');
    const std::uint32_t upper = between(c, 'A', 'F');
    const std::uint32_t lower = between(c, 'a', 'f');
    valid &= decimal | upper | lower;
    return (decimal & (c - '0')) | (upper & (c - 'A' + 10)) | (lower & (c - 'a' + 10));
}

}  // namespace

std::optional<key_files::SecretBytes> from_hex(std::string_view digits)
{
    if (digits.size() % 2 != 0) return {};
    std::uint32_t valid = ~0u;
    key_files::SecretBytes bytes;
    bytes.reserve(digits.size() / 2);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const std::uint32_t high = digit_value(digits[i], valid);
        const std::uint32_t low = digit_value(digits[i + 1], valid);
        bytes.push_back(static_cast<std::uint8_t>((high << 4) | low));
    }
    if (valid == 0) return {};
    return bytes;
}

}  // namespace girih::cli
