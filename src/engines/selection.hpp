/// The choice of the engine.
#pragma once

#include <string_view>

#include "engines/engine.hpp"

namespace girih::engines {

struct Selection {
    const Engine* engine;  ///< null if GIRIH_ISA names none that runs here
    const char* reason;    ///< a sentence without a full stop
};

/// The engine with this name, or the best one if empty. Depends only on the processor.
[[nodiscard]] Selection select(std::string_view name) noexcept;

/// The engine that the environment variable GIRIH_ISA names, or the best one. Chosen at the first
/// call, then fixed.
[[nodiscard]] Selection selected() noexcept;

}  // namespace girih::engines
