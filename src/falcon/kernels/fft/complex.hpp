/// Complex numbers. The order of operations is fixed: every engine gets the same bits.
#pragma once

#include <type_traits>

#include "isa/isa.hpp"

namespace girih::falcon {

template <class Fpr>
struct Complex {
    Fpr re;
    Fpr im;

    [[nodiscard]] friend constexpr Complex operator+(Complex a, Complex b) noexcept
    {
        return {a.re + b.re, a.im + b.im};
    }
    [[nodiscard]] friend constexpr Complex operator-(Complex a, Complex b) noexcept
    {
        return {a.re - b.re, a.im - b.im};
    }
    [[nodiscard]] friend constexpr Complex operator*(Complex a, Complex b) noexcept
    {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    [[nodiscard]] friend constexpr Complex operator*(Complex a, Fpr b) noexcept
    {
        return {a.re * b, a.im * b};
    }

    [[nodiscard]] friend constexpr Complex half(Complex a) noexcept { return {half(a.re), half(a.im)}; }
    [[nodiscard]] friend constexpr Complex conjugate(Complex a) noexcept { return {a.re, -a.im}; }
    /// |a|^2
    [[nodiscard]] friend constexpr Fpr norm(Complex a) noexcept { return square(a.re) + square(a.im); }
};

/// The butterfly of transforms, splitting and merging. A type of numbers may have its own functions
/// for it, which compute the sum and difference of two numbers at once; their argument points to
/// `a.re` and the members after it.
template <class Fpr>
struct Butterfly {
    Complex<Fpr> a;
    Complex<Fpr> b;
    Complex<Fpr> zeta;

    /// (a, b) becomes (a + b zeta, a - b zeta).
    [[gnu::always_inline]] constexpr void forward() noexcept
    {
        if constexpr (isa::Butterflies<Fpr>) {
            if (!std::is_constant_evaluated()) return Fpr::butterfly(&a.re);
        }
        const Complex<Fpr> product = b * zeta;
        b = a - product;
        a = a + product;
    }
    /// (a, b) becomes (a + b, (a - b) conjugate(zeta)).
    [[gnu::always_inline]] constexpr void inverse() noexcept
    {
        if constexpr (isa::Butterflies<Fpr>) {
            if (!std::is_constant_evaluated()) return Fpr::inverse_butterfly(&a.re);
        }
        const Complex<Fpr> difference = a - b;
        a = a + b;
        b = difference * conjugate(zeta);
    }
};

}  // namespace girih::falcon
