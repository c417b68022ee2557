#include "isa/engines.hpp"

#include <array>

#if defined(__AARCH64EL__) && defined(__linux__)
#    include <sys/auxv.h>
#endif

namespace girih::isa {

// The tables are in objects of their own.
namespace portable {
extern const ml_dsa::OperationsTable ml_dsa_operations;
extern const ntru_prime::OperationsTable ntru_prime_operations;
extern const falcon::OperationsTable falcon_operations;
}  // namespace portable
namespace reference {
extern const ntru_prime::OperationsTable ntru_prime_operations;
extern const falcon::OperationsTable falcon_operations;
}  // namespace reference
#if defined(__x86_64__)
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
#elif defined(__AARCH64EL__)
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

namespace {

#if defined(__x86_64__)

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

constexpr dispatch::Engine portable_engine{"portable", portable::ml_dsa_operations,
                                           portable::ntru_prime_operations, portable::falcon_operations};
constexpr dispatch::Engine reference_engine{"reference", portable::ml_dsa_operations,
                                            reference::ntru_prime_operations, reference::falcon_operations};
#if defined(__x86_64__)
constexpr dispatch::Engine avx512_engine{"avx512", avx512::ml_dsa_operations, avx512::ntru_prime_operations,
                                         avx512::falcon_operations};
constexpr dispatch::Engine avx2_engine{"avx2", avx2::ml_dsa_operations, avx2::ntru_prime_operations,
                                       avx2::falcon_operations};
#elif defined(__AARCH64EL__)
constexpr dispatch::Engine neon_sha3_engine{"neon_sha3", neon_sha3::ml_dsa_operations,
                                            neon_sha3::ntru_prime_operations, neon_sha3::falcon_operations};
constexpr dispatch::Engine neon_engine{"neon", neon::ml_dsa_operations, neon::ntru_prime_operations,
                                       neon::falcon_operations};
#endif

}  // namespace

std::span<const Candidate> candidates() noexcept
{
    static constexpr std::array list{
#if defined(__x86_64__)
        Candidate{&avx512_engine, has_avx512,
                  "the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2, IFMA and VAES"},
        Candidate{&avx2_engine, has_avx2, "the processor has AVX2, BMI1, BMI2 and AES"},
#elif defined(__AARCH64EL__)
        Candidate{&neon_sha3_engine, has_sha3, "the processor has NEON and the SHA-3 instructions"},
        Candidate{&neon_engine, [] { return true; }, "every 64-bit Arm processor has NEON"},
#endif
        Candidate{&portable_engine, [] { return true; }, "it runs on every processor"},
        Candidate{&reference_engine, [] { return true; }, "it follows the specifications step by step"},
    };
    return list;
}

}  // namespace girih::isa
