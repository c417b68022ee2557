#include "cli/arguments/suggestions.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace girih::cli {
namespace {

/// Longer words are not typing errors.
constexpr std::size_t longest_word = 64;
constexpr std::size_t shortest_beginning = 3;

/// The compared part of a word: its letters, in lower case, and digits.
std::string essence(std::string_view word)
{
    std::string letters;
    for (const char c : word)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

/// The number of letters to insert, remove, change or exchange with their neighbour.
std::size_t distance(std::string_view a, std::string_view b)
{
    // Row i has the distances of a's first i letters to each prefix of b; three rows suffice.
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before_last, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known)
{
    const std::string given = essence(word.substr(0, longest_word));
    if (given.empty()) return {};
    const std::size_t nearest_allowed = std::max<std::size_t>(given.size() / 3, 1);
    const std::string* nearest = nullptr;
    std::size_t nearest_distance = nearest_allowed + 1;
    for (const std::string& candidate : known) {
        const std::string letters = essence(candidate);
        std::size_t far = distance(given, letters);
        if (given.size() >= shortest_beginning && letters.starts_with(given))
            far = std::min(far, nearest_allowed);
        if (far < nearest_distance) {
            nearest_distance = far;
            nearest = &candidate;
        }
    }
    return nearest == nullptr ? "" : "; did you mean " + *nearest + "?";
}

}  // namespace girih::cli
