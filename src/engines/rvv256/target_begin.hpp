// Opens the region whose functions are compiled for vectors of 256 bits; target_end.hpp closes it.
#if !defined(__riscv_v) || !defined(__riscv_zvl256b) || !defined(__riscv_zba) || !defined(__riscv_zbb)
#    define GIRIH_RVV256_REGION
#    pragma clang attribute push(__attribute__((target("arch=+v,+zvl256b,+zba,+zbb"))), apply_to = function)
#endif
