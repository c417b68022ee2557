#include "engines/list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "engines/built.hpp"

#if defined(GIRIH_FAMILY_X86_64)
#    include <cpuid.h>
#elif defined(GIRIH_FAMILY_AARCH64)
#    include "isa/neon/core.hpp"
#elif defined(GIRIH_FAMILY_RISCV64) && defined(__linux__)
#    include <sys/auxv.h>
#    include <unistd.h>
#    include <cerrno>
#endif

namespace girih::engines {
namespace {

#if defined(GIRIH_FAMILY_X86_64)

/// Features by CPUID's leaves 1 and 7, and by XGETBV the registers that the operating system saves.
/// (__builtin_cpu_supports needs a library, which Zig lacks and Rust leaves out on macOS.)
struct Features {
    unsigned leaf_1_ecx = 0, leaf_7_ebx = 0, leaf_7_ecx = 0, saved = 0;
};

[[maybe_unused]] Features features()
{
    Features has;
    unsigned a = 0, b = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &has.leaf_1_ecx, &d) == 0 || (has.leaf_1_ecx & bit_OSXSAVE) == 0) return {};
    if (__get_cpuid_count(7, 0, &a, &has.leaf_7_ebx, &has.leaf_7_ecx, &d) == 0) return {};
    __asm__ volatile("xgetbv" : "=a"(has.saved), "=d"(d) : "c"(0));
    return has;
}

[[maybe_unused]] constexpr bool contains(unsigned set, unsigned wanted) { return (set & wanted) == wanted; }

constexpr unsigned halves_of_256_bits = 1U << 1 | 1U << 2;  // XMM, and the upper halves of YMM
#    if defined(__APPLE__)
// macOS begins to save the others when a thread first uses them.
constexpr unsigned parts_of_512_bits = halves_of_256_bits;
#    else
constexpr unsigned parts_of_512_bits = halves_of_256_bits | 1U << 5 | 1U << 6 | 1U << 7;
#    endif

[[maybe_unused]] bool has_avx512()
{
    const Features has = features();
    return contains(has.saved, parts_of_512_bits) && contains(has.leaf_1_ecx, bit_AES) &&
           contains(has.leaf_7_ebx, bit_BMI | bit_AVX2 | bit_BMI2 | bit_AVX512F | bit_AVX512DQ |
                                        bit_AVX512IFMA | bit_AVX512BW | bit_AVX512VL) &&
           contains(has.leaf_7_ecx, bit_AVX512VBMI | bit_AVX512VBMI2 | bit_VAES | bit_AVX512VNNI);
}

[[maybe_unused]] bool has_avx2()
{
    const Features has = features();
    return contains(has.saved, halves_of_256_bits) && contains(has.leaf_1_ecx, bit_AES) &&
           contains(has.leaf_7_ebx, bit_BMI | bit_AVX2 | bit_BMI2);
}

#elif defined(GIRIH_FAMILY_AARCH64)

[[maybe_unused]] bool has_neon_sha3() { return isa::neon::present_extensions().sha3; }

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

#elif defined(GIRIH_FAMILY_RISCV64)

#    if defined(__linux__)
/// Whether the vector extension is that of version 1.0, on a system that has it enabled: the drafts
/// refuse this type of vector.
[[maybe_unused]] bool has_ratified_vectors()
{
    constexpr std::size_t words_of_64_bits = 0xD8;  // vtype of e64, m1, ta, ma
    std::size_t count = 0;
    __asm__ volatile(".option push\n\t.option arch, +v\n\tvsetvl %0, %1, %2\n\t.option pop"
                     : "=r"(count)
                     : "r"(std::size_t{1}), "r"(words_of_64_bits)
                     : "vl", "vtype");
    return count == 1;
}
#    endif

/// Whether every core has V, Zba and Zbb, and this process may use V, for which AT_HWCAP has a bit.
/// Linux tells of all three since version 6.5. Before, drafts of V may set that bit, and nothing
/// tells of Zba and Zbb: every core with V 1.0 that Linux is known to run on has both.
[[maybe_unused]] bool has_rvv()
{
#    if defined(__riscv_v) && defined(__riscv_zba) && defined(__riscv_zbb)
    return true;  // the compiler's target has them
#    elif defined(__linux__)
    if ((getauxval(AT_HWCAP) & 1U << ('V' - 'A')) == 0) return false;
    struct {
        std::int64_t key;
        std::uint64_t value;
    } extensions{4, 0};  // RISCV_HWPROBE_KEY_IMA_EXT_0
    constexpr long riscv_hwprobe = 258;
    constexpr std::uint64_t wanted = 1U << 2 | 1U << 3 | 1U << 4;  // V, Zba, Zbb
    if (::syscall(riscv_hwprobe, &extensions, 1, 0, nullptr, 0) == 0)
        return extensions.key == 4 && (extensions.value & wanted) == wanted;
    return errno == ENOSYS && has_ratified_vectors();
#    else
    return false;
#    endif
}

[[maybe_unused]] bool has_rvv256()
{
    if (!has_rvv()) return false;
    std::size_t bytes = 0;  // of a register
    __asm__ volatile(".option push\n\t.option arch, +v\n\tcsrr %0, vlenb\n\t.option pop" : "=r"(bytes));
    return bytes >= 32;
}

#endif

[[maybe_unused]] constexpr const char* avx512_reason =
    "the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2, VNNI, IFMA and VAES";
[[maybe_unused]] constexpr const char* avx2_reason = "the processor has AVX2, BMI1, BMI2 and AES";
[[maybe_unused]] constexpr const char* neon_sha3_reason =
    "the processor has NEON, and SHA-3 instructions in every vector unit";
[[maybe_unused]] constexpr const char* neon_reason =
    "every 64-bit Arm processor has NEON; the SHA-3 instructions are missing or slower";
[[maybe_unused]] constexpr const char* rvv256_reason =
    "the processor has RISC-V's vectors of 256 bits, Zba and Zbb";
[[maybe_unused]] constexpr const char* rvv_reason = "the processor has RISC-V's vectors, Zba and Zbb";
[[maybe_unused]] constexpr const char* wasm_simd128_reason = "the host has WebAssembly's vectors";
[[maybe_unused]] constexpr const char* portable_reason = "it runs on every processor";
[[maybe_unused]] constexpr const char* reference_reason = "it follows the specifications step by step";

bool always() { return true; }
[[maybe_unused]] constexpr auto has_neon = always, has_wasm_simd128 = always, has_portable = always,
                                has_reference = always;
[[maybe_unused]] constexpr auto is_fast_avx512 = always, is_fast_avx2 = always, is_fast_neon = always,
                                is_fast_rvv256 = always, is_fast_rvv = always, is_fast_wasm_simd128 = always,
                                is_fast_portable = always, is_fast_reference = always;

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
