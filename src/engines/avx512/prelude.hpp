// The includes of this engine's translation units before target_begin.hpp.
#pragma once

#if defined(__MINGW64__) && !defined(__clang__) && !defined(GIRIH_UNALIGNED_VECTOR_MOVES)
// GCC's bug 54412: cmake/GirihTargets.cmake says more.
#    error "g++ needs -Wa,-muse-unaligned-vector-move here, and -DGIRIH_UNALIGNED_VECTOR_MOVES"
#endif

// g++ 12 warns of undefined operands in its own intrinsics.
#if !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wuninitialized"
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "engines/prelude.hpp"
