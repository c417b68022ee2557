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

/// Whether the core has AES's instructions, and SHA-512's. The answer is no on systems other than
/// Linux and Apple's, which are not asked.
#if defined(__APPLE__)
[[nodiscard]] inline bool has_aes_instructions() noexcept { return true; }
[[nodiscard]] inline bool has_sha512_instructions() noexcept { return true; }
#elif defined(__linux__) && defined(__aarch64__)
[[nodiscard]] inline bool has_aes_instructions() noexcept { return (getauxval(AT_HWCAP) & HWCAP_AES) != 0; }
[[nodiscard]] inline bool has_sha512_instructions() noexcept
{
    return (getauxval(AT_HWCAP) & HWCAP_SHA512) != 0;
}
#else
[[nodiscard]] inline bool has_aes_instructions() noexcept { return false; }
[[nodiscard]] inline bool has_sha512_instructions() noexcept { return false; }
#endif

/// Whether it is a Cortex-A57 or A72 (Raspberry Pi 4, Graviton), of whose pipelines one alone can
/// shift the operand of a logical instruction.
[[nodiscard]] inline bool shifts_in_one_pipeline() noexcept
{
    // Asked once, because a trap takes long. Threads that find 0 store the same value; where cores
    // differ, any answer will do.
    static constinit std::atomic<std::uint8_t> known{0};
    std::uint8_t answer = known.load(std::memory_order_relaxed);
    if (answer == 0) {
        constexpr std::uint64_t a57 = 0xD07, a72 = 0xD08;
        const Core core = present_core();
        answer = core.designer == designed_by_arm && (core.part == a57 || core.part == a72) ? 2 : 1;
        known.store(answer, std::memory_order_relaxed);
    }
    return answer == 2;
}

}  // namespace girih::isa::neon
