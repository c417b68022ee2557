// Opens the region whose functions are compiled for the vector extension; target_end.hpp closes it.
#if !defined(__riscv_v) || !defined(__riscv_zba) || !defined(__riscv_zbb)
#    define GIRIH_RVV_REGION
#    pragma clang attribute push(__attribute__((target("arch=+v,+zba,+zbb"))), apply_to = function)
#endif
