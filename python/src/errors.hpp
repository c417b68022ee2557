/// Failures on their way to Python, where girih._errors makes exceptions of them.
#pragma once

#include <girih/girih.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

namespace girih::python {

namespace nb = nanobind;

/// An error of girih.h and the place where it was found.
struct Failure {
    int code;
    std::string place;   ///< the argument, or the operation
    std::string text;    ///< a sentence that says more than the code, or nothing
    nb::object cause{};  ///< the Python exception behind it, if there is one
};

/// Throws a Failure.
[[noreturn]] void fail(int code, std::string place, std::string text = {});

/// Throws a Failure unless the code is GIRIH_OK.
inline void succeed(int code, const char* place)
{
    if (code != GIRIH_OK) fail(code, place);
}

/// Has nanobind turn failures into exceptions of girih._errors.
void define_errors(nb::module_& module);

}  // namespace girih::python
