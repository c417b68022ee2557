/// Which arithmetic an engine has.
#pragma once

#include <type_traits>

#include "ntru_prime/arithmetic/product.hpp"
#include "ntru_prime/arithmetic/reciprocal_modulo_3.hpp"
#include "ntru_prime/arithmetic/reciprocal_modulo_q.hpp"
#include "ntru_prime/arithmetic/reference.hpp"
#include "ntru_prime/arithmetic/word_product.hpp"

namespace girih::ntru_prime {

/// Transforms and vectors; what each is, Reference says.
template <Ring R, class Isa>
struct Fast : TransformProduct<R, Isa> {
    template <class Poly>
    static void reciprocal_of_thrice(const Poly& f, Rq<R>& result)
    {
        ReciprocalModuloQ<R, Isa>::of_thrice(f, result);
    }
    [[nodiscard]] static std::int32_t reciprocal(const Small<R>& g, Small<R>& result)
    {
        return ReciprocalModulo3<R, Isa>::of(g, result);
    }
};

template <Ring R, class Isa>
struct ArithmeticOf {
    using Type = std::conditional_t<Isa::follows_specification, Reference<R, Isa>, Fast<R, Isa>>;
};
template <Ring R, class Isa>
    requires requires { Isa::multiplies_words; }
struct ArithmeticOf<R, Isa> {
    using Type = WordArithmetic<R, Isa>;
};
template <Ring R, class Isa>
using Arithmetic = typename ArithmeticOf<R, Isa>::Type;

}  // namespace girih::ntru_prime
