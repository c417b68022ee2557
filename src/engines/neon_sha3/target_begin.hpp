// Opens the region whose functions are compiled for the SHA-3 instructions; target_end.hpp closes
// it. Only templates over the engine, and functions always inlined into them, may be inside:
// everything else is shared with other engines.
//
// The SHA-3 instructions came with Armv8.2, and g++'s intrinsics require all of that. A build that
// may use them everywhere needs no region.
#if !defined(__ARM_FEATURE_SHA3)
#    define GIRIH_SHA3_REGION
#    if defined(__clang__)
#        pragma clang attribute push(__attribute__((target("sha3"))), apply_to = function)
#    else
#        pragma GCC push_options
#        pragma GCC target("arch=armv8.2-a+sha3")
#    endif
#endif
