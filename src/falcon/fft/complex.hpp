/// Complex numbers. The order of operations is fixed: every engine gets the same bits.
#pragma once

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

}  // namespace girih::falcon
