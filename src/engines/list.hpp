/// The engines of this build.
#pragma once

#include <span>

#include "engines/engine.hpp"

namespace girih::engines {

struct Candidate {
    const Engine* engine;
    bool (*runs_here)();  ///< whether the processor and the operating system support it
    bool (*is_fast)();    ///< whether it is faster here than those after it, if it runs
    const char* reason;   ///< why it was chosen by default; a sentence without a full stop
};

/// Best first, ending with portable, which runs everywhere. In programs that compare engines, the
/// reference engine follows.
[[nodiscard]] std::span<const Candidate> candidates() noexcept;

}  // namespace girih::engines
