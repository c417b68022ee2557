/// Polynomials of ML-KEM for small processors: 256 coefficients of 16 bits, two in a word, their
/// transforms and their products.
///
/// Constant time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "isa/products.hpp"
#include "ml_kem/kernels/ntt.hpp"
#include "ml_kem/params.hpp"
#include "module_lattice/fields.hpp"
#include "transform/packed_layers.hpp"

namespace girih::ml_kem::small {

using module_lattice::group;

/// Coefficient 2 i is the low half of word i, 2 i + 1 the high one, on little-endian machines.
struct alignas(4) Poly {
    using value_type = Coefficient;
    std::array<Coefficient, n> c;

    [[nodiscard]] Coefficient& operator[](std::size_t i) { return c[i]; }
    [[nodiscard]] const Coefficient& operator[](std::size_t i) const { return c[i]; }
    [[nodiscard, gnu::always_inline]] std::uint32_t pair(std::size_t i) const
    {
        std::uint32_t word;
        std::memcpy(&word, &c[2 * i], sizeof word);
        return word;
    }
    [[gnu::always_inline]] void set_pair(std::size_t i, std::uint32_t word)
    {
        std::memcpy(&c[2 * i], &word, sizeof word);
    }
};
static_assert(std::endian::native == std::endian::little);

template <class Isa>
struct Arithmetic {
    using Halves = typename Isa::template HalfwordsOf<q>;
    using Layers = transform::PackedLayers<Halves, Poly>;
    static constexpr std::int32_t bound = Halves::product_bound;

    /// NTT (FIPS 203, Algorithm 9) of coefficients in [-q, q): values are at most
    /// q + 7 product_bound in magnitude.
    [[gnu::noinline]] static void ntt(Poly& f) noexcept
    {
        static_assert(q + 7 * bound <= transformed_bound);
        for (std::size_t i = 0; i < n / 2; i += 2) {
            auto v = Layers::template load<2>(f, i, n / 2);
            Layers::butterfly(v[0], v[1], factors[1]);
            Layers::store(f, i, n / 2, v);
        }
        for (std::size_t parts = 2, stride = n / 16; parts <= 16; parts *= 8, stride /= 8)
            for (std::size_t part = 0; part < parts; ++part)
                Layers::template part_thrice<false>(f, factors.data(), parts, part, stride);
    }
    static constexpr std::int32_t transformed_bound = 15'000;

    /// NTT^-1 (FIPS 203, Algorithm 10) of a sum of products, with the products' scale undone:
    /// coefficients are at most product_bound in magnitude.
    [[gnu::noinline]] static void inverse_ntt(Poly& f) noexcept
    {
        // Two layers of sums make max_k bound four times as large. Three layers return at most
        // 4 bound, two sums of products, which is no more than the next three take.
        static_assert(4 * max_k * bound < 32768 && max_k >= 4);
        for (std::size_t parts = 16, stride = 2; parts >= 2; parts /= 8, stride *= 8)
            for (std::size_t part = 0; part < parts; ++part)
                Layers::join_thrice(f, factors.data(), parts, part, stride, [](auto&) {});
        for (std::size_t i = 0; i < n / 2; i += 2) {
            auto v = Layers::template load<2>(f, i, n / 2);
            const auto difference = Halves::subtract(v[1], v[0]);
            v[0] = Halves::multiply(Halves::add(v[0], v[1]), scale);
            v[1] = Halves::multiply(difference, last_scale);
            Layers::store(f, i, n / 2, v);
        }
    }

    /// sum += a b Halves::reduction, reduced, for residue i modulo X^2 - gamma (BaseCaseMultiply,
    /// FIPS 203, Algorithm 12): a is at most 4095, b at most transformed_bound in magnitude.
    [[gnu::always_inline]] static void add_product(Poly& sum, std::size_t i, std::uint32_t a,
                                                   const Poly& b) noexcept
    {
        static_assert(2 * 4095 * transformed_bound < q << 16);
        sum.set_pair(i, Halves::add(sum.pair(i), Halves::multiply_linear(a, b.pair(i), gammas[i])));
    }
    /// MultiplyNTTs (FIPS 203, Algorithm 11) with ByteDecode12(packed), added up in the same way.
    [[gnu::noinline]] static void add_product(Poly& sum, const Byte* packed, const Poly& b) noexcept
    {
        for (std::size_t i = 0; i < n / 2; ++i, packed += 3) {
            const std::uint32_t two =
                packed[0] | std::uint32_t{packed[1]} << 8 | std::uint32_t{packed[2]} << 16;
            add_product(sum, i, (two & 0xFFF) | two >> 12 << 16, b);
        }
    }

    /// f += addend, where f is a sum of products and becomes values at their own scale.
    [[gnu::noinline]] static void add_to_products(Poly& f, const Poly& addend) noexcept
    {
        constexpr std::uint32_t factor = Halves::factor(Halves::undo_reduction);
        for (std::size_t i = 0; i < n / 2; ++i)
            f.set_pair(i, Halves::add(Halves::multiply(f.pair(i), factor), addend.pair(i)));
    }
    /// sum = t - sum, where sum is a sum of products and stays one.
    [[gnu::noinline]] static void subtract_products_from(const Poly& t, Poly& sum) noexcept
    {
        constexpr std::uint32_t factor = Halves::factor(Halves::reduction);
        for (std::size_t i = 0; i < n / 2; ++i) {
            const auto scaled = Halves::multiply(t.pair(i), factor);
            sum.set_pair(i, Halves::multiply(Halves::subtract(scaled, sum.pair(i)), Layers::one));
        }
    }
    /// Residues in [0, q).
    [[gnu::noinline]] static void make_canonical(Poly& f) noexcept
    {
        for (std::size_t i = 0; i < n / 2; ++i)
            f.set_pair(i, Halves::canonical(Halves::multiply(f.pair(i), Layers::one)));
    }

  private:
    /// Part i of a layer of `parts` parts has the factor zeta^BitRev7(parts + i).
    static constexpr std::array<std::uint32_t, n / 2> factors = [] {
        using Roots = transform::Roots<q, n, zeta>;
        std::array<std::uint32_t, n / 2> all{};
        for (std::size_t i = 0; i < n / 2; ++i) all[i] = Halves::factor(Roots::power(zeta, bit_rev7(i)));
        return all;
    }();
    static constexpr std::array<std::uint32_t, n / 2> gammas = [] {
        using Roots = transform::Roots<q, n, zeta>;
        std::array<std::uint32_t, n / 2> all{};
        for (std::size_t i = 0; i < n / 2; ++i)
            all[i] = Halves::factor(Roots::power(zeta, 2 * bit_rev7(i) + 1));
        return all;
    }();
    /// 1 / 128, times the factor that undoes the reduction of products; and the same times the
    /// factor of the last layer.
    static constexpr std::int64_t scaled_one = (q - (q - 1) / 128) * Halves::undo_reduction % q;
    static constexpr std::uint32_t scale = Halves::factor(scaled_one);
    static constexpr std::uint32_t last_scale =
        Halves::factor(scaled_one * transform::Roots<q, n, zeta>::power(zeta, bit_rev7(1)));
};

/// Compress (FIPS 203, Section 4.2.1, formula 4.7), of -2 q < x < 2 q: round(2^d x / q) modulo 2^d.
///
/// q is odd, so 2^d x / q is at least 1 / (2 q) away from where rounding changes. The product has
/// 16 fractional bits, and its error, below two units of the last, is smaller than that.
template <int d>
[[nodiscard, gnu::always_inline]] constexpr std::uint32_t compress(std::int32_t x) noexcept
{
    constexpr std::int64_t wide = ((std::int64_t{1} << (d + 30)) + q / 2) / q;
    static_assert(2 * 2 * q < 1 << 16 && wide < INT32_MAX);
    constexpr auto reciprocal = static_cast<std::int32_t>(wide);
    const std::int64_t product = isa::long_product(x * (1 << 18), reciprocal);
    const auto scaled = static_cast<std::uint32_t>(product >> 32);
    return (scaled + (1 << 15)) >> 16 & ((1U << d) - 1);
}

/// Decompress (FIPS 203, Section 4.2.1, formula 4.8): round(q y / 2^d).
template <int d>
[[nodiscard, gnu::always_inline]] constexpr std::int32_t decompress(std::int32_t y) noexcept
{
    return (q * y + (1 << (d - 1))) >> d;
}

}  // namespace girih::ml_kem::small
