// Opens the region whose functions are compiled for AVX2 and AES; target_end.hpp closes it. Only
// templates over the engine, and functions always inlined into them, may be inside: everything else
// is shared with other engines.
#if defined(__clang__)
#    pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,aes"))), apply_to = function)
#else
#    pragma GCC push_options
#    pragma GCC target("avx2,bmi,bmi2,aes")
#endif
