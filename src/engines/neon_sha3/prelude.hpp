// The includes of this engine's translation units before target_begin.hpp: the same as for NEON.
#pragma once

#include "engines/neon/prelude.hpp"
