/// The core that a process runs on. Choices by it are public, and change no result.
#pragma once

#if defined(__linux__) && defined(__aarch64__)
#    include <sys/auxv.h>
#endif

#include <atomic>
#include <cstdint>

namespace girih::isa::neon {

/// A core's designer and part, of MIDR_EL1.
struct Core {
    std::uint64_t designer = 0;
    std::uint64_t part = 0;
};
inline constexpr std::uint64_t designed_by_arm = 0x41;
inline constexpr std::uint64_t designed_by_apple = 0x61;

/// The core that asks; zeros where the operating system does not say. (The kernel traps the
/// instruction, and answers.)
[[nodiscard]] inline Core present_core() noexcept
{
#if defined(__linux__) && defined(__aarch64__)
    if ((getauxval(AT_HWCAP) & HWCAP_CPUID) != 0) {
        std::uint64_t midr = 0;
        __asm__("mrs %0, midr_el1" : "=r"(midr));
        return {midr >> 24 & 0xFF, midr >> 4 & 0xFFF};
    }
#endif
    return {};
}

/// Instructions that not every core has.
struct Extensions {
    bool aes = false;
    bool sha512 = false;
    bool sha3 = false;
};

/// The present core's, where Linux tells; elsewhere those of the compiler's target: on Macs all, on
/// Apple's other systems AES's, unless the compiler is told of a newer core.
[[nodiscard]] inline Extensions present_extensions() noexcept
{
#if defined(__linux__) && defined(__aarch64__)
    const unsigned long has = getauxval(AT_HWCAP);
    return {(has & HWCAP_AES) != 0, (has & HWCAP_SHA512) != 0, (has & HWCAP_SHA3) != 0};
#else
    Extensions has;
#    if defined(__ARM_FEATURE_AES)
    has.aes = true;
#    endif
#    if defined(__ARM_FEATURE_SHA512)
    has.sha512 = true;
#    endif
#    if defined(__ARM_FEATURE_SHA3)
    has.sha3 = true;
#    endif
    return has;
#endif
}

/// Differences of cores that decide how several Keccak states are permuted.
enum class Pipelines : std::uint8_t {
    unknown,
    one_shifts,    // Cortex-A57, A72 (Raspberry Pi 4, Graviton): an operand of a logical instruction
    some_do_sha3,  // Neoverse V1, V2, N2 (Graviton 3 and 4): one vector pipeline of two or four
    others,
};

[[nodiscard]] inline Pipelines pipelines_of(Core core, Extensions has) noexcept
{
    constexpr std::uint64_t a57 = 0xD07, a72 = 0xD08;
    if (has.sha3) return Pipelines::some_do_sha3;
    if (core.designer == designed_by_arm && (core.part == a57 || core.part == a72))
        return Pipelines::one_shifts;
    return Pipelines::others;
}

[[nodiscard]] inline Pipelines present_pipelines() noexcept
{
    // Asked once, because a trap takes long. Threads that find it unknown store the same value.
    // Where cores differ, all have the instructions that the system tells of: any answer will do.
    static constinit std::atomic<Pipelines> known{Pipelines::unknown};
    Pipelines answer = known.load(std::memory_order_relaxed);
    if (answer == Pipelines::unknown) {
        answer = pipelines_of(present_core(), present_extensions());
        known.store(answer, std::memory_order_relaxed);
    }
    return answer;
}

}  // namespace girih::isa::neon
