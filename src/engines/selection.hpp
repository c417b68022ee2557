/// Which engine runs.
#pragma once

#include <string_view>

#include "engines/engine.hpp"

namespace girih::engines {

struct Selection {
    const Engine* engine;  ///< null if GIRIH_ISA names none that runs here
    const char* reason;    ///< a sentence without a full stop
};

/// The engine of a name, or the best one for an empty name. Depends on the processor
/// only, never on data.
[[nodiscard]] Selection select(std::string_view name) noexcept;

/// The engine that the environment variable GIRIH_ISA names, or the best one: chosen at the
/// first call, then kept.
[[nodiscard]] Selection selected() noexcept;

}  // namespace girih::engines
