/// Suggestions for mistyped words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace girih::cli {

/// "; did you mean X?", where X is the known word nearest to the given one; empty if none is near.
/// Case, hyphens and underscores are ignored; a prefix of a known word counts as near.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace girih::cli
