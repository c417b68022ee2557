/// Manual pages in the macros of man(7).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/help/declared.hpp"

namespace girih::cli {

/// Name and text of each page: girih.1, and one for each subcommand, such as girih-sign.1.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> man_pages(const DeclaredCommand& girih,
                                                                         const std::string& version);

}  // namespace girih::cli
