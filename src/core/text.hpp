/// Comparing names as people write them.
#pragma once

#include <cstddef>
#include <string_view>

namespace girih {

/// Whether `written` means `name`: case is ignored, hyphens of the name may be left out, and a
/// hyphen may be added between a letter and a digit. "shake-128" means "SHAKE128", and "mldsa44"
/// means "ML-DSA-44"; "ML-DSA-4-4" does not.
[[nodiscard]] constexpr bool same_name(std::string_view name, std::string_view written) noexcept
{
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const auto is_letter = [&](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; };
    std::size_t w = 0;
    for (std::size_t n = 0; n < name.size(); ++n) {
        const bool has_hyphen = w < written.size() && written[w] == '-';
        if (name[n] == '-') {
            w += has_hyphen ? 1 : 0;
            continue;
        }
        if (has_hyphen && n > 0 && is_letter(name[n - 1]) && is_digit(name[n])) ++w;
        if (w == written.size() || lower(written[w]) != lower(name[n])) return false;
        ++w;
    }
    return w == written.size();
}

}  // namespace girih
