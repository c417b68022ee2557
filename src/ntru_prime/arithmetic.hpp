/// Arithmetic in R/3 and R/q, under the specification's names. There are three forms: on vectors,
/// on 32-bit words (microcontrollers), and the specification's own, which tests compare with.
///
/// Rq_mult_small (NTRU Prime, Section 3.5), R3_mult (NTRU Prime, Section 3.5), Rq_recip3 (NTRU
/// Prime, Section 3.5), 1 / 3f, and R3_recip (NTRU Prime, Section 3.5), 1 / g, which returns all
/// ones if there is none, else 0. Constant time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "isa/isa.hpp"
#include "ntru_prime/kernels/product_modulo_3.hpp"
#include "ntru_prime/kernels/product_modulo_q.hpp"
#include "ntru_prime/kernels/reciprocal_modulo_3.hpp"
#include "ntru_prime/kernels/reciprocal_modulo_q.hpp"
#include "ntru_prime/kernels/words/product_modulo_3.hpp"
#include "ntru_prime/kernels/words/product_modulo_q.hpp"
#include "ntru_prime/kernels/words/reciprocal_modulo_3.hpp"
#include "ntru_prime/kernels/words/reciprocal_modulo_q.hpp"
#include "ntru_prime/standard/arithmetic.hpp"

namespace girih::ntru_prime {

/// A small polynomial as the factor of several products: as it is, or transformed.
template <class Isa, class R>
struct SmallFactorOf {
    using Type = const Small<R::capacity>&;
};
template <isa::MultipliesWords Isa, class R>
struct SmallFactorOf<Isa, R> {
    using Type = typename WordProductModuloQ<Isa, R>::Factor;
};

/// The arithmetic of an engine in a ring of type R. (Arithmetic on words is for programs with one
/// ring only.)
template <class Isa, class R>
struct Arithmetic {
    static constexpr std::size_t capacity = R::capacity;
    using ModuloQ = ProductModuloQ<Isa, R>;
    using Modulo3 = ProductModulo3<Isa, capacity>;
    using Factor = typename SmallFactorOf<Isa, R>::Type;

    /// b is a small polynomial or a Factor.
    template <class B>
    static constexpr void rq_mult_small(const R& ring, const Rq<capacity>& a, const B& b,
                                        Rq<capacity>& product)
    {
        if constexpr (!isa::MultipliesWords<Isa>) {
            if constexpr (Isa::follows_specification)
                Reference<Isa, R>::rq_mult_small(ring, a, b, product);
            else
                ModuloQ::multiply(ring, a, b, product);
        } else if constexpr (std::is_same_v<B, Factor>) {
            WordProductModuloQ<Isa, R>::multiply(a, b, product);
        } else {
            WordProductModuloQ<Isa, R>::multiply(a, Factor{b}, product);
        }
    }

    static constexpr void r3_mult(const R& ring, const Small<capacity>& a, const Small<capacity>& b,
                                  Small<capacity>& product)
    {
        if constexpr (isa::MultipliesWords<Isa>)
            WordProductModulo3<Isa, R>::multiply(a, b, product);
        else if constexpr (Isa::follows_specification)
            Reference<Isa, R>::r3_mult(ring, a, b, product);
        else
            Modulo3::multiply(ring.p, a, b, product);
    }

    /// R/q is a field: every f but 0 has a reciprocal.
    static constexpr void rq_recip3(const R& ring, const Small<capacity>& f, Rq<capacity>& result)
    {
        if constexpr (isa::MultipliesWords<Isa>)
            WordReciprocalModuloQ<Isa, R>::of_3f(f, result);
        else if constexpr (Isa::follows_specification)
            Reference<Isa, R>::rq_recip3(ring, f, result);
        else
            ReciprocalModuloQ<Isa, R>::of_3f(ring, f, result);
    }

    [[nodiscard]] static constexpr std::int32_t r3_recip(const R& ring, const Small<capacity>& g,
                                                         Small<capacity>& result)
    {
        if constexpr (isa::MultipliesWords<Isa>)
            return WordReciprocalModulo3<Isa, R>::of(g, result);
        else if constexpr (Isa::follows_specification)
            return Reference<Isa, R>::r3_recip(ring, g, result);
        else
            return ReciprocalModulo3<Isa, capacity>::of(ring.p, g, result);
    }
};

}  // namespace girih::ntru_prime
