/// JSON on standard output: one object, whatever happens. Its first member, ok, says whether the exit code is 0; if it is
/// not, error says why, in the words of standard error.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "cli/failure.hpp"
#include "cli/files.hpp"

namespace girih::cli {

/// Members in the order in which they were given. File names need not be UTF-8: bytes that are not become U+FFFD.
inline std::string json_text(const nlohmann::ordered_json& value)
{
    return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

inline void print_json(const nlohmann::ordered_json& value) { print(json_text(value) + "\n"); }

/// The object of a success.
inline void print_good_json(const nlohmann::ordered_json& members)
{
    nlohmann::ordered_json all{{"ok", true}};
    all.update(members);
    print_json(all);
}

/// The object of a failure, with what there is to say beside it.
inline void print_bad_json(const Failure& failure,
                           const nlohmann::ordered_json& members = nlohmann::ordered_json::object())
{
    nlohmann::ordered_json all{{"ok", false}, {"error", failure.what()}};
    all.update(members);
    print_json(all);
}

}  // namespace girih::cli
