/// Arithmetic in R/3 and R/q, by the names of the specification. There are three: that of vectors,
/// of 32-bit words (microcontrollers), and the specification's own, which tests compare with.
///
/// Rq_mult_small (NTRU Prime, Section 3.5), R3_mult (NTRU Prime, Section 3.5),
/// Rq_recip3 (NTRU Prime, Section 3.5), 1 / 3f, and R3_recip (NTRU Prime, Section 3.5), 1 / g: all
/// ones if there is none, else 0. Constant time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "isa/isa.hpp"
#include "ntru_prime/arithmetic/product_modulo_3.hpp"
#include "ntru_prime/arithmetic/product_modulo_q.hpp"
#include "ntru_prime/arithmetic/reciprocal_modulo_3.hpp"
#include "ntru_prime/arithmetic/reciprocal_modulo_q.hpp"
#include "ntru_prime/arithmetic/reference.hpp"
#include "ntru_prime/word_arithmetic/product_modulo_3.hpp"
#include "ntru_prime/word_arithmetic/product_modulo_q.hpp"
#include "ntru_prime/word_arithmetic/reciprocal_modulo_3.hpp"
#include "ntru_prime/word_arithmetic/reciprocal_modulo_q.hpp"

namespace girih::ntru_prime {

template <class Isa, class R>
struct VectorArithmetic {
    static constexpr std::size_t room = R::room;
    using ModuloQ = ProductModuloQ<Isa, R>;
    using Modulo3 = ProductModulo3<Isa, room>;
    /// A small polynomial, as what it is multiplied by takes it.
    using Factor = const Small<room>&;

    static void rq_mult_small(const R& ring, const Rq<room>& a, Factor b, Rq<room>& product)
    {
        ModuloQ::multiply(ring, a, b, product);
    }
    static void r3_mult(const R& ring, const Small<room>& a, const Small<room>& b, Small<room>& product)
    {
        Modulo3::multiply(ring.p, a, b, product);
    }
    static void rq_recip3(const R& ring, const Small<room>& f, Rq<room>& result)
    {
        ReciprocalModuloQ<Isa, R>::of_thrice(ring, f, result);
    }
    [[nodiscard]] static std::int32_t r3_recip(const R& ring, const Small<room>& g, Small<room>& result)
    {
        return ReciprocalModulo3<Isa, room>::of(ring.p, g, result);
    }
};

/// In the only ring of a program.
template <class Isa, class R>
struct WordArithmetic {
    static constexpr std::size_t room = R::room;
    /// A small polynomial that was transformed, for products with more than one.
    using Factor = typename WordProductModuloQ<Isa, R>::Factor;

    static void rq_mult_small(const R&, const Rq<room>& a, const Factor& b, Rq<room>& product)
    {
        WordProductModuloQ<Isa, R>::multiply(a, b, product);
    }
    static void rq_mult_small(const R& ring, const Rq<room>& a, const Small<room>& b, Rq<room>& product)
    {
        rq_mult_small(ring, a, Factor{b}, product);
    }
    static void r3_mult(const R&, const Small<room>& a, const Small<room>& b, Small<room>& product)
    {
        WordProductModulo3<Isa, R>::multiply(a, b, product);
    }
    static void rq_recip3(const R&, const Small<room>& f, Rq<room>& result)
    {
        WordReciprocalModuloQ<Isa, R>::of_thrice(f, result);
    }
    [[nodiscard]] static std::int32_t r3_recip(const R&, const Small<room>& g, Small<room>& result)
    {
        return WordReciprocalModulo3<Isa, R>::of(g, result);
    }
};

template <class Isa, class R>
struct ArithmeticOf {
    using Type = std::conditional_t<Isa::follows_specification, Reference<Isa, R>, VectorArithmetic<Isa, R>>;
};
template <isa::MultipliesWords Isa, class R>
struct ArithmeticOf<Isa, R> {
    using Type = WordArithmetic<Isa, R>;
};
/// The arithmetic of an engine in a ring of type R.
template <class Isa, class R>
using Arithmetic = typename ArithmeticOf<Isa, R>::Type;

}  // namespace girih::ntru_prime
