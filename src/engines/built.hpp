/// The engines of this build, best first. A build leaves one out by defining GIRIH_WITHOUT_ and its
/// name (GIRIH_ENGINES in CMake); GIRIH_REFERENCE_ENGINE adds the reference engine, which follows
/// the specifications step by step, for tests and benchmarks.
#pragma once

#include <cstddef>

#include "isa/family.hpp"

#if defined(GIRIH_FAMILY_X86_64)
#    if !defined(GIRIH_WITHOUT_avx512)
#        define GIRIH_IF_AVX512(x) x(avx512)
#    endif
#    if !defined(GIRIH_WITHOUT_avx2)
#        define GIRIH_IF_AVX2(x) x(avx2)
#    endif
#elif defined(GIRIH_FAMILY_AARCH64)
#    if !defined(GIRIH_WITHOUT_neon_sha3)
#        define GIRIH_IF_NEON_SHA3(x) x(neon_sha3)
#    endif
#    if !defined(GIRIH_WITHOUT_neon)
#        define GIRIH_IF_NEON(x) x(neon)
#    endif
#elif defined(GIRIH_FAMILY_RISCV64)
#    if !defined(GIRIH_WITHOUT_rvv256)
#        define GIRIH_IF_RVV256(x) x(rvv256)
#    endif
#    if !defined(GIRIH_WITHOUT_rvv)
#        define GIRIH_IF_RVV(x) x(rvv)
#    endif
#elif defined(__wasm_simd128__) && !defined(GIRIH_WITHOUT_wasm_simd128)
// Every host of this module has vectors, or refuses it: the portable engine would never run.
#    define GIRIH_IF_WASM_SIMD128(x) x(wasm_simd128)
#    define GIRIH_IF_PORTABLE(x)
#endif
#if !defined(GIRIH_IF_AVX512)
#    define GIRIH_IF_AVX512(x)
#endif
#if !defined(GIRIH_IF_AVX2)
#    define GIRIH_IF_AVX2(x)
#endif
#if !defined(GIRIH_IF_NEON_SHA3)
#    define GIRIH_IF_NEON_SHA3(x)
#endif
#if !defined(GIRIH_IF_NEON)
#    define GIRIH_IF_NEON(x)
#endif
#if !defined(GIRIH_IF_RVV256)
#    define GIRIH_IF_RVV256(x)
#endif
#if !defined(GIRIH_IF_RVV)
#    define GIRIH_IF_RVV(x)
#endif
#if !defined(GIRIH_IF_WASM_SIMD128)
#    define GIRIH_IF_WASM_SIMD128(x)
#endif
#if !defined(GIRIH_IF_PORTABLE)
#    define GIRIH_IF_PORTABLE(x) x(portable)
#endif
#if defined(GIRIH_REFERENCE_ENGINE)
#    define GIRIH_IF_REFERENCE(x) x(reference)
#else
#    define GIRIH_IF_REFERENCE(x)
#endif

/// x(name) for each engine.
#define GIRIH_FOR_EACH_ENGINE(x) \
    GIRIH_IF_AVX512(x)           \
    GIRIH_IF_AVX2(x)             \
    GIRIH_IF_NEON_SHA3(x)        \
    GIRIH_IF_NEON(x)             \
    GIRIH_IF_RVV256(x)           \
    GIRIH_IF_RVV(x) GIRIH_IF_WASM_SIMD128(x) GIRIH_IF_PORTABLE(x) GIRIH_IF_REFERENCE(x)

// Declares the struct of an engine, which selects its operations.
#define GIRIH_DECLARE_ISA(engine)  \
    namespace girih::isa::engine { \
    struct Isa;                    \
    }
GIRIH_FOR_EACH_ENGINE(GIRIH_DECLARE_ISA)
#undef GIRIH_DECLARE_ISA

namespace girih::engines {

/// The number of each engine.
enum Number : std::size_t {
#define GIRIH_ENGINE_NUMBER(engine) engine##_number,
    GIRIH_FOR_EACH_ENGINE(GIRIH_ENGINE_NUMBER)
#undef GIRIH_ENGINE_NUMBER
        number_of_engines
};
inline constexpr std::size_t max_engines = 4;
static_assert(number_of_engines <= max_engines);

}  // namespace girih::engines
