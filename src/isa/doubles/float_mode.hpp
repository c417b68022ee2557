/// The processor's floating-point mode, which a program can change for a whole thread.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#    include <xmmintrin.h>
#elif !defined(__aarch64__) && !defined(__riscv_flen)
#    include <cfenv>
#endif

namespace girih::isa {

/// Within its scope, results are rounded to nearest, nothing traps and small numbers are not
/// flushed to zero; its destructor restores the thread's mode. The floating-point code must be in a
/// separate function that is not inlined, because compilers assume a fixed mode.
template <bool is_native>
class FloatMode;

template <>
class FloatMode<false> {};

#if defined(__SSE2__) || defined(__aarch64__) || defined(__riscv_flen) || defined(FE_TONEAREST)
template <>
class FloatMode<true> {
  public:
#    if defined(__SSE2__)
    [[gnu::always_inline]] FloatMode() noexcept : callers_(_mm_getcsr()) { _mm_setcsr(all_masked); }
    [[gnu::always_inline]] ~FloatMode() { _mm_setcsr(callers_); }
#    elif defined(__aarch64__)
    [[gnu::always_inline]] FloatMode() noexcept
    {
        __asm__ volatile("mrs %0, fpcr" : "=r"(callers_));
        set(0);
    }
    [[gnu::always_inline]] ~FloatMode() { set(callers_); }
#    elif defined(__riscv_flen)
    [[gnu::always_inline]] FloatMode() noexcept { __asm__ volatile("fscsr %0, zero" : "=r"(callers_)); }
    [[gnu::always_inline]] ~FloatMode() { __asm__ volatile("fscsr %0" : : "r"(callers_)); }
#    else
    [[gnu::always_inline]] FloatMode() noexcept
    {
        (void)std::feholdexcept(&callers_), (void)std::fesetround(FE_TONEAREST);
    }
    [[gnu::always_inline]] ~FloatMode() { (void)std::fesetenv(&callers_); }
#    endif
    FloatMode(const FloatMode&) = delete;
    FloatMode& operator=(const FloatMode&) = delete;

  private:
#    if defined(__SSE2__)
    static constexpr std::uint32_t all_masked = 0x1F80;  // the processor's initial value
    std::uint32_t callers_;
#    elif defined(__aarch64__)
    static void set(std::uint64_t mode) noexcept { __asm__ volatile("msr fpcr, %0" : : "r"(mode)); }
    std::uint64_t callers_;
#    elif defined(__riscv_flen)
    std::size_t callers_;  // fcsr: the rounding mode and the flags
#    else
    std::fenv_t callers_;
#    endif
};
#endif

}  // namespace girih::isa
