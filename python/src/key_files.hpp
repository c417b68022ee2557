/// Key files and envelopes: their errors, and choices by name.
#pragma once

#include <girih/key_files.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "keys.hpp"

namespace girih::python {

/// Throws girih._errors's exception for a file's problem.
[[noreturn]] void fail_file(const key_files::Error& error);

/// The public key of an algorithm from its bytes.
[[nodiscard]] key_files::PublicKey public_key(const Algorithm& algorithm, nb::handle bytes);

/// The values of an enumeration with their names in Python.
template <class Choice, std::size_t count>
using Names = std::array<std::pair<const char*, Choice>, count>;

template <class Choice, std::size_t count>
const char* name_of(const Names<Choice, count>& names, Choice choice)
{
    return std::ranges::find(names, choice, &std::pair<const char*, Choice>::second)->first;
}

/// The value of a name; else throws a Failure that lists all names.
template <class Choice, std::size_t count>
Choice choice_of(const Names<Choice, count>& names, const char* argument, const std::string& name)
{
    std::string known;
    for (std::size_t i = 0; i < count; ++i) {
        if (name == names[i].first) return names[i].second;
        known.append(i == 0 ? "" : i + 1 < count ? ", " : " and ").append(names[i].first);
    }
    fail(GIRIH_ERROR_ARGUMENT, argument, "'" + name + "' is none of " + known);
}

}  // namespace girih::python
