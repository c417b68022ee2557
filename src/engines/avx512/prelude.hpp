// The includes of this engine's translation units before target_begin.hpp: the same as for AVX2.
#pragma once

#include "engines/avx2/prelude.hpp"
