// The includes of this engine's translation units before target_begin.hpp: those of NEON.
#pragma once

#include "engines/neon/prelude.hpp"
