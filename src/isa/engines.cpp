#include "isa/engines.hpp"

#include <array>

#if defined(__aarch64__)
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

#elif defined(__aarch64__)

bool has_sha3() { return (getauxval(AT_HWCAP) & HWCAP_SHA3) != 0; }
bool always() { return true; }

#endif

}  // namespace

#if defined(__x86_64__)
namespace avx512 {
extern const dispatch::Engine engine;
}
namespace avx2 {
extern const dispatch::Engine engine;
}
#elif defined(__aarch64__)
namespace neon {
extern const dispatch::Engine engine;
extern const dispatch::Engine engine_with_sha3;
}  // namespace neon
#endif

std::span<const Candidate> candidates() noexcept
{
    static constexpr std::array list{
#if defined(__x86_64__)
        Candidate{&avx512::engine, has_avx512,
                  "the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and IFMA"},
        Candidate{&avx2::engine, has_avx2, "the processor has AVX2, BMI1 and BMI2"},
#elif defined(__aarch64__)
        Candidate{&neon::engine_with_sha3, has_sha3, "the processor has NEON and the SHA-3 instructions"},
        Candidate{&neon::engine, always, "every 64-bit Arm processor has NEON"},
#endif
        Candidate{&portable::engine, [] { return true; }, "it runs on every processor"},
    };
    return list;
}

}  // namespace girih::isa
