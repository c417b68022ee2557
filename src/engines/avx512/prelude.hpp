// The includes of this engine's translation units before target_begin.hpp: those of AVX2.
#pragma once

#include "engines/avx2/prelude.hpp"
