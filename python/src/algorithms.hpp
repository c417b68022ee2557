/// Algorithms in Python.
#pragma once

#include <girih/girih.h>

#include "errors.hpp"

namespace girih::python {

struct Algorithm {
    const girih_alg* alg;
};

void define_algorithms(nb::module_& module);

}  // namespace girih::python
