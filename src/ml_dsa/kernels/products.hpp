/// Products of polynomials in NTT form (FIPS 204, Section 7.6), divided by Montgomery's radix.
///
/// Constant time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ml_dsa/kernels/montgomery.hpp"
#include "ml_dsa/kernels/ntt.hpp"
#include "ml_dsa/kernels/poly_arithmetic.hpp"

namespace girih::ml_dsa {

template <class Isa>
struct MontgomeryProduct {
    using Integers = typename Isa::Integers;
    [[gnu::always_inline]] static constexpr Integers of(Integers a, Integers b) noexcept
    {
        return montgomery_multiply<Isa>(a, b);
    }
};

/// The product of two polynomials in NTT form.
template <class A, class B>
using ProductOf = Poly<Form::ntt_product, reduced_bound, A::secrecy | B::secrecy>;

/// MultiplyNTT (FIPS 204, Algorithm 45), divided by R.
template <class Isa, PolyIn<Form::ntt> A, PolyIn<Form::ntt> B>
    requires(A::bound.magnitude() * B::bound.magnitude() < montgomery_limit)
constexpr void multiply(const A& a, const B& b, ProductOf<A, B>& product)
{
    map<MontgomeryProduct<Isa>, Isa>(product.c, a.c, b.c);
    GIRIH_ASSERT_BOUND(product);
}
template <class Isa, PolyIn<Form::ntt> A, PolyIn<Form::ntt> B>
    requires(A::bound.magnitude() * B::bound.magnitude() < montgomery_limit)
[[nodiscard]] constexpr auto multiply(const A& a, const B& b)
{
    ProductOf<A, B> product;
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

/// Vectors of equally many polynomials in NTT form, and how large the sum of their products can be.
template <class A, class B>
concept NttVectors =
    PolyIn<typename A::Element, Form::ntt> && PolyIn<typename B::Element, Form::ntt> && A::size == B::size;
template <class A, class B>
inline constexpr std::int64_t dot_magnitude =
    std::int64_t{A::size} * A::Element::bound.magnitude() * B::Element::bound.magnitude();

/// The row of MatrixVectorNTT (FIPS 204, Algorithm 48): the sum of a[i] b[i], reduced
/// once, divided by R.
template <class Isa, class A, class B>
    requires(NttVectors<A, B> && dot_magnitude<A, B> < montgomery_limit)
constexpr void dot(const A& a, const B& b, ProductOf<typename A::Element, typename B::Element>& sum)
{
    for (std::size_t i = 0; i < n; i += Isa::integer_lanes) {
        const typename Isa::Products products = kernels::sum_of_products<Isa>(a, b, i);
        Isa::store(&sum.c[i], montgomery_reduce<Isa>(products));
    }
    GIRIH_ASSERT_BOUND(sum);
}
template <class Isa, class A, class B>
    requires(NttVectors<A, B> && dot_magnitude<A, B> < montgomery_limit)
[[nodiscard]] constexpr auto dot(const A& a, const B& b)
{
    ProductOf<typename A::Element, typename B::Element> sum;
    dot<Isa>(a, b, sum);
    return sum;
}

/// That row minus c t, a row of ScalarVectorNTT (FIPS 204, Algorithm 47). The subtraction, which is
/// AddVectorNTT (FIPS 204, Algorithm 46), comes before the one reduction. Everything is public.
template <class Isa, class A, class B, PolyIn<Form::ntt> C>
    requires(NttVectors<A, B> && (A::Element::secrecy | B::Element::secrecy | C::secrecy) == Secrecy::open)
[[nodiscard]] constexpr auto dot_less_product(const A& a, const B& b, const C& c,
                                              const PolyIn<Form::ntt> auto& t)
{
    using T = std::remove_cvref_t<decltype(t)>;
    static_assert(T::secrecy == Secrecy::open);
    static_assert(dot_magnitude<A, B> + C::bound.magnitude() * T::bound.magnitude() < montgomery_limit);
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
