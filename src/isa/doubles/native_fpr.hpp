/// Floating point by the processor's double unit. It has to be exactly IEEE 754's binary64: no
/// fused multiplications, no wider intermediate results, rounding to nearest. (Every object is
/// compiled with -fno-fast-math and -ffp-contract=off.)
///
/// Additions and multiplications take constant time on processors with a unit for them; divisions,
/// square roots and conversions may not.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/secret.hpp"
#include "isa/options.hpp"

#if defined(__SSE2__)
#    include <emmintrin.h>
#elif defined(__aarch64__)
#    include <arm_neon.h>
#endif

namespace girih::isa {

/// Whether every result is rounded to a double. A template, so that it is checked only where
/// NativeFpr is used.
template <class Isa>
inline constexpr bool double_is_no_wider = FLT_EVAL_METHOD == 0;

/// Whether operations are compiled as written. A template as well: -ffast-math is harmless without
/// Falcon.
template <class Isa>
inline constexpr bool keeps_operations =
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    __FINITE_MATH_ONLY__
    false;
#else
    true;
#endif

/// `Isa` keeps the functions of engines apart, each compiled for its own processor.
template <class Isa>
class NativeFpr {
    static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53);
    static_assert(double_is_no_wider<Isa>);
    static_assert(keeps_operations<Isa>, "Falcon needs IEEE 754's arithmetic: -fno-fast-math");

  public:
    using Engine = Isa;
    static constexpr bool is_native = true;

    constexpr NativeFpr() = default;
    constexpr explicit NativeFpr(double value) noexcept : value_(value) {}
    /// An integer below 2^53 in magnitude.
    [[nodiscard]] static constexpr NativeFpr of(std::int64_t value) noexcept
    {
        return NativeFpr{static_cast<double>(value)};
    }
    [[nodiscard]] static constexpr NativeFpr of_bits(std::uint64_t bits) noexcept
    {
        return NativeFpr{__builtin_bit_cast(double, bits)};
    }
    [[nodiscard]] constexpr std::uint64_t bits() const noexcept
    {
        return __builtin_bit_cast(std::uint64_t, value_);
    }
    [[nodiscard]] constexpr double value() const noexcept { return value_; }

    [[nodiscard]] friend constexpr NativeFpr operator+(NativeFpr a, NativeFpr b) noexcept
    {
        return NativeFpr{a.value_ + b.value_};
    }
    [[nodiscard]] friend constexpr NativeFpr operator-(NativeFpr a, NativeFpr b) noexcept
    {
        return NativeFpr{a.value_ - b.value_};
    }
    [[nodiscard]] friend constexpr NativeFpr operator*(NativeFpr a, NativeFpr b) noexcept
    {
        if constexpr (RoundsProducts<Isa>) {
            if (!std::is_constant_evaluated()) return NativeFpr{Isa::rounded(a.value_ * b.value_)};
        }
        return NativeFpr{a.value_ * b.value_};
    }
    [[nodiscard]] friend constexpr NativeFpr operator/(NativeFpr a, NativeFpr b) noexcept
    {
        return NativeFpr{a.value_ / b.value_};
    }
    [[nodiscard]] constexpr NativeFpr operator-() const noexcept { return NativeFpr{-value_}; }

    [[nodiscard]] friend constexpr NativeFpr half(NativeFpr a) noexcept { return NativeFpr{a.value_ * 0.5}; }
    [[nodiscard]] friend constexpr NativeFpr twice(NativeFpr a) noexcept
    {
        return NativeFpr{a.value_ + a.value_};
    }
    [[nodiscard]] friend constexpr NativeFpr square(NativeFpr a) noexcept { return a * a; }
    /// By the instruction, whatever the compiler's flags, and without the C library, whose function
    /// branches on the number to set errno.
    [[nodiscard]] friend NativeFpr sqrt(NativeFpr a) noexcept
    {
#if defined(__SSE2__)
        // In both lanes: memcheck does not know every encoding of movq, which clears the upper one.
        const __m128d root = _mm_set1_pd(a.value_);
        return NativeFpr{_mm_cvtsd_f64(_mm_sqrt_sd(root, root))};
#elif defined(__aarch64__)
        return NativeFpr{vget_lane_f64(vsqrt_f64(vdup_n_f64(a.value_)), 0)};
#elif defined(__riscv_flen) && __riscv_flen >= 64
        double root;
        __asm__("fsqrt.d %0, %1" : "=f"(root) : "f"(a.value_));
        return NativeFpr{root};
#else
        return NativeFpr{__builtin_sqrt(a.value_)};
#endif
    }

    /// 1 if a < b, else 0.
    [[nodiscard]] friend constexpr std::uint32_t less(NativeFpr a, NativeFpr b) noexcept
    {
        return static_cast<std::uint32_t>(a.value_ < b.value_);
    }

    /// The nearest integer, ties to even, for |a| < 2^51; else an arbitrary integer.
    [[nodiscard]] friend constexpr std::int64_t round(NativeFpr a) noexcept
    {
        // The sum is in [2^52, 2^53), where consecutive numbers are 1 apart: the addition rounds,
        // and the bits count integers.
        constexpr NativeFpr shifter{0x1.8p52};
        return static_cast<std::int64_t>((a + shifter).bits() - shifter.bits());
    }
    /// Rounds towards minus infinity, for |a| < 2^51; else an arbitrary integer.
    [[nodiscard]] friend constexpr std::int64_t floor(NativeFpr a) noexcept
    {
        const std::int64_t nearest = round(a);
        const std::uint64_t is_above = static_cast<std::uint64_t>(a.value_ < static_cast<double>(nearest));
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(nearest) - is_above);
    }
    /// Rounds towards zero, for |a| < 2^63; else 0.
    [[nodiscard]] friend constexpr std::int64_t trunc(NativeFpr a) noexcept
    {
        const std::uint64_t exponent = a.bits() >> 52 & 0x7FF;
        const std::uint64_t fits = negative_mask(exponent - (1023 + 63));
        return static_cast<std::int64_t>(of_bits(a.bits() & fits).value_);
    }

  private:
    double value_;
};

}  // namespace girih::isa
