#include "isa/engines.hpp"

#include <array>

#if defined(__AARCH64EL__) && defined(__linux__)
#    include <sys/auxv.h>
#endif

namespace girih::isa {

namespace portable {
extern const dispatch::Engine engine;
}

namespace {

#if defined(__x86_64__)

// The compiler's run-time support reads CPUID, and with XGETBV whether the operating system saves the registers.
bool has_avx512()
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512vbmi") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0 &&
           __builtin_cpu_supports("avx512ifma") != 0 && __builtin_cpu_supports("bmi") != 0 &&
           __builtin_cpu_supports("bmi2") != 0;
}

bool has_avx2()
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
           __builtin_cpu_supports("bmi2") != 0;
}

#elif defined(__AARCH64EL__)

bool has_sha3()
{
#    if defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_SHA3) != 0;
#    elif defined(__ARM_FEATURE_SHA3)
    return true;  // the compiler was told so of every processor that this build is for
#    else
    return false;
#    endif
}

#endif

}  // namespace

#if defined(__x86_64__)
namespace avx512 {
extern const dispatch::Engine engine;
}
namespace avx2 {
extern const dispatch::Engine engine;
}
#elif defined(__AARCH64EL__)
namespace neon_sha3 {
extern const dispatch::Engine engine;
}
namespace neon {
extern const dispatch::Engine engine;
}
#endif

std::span<const Candidate> candidates() noexcept
{
    static constexpr std::array list{
#if defined(__x86_64__)
        Candidate{&avx512::engine, has_avx512,
                  "the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and IFMA"},
        Candidate{&avx2::engine, has_avx2, "the processor has AVX2, BMI1 and BMI2"},
#elif defined(__AARCH64EL__)
        Candidate{&neon_sha3::engine, has_sha3, "the processor has NEON and the SHA-3 instructions"},
        Candidate{&neon::engine, [] { return true; }, "every 64-bit Arm processor has NEON"},
#endif
        Candidate{&portable::engine, [] { return true; }, "it runs on every processor"},
    };
    return list;
}

}  // namespace girih::isa
