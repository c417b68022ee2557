// Opens the region whose functions are compiled for AVX-512; target_end.hpp closes it. Only
// templates over the engine, and functions always inlined into them, may be inside: everything else
// is shared with other engines.
#if defined(__clang__)
#    pragma clang attribute push(                                                                                   \
        __attribute__((target(                                                                                      \
            "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni,avx512ifma,aes,vaes,bmi,bmi2"))), \
        apply_to = function)
#else
#    pragma GCC push_options
#    pragma GCC target( \
        "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni,avx512ifma,aes,vaes,bmi,bmi2")
#endif
