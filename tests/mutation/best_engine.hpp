/// An engine without mutants, for the parts that the mutants' programs do not compile.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "engines/list.hpp"

namespace girih::test {

/// The best engine with vectors that runs here. Ends the program if there is none.
inline const engines::Engine& best_vector_engine()
{
    for (const engines::Candidate& candidate : engines::candidates())
        if (candidate.engine->name != "portable" && candidate.engine->name != "reference" &&
            candidate.runs_here())
            return *candidate.engine;
    std::fputs("mutants need a processor with one of the vector engines\n", stderr);
    std::exit(3);
}

}  // namespace girih::test
