/// Comparing names as people write them.
#pragma once

#include <cstddef>
#include <string_view>

namespace girih {

/// Whether two names are equal but for the case of their letters and for hyphens: "SHAKE128", "shake-128".
[[nodiscard]] constexpr bool same_name(std::string_view a, std::string_view b) noexcept
{
    const auto next = [](std::string_view& rest) -> char {
        while (!rest.empty() && rest[0] == '-') rest.remove_prefix(1);
        if (rest.empty()) return '\0';
        const char c = rest[0];
        rest.remove_prefix(1);
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    for (;;) {
        const char letter = next(a);
        if (letter != next(b)) return false;
        if (letter == '\0') return true;
    }
}

}  // namespace girih
