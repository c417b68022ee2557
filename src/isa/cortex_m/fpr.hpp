/// EmulatedFpr in functions that are not inlined: a microcontroller has no flash for a copy of each
/// operation at every use.
///
/// On the processor they call fpr.S; elsewhere, and at compile time, EmulatedFpr, whose results
/// fpr.S reproduces. They take and return plain 64-bit words, which are passed in registers; a
/// structure would be returned in memory.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "isa/cortex_m/core.hpp"
#include "isa/cortex_m/fpr_calls.hpp"
#include "isa/doubles/emulated_fpr.hpp"

// GIRIH_FPR(function, call, text): a function that makes the call of fpr.S on the processor, and is
// the text elsewhere.
#if defined(GIRIH_ARM_DSP)
#    define GIRIH_FPR(function, call, text)                                      \
        [[nodiscard, gnu::always_inline]] static constexpr U64 function noexcept \
        {                                                                        \
            if (std::is_constant_evaluated()) return text;                       \
            return fpr_calls::call;                                              \
        }
#else
#    define GIRIH_FPR(function, call, text) \
        [[nodiscard, gnu::noinline]] static constexpr U64 function noexcept { return text; }
#endif

namespace girih::isa::cortex_m {

template <class Isa>
class OutlinedFpr {
    using U64 = std::uint64_t;
    using Inline = EmulatedFpr<Isa>;

  public:
    using Engine = Isa;
    static constexpr bool is_native = false;

    constexpr OutlinedFpr() = default;
    constexpr explicit OutlinedFpr(double value) noexcept : bits_(__builtin_bit_cast(U64, value)) {}
    /// An integer below 2^53 in magnitude.
    template <std::integral Integer>
    [[nodiscard]] static constexpr OutlinedFpr of(Integer value) noexcept
    {
        return of_bits(sizeof value < sizeof(std::int32_t) ? of_word(static_cast<std::int32_t>(value))
                                                           : of_integer(static_cast<std::int64_t>(value)));
    }
    [[nodiscard]] static constexpr OutlinedFpr of_bits(U64 bits) noexcept
    {
        OutlinedFpr a;
        a.bits_ = bits;
        return a;
    }
    [[nodiscard]] constexpr U64 bits() const noexcept { return bits_; }
    [[nodiscard]] constexpr double value() const noexcept { return __builtin_bit_cast(double, bits_); }

    [[nodiscard]] friend constexpr OutlinedFpr operator+(OutlinedFpr a, OutlinedFpr b) noexcept
    {
        return of_bits(add(a.bits_, b.bits_));
    }
    [[nodiscard]] friend constexpr OutlinedFpr operator-(OutlinedFpr a, OutlinedFpr b) noexcept
    {
        return of_bits(add(a.bits_, b.bits_ ^ sign_bit));
    }
    [[nodiscard]] friend constexpr OutlinedFpr operator*(OutlinedFpr a, OutlinedFpr b) noexcept
    {
        return of_bits(multiply(a.bits_, b.bits_));
    }
    [[nodiscard]] friend constexpr OutlinedFpr operator/(OutlinedFpr a, OutlinedFpr b) noexcept
    {
        return of_bits(divide(a.bits_, b.bits_));
    }
    [[nodiscard]] constexpr OutlinedFpr operator-() const noexcept { return of_bits(bits_ ^ sign_bit); }

    [[nodiscard]] friend constexpr OutlinedFpr half(OutlinedFpr a) noexcept
    {
        return of_bits(half(Inline::of_bits(a.bits_)).bits());
    }
    [[nodiscard]] friend constexpr OutlinedFpr twice(OutlinedFpr a) noexcept
    {
        return of_bits(twice(Inline::of_bits(a.bits_)).bits());
    }
    [[nodiscard]] friend constexpr OutlinedFpr square(OutlinedFpr a) noexcept
    {
        return of_bits(product_with_itself(a.bits_));
    }
    [[nodiscard]] friend constexpr OutlinedFpr sqrt(OutlinedFpr a) noexcept
    {
        return of_bits(square_root(a.bits_));
    }

    [[nodiscard]] friend constexpr std::uint32_t less(OutlinedFpr a, OutlinedFpr b) noexcept
    {
        return less(Inline::of_bits(a.bits_), Inline::of_bits(b.bits_));
    }
    [[nodiscard]] friend constexpr std::int64_t round(OutlinedFpr a) noexcept { return nearest(a.bits_); }
    [[nodiscard]] friend constexpr std::int64_t floor(OutlinedFpr a) noexcept
    {
        return static_cast<std::int64_t>(below(a.bits_));
    }
    [[nodiscard]] friend constexpr std::int64_t trunc(OutlinedFpr a) noexcept
    {
        return static_cast<std::int64_t>(towards_zero(a.bits_));
    }

#if defined(GIRIH_ARM_DSP)
    /// falcon::Butterfly's six numbers.
    static void butterfly(OutlinedFpr* numbers) noexcept { girih_cortex_m_butterfly(numbers); }
    static U64 multiply_high(U64 a, U64 b) noexcept { return fpr_calls::multiply_high(a, b); }
    static void inverse_butterfly(OutlinedFpr* numbers) noexcept
    {
        girih_cortex_m_inverse_butterfly(numbers);
    }
#endif

  private:
    static constexpr U64 sign_bit = U64{1} << 63;

    GIRIH_FPR(of_word(std::int32_t value), of_word(static_cast<std::uint32_t>(value)),
              Inline::of(value).bits())
    GIRIH_FPR(of_integer(std::int64_t value), of_integer(static_cast<U64>(value)), Inline::of(value).bits())
    GIRIH_FPR(add(U64 a, U64 b), add(a, b), (Inline::of_bits(a) + Inline::of_bits(b)).bits())
    GIRIH_FPR(multiply(U64 a, U64 b), multiply(a, b), (Inline::of_bits(a) * Inline::of_bits(b)).bits())
    GIRIH_FPR(product_with_itself(U64 a), square(a), square(Inline::of_bits(a)).bits())
    GIRIH_FPR(divide(U64 a, U64 b), divide(a, b), (Inline::of_bits(a) / Inline::of_bits(b)).bits())
    GIRIH_FPR(square_root(U64 a), square_root(a), sqrt(Inline::of_bits(a)).bits())
    GIRIH_FPR(below(U64 a), floor(a), static_cast<U64>(floor(Inline::of_bits(a))))
    GIRIH_FPR(towards_zero(U64 a), truncate(a), static_cast<U64>(trunc(Inline::of_bits(a))))
    /// Adding 1.5 2^52 rounds a number below 2^51 in magnitude to an integer: the difference of its
    /// bits and those of 1.5 2^52.
    [[nodiscard]] static constexpr std::int64_t nearest(U64 a) noexcept
    {
        constexpr U64 large = U64{0x4338} << 48;
        static_assert(large == __builtin_bit_cast(U64, 0x1.8p52));
        return static_cast<std::int64_t>(add(a, large) - large);
    }

    U64 bits_;
};

}  // namespace girih::isa::cortex_m

#undef GIRIH_FPR
