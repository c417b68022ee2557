/// Products in R/q on 32-bit words: those of row_transform.hpp, modulo x^p - x - 1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wipe.hpp"
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/word_arithmetic/row_transform.hpp"

namespace girih::ntru_prime {

/// Of the only ring of a program. Constant time.
template <class Isa, class R>
class WordProductModuloQ {
    using Transform = RowTransform<Isa>;
    static constexpr std::size_t room = R::room;
    static constexpr std::size_t p = R::p;
    static_assert(R::q == row_field::q && p <= 761, "for the rings of sntrup761 and ntrulpr761");

  public:
    /// A small polynomial, transformed.
    class Factor {
      public:
        explicit Factor(const Small<room>& b) { Transform::template forward<p>(b.c, *values_); }

      private:
        friend WordProductModuloQ;
        Wiped<typename Transform::Values> values_{unset};
    };

    /// Rq_mult_small (NTRU Prime, Section 3.5), on words.
    [[gnu::noinline]] static void multiply(const Rq<room>& a, const Factor& b, Rq<room>& product)
    {
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
};

}  // namespace girih::ntru_prime
