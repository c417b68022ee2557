/// EmulatedFpr in functions of its own: a microcontroller has no room for a copy of each operation
/// wherever one is used.
///
/// They take and return plain words of 64 bits, which the calling convention has registers for; a
/// structure comes back in memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "isa/emulated_fpr.hpp"

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
    [[nodiscard]] static constexpr OutlinedFpr of(std::int64_t value) noexcept
    {
        return of_bits(of_integer(value));
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
    [[nodiscard]] friend constexpr OutlinedFpr square(OutlinedFpr a) noexcept { return a * a; }
    [[nodiscard]] friend constexpr OutlinedFpr sqrt(OutlinedFpr a) noexcept
    {
        return of_bits(square_root(a.bits_));
    }

    [[nodiscard]] friend constexpr std::uint32_t less(OutlinedFpr a, OutlinedFpr b) noexcept
    {
        return less(Inline::of_bits(a.bits_), Inline::of_bits(b.bits_));
    }
    [[nodiscard]] friend constexpr std::int64_t round(OutlinedFpr a) noexcept { return nearest(a.bits_); }
    [[nodiscard]] friend constexpr std::int64_t floor(OutlinedFpr a) noexcept { return below(a.bits_); }
    [[nodiscard]] friend constexpr std::int64_t trunc(OutlinedFpr a) noexcept
    {
        return towards_zero(a.bits_);
    }

  private:
    static constexpr U64 sign_bit = U64{1} << 63;

    [[gnu::noinline]] static constexpr U64 of_integer(std::int64_t value) noexcept
    {
        return Inline::of(value).bits();
    }
    [[gnu::noinline]] static constexpr U64 add(U64 a, U64 b) noexcept
    {
        return (Inline::of_bits(a) + Inline::of_bits(b)).bits();
    }
    [[gnu::noinline]] static constexpr U64 multiply(U64 a, U64 b) noexcept
    {
        return (Inline::of_bits(a) * Inline::of_bits(b)).bits();
    }
    [[gnu::noinline]] static constexpr U64 divide(U64 a, U64 b) noexcept
    {
        return (Inline::of_bits(a) / Inline::of_bits(b)).bits();
    }
    [[gnu::noinline]] static constexpr U64 square_root(U64 a) noexcept
    {
        return sqrt(Inline::of_bits(a)).bits();
    }
    [[gnu::noinline]] static constexpr std::int64_t nearest(U64 a) noexcept
    {
        return round(Inline::of_bits(a));
    }
    [[gnu::noinline]] static constexpr std::int64_t below(U64 a) noexcept
    {
        return floor(Inline::of_bits(a));
    }
    [[gnu::noinline]] static constexpr std::int64_t towards_zero(U64 a) noexcept
    {
        return trunc(Inline::of_bits(a));
    }

    U64 bits_;
};

}  // namespace girih::isa::cortex_m
