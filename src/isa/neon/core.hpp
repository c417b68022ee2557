/// Which of two permutations suits the core: a public choice, which changes no result.
#pragma once

#if defined(__linux__)
#    include <sys/auxv.h>
#endif

#include <atomic>
#include <cstdint>

namespace girih::isa::neon {

/// Whether it is a Cortex-A57 or A72 (Raspberry Pi 4, Graviton), of whose pipelines one alone can
/// shift the operand of a logical instruction.
[[nodiscard]] inline bool shifts_in_one_pipeline() noexcept
{
#if defined(__linux__)
    // Asked once, because the kernel traps the instruction. Threads that find 0 store the same
    // value; where cores differ, any answer will do.
    static constinit std::atomic<std::uint8_t> known{0};
    std::uint8_t answer = known.load(std::memory_order_relaxed);
    if (answer == 0) {
        std::uint64_t midr = 0;
        if ((getauxval(AT_HWCAP) & HWCAP_CPUID) != 0) __asm__("mrs %0, midr_el1" : "=r"(midr));
        constexpr std::uint64_t arm = 0x41, a57 = 0xD07, a72 = 0xD08;
        const std::uint64_t part = midr >> 4 & 0xFFF;
        answer = (midr >> 24 & 0xFF) == arm && (part == a57 || part == a72) ? 2 : 1;
        known.store(answer, std::memory_order_relaxed);
    }
    return answer == 2;
#else
    return false;
#endif
}

}  // namespace girih::isa::neon
