/// A cheap counter: the processor's own if it has one, else the steady clock.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/family.hpp"

#if defined(GIRIH_FAMILY_X86_64) || defined(__i386__)
#    include <x86intrin.h>
#elif !defined(__aarch64__)
#    include <chrono>
#endif

namespace girih::isa {

/// `start` and `stop` surround the timed code, and keep it between them. Their own cost is part of
/// the result, and is never subtracted.
struct Counter {
#if defined(GIRIH_FAMILY_X86_64) || defined(__i386__)
    static constexpr std::string_view name = "time-stamp counter";
    static constexpr bool has_ticks = true;

    static std::uint64_t start() noexcept
    {
        _mm_lfence();  // earlier instructions have finished
        const std::uint64_t ticks = __rdtsc();
        _mm_lfence();  // later instructions have not begun
        return ticks;
    }
    static std::uint64_t stop() noexcept
    {
        unsigned core;
        const std::uint64_t ticks = __rdtscp(&core);  // waits for earlier instructions
        _mm_lfence();
        return ticks;
    }
#elif defined(__aarch64__)
    static constexpr std::string_view name = "virtual counter";
    static constexpr bool has_ticks = true;

    static std::uint64_t start() noexcept
    {
        std::uint64_t ticks;
        __asm__ __volatile__("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
        return ticks;
    }
    static std::uint64_t stop() noexcept { return start(); }
#else
    static constexpr std::string_view name = "steady clock";
    static constexpr bool has_ticks = false;

    static std::uint64_t start() noexcept
    {
        return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    }
    static std::uint64_t stop() noexcept { return start(); }
#endif
};

}  // namespace girih::isa
