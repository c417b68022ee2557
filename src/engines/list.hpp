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

/// Best first; the last two run everywhere: portable, and reference, which is only there to compare with.
[[nodiscard]] std::span<const Candidate> candidates() noexcept;

}  // namespace girih::engines
