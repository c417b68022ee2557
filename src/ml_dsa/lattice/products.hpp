/// Products of polynomials in NTT form (FIPS 204, Section 7.6), divided by Montgomery's radix.
///
/// Constant time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ml_dsa/lattice/montgomery.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "ml_dsa/lattice/poly_arithmetic.hpp"

namespace girih::ml_dsa {

template <class Isa>
struct MontgomeryProduct {
    using Integers = typename Isa::Integers;
    [[gnu::always_inline]] static constexpr Integers of(Integers a, Integers b) noexcept
    {
        return montgomery_multiply<Isa>(a, b);
    }
};

/// MultiplyNTT (FIPS 204, Algorithm 45), divided by R.
template <class Isa, Bound a_bound, Secrecy a_secrecy, Bound b_bound, Secrecy b_secrecy>
    requires(a_bound.magnitude() * b_bound.magnitude() < montgomery_limit)
constexpr void multiply(const Poly<Form::ntt, a_bound, a_secrecy>& a,
                        const Poly<Form::ntt, b_bound, b_secrecy>& b,
                        Poly<Form::ntt_product, reduced_bound, a_secrecy | b_secrecy>& product)
{
    map<MontgomeryProduct<Isa>, Isa>(product.c, a.c, b.c);
    GIRIH_ASSERT_BOUND(product);
}
template <class Isa, Bound a_bound, Secrecy a_secrecy, Bound b_bound, Secrecy b_secrecy>
    requires(a_bound.magnitude() * b_bound.magnitude() < montgomery_limit)
[[nodiscard]] constexpr auto multiply(const Poly<Form::ntt, a_bound, a_secrecy>& a,
                                      const Poly<Form::ntt, b_bound, b_secrecy>& b)
{
    Poly<Form::ntt_product, reduced_bound, a_secrecy | b_secrecy> product;
    multiply<Isa>(a, b, product);
    return product;
}

namespace kernels {

/// The sum of a[j] b[j] in the lanes from coefficient i on, not reduced.
template <class Isa, class A, class B>
[[nodiscard, gnu::always_inline]] constexpr typename Isa::Products sum_of_products(const A& a, const B& b,
                                                                                   std::size_t i) noexcept
{
    typename Isa::Products products = Isa::multiply(Isa::load(&a[0].c[i]), Isa::load(&b[0].c[i]));
    for (std::size_t j = 1; j < A::size; ++j)
        products = products + Isa::multiply(Isa::load(&a[j].c[i]), Isa::load(&b[j].c[i]));
    return products;
}

}  // namespace kernels

/// The row of MatrixVectorNTT (FIPS 204, Algorithm 48): the sum of a[i] b[i], reduced
/// once, divided by R.
template <class Isa, std::size_t size, Bound a_bound, Secrecy a_secrecy, Bound b_bound, Secrecy b_secrecy>
    requires(std::int64_t{size} * a_bound.magnitude() * b_bound.magnitude() < montgomery_limit)
constexpr void dot(const PolyVector<size, Poly<Form::ntt, a_bound, a_secrecy>>& a,
                   const PolyVector<size, Poly<Form::ntt, b_bound, b_secrecy>>& b,
                   Poly<Form::ntt_product, reduced_bound, a_secrecy | b_secrecy>& sum)
{
    for (std::size_t i = 0; i < n; i += Isa::integer_lanes) {
        const typename Isa::Products products = kernels::sum_of_products<Isa>(a, b, i);
        Isa::store(&sum.c[i], montgomery_reduce<Isa>(products));
    }
    GIRIH_ASSERT_BOUND(sum);
}
template <class Isa, std::size_t size, Bound a_bound, Secrecy a_secrecy, Bound b_bound, Secrecy b_secrecy>
    requires(std::int64_t{size} * a_bound.magnitude() * b_bound.magnitude() < montgomery_limit)
[[nodiscard]] constexpr auto dot(const PolyVector<size, Poly<Form::ntt, a_bound, a_secrecy>>& a,
                                 const PolyVector<size, Poly<Form::ntt, b_bound, b_secrecy>>& b)
{
    Poly<Form::ntt_product, reduced_bound, a_secrecy | b_secrecy> sum;
    dot<Isa>(a, b, sum);
    return sum;
}

/// That row less c t, a row of ScalarVectorNTT (FIPS 204, Algorithm 47). The difference is that of
/// AddVectorNTT (FIPS 204, Algorithm 46), taken before the one reduction.
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
        const typename Isa::Products products =
            kernels::sum_of_products<Isa>(a, b, i) - Isa::multiply(Isa::load(&c.c[i]), Isa::load(&t.c[i]));
        Isa::store(&difference.c[i], montgomery_reduce<Isa>(products));
    }
    GIRIH_ASSERT_BOUND(difference);
    return difference;
}

}  // namespace girih::ml_dsa
