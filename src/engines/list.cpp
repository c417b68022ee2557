#include "engines/list.hpp"

#include <array>

#if defined(GIRIH_PORTABLE_ONLY)  // a build without the others (GIRIH_ENGINES in CMake)
#elif defined(__x86_64__)
#    define GIRIH_X86_ENGINES
#elif defined(__AARCH64EL__)
#    define GIRIH_ARM_ENGINES
#    if defined(__linux__)
#        include <sys/auxv.h>
#    endif
#endif

namespace girih::isa {

// The tables are in objects of their own.
namespace portable {
extern const ml_dsa::OperationsTable ml_dsa_operations;
extern const ntru_prime::OperationsTable ntru_prime_operations;
extern const falcon::OperationsTable falcon_operations;
}  // namespace portable
#if defined(GIRIH_REFERENCE_ENGINE)
namespace reference {
extern const ntru_prime::OperationsTable ntru_prime_operations;
extern const falcon::OperationsTable falcon_operations;
}  // namespace reference
#endif
#if defined(GIRIH_X86_ENGINES)
namespace avx512 {
extern const ml_dsa::OperationsTable ml_dsa_operations;
extern const ntru_prime::OperationsTable ntru_prime_operations;
extern const falcon::OperationsTable falcon_operations;
}  // namespace avx512
namespace avx2 {
extern const ml_dsa::OperationsTable ml_dsa_operations;
extern const ntru_prime::OperationsTable ntru_prime_operations;
extern const falcon::OperationsTable falcon_operations;
}  // namespace avx2
#elif defined(GIRIH_ARM_ENGINES)
namespace neon_sha3 {
extern const ml_dsa::OperationsTable ml_dsa_operations;
extern const ntru_prime::OperationsTable ntru_prime_operations;
extern const falcon::OperationsTable falcon_operations;
}  // namespace neon_sha3
namespace neon {
extern const ml_dsa::OperationsTable ml_dsa_operations;
extern const ntru_prime::OperationsTable ntru_prime_operations;
extern const falcon::OperationsTable falcon_operations;
}  // namespace neon
#endif

}  // namespace girih::isa

namespace girih::engines {
namespace {

#if defined(GIRIH_X86_ENGINES)

// The compiler's run-time support reads CPUID, and with XGETBV whether the operating system saves the registers.
bool has_avx512()
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512vbmi") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0 &&
           __builtin_cpu_supports("avx512ifma") != 0 && __builtin_cpu_supports("aes") != 0 &&
           __builtin_cpu_supports("vaes") != 0 && __builtin_cpu_supports("bmi") != 0 &&
           __builtin_cpu_supports("bmi2") != 0;
}

bool has_avx2()
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("aes") != 0 &&
           __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
}

#elif defined(GIRIH_ARM_ENGINES)

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

constexpr Engine portable_engine{"portable", isa::portable::ml_dsa_operations,
                                 isa::portable::ntru_prime_operations, isa::portable::falcon_operations};
#if defined(GIRIH_REFERENCE_ENGINE)
constexpr Engine reference_engine{"reference", isa::portable::ml_dsa_operations,
                                  isa::reference::ntru_prime_operations, isa::reference::falcon_operations};
#endif
#if defined(GIRIH_X86_ENGINES)
constexpr Engine avx512_engine{"avx512", isa::avx512::ml_dsa_operations, isa::avx512::ntru_prime_operations,
                               isa::avx512::falcon_operations};
constexpr Engine avx2_engine{"avx2", isa::avx2::ml_dsa_operations, isa::avx2::ntru_prime_operations,
                             isa::avx2::falcon_operations};
#elif defined(GIRIH_ARM_ENGINES)
constexpr Engine neon_sha3_engine{"neon_sha3", isa::neon_sha3::ml_dsa_operations,
                                  isa::neon_sha3::ntru_prime_operations, isa::neon_sha3::falcon_operations};
constexpr Engine neon_engine{"neon", isa::neon::ml_dsa_operations, isa::neon::ntru_prime_operations,
                             isa::neon::falcon_operations};
#endif

}  // namespace

std::span<const Candidate> candidates() noexcept
{
    static constexpr std::array list{
#if defined(GIRIH_X86_ENGINES)
        Candidate{&avx512_engine, has_avx512,
                  "the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2, IFMA and VAES"},
        Candidate{&avx2_engine, has_avx2, "the processor has AVX2, BMI1, BMI2 and AES"},
#elif defined(GIRIH_ARM_ENGINES)
        Candidate{&neon_sha3_engine, has_sha3, "the processor has NEON and the SHA-3 instructions"},
        Candidate{&neon_engine, [] { return true; }, "every 64-bit Arm processor has NEON"},
#endif
        Candidate{&portable_engine, [] { return true; }, "it runs on every processor"},
#if defined(GIRIH_REFERENCE_ENGINE)
        Candidate{&reference_engine, [] { return true; }, "it follows the specifications step by step"},
#endif
    };
    return list;
}

}  // namespace girih::engines
