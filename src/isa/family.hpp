/// The family of processors that the compiler makes code for: at most one of these macros. Engines
/// depend on nothing else, since a system's name for its processor may be amd64 or none, or that of
/// a 64-bit kernel under a 32-bit compiler. CMake asks by cmake/family.cpp.
#pragma once

#if defined(__AARCH64EL__)
// First, because compilers for Arm64EC define __x86_64__, too.
#    if defined(__ARM_NEON)
#        define GIRIH_FAMILY_AARCH64
#    endif
#elif defined(__x86_64__)
#    define GIRIH_FAMILY_X86_64
#elif defined(__wasm__)
#    define GIRIH_FAMILY_WASM
#endif
