/// The engine that this program's operations run on. Each test names it, whereas the library
/// chooses it once.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engines/list.hpp"

namespace girih::test {

/// All operations of the public API from here on run on this engine.
void use(const engines::Engine& engine);

/// The engine of a name, which this build has.
const engines::Engine& engine_named(std::string_view name);

/// Calls check(engine) for every engine that runs here, with the engine in use.
template <class Check>
void on_every_engine(const Check& check)
{
    for (const engines::Candidate& candidate : engines::candidates()) {
        if (!candidate.runs_here()) continue;
        SCOPED_TRACE(std::string{candidate.engine->name});
        use(*candidate.engine);
        check(*candidate.engine);
    }
}

}  // namespace girih::test
