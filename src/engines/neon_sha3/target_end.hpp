#if defined(GIRIH_SHA3_REGION)
#    undef GIRIH_SHA3_REGION
#    if defined(__clang__)
#        pragma clang attribute pop
#    else
#        pragma GCC pop_options
#    endif
#endif
