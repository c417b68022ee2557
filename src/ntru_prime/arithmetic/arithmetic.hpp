/// Which arithmetic an engine has.
#pragma once

#include <type_traits>

#include "ntru_prime/arithmetic/product.hpp"
#include "ntru_prime/arithmetic/reciprocal_modulo_3.hpp"
#include "ntru_prime/arithmetic/reciprocal_modulo_q.hpp"
#include "ntru_prime/arithmetic/reference.hpp"
#include "ntru_prime/arithmetic/row_product.hpp"
#include "ntru_prime/arithmetic/word_product.hpp"

namespace girih::ntru_prime {

/// Products by transforms; what each is, Reference says.
template <class Isa, class R>
struct Products : TransformProduct<Isa, R> {};

/// Where vectors multiply pairs of lanes, products modulo q are of rows.
template <class Isa, class R>
    requires requires { Isa::multiplies_pairs; }
struct Products<Isa, R> {
    using Rows = RowProduct<Isa, R>;
    using Transforms = TransformProduct<Isa, R>;

    static constexpr std::size_t room = R::room;

    static void multiply(const R& ring, const Small<room>& a, const Small<room>& b, Small<room>& product)
    {
        Transforms::multiply(ring, a, b, product);
    }
    template <class B>
    static void multiply(const R& ring, const Rq<room>& a, const B& b, Rq<room>& product)
    {
        Rows::multiply(ring, a, b, product);
    }

    // The same in parts, as TransformProduct has them: by one prime for two small polynomials. But
    // `scratch` may be b alone.

    using SmallValues = typename Transforms::template Values<1>;
    using AnyValues = typename Rows::Values;
    template <std::size_t primes>
    using Values = std::conditional_t<primes == 1, SmallValues, AnyValues>;

    static void transform(const R& ring, const Small<room>& a, SmallValues& values)
    {
        Transforms::transform(ring, a, values);
    }
    template <class Poly>
    static void transform(const R& ring, const Poly& a, AnyValues& values)
    {
        Rows::transform(ring, a, values);
    }
    static void multiply(const R& ring, const SmallValues& a, const SmallValues& b, SmallValues& scratch,
                         Small<room>& product)
    {
        Transforms::multiply(ring, a, b, scratch, product);
    }
    static void multiply(const R& ring, const AnyValues& a, const AnyValues& b, AnyValues& scratch,
                         Rq<room>& product)
    {
        Rows::multiply(ring, a, b, scratch, product);
    }
};

/// Transforms and vectors; what each is, Reference says.
template <class Isa, class R>
struct Fast : Products<Isa, R> {
    /// Rq_recip3 (NTRU Prime, Section 3.5).
    template <class Poly>
    static void reciprocal_of_thrice(const R& ring, const Poly& f, Rq<R::room>& result)
    {
        ReciprocalModuloQ<Isa, R>::of_thrice(ring, f, result);
    }
    /// R3_recip (NTRU Prime, Section 3.5).
    [[nodiscard]] static std::int32_t reciprocal(const R& ring, const Small<R::room>& g,
                                                 Small<R::room>& result)
    {
        return ReciprocalModulo3<Isa, R::room>::of(ring.p, g, result);
    }
};

template <class Isa, class R>
struct ArithmeticOf {
    using Type = std::conditional_t<Isa::follows_specification, Reference<Isa, R>, Fast<Isa, R>>;
};
template <class Isa, class R>
    requires requires { Isa::multiplies_words; }
struct ArithmeticOf<Isa, R> {
    using Type = WordArithmetic<Isa, R>;
};
template <class Isa, class R>
using Arithmetic = typename ArithmeticOf<Isa, R>::Type;

/// A small polynomial that is a factor more than once: itself, or what an arithmetic makes of it.
template <class Arithmetic, class Small>
struct RepeatedFactor {
    using Type = const Small&;
};
template <class Arithmetic, class Small>
    requires requires { typename Arithmetic::Factor; }
struct RepeatedFactor<Arithmetic, Small> {
    using Type = const typename Arithmetic::Factor;
};

}  // namespace girih::ntru_prime
