// The includes of this engine's translation units before target_begin.hpp.
#pragma once

#include <wasm_simd128.h>

#include "engines/prelude.hpp"
