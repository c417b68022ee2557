/// The processor family that the compiler makes code for: at most one of these macros. Engines
/// depend on nothing else: a system may call its processor amd64, give it no name, or name a 64-bit
/// kernel under a 32-bit compiler. CMake reads the macros through cmake/family.cpp.
#pragma once

#if defined(__AARCH64EL__)
// First, because compilers for Arm64EC define __x86_64__, too.
#    if defined(__ARM_NEON)
#        define GIRIH_FAMILY_AARCH64
#    endif
#elif defined(__x86_64__)
#    define GIRIH_FAMILY_X86_64
#elif defined(__riscv_xlen) && __riscv_xlen == 64
#    if defined(__clang__) && __clang_major__ >= 19
#        define GIRIH_FAMILY_RISCV64
#    else
#        define GIRIH_NEEDS_CLANG_19  // for its vectors
#    endif
#elif defined(__wasm__)
#    define GIRIH_FAMILY_WASM
#endif
