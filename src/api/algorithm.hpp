/// What stands behind girih_alg: a name, and where its operations are in an engine.
#pragma once

#include <girih/girih.h>

#include <cstddef>

#include "dispatch/select.hpp"
#include "ml_dsa/operations.hpp"

struct girih_alg {
    const char* name;
    std::size_t index;  ///< in ml_dsa::parameter_sets

    [[nodiscard]] constexpr const girih::ml_dsa::Params& params() const
    {
        return girih::ml_dsa::parameter_sets[index];
    }

    /// Its operations on the engine that runs; null if none does.
    [[nodiscard]] const girih::ml_dsa::Operations* operations() const
    {
        const girih::dispatch::Engine* engine = girih::dispatch::selected().engine;
        return engine == nullptr ? nullptr : &engine->ml_dsa[index];
    }
};
