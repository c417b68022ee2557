// What a translation unit of this engine includes before target_begin.hpp.
#pragma once

// g++ 12 takes the undefined operands of its own intrinsics for mistakes.
#if !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wuninitialized"
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "engines/prelude.hpp"
