/// The engines that this build has.
#pragma once

#include <span>

#include "engines/engine.hpp"

namespace girih::engines {

struct Candidate {
    const Engine* engine;
    bool (*runs_here)();  ///< whether the processor and the operating system support it
    const char* reason;   ///< why it was chosen when nobody named one; a sentence without a full stop
};

/// Best first; portable runs everywhere. Behind it, in programs that compare engines,
/// there is the reference.
[[nodiscard]] std::span<const Candidate> candidates() noexcept;

}  // namespace girih::engines
