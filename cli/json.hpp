/// JSON on standard output.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/files.hpp"

namespace girih::cli {

/// Prints a value with its members in the order in which they were given. File names need not be UTF-8: bytes
/// that are not become U+FFFD.
inline void print_json(const nlohmann::ordered_json& value)
{
    print(value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace girih::cli
