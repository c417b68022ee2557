/// The Fourier transform of polynomials modulo x^n + 1 (specification, Section 3.5): values at n/2
/// roots of x^n + 1, one of each conjugate pair. The real parts come first, then the imaginary
/// ones.
///
/// Constant time if the arithmetic is.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "falcon/kernels/fft/blocks.hpp"
#include "falcon/kernels/fft/complex.hpp"
#include "falcon/kernels/fft/roots.hpp"
#include "falcon/params.hpp"
#include "isa/isa.hpp"

namespace girih::falcon {

/// A self-adjoint polynomial's values are real: half as many numbers.
template <class Fpr, std::size_t n>
using RealPoly = Poly<Fpr, n / 2>;

template <class Fpr, std::size_t n>
[[nodiscard]] constexpr Complex<Fpr> at(const Poly<Fpr, n>& f, std::size_t i)
{
    return {f[i], f[i + n / 2]};
}
template <class Fpr, std::size_t n>
constexpr void put(Poly<Fpr, n>& f, std::size_t i, Complex<Fpr> value)
{
    f[i] = value.re;
    f[i + n / 2] = value.im;
}
/// Transforms of polynomials whose degree is known at run time only.
template <class Fpr>
[[nodiscard]] constexpr Complex<Fpr> at(std::span<const Fpr> f, std::size_t i)
{
    return {f[i], f[i + f.size() / 2]};
}
template <class Fpr>
constexpr void put(std::span<Fpr> f, std::size_t i, Complex<Fpr> value)
{
    f[i] = value.re;
    f[i + f.size() / 2] = value.im;
}

/// The root of part `part` of a layer.
template <class Fpr>
[[nodiscard]] constexpr Complex<Fpr> root(unsigned layer, std::size_t part)
{
    const std::size_t i = (std::size_t{1} << layer) + part;
    if constexpr (isa::HasNarrow<Fpr>) {
        return {Fpr{roots<typename Fpr::Narrow>.re[i]}, Fpr{roots<typename Fpr::Narrow>.im[i]}};
    } else {
        return {roots<Fpr>.re[i], roots<Fpr>.im[i]};
    }
}

/// The roots of parts from `part` on.
template <class Fpr, class B>
[[nodiscard, gnu::always_inline]] constexpr Complex<typename B::Number> load_roots(unsigned layer,
                                                                                   std::size_t part)
{
    if constexpr (B::size == 1) {
        return root<Fpr>(layer, part);
    } else {
        const std::size_t i = (std::size_t{1} << layer) + part;
        return {B::load(&roots<Fpr>.re[i]), B::load(&roots<Fpr>.im[i])};
    }
}

/// One root for a whole block.
template <class B, class Fpr>
[[nodiscard, gnu::always_inline]] constexpr Complex<typename B::Number> spread(const Complex<Fpr>& a)
{
    return {typename B::Number{a.re}, typename B::Number{a.im}};
}

/// A layer of fft whose parts are whole blocks.
template <class B, class Fpr>
constexpr void fft_layer(Fpr* f, std::size_t n, unsigned layer, std::size_t half_part)
{
    Fpr* const re = f;
    Fpr* const im = f + n / 2;
    const std::size_t parts = std::size_t{1} << layer;
    for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
        Butterfly<typename B::Number> x;
        x.zeta = spread<B>(root<Fpr>(layer, part));
        for (std::size_t j = first; j < first + half_part; j += B::size) {
            x.a = {B::load(&re[j]), B::load(&im[j])};
            x.b = {B::load(&re[j + half_part]), B::load(&im[j + half_part])};
            x.forward();
            B::store(&re[j], x.a.re);
            B::store(&im[j], x.a.im);
            B::store(&re[j + half_part], x.b.re);
            B::store(&im[j + half_part], x.b.im);
        }
    }
}
/// A layer of inverse_fft.
template <class B, class Fpr>
constexpr void inverse_fft_layer(Fpr* f, std::size_t n, unsigned layer, std::size_t half_part)
{
    Fpr* const re = f;
    Fpr* const im = f + n / 2;
    const std::size_t parts = std::size_t{1} << layer;
    for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
        Butterfly<typename B::Number> x;
        x.zeta = spread<B>(root<Fpr>(layer, part));
        for (std::size_t j = first; j < first + half_part; j += B::size) {
            x.a = {B::load(&re[j]), B::load(&im[j])};
            x.b = {B::load(&re[j + half_part]), B::load(&im[j + half_part])};
            x.inverse();
            B::store(&re[j], x.a.re);
            B::store(&im[j], x.a.im);
            B::store(&re[j + half_part], x.b.re);
            B::store(&im[j + half_part], x.b.im);
        }
    }
}

/// FFT. The first layer needs no work: f[j] + i f[j + n/2] is a coefficient of f modulo x^(n/2) -
/// i.
template <class Fpr>
constexpr void fft(std::span<Fpr> f)
{
    const std::size_t n = f.size();
    std::size_t half_part = n / 4;
    for (unsigned layer = 0; half_part > 0; ++layer, half_part /= 2) {
        if (half_part >= Blocks<Fpr>::size)
            fft_layer<Blocks<Fpr>>(f.data(), n, layer, half_part);
        else
            fft_layer<OneByOne<Fpr>>(f.data(), n, layer, half_part);
    }
}

/// The inverse of fft.
template <class Fpr>
constexpr void inverse_fft(std::span<Fpr> f)
{
    const std::size_t n = f.size();
    std::size_t half_part = 1;
    for (unsigned layer = static_cast<unsigned>(std::bit_width(n)) - 2; layer-- > 0; half_part *= 2) {
        if (half_part >= Blocks<Fpr>::size)
            inverse_fft_layer<Blocks<Fpr>>(f.data(), n, layer, half_part);
        else
            inverse_fft_layer<OneByOne<Fpr>>(f.data(), n, layer, half_part);
    }
    // 2 / n, by the exponent alone
    const Fpr scale =
        Fpr::of_bits(static_cast<std::uint64_t>(1025 - static_cast<int>(std::bit_width(n))) << 52);
    for (Fpr& a : f) a = a * scale;
}

/// splitfft (Falcon, Algorithm 1): f(x) = f0(x^2) + x f1(x^2).
template <class Fpr, std::size_t n>
constexpr void split_fft(std::span<const Fpr, n> f, std::span<Fpr, n / 2> f0, std::span<Fpr, n / 2> f1)
{
    if constexpr (n == 2) {
        f0[0] = f[0];  // the value at i of f0 + x f1
        f1[0] = f[1];
    } else {
        constexpr unsigned layer = static_cast<unsigned>(std::bit_width(n)) - 3;
        using B = BlocksOf<Fpr, n / 4>;
        for (std::size_t i = 0; i < n / 4; i += B::size) {
            Complex<typename B::Number> a;
            Complex<typename B::Number> b;
            B::load_pairs(&f[2 * i], a.re, b.re);
            B::load_pairs(&f[2 * i + n / 2], a.im, b.im);
            store_values<B>(f0, i, half(a + b));
            store_values<B>(f1, i, half(a - b) * conjugate(load_roots<Fpr, B>(layer, i)));
        }
    }
}

/// Values of a self-adjoint f0, and of f1, where f(x) = f0(x^2) + x f1(x^2) is self-adjoint.
template <class Number>
struct RealParts {
    Number f0;
    Complex<Number> f1;
};

/// splitfft (Falcon, Algorithm 1) of a self-adjoint f: the values of a block from i on. n > 2.
template <class B, class Fpr, std::size_t n>
[[nodiscard, gnu::always_inline]] constexpr RealParts<typename B::Number> split_real_fft(
    const Poly<Fpr, n>& f, std::size_t i)
{
    constexpr unsigned layer = static_cast<unsigned>(std::bit_width(n)) - 2;
    typename B::Number a;
    typename B::Number b;
    B::load_pairs(&f[2 * i], a, b);
    return {half(a + b), conjugate(load_roots<Fpr, B>(layer, i)) * half(a - b)};
}

/// mergefft (Falcon, Algorithm 2): the inverse of split_fft.
template <class Fpr, std::size_t n>
constexpr void merge_fft(std::span<const Fpr, n / 2> f0, std::span<const Fpr, n / 2> f1, std::span<Fpr, n> f)
{
    if constexpr (n == 2) {
        f[0] = f0[0];
        f[1] = f1[0];
    } else {
        constexpr unsigned layer = static_cast<unsigned>(std::bit_width(n)) - 3;
        using B = BlocksOf<Fpr, n / 4>;
        for (std::size_t i = 0; i < n / 4; i += B::size) {
            const auto a = load_values<B>(f0, i);
            const auto b = load_values<B>(f1, i) * load_roots<Fpr, B>(layer, i);
            const auto sum = a + b;
            const auto difference = a - b;
            B::store_pairs(&f[2 * i], sum.re, difference.re);
            B::store_pairs(&f[2 * i + n / 2], sum.im, difference.im);
        }
    }
}

}  // namespace girih::falcon
