/// What a processor without vectors multiplies and divides with: products in R/q by transforms on
/// pairs of residues (`row_transform.hpp`), in R/3 and reciprocals on words.
///
/// Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wipe.hpp"
#include "ntru_prime/arithmetic/packed_product_modulo_3.hpp"
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/arithmetic/row_transform.hpp"
#include "ntru_prime/arithmetic/word_reciprocal_modulo_3.hpp"
#include "ntru_prime/arithmetic/word_reciprocal_modulo_q.hpp"

namespace girih::ntru_prime {

/// The ring is the only one of the program.
template <class Isa, class R>
struct WordArithmetic {
    using Transform = RowTransform<Isa>;
    static constexpr std::size_t room = R::room;
    static_assert(R::q == row_field::q && R::p <= 761, "for the rings of sntrup761 and ntrulpr761");

    /// A small polynomial, transformed.
    class Factor {
      public:
        explicit Factor(const Small<room>& b) { Transform::template forward<R::p>(b.c, *values_); }

      private:
        friend WordArithmetic;
        Wiped<typename Transform::Values> values_{unset};
    };

    /// As Rq_mult_small (NTRU Prime, Section 3.5), by transforms of rows.
    static void multiply(const R& ring, const Rq<room>& a, const Small<room>& b, Rq<room>& product)
    {
        const Factor factor{b};
        multiply(ring, a, factor, product);
    }
    [[gnu::noinline]] static void multiply(const R&, const Rq<room>& a, const Factor& b, Rq<room>& product)
    {
        constexpr std::size_t p = R::p;
        Wiped<std::array<typename Transform::Values, 2>> wiped{unset};
        auto& [values, whole] = *wiped;
        Transform::template forward<p>(a.c, values);
        Transform::multiply_values(values, b.values_.value);
        Transform::backward(values, whole);
        // x^p = x + 1: number p + i goes to i and to i + 1.
        const auto at = [&all = whole](std::size_t i) {
            const std::uint32_t pair = all[i / 2];
            return static_cast<std::int32_t>(i % 2 == 0 ? pair << 16 : pair) >> 16;
        };
        std::size_t i = 0;
        if constexpr (requires { &Isa::fold_rows; }) {
            i = p / 4 * 4;
            Isa::fold_rows(product.c.data(), whole.data(), i, p - 1, Transform::last_factor);
        }
        for (; i < p; ++i)
            product.c[i] = static_cast<std::int16_t>(Transform::multiply(
                at(i) + at(p + i) + (i == 0 ? 0 : at(p + i - 1)), Transform::last_factor));
    }
    /// R3_mult (NTRU Prime, Section 3.5).
    static void multiply(const R&, const Small<room>& a, const Small<room>& b, Small<room>& product)
    {
        PackedProductModulo3<Isa, R>::multiply(a, b, product);
    }
    /// Rq_recip3 (NTRU Prime, Section 3.5).
    static void reciprocal_of_thrice(const R&, const Small<room>& f, Rq<room>& result)
    {
        WordReciprocalModuloQ<Isa, R>::of_thrice(f, result);
    }
    /// R3_recip (NTRU Prime, Section 3.5).
    [[nodiscard]] static std::int32_t reciprocal(const R&, const Small<room>& g, Small<room>& result)
    {
        return WordReciprocalModulo3<Isa, R>::of(g, result);
    }
};

}  // namespace girih::ntru_prime
