// What a translation unit of this engine includes before target_begin.hpp.
#pragma once

#include <arm_neon.h>

#include "engines/prelude.hpp"
