/// Failures, which girih._errors turns into Python exceptions.
#pragma once

#include <girih/girih.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

namespace girih::python {

namespace nb = nanobind;

/// An error of girih.h and its place.
struct Failure {
    int code;
    std::string place;   ///< the argument, or the operation
    std::string text;    ///< a more specific sentence than the code's, or empty
    nb::object cause{};  ///< the Python exception that caused it, if any
};

/// Throws a Failure.
[[noreturn]] void fail(int code, std::string place, std::string text = {});

/// Throws a Failure unless the code is GIRIH_OK.
inline void succeed(int code, const char* place)
{
    if (code != GIRIH_OK) fail(code, place);
}

/// Makes nanobind turn failures into exceptions of girih._errors.
void define_errors(nb::module_& module);

}  // namespace girih::python
