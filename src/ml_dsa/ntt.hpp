/// The number-theoretic transform (FIPS 204, Section 7.5), its inverse, and products between the two.
///
/// Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ml_dsa/montgomery.hpp"
#include "ml_dsa/poly.hpp"

namespace girih::ml_dsa {

namespace tables {

/// BitRev8 (FIPS 204, Algorithm 43): the bits of a byte in reverse order.
constexpr unsigned bit_rev8(unsigned m)
{
    unsigned r = 0;
    for (unsigned i = 0; i < 8; ++i) r |= (m >> i & 1U) << (7 - i);
    return r;
}

/// zetas[m] = zeta^BitRev8(m) R mod+- q (FIPS 204, Appendix B, in Montgomery form).
inline constexpr auto zetas = [] {
    std::array<std::int32_t, n> table{};
    for (unsigned m = 0; m < n; ++m) table[m] = to_montgomery(power(Residue{zeta}, bit_rev8(m)));
    return table;
}();

/// 1 / 256, and the R by which a product was divided, in Montgomery form: R^2 / 256.
inline constexpr std::int32_t inverse_factor = to_montgomery(Residue{montgomery_radix} / Residue{n});

}  // namespace tables

/// Largest magnitude of a Montgomery product of |a| <= a_magnitude with a centred constant: |a| (q/2) / R + q/2, up.
constexpr std::int64_t twiddled(std::int64_t a_magnitude)
{
    return a_magnitude * (q / 2) / montgomery_radix + q / 2 + 1;
}

/// What eight layers of butterflies, each adding one twiddled product, make of a bound.
constexpr Bound ntt_bound(Bound in)
{
    std::int64_t magnitude = in.magnitude();
    for (int layer = 0; layer < 8; ++layer) magnitude += twiddled(magnitude);
    return Bound::symmetric(magnitude);
}

/// The bound of a Montgomery reduction's result.
inline constexpr Bound reduced_bound = Bound::symmetric(q - 1);

namespace kernels {

/// Eight layers of Cooley-Tukey butterflies in place, |a| growing as ntt_bound says.
template <class Isa>
constexpr void ntt(Coefficients& w) noexcept
{
    std::size_t m = 0;
    for (std::size_t length = n / 2; length >= 1; length /= 2) {
        for (std::size_t start = 0; start < n; start += 2 * length) {
            const auto z = Isa::broadcast_integer(tables::zetas[++m]);
            for (std::size_t j = start; j < start + length; j += Isa::integer_lanes) {
                const auto a = Isa::load(&w[j]);
                const auto t = montgomery_multiply<Isa>(Isa::load(&w[j + length]), z);
                Isa::store(&w[j], a + t);
                Isa::store(&w[j + length], a - t);
            }
        }
    }
}

/// Eight layers of Gentleman-Sande butterflies in place, then times R / 256: takes |w| < q, leaves |w| < q.
template <class Isa>
constexpr void inverse_ntt(Coefficients& w) noexcept
{
    // A sum of two doubles the bound in each layer: 2^8 (q - 1) = 2,145,386,496 < 2^31.
    static_assert((std::int64_t{q} - 1) << 8 < montgomery_radix / 2);
    std::size_t m = n;
    for (std::size_t length = 1; length < n; length *= 2) {
        for (std::size_t start = 0; start < n; start += 2 * length) {
            const auto minus_z = Isa::broadcast_integer(-tables::zetas[--m]);
            for (std::size_t j = start; j < start + length; j += Isa::integer_lanes) {
                const auto a = Isa::load(&w[j]);
                const auto b = Isa::load(&w[j + length]);
                Isa::store(&w[j], a + b);
                Isa::store(&w[j + length], montgomery_multiply<Isa>(a - b, minus_z));
            }
        }
    }
    const auto factor = Isa::broadcast_integer(tables::inverse_factor);
    map<Isa>([factor](auto x) { return montgomery_multiply<Isa>(x, factor); }, w, w);
}

}  // namespace kernels

/// NTT (FIPS 204, Algorithm 41).
template <class Isa, Bound bound, Secrecy secrecy>
[[nodiscard]] constexpr auto ntt(const Poly<Form::coefficients, bound, secrecy>& w)
{
    GIRIH_ASSERT_BOUND(w);
    Poly<Form::ntt, ntt_bound(bound), secrecy> w_hat;
    w_hat.c = w.c;
    kernels::ntt<Isa>(w_hat.c);
    GIRIH_ASSERT_BOUND(w_hat);
    return w_hat;
}

/// NTT^-1 (FIPS 204, Algorithm 42) of a product, which it divides by R once more than it multiplies by it.
template <class Isa, Bound bound, Secrecy secrecy>
    requires(bound.within(reduced_bound))
[[nodiscard]] constexpr auto inverse_ntt(const Poly<Form::ntt_product, bound, secrecy>& w_hat)
{
    GIRIH_ASSERT_BOUND(w_hat);
    Poly<Form::coefficients, reduced_bound, secrecy> w;
    w.c = w_hat.c;
    kernels::inverse_ntt<Isa>(w.c);
    GIRIH_ASSERT_BOUND(w);
    return w;
}

/// MultiplyNTT (FIPS 204, Algorithm 45), divided by R.
template <class Isa, Bound a_bound, Secrecy a_secrecy, Bound b_bound, Secrecy b_secrecy>
    requires(a_bound.magnitude() * b_bound.magnitude() < montgomery_limit)
[[nodiscard]] constexpr auto multiply(const Poly<Form::ntt, a_bound, a_secrecy>& a,
                                      const Poly<Form::ntt, b_bound, b_secrecy>& b)
{
    Poly<Form::ntt_product, reduced_bound, a_secrecy | b_secrecy> product;
    map<Isa>([](auto x, auto y) { return montgomery_multiply<Isa>(x, y); }, product.c, a.c, b.c);
    GIRIH_ASSERT_BOUND(product);
    return product;
}

/// The row of MatrixVectorNTT (FIPS 204, Algorithm 48): the sum of a[i] b[i], reduced once, divided by R.
template <class Isa, std::size_t size, Bound a_bound, Secrecy a_secrecy, Bound b_bound, Secrecy b_secrecy>
    requires(std::int64_t{size} * a_bound.magnitude() * b_bound.magnitude() < montgomery_limit)
[[nodiscard]] constexpr auto dot(const PolyVector<size, Poly<Form::ntt, a_bound, a_secrecy>>& a,
                                 const PolyVector<size, Poly<Form::ntt, b_bound, b_secrecy>>& b)
{
    Poly<Form::ntt_product, reduced_bound, a_secrecy | b_secrecy> sum;
    for (std::size_t i = 0; i < n; i += Isa::integer_lanes) {
        auto products = Isa::multiply(Isa::load(&a[0].c[i]), Isa::load(&b[0].c[i]));
        for (std::size_t j = 1; j < size; ++j)
            products = products + Isa::multiply(Isa::load(&a[j].c[i]), Isa::load(&b[j].c[i]));
        Isa::store(&sum.c[i], montgomery_reduce<Isa>(products));
    }
    GIRIH_ASSERT_BOUND(sum);
    return sum;
}

/// The same less c t: a product that is subtracted before the one reduction.
template <class Isa, std::size_t size, Bound a_bound, Bound b_bound, Bound c_bound, Bound t_bound>
    requires(std::int64_t{size} * a_bound.magnitude() * b_bound.magnitude() +
                 c_bound.magnitude() * t_bound.magnitude() <
             montgomery_limit)
[[nodiscard]] constexpr auto dot_less_product(const PolyVector<size, Poly<Form::ntt, a_bound>>& a,
                                              const PolyVector<size, Poly<Form::ntt, b_bound>>& b,
                                              const Poly<Form::ntt, c_bound>& c,
                                              const Poly<Form::ntt, t_bound>& t)
{
    Poly<Form::ntt_product, reduced_bound> difference;
    for (std::size_t i = 0; i < n; i += Isa::integer_lanes) {
        auto products = Isa::multiply(Isa::load(&a[0].c[i]), Isa::load(&b[0].c[i]));
        for (std::size_t j = 1; j < size; ++j)
            products = products + Isa::multiply(Isa::load(&a[j].c[i]), Isa::load(&b[j].c[i]));
        products = products - Isa::multiply(Isa::load(&c.c[i]), Isa::load(&t.c[i]));
        Isa::store(&difference.c[i], montgomery_reduce<Isa>(products));
    }
    GIRIH_ASSERT_BOUND(difference);
    return difference;
}

}  // namespace girih::ml_dsa
