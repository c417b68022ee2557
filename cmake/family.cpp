// Tells girih_compiler_families the compiler's family of processors. It reads the error, for which
// nothing has to be linked or run.
#include "isa/family.hpp"

#if defined(GIRIH_FAMILY_AARCH64)
#    error girih-family: aarch64
#elif defined(GIRIH_FAMILY_X86_64)
#    error girih-family: x86_64
#elif defined(GIRIH_FAMILY_RISCV64)
#    error girih-family: riscv64
#elif defined(GIRIH_FAMILY_WASM)
#    error girih-family: wasm
#elif defined(GIRIH_NEEDS_CLANG_19)
#    error girih-family: other, for whose vectors clang 19 or later is needed
#else
#    error girih-family: other
#endif
