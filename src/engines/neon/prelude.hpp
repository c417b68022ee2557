// The includes of this engine's translation units before target_begin.hpp.
#pragma once

#include <arm_neon.h>

#include "engines/prelude.hpp"
