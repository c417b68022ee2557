/// What somebody may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace girih::cli {

/// "; did you mean X?", where X is the known word that is nearest to the one that was given; empty
/// if none is near. Letter case, hyphens and underscores make no difference; a beginning of a
/// known word is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace girih::cli
