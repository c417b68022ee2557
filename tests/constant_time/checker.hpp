/// The memory checker that watches a test program: memcheck, or MemorySanitizer in a build with it.
#pragma once

#include "core/secret.hpp"

#if !defined(GIRIH_CHECK_CONSTANT_TIME)
#    error "the memory checker is told of secrets only with GIRIH_CHECK_CONSTANT_TIME"
#endif

namespace girih::secret_checker {

/// Whether a checker sees what this process does. Without one every run succeeds, and says nothing.
inline bool is_watching()
{
#if defined(GIRIH_MEMORY_SANITIZER)
    return true;
#else
    return RUNNING_ON_VALGRIND != 0;
#endif
}

}  // namespace girih::secret_checker
