#include "engines/list.hpp"

#include <array>

#include "engines/built.hpp"

#if defined(GIRIH_FAMILY_X86_64)
#    include <cpuid.h>
#elif defined(GIRIH_FAMILY_AARCH64)
#    include "isa/neon/core.hpp"
#    if defined(__linux__)
#        include <sys/auxv.h>
#    endif
#endif

namespace girih::engines {
namespace {

#if defined(GIRIH_FAMILY_X86_64)

// clang++ up to 16 has no name for VAES. has_avx512 checks that the operating system saves the
// registers.
[[maybe_unused]] bool has_vaes()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & bit_VAES) != 0;
}

// The compiler's run-time support checks CPUID, and by XGETBV that the operating system saves the
// registers.
[[maybe_unused]] bool has_avx512()
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512vbmi") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0 &&
           __builtin_cpu_supports("avx512vnni") != 0 && __builtin_cpu_supports("avx512ifma") != 0 &&
           __builtin_cpu_supports("aes") != 0 && __builtin_cpu_supports("bmi") != 0 &&
           __builtin_cpu_supports("bmi2") != 0 && has_vaes();
}

[[maybe_unused]] bool has_avx2()
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("aes") != 0 &&
           __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
}

#elif defined(GIRIH_FAMILY_AARCH64)

[[maybe_unused]] bool has_neon_sha3()
{
#    if defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_SHA3) != 0;
#    elif defined(__ARM_FEATURE_SHA3)
    return true;  // the compiler's target has it
#    else
    return false;
#    endif
}

/// Whether the SHA-3 instructions are faster than plain ones. Every vector unit of Apple's cores
/// has them; of Arm's (Neoverse V1, V2, N2, Cortex-X) one of two or four has, which they then wait
/// for. Asks the core that it runs on. Where cores differ, the answer may suit another one better,
/// but both engines run on all of them.
[[maybe_unused]] bool is_fast_neon_sha3()
{
#    if defined(__APPLE__)
    return true;
#    else
    return isa::neon::present_core().designer == isa::neon::designed_by_apple;
#    endif
}

#endif

[[maybe_unused]] constexpr const char* avx512_reason =
    "the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2, VNNI, IFMA and VAES";
[[maybe_unused]] constexpr const char* avx2_reason = "the processor has AVX2, BMI1, BMI2 and AES";
[[maybe_unused]] constexpr const char* neon_sha3_reason =
    "the processor has NEON, and SHA-3 instructions in every vector unit";
[[maybe_unused]] constexpr const char* neon_reason =
    "every 64-bit Arm processor has NEON; the SHA-3 instructions are missing or slower";
[[maybe_unused]] constexpr const char* wasm_simd128_reason = "the host has WebAssembly's vectors";
[[maybe_unused]] constexpr const char* portable_reason = "it runs on every processor";
[[maybe_unused]] constexpr const char* reference_reason = "it follows the specifications step by step";

bool always() { return true; }
[[maybe_unused]] constexpr auto has_neon = always, has_wasm_simd128 = always, has_portable = always,
                                has_reference = always;
[[maybe_unused]] constexpr auto is_fast_avx512 = always, is_fast_avx2 = always, is_fast_neon = always,
                                is_fast_wasm_simd128 = always, is_fast_portable = always,
                                is_fast_reference = always;

#define GIRIH_ENGINE(engine) constexpr Engine engine##_engine{#engine, engine##_number};
GIRIH_FOR_EACH_ENGINE(GIRIH_ENGINE)
#undef GIRIH_ENGINE

}  // namespace

std::span<const Candidate> candidates() noexcept
{
#define GIRIH_CANDIDATE(engine) Candidate{&engine##_engine, has_##engine, is_fast_##engine, engine##_reason},
    static constexpr std::array list{GIRIH_FOR_EACH_ENGINE(GIRIH_CANDIDATE)};
#undef GIRIH_CANDIDATE
    return list;
}

}  // namespace girih::engines
