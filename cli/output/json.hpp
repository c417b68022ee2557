/// JSON on standard output: always exactly one object. Its first member, ok, says whether the exit
/// code is 0; if it is not, `error` has the text of standard error, and `exit_code` the code.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace girih::cli {

class Failure;

/// A value; an object has its members in insertion order. Text need not be UTF-8 (file names may be
/// anything): text_of() replaces invalid bytes.
using Json = nlohmann::ordered_json;

/// A line for each member and element, in printable ASCII, so that it is safe on a terminal.
/// Invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string text_of(const Json& value);

/// Prints the object of a success.
void print_good_json(const Json& members);

/// Prints the object of a failure, with further members.
void print_bad_json(const Failure& failure, const Json& members = Json::object());
/// Throws a failure; with `json`, after its object is printed.
[[noreturn]] void fail_with(const Failure& failure, bool json, const Json& members);

}  // namespace girih::cli
