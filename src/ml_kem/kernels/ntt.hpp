/// The number-theoretic transform (FIPS 203, Section 4.3), its inverse, and products between the
/// two. standard/plain_ring.hpp has the standard's loops.
///
/// X^256 + 1 has 128 factors X^2 - gamma modulo q. The even and the odd coefficients of a
/// polynomial are two polynomials in X^2, which go through the same transform side by side.
///
/// Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/unroll.hpp"
#include "isa/options.hpp"
#include "ml_kem/types.hpp"
#include "transform/transform.hpp"

namespace girih::ml_kem {

/// The transform down to X^2 - zeta^i, for products of at most product_bound.
template <class Isa>
using Transform = transform::Transform<Isa, q, n, transform::Leaves{2, zeta, product_bound}>;
template <class Isa>
using Residue = transform::ShortResidue<Isa, q>;

/// More stack than kernels use. They spill registers, so callers with secrets wipe the stack below
/// them.
inline constexpr std::size_t kernel_stack_bytes = 2048;

/// a modulo q, in [0, q).
template <class Isa>
[[nodiscard, gnu::always_inline]] inline auto canonical(typename Isa::ShortLanes::Vector a) noexcept
{
    const auto c = Residue<Isa>::reduce(a);
    return c + ((c >> 15) & static_cast<Coefficient>(q));
}

/// NTT (FIPS 203, Algorithm 9): residues modulo the factors, in the standard's order.
template <class Isa, Bound bound, Secrecy secrecy>
void ntt(const module_lattice::Poly<Form::coefficients, bound, secrecy, Coefficient>& f, NttPoly& f_hat)
{
    static_assert(bound.magnitude() <= Transform<Isa>::negacyclic_bound);
    static_assert(Residue<Isa>::reduced_bound == reduced_bound);
    GIRIH_ASSERT_BOUND(f);
    Transform<Isa>::forward_negacyclic(f.c, f_hat.c);
    GIRIH_ASSERT_BOUND(f_hat);
}

/// NTT^-1 (FIPS 203, Algorithm 10), of a product, times 2^16, by which the product was divided.
template <class Isa>
void inverse_ntt(const ProductPoly& f_hat, RingPoly& f)
{
    // 128 (q - (q - 1) / 128) = 1 modulo q: what the layers have doubled.
    constexpr std::int64_t scale = std::int64_t{transform::short_radix} * (q - (q - 1) / 128);
    static_assert(Transform<Isa>::fixed_inverse_bound() <= inverse_bound);
    static_assert(Residue<Isa>::has_rounded_quotients || Transform<Isa>::inverse_bound == inverse_bound);
    GIRIH_ASSERT_BOUND(f_hat);
    Transform<Isa>::template inverse_negacyclic<scale>(f_hat.c, f.c);
    GIRIH_ASSERT_BOUND(f);
}

namespace tables {

/// Multipliers that turn a residue's coefficients into a Factor's `straight`: 1, and gamma =
/// zeta^(2 BitRev7(i) + 1) (FIPS 203, Appendix A).
struct alignas(64) Gammas {
    Coefficients value;
    Coefficients quotient;
};

template <class Isa>
inline constexpr Gammas gammas = [] {
    using Roots = transform::Roots<q, n, zeta>;
    Gammas table{};
    for (std::size_t i = 0; i < n; ++i) {
        const auto f = Residue<Isa>::factor(i % 2 == 0 ? 1 : Roots::power(zeta, 2 * bit_rev7(i / 2) + 1));
        table.value[i] = f.value;
        table.quotient[i] = f.quotient;
    }
    return table;
}();

/// The gammas alone.
template <class Isa>
alignas(64) inline constexpr auto split_gammas = [] {
    using Roots = transform::Roots<q, n, zeta>;
    constexpr std::size_t lanes = Isa::ShortLanes::lanes;
    transform::LaneFactors<lanes, n / 2 / lanes> table{};
    for (std::size_t i = 0; i < n / 2; ++i)
        table.set(i / lanes, i % lanes, Residue<Isa>::factor(Roots::power(zeta, 2 * bit_rev7(i) + 1)));
    return table;
}();

}  // namespace tables

/// make_factor, where sums are those of each lane.
template <class Isa>
[[gnu::always_inline]] inline void make_split_factor(const Coefficients& b, Factor& factor)
{
    using Lanes = typename Isa::ShortLanes;
    constexpr std::size_t lanes = Lanes::lanes;
    for (std::size_t i = 0; i < n; i += 2 * lanes) {
        const auto first = Residue<Isa>::reduce(Lanes::load(&b[i]));
        const auto second = Residue<Isa>::reduce(Lanes::load(&b[i + lanes]));
        const auto b1 = Lanes::template odd_of<1>(first, second);
        const auto gamma = tables::split_gammas<Isa>.template load<Residue<Isa>>(i / 2 / lanes);
        Lanes::store(&factor.straight[i], Lanes::template even_of<1>(first, second));
        Lanes::store(&factor.straight[i + lanes], Residue<Isa>::multiply(b1, gamma));
        Lanes::store(&factor.crossed[i / 2], b1);
    }
}

/// b as a factor of products. b is reduced, or of 12 bits.
template <class Isa>
[[gnu::noinline]] void make_factor(const Coefficients& b, Factor& factor)
{
    using Lanes = typename Isa::ShortLanes;
    if constexpr (isa::SumsEachLane<Lanes>) return make_split_factor<Isa>(b, factor);
    const tables::Gammas& gammas = tables::gammas<Isa>;
    for (std::size_t i = 0; i < n; i += Lanes::lanes) {
        const auto reduced = Residue<Isa>::reduce(Lanes::load(&b[i]));
        const typename Residue<Isa>::Factors one_and_gamma{Lanes::load(&gammas.value[i]),
                                                           Lanes::load(&gammas.quotient[i])};
        Lanes::store(&factor.straight[i], Residue<Isa>::multiply(reduced, one_and_gamma));
        Lanes::store(&factor.crossed[i], Lanes::cross_pairs(reduced));
    }
}

/// dot of k products, where sums are those of each lane.
template <class Isa, std::size_t k, class P>
[[gnu::always_inline]] inline void split_dot(const P* a, const Factor* b, ProductPoly& sum)
{
    using Lanes = typename Isa::ShortLanes;
    constexpr std::size_t lanes = Lanes::lanes;
    for (std::size_t i = 0; i < n; i += 2 * lanes) {
        typename Lanes::WideSums even;
        typename Lanes::WideSums odd;
        unroll<k>([&](auto j) __attribute__((always_inline)) {
            const auto first = Lanes::load(&a[j].c[i]);
            const auto second = Lanes::load(&a[j].c[i + lanes]);
            const auto a0 = Lanes::template even_of<1>(first, second);
            const auto a1 = Lanes::template odd_of<1>(first, second);
            const auto b0 = Lanes::load(&b[j].straight[i]);
            const auto gamma_b1 = Lanes::load(&b[j].straight[i + lanes]);
            const auto b1 = Lanes::load(&b[j].crossed[i / 2]);
            even = j == 0 ? Lanes::multiply_wide(a0, b0) : Lanes::add_wide(even, a0, b0);
            odd = j == 0 ? Lanes::multiply_wide(a0, b1) : Lanes::add_wide(odd, a0, b1);
            even = Lanes::add_wide(even, a1, gamma_b1);
            odd = Lanes::add_wide(odd, a1, b0);
        });
        const auto c0 = Residue<Isa>::reduce_wide(even);
        const auto c1 = Residue<Isa>::reduce_wide(odd);
        Lanes::store(&sum.c[i], Lanes::template zip_lower<1>(c0, c1));
        Lanes::store(&sum.c[i + lanes], Lanes::template zip_upper<1>(c0, c1));
    }
    GIRIH_ASSERT_BOUND(sum);
}

/// The sum of 2 to max_k products a[j] b[j], by MultiplyNTTs (FIPS 203, Algorithm 11): of each
/// residue, the coefficients of BaseCaseMultiply (FIPS 203, Algorithm 12) are added up for all j
/// before they are reduced.
template <class Isa, class P>
[[gnu::noinline]] void dot(std::span<const P> a, std::span<const Factor> b, ProductPoly& sum)
{
    // |b| is at most reduced_bound.
    constexpr std::int64_t largest_sum = std::int64_t{max_k} * 2 * P::bound.magnitude() * reduced_bound;
    static_assert(Residue<Isa>::reduced_sum_bound(largest_sum) <= product_bound);
    using Lanes = typename Isa::ShortLanes;
    if constexpr (isa::SumsEachLane<Lanes>) {
        if (a.size() == 2) return split_dot<Isa, 2>(a.data(), b.data(), sum);
        if (a.size() == 3) return split_dot<Isa, 3>(a.data(), b.data(), sum);
        static_assert(max_k == 4);
        return split_dot<Isa, 4>(a.data(), b.data(), sum);
    }
    for (std::size_t i = 0; i < n; i += Lanes::lanes) {
        typename Lanes::Sums even{};
        typename Lanes::Sums odd{};
        for (std::size_t j = 0; j < a.size(); ++j) {
            const auto factor = Lanes::load(&a[j].c[i]);
            even = Lanes::add_pairs(even, factor, Lanes::load(&b[j].straight[i]));
            odd = Lanes::add_pairs(odd, factor, Lanes::load(&b[j].crossed[i]));
        }
        Lanes::store(&sum.c[i], Residue<Isa>::reduce_sums(even, odd));
    }
    GIRIH_ASSERT_BOUND(sum);
}

/// sum 2^16 + addend, in [0, q): the product with Montgomery's division undone, plus another
/// polynomial.
template <class Isa>
[[gnu::noinline]] void scale_and_add(const ProductPoly& sum, const NttPoly& addend, Coefficients& out)
{
    using Lanes = typename Isa::ShortLanes;
    const auto radix = Residue<Isa>::Factors::of(Residue<Isa>::factor(transform::short_radix));
    for (std::size_t i = 0; i < n; i += Lanes::lanes)
        Lanes::store(&out[i], canonical<Isa>(Residue<Isa>::multiply(Lanes::load(&sum.c[i]), radix) +
                                             Lanes::load(&addend.c[i])));
}

/// t / 2^16 - sum, in place of the sum, at the scale of products.
template <class Isa>
[[gnu::noinline]] void subtract_product(const PublicPoly& t, ProductPoly& sum)
{
    using Lanes = typename Isa::ShortLanes;
    const auto one = Residue<Isa>::prepare(Lanes::broadcast(1));
    for (std::size_t i = 0; i < n; i += Lanes::lanes)
        Lanes::store(&sum.c[i], Residue<Isa>::reduce(Residue<Isa>::multiply(Lanes::load(&t.c[i]), one) -
                                                     Lanes::load(&sum.c[i])));
}

/// f modulo q, in [0, q).
template <class Isa>
[[gnu::noinline]] void make_canonical(Coefficients& f)
{
    using Lanes = typename Isa::ShortLanes;
    for (std::size_t i = 0; i < n; i += Lanes::lanes) Lanes::store(&f[i], canonical<Isa>(Lanes::load(&f[i])));
}

/// a + b and a - b, in place of a and of b.
template <class Isa>
[[gnu::noinline]] void add_to(Coefficients& a, const Coefficients& b)
{
    using Lanes = typename Isa::ShortLanes;
    for (std::size_t i = 0; i < n; i += Lanes::lanes)
        Lanes::store(&a[i], Lanes::load(&a[i]) + Lanes::load(&b[i]));
}
template <class Isa>
[[gnu::noinline]] void subtract_from(const Coefficients& a, Coefficients& b)
{
    using Lanes = typename Isa::ShortLanes;
    for (std::size_t i = 0; i < n; i += Lanes::lanes)
        Lanes::store(&b[i], Lanes::load(&a[i]) - Lanes::load(&b[i]));
}

}  // namespace girih::ml_kem
